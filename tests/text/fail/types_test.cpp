// P04xx: types, ranks and counts that do not fit.
#include <gtest/gtest.h>

#include "../text_testing.h"

namespace hocket::text {
namespace {

const testing_text::Refused kRefused[] = {
    {"P0401", R"hk(pipeline p(input: f32(x)) -> f:
    f: u8(x)
    f(x) = input(x)
)hk",
     "the value of `f` is f32, where u8 is needed", 3, 12, "help: write the cast: u8(input(x))"},
    {"P0401", R"hk(pipeline p(b: f64(x)) -> g:
    g(x) = f32(0.0)
    g(x) += b(x) * 2.0
)hk",
     "the value of `g` is f64, where f32 is needed", 3, 18,
     "help: write the cast: f32(b(x) * 2.0)"},
    {"P0401", R"hk(def p(n: size, A: i32[n], B: f32[n]):
    A[0] = B[0]
)hk",
     "the value of `A` is f32, where i32 is needed", 2, 12, "help: write the cast: i32(B[0])"},
    {"P0401", R"hk(def g(a: f32):
    pass

def p(n: size, A: i32[n]):
    g(A[0])
)hk",
     "argument 1 of `g` is i32, where f32 is needed", 5, 7, "help: write the cast: f32(A[0])"},
    {"P0402", R"hk(pipeline p(input: u8(x)) -> f:
    f(x) = input(x) + 256
)hk",
     "the number `256` does not fit u8", 2, 23},
    {"P0402", R"hk(pipeline p(input: u8(x)) -> f:
    f(x) = input(x) * 0.5
)hk",
     "the number `0.5` does not fit u8", 2, 23},
    {"P0402", R"hk(pipeline p() -> f:
    f(x) = u8(-1)
)hk",
     "the number `-1` does not fit u8", 2, 12},
    {"P0403", R"hk(pipeline p(input: f32(x)) -> f:
    f(x) = input(x) << 2
)hk",
     "`<<` is not defined for f32", 2, 21},
    {"P0403", R"hk(pipeline p(input: u8(x)) -> f:
    f(x) = sqrt(input(x))
)hk",
     "`sqrt` is not defined for u8", 2, 12},
    {"P0403", R"hk(def p(n: size, A: bool[n]):
    A[0] += true
)hk",
     "`+=` is not defined for bool", 2, 5},
    {"P0403", R"hk(pipeline p() -> f:
    rdom r(0, 3)
    f(x) += r > 0
)hk",
     "`+=` is not defined for bool", 3, 5},
    {"P0404", R"hk(pipeline p(input: u8(x)) -> f:
    f(x) = select(input(x), 1, 0)
)hk",
     "a condition is bool, and this is u8", 2, 19},
    {"P0404", R"hk(def p(n: size):
    if 1:
        pass
)hk",
     "a condition is bool, and this is a number", 2, 8},
    {"P0405", R"hk(pipeline p(input: u8(x, y)) -> f:
    f(x) = input(x)
)hk",
     "`input` has 2 dimensions, it is given 1", 2, 12, "1:12 `input` is defined here"},
    {"P0405", R"hk(pipeline p() -> g:
    f(x, y) = x + y
    g(x) = f(x)
)hk",
     "`f` has 2 dimensions, it is given 1", 3, 12, "2:5 `f` is defined here"},
    {"P0405", R"hk(pipeline p() -> f:
    f: i32(x)
    f(x, y) = 3
)hk",
     "`f` has 1 dimension, it is given 2", 3, 5, "2:5 `f` is defined here"},
    {"P0405", R"hk(pipeline p() -> f:
    f(x, y) = 3
    f(x) = 4
)hk",
     "`f` has 2 dimensions, it is given 1", 3, 5, "2:5 `f` is defined here"},
    {"P0405", R"hk(def p(n: size, A: f32[n, n]):
    A[0] = 1.0
)hk",
     "`A` has 2 dimensions, it is given 1", 2, 5, "1:16 `A` is defined here"},
    {"P0405", R"hk(def p(n: size, A: f32[n]):
    A = 1.0
)hk",
     "`A` has 1 dimension, it is given 0", 2, 5, "1:16 `A` is defined here"},
    {"P0405", R"hk(def p(n: size, A: f32[n]):
    w = A[0:1, 0:1]
)hk",
     "`A` has 1 dimension, it is given 2", 2, 9, "1:16 `A` is defined here"},
    {"P0405", R"hk(def p(n: size, A: f32[n]):
    let s = stride(A, 1)
)hk",
     "`A` has 1 dimension, number 0, it is given number 1", 2, 13, "1:16 `A` is defined here"},
    {"P0405", R"hk(flat def p(n: index, A: f32[n]):
    A[0, 0] = 1.0
)hk",
     "`A` has 1 index in a flat proc, it is given 2", 2, 5, "1:22 `A` is defined here"},
    {"P0405", R"hk(flat def p(n: index):
    A: f32[n, n]
)hk",
     "`A` has 1 extent in a flat proc, it is given 2", 2, 5},
    {"P0406", R"hk(pipeline p(input: u8(x), at: f32) -> f:
    f(x) = input(at)
)hk",
     "a coordinate is an integer, and this is f32", 2, 18},
    {"P0406", R"hk(def p(n: size, A: f32[n], a: f32):
    A[a] = 1.0
)hk",
     "a coordinate is an integer, and this is f32", 2, 7},
    {"P0406", R"hk(pipeline p(input: u8(x)) -> f:
    f(x) = input(0.5)
)hk",
     "a coordinate is an integer, and this is f32", 2, 18},
    {"P0407", R"hk(pipeline p(a: f16(x), b: bf16(x)) -> f:
    f(x) = a(x) + b(x)
)hk",
     "`+` joins f16 and bf16, which have no common type", 2, 17},
    {"P0407", R"hk(pipeline p(a: bool(x), b: u8(x)) -> f:
    f(x) = select(a(x), a(x), b(x))
)hk",
     "`select` joins bool and u8, which have no common type", 2, 12},
    {"P0408", R"hk(pipeline p() -> f:
    f(x) = clamp(x, 3)
)hk",
     "`clamp` takes 3 arguments, it is given 2", 2, 12},
    {"P0408", R"hk(pipeline p() -> f:
    f(x) = min(x)
)hk",
     "`min` takes 2 to 1000 arguments, it is given 1", 2, 12},
    {"P0201", R"hk(pipeline p() -> f:
    f(x) = max(x; 3)
)hk",
     "`;` between the arguments of `max` where `,` is expected", 2, 12},
    {"P0408", R"hk(pipeline p(input: u8(x)) -> f:
    f(x) = input.width(x)
)hk",
     "`input.width` takes no arguments, it is given 1", 2, 18},
    {"P0408", R"hk(pipeline p() -> f:
    rdom r(0, 3, 0)
    f(x) += r
)hk",
     "`r` takes 2, 4, 6 or 8 bounds (min and extent of each variable), it is given 3", 2, 5},
    {"P0408", R"hk(pipeline p(input: u8(x)) -> f:
    edge = repeat_edge(input, 3)
    f(x) = edge(x)
)hk",
     "`repeat_edge` takes 1 argument: an input, it is given 2", 2, 12},
    {"P0408", R"hk(def g(n: size):
    pass

def p(n: size):
    g(n, n)
)hk",
     "`g` takes 1 argument, it is given 2", 5, 5, "1:5 `g` is defined here"},
    {"P0408", R"hk(flat def p(n: index, A: f32[n]):
    A[ramp(0, 1)] = 1.0
)hk",
     "`ramp` takes 3 arguments, it is given 2", 2, 7},
};

// Each argument is one operator more, and expressions nest at most 2000.
TEST(Refusals, MoreArgumentsThanAreTaken) {
  std::string text = "pipeline p() -> f:\n    f(x) = min(x";
  for (int k = 1; k < 1999; ++k) text += ", x";
  testing_text::expect_refused(
      {"P0408", text + ")\n", "`min` takes 2 to 1000 arguments, it is given 1999", 2, 12});
}

TEST(Refusals, Types) {
  for (const testing_text::Refused& r : kRefused) testing_text::expect_refused(r);
}

}  // namespace
}  // namespace hocket::text
