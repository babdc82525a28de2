// P05xx: definitions, updates and reduction domains of pipelines.
#include <gtest/gtest.h>

#include "../text_testing.h"

namespace hocket::text {
namespace {

const testing_text::Refused kRefused[] = {
    {"P0501", R"hk(pipeline p() -> f:
    f: (i32, i32)(x)
    rdom r(0, 3)
    f(x) += r
)hk",
     "`f` is updated, but has no pure definition", 4, 5},
    {"P0501", R"hk(pipeline p() -> f:
    rdom r(0, 3)
    f(x) += (r, r)
)hk",
     "`f` is updated, but has no pure definition", 3, 5},
    {"P0502", R"hk(pipeline p() -> g:
    f(x) = x
    g(x) = f(x)
    f(3) = 0
)hk",
     "`f` is updated after `g` has read it", 4, 5, "3:12 `f` is read here"},
    {"P0502", R"hk(pipeline p() -> f:
    g(x) = x
    f(x) = 0
    rdom r(0, 3) where g(r) < 2
    g(x) += 1
    f(r) = 1
    g(x) = 0
)hk",
     "`g` is updated after `f` has read it", 7, 5, "6:5 `g` is read here"},
    {"P0503", R"hk(pipeline p() -> f:
    f(x) = 0
    f(3) = x
)hk",
     "`x` is not a pure dimension of this update", 3, 12, "3:7 this stands in the place of `x`"},
    {"P0503", R"hk(pipeline p() -> f:
    rdom r(0, 3)
    f(x, y) = 0
    f(y, x) = f(x, y)
)hk",
     "`y` is not a pure dimension of this update", 4, 7, "4:10 this stands in the place of `y`"},
    {"P0504", R"hk(pipeline p() -> f:
    rdom r(0, 3)
    rdom q(0, 3)
    f(x) += r * q
)hk",
     "one update uses the reduction domains `r` and `q`", 4, 17, "4:13 `r` is used here"},
    {"P0505", R"hk(pipeline p() -> f:
    f(x + 1) = x
)hk",
     "the pure definition of `f` takes distinct variables, it is given an expression", 2, 9},
    {"P0505", R"hk(pipeline p() -> f:
    f(x, x) = x
)hk",
     "the pure definition of `f` takes distinct variables, it is given `x` twice", 2, 10},
    {"P0505", R"hk(pipeline p() -> f:
    rdom r(0, 3)
    f(r) = 1
)hk",
     "the pure definition of `f` takes distinct variables, it is given the reduction variable `r`",
     3, 7},
    {"P0506", R"hk(pipeline p() -> blurred:
    blured(x) = x
)hk",
     "the output `blurred` is never defined", 1, 17, "help: did you mean `blured`?"},
    {"P0506", R"hk(pipeline p() -> f:
    g: i32(x)
    f(x) = x
)hk",
     "the Func `g` is never defined", 2, 5},
    {"P0507", R"hk(pipeline p() -> f:
    f(x) = (x, x + 1)
    f(0) = 3
)hk",
     "`f` has 2 values, it is given 1", 3, 12, "2:5 `f` is defined here"},
    {"P0507", R"hk(pipeline p() -> g:
    f(x) = (x, x + 1)
    g(x) = f(x)
)hk",
     "`f` has 2 values, it is given no number, as in `f(x)[0]`", 3, 12, "2:5 `f` is defined here"},
    {"P0507", R"hk(pipeline p() -> g:
    f(x) = (x, x + 1)
    g(x) = f(x)[2]
)hk",
     "`f` has 2 values, it is given number 2", 3, 12, "2:5 `f` is defined here"},
    {"P0507", R"hk(pipeline p() -> f:
    f(x) = (x, x + 1)
    f(x) += 3
)hk",
     "`f` has 2 values, it is given `+=` and one", 3, 13},
    {"P0508", R"hk(pipeline p(input: u8(x)) -> f:
    rdom r(0, input(0))
    f(x) += r
)hk",
     "the bounds of `r` depend on the pixels of `input`", 2, 15},
    {"P0508", R"hk(pipeline p() -> f:
    g(x) = x
    rdom r(0, g(3))
    f(x) += r
)hk",
     "the bounds of `r` depend on the Func `g`", 3, 15},
    {"P0508", R"hk(pipeline p(input: u8(x), k: u8 = input(0)) -> f:
    f(x) = k
)hk",
     "the default and range of `k` depend on the pixels of `input`", 1, 34},
    {"P0509", R"hk(pipeline p() -> f:
    rdom r(0, 3)
    f(x) = r
)hk",
     "the pure definition of `f` uses the reduction domain `r`", 3, 12, "2:10 `r` is defined here"},
    {"P0509", R"hk(pipeline p() -> f:
    rdom r(0, 3)
    f(x) = x over r
)hk",
     "the pure definition of `f` uses the reduction domain `r`", 3, 19, "2:10 `r` is defined here"},
    {"P0202", R"hk(pipeline p(a: u8(x)) -> f:
    f16(x) = a(x)
    f(x) = f16(x)
)hk",
     "`f16` is a word of the language, not a name", 2, 5},
    {"P0301", R"hk(pipeline p(a: u8(x)) -> f:
    e = repeat_edge(a)
    f = repeat_edge(e)
)hk",
     "no input is called `e` here", 3, 21, "note: `e` is a Func; repeat_edge takes an input"},
    {"P0302", R"hk(pipeline p(a: i32(x)) -> f:
    f(x) = a(x)
    rdom x(0, 3)
    f(x) += a(x)
)hk",
     "`x` is defined twice", 4, 7, "3:10 `x` is defined here first"},
    {"P0510", R"hk(pipeline p(a: i32(x)) -> f:
    f(x) = a(x)
    f(x) = f(x - 1) + 1
)hk",
     "an update of `f` reads `f(x - 1)`, another point along `x`, through which it goes in no "
     "order",
     3, 5, "2:5 `f` is defined here"},
    {"P0510", R"hk(pipeline p(a: i32(x)) -> f:
    f(x) = a(x)
    f(x) += f(3)
)hk",
     "an update of `f` reads `f(3)`, another point along `x`, through which it goes in no order", 3,
     5, "2:5 `f` is defined here"},
    {"P0510", R"hk(pipeline p() -> f:
    f(x, y) = i32(0)
    rdom r(1, 4)
    f(r, y) = f(r - 1, y + 1) + 1
)hk",
     "an update of `f` reads `f(r - 1, y + 1)`, another point along `y`, through which it goes in "
     "no order",
     4, 5, "2:5 `f` is defined here"},
    {"P0510", R"hk(pipeline p() -> f:
    f(x, y) = i32(0)
    f(x, f(x + 1, 0)) = 1
)hk",
     "an update of `f` reads `f(x + 1, 0)`, another point along `x`, through which it goes in no "
     "order",
     3, 5, "2:5 `f` is defined here"},
    {"P0511", "pipeline p(n: i32 in [5, 3]) -> f:\n    f(x) = n\n",
     "the range [5, 3] of `n` holds no number", 1, 23},
    {"P0511", "pipeline p(n: f32 = nan in [0.0, 1.0]) -> f:\n    f(x) = n\n",
     "the range [0, 1] of `n` does not hold its default nan", 1, 21},
    {"P0511", "pipeline p(n: f32 in [_, nan]) -> f:\n    f(x) = n\n",
     "the range [_, nan] of `n` holds no number", 1, 26},
    {"P0104", "pipeline p(n: u64 = 18446744073709551615) -> f:\n    f(x) = n\n",
     "the number `18446744073709551615` does not fit a default, which is kept in 53 bits", 1, 21},
    {"P0511", "pipeline p(n: i32 = 7 in [0, 3]) -> f:\n    f(x) = n\n",
     "the range [0, 3] of `n` does not hold its default 7", 1, 21},
    {"P0511", "pipeline p(n: f32 = -0.5 in [0.0, _]) -> f:\n    f(x) = n\n",
     "the range [0, _] of `n` does not hold its default -0.5", 1, 21},
};

// The same point along the pure dimensions, and anything along the others.
TEST(Updates, ReadThemselvesWhereTheirOrderIsSaid) {
  EXPECT_TRUE(text::parse("pipeline p(a: i32(x)) -> f:\n"
                          "    f(x, y) = a(x) + y\n"
                          "    f(x, y) += f(x, y)\n"
                          "    rdom r(1, 4)\n"
                          "    f(x, r) = f(x, r - 1) + f(x, x)\n"
                          "    f(x, 0) = f(x, 1)\n",
                          "t.hk")
                  .ok());
}

TEST(Refusals, Pipelines) {
  for (const testing_text::Refused& r : kRefused) testing_text::expect_refused(r);
}

}  // namespace
}  // namespace hocket::text
