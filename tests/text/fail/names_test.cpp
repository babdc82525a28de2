// P03xx: names that are unknown, defined twice or used as something else.
#include <gtest/gtest.h>

#include "../text_testing.h"

namespace hocket::text {
namespace {

const testing_text::Refused kRefused[] = {
    {"P0301", R"hk(pipeline p(input: u8(x, y)) -> f:
    f(x, y) = inptu(x, y)
)hk",
     "no Func or input is called `inptu` here", 2, 15, "help: did you mean `input`?"},
    {"P0301", R"hk(pipeline p() -> f:
    f(x) = f(x - 1) + 1
)hk",
     "no Func or input is called `f` here", 2, 12,
     "note: a Func reads itself in an update, over a reduction domain: `f(x) = 0` first, then "
     "`f(r) = f(r - 1) + ...`"},
    {"P0301", R"hk(pipeline p(gain: i32) -> f:
    f(x) = x * gian
)hk",
     "no variable or parameter is called `gian` here", 2, 16, "help: did you mean `gain`?"},
    {"P0301", R"hk(pipeline p(input: u8(cols, rows)) -> f:
    f(x) = input.extent(col)
)hk",
     "no dimension of `input` is called `col` here", 2, 25, "help: did you mean `cols`?"},
    {"P0301", R"hk(pipeline p(input: u8(x)) -> f:
    edge = repeat_edge(inptu)
    f(x) = edge(x)
)hk",
     "no input is called `inptu` here", 2, 24, "help: did you mean `input`?"},
    {"P0301", R"hk(pipeline p() -> f:
    rdom r(0, 3)
    f(x) += r over q
)hk",
     "no reduction domain is called `q` here", 3, 20},
    {"P0301", R"hk(def p(n: size, A: f32[n]):
    for i in seq(0, n):
        A[j] = 0.0
)hk",
     "no variable is called `j` here", 3, 11},
    {"P0301", R"hk(def p(n: size, A: f32[n]):
    for i in seq(0, n):
        B[i] = 0.0
)hk",
     "no buffer is called `B` here", 3, 9},
    {"P0301", R"hk(def p(n: size):
    p(n)
)hk",
     "no proc is called `p` here", 2, 5, "note: a proc cannot call itself"},
    {"P0301", R"hk(flat def p(n: index, A: f32[n]):
    free B
)hk",
     "no buffer is called `B` here", 2, 10},
    {"P0302", R"hk(pipeline p(input: u8(x), input: u8(x)) -> f:
    f(x) = input(x)
)hk",
     "`input` is defined twice", 1, 26, "1:12 `input` is defined here first"},
    {"P0302", R"hk(pipeline p(input: u8(x, x)) -> f:
    f(x) = input(x, x)
)hk",
     "`x` is defined twice", 1, 25, "1:22 `x` is defined here first"},
    {"P0302", R"hk(pipeline p() -> f:
    f(x) = x

pipeline p() -> g:
    g(x) = x
)hk",
     "`p` is defined twice", 4, 10, "1:10 `p` is defined here first"},
    {"P0302", R"hk(pipeline p() -> (f, f):
    f(x) = x
)hk",
     "`f` is defined twice", 1, 21, "1:18 `f` is defined here first"},
    {"P0302", R"hk(pipeline p() -> f:
    rdom (a, a)(0, 3, 0, 3)
    f(x) += a
)hk",
     "`a` is defined twice", 2, 14, "2:11 `a` is defined here first"},
    {"P0302", R"hk(pipeline p() -> f:
    f: i32(x)
    f: i32(x)
    f(x) = 1
)hk",
     "`f` is defined twice", 3, 5, "2:5 `f` is defined here first"},
    {"P0302", R"hk(def p(n: size, n: size):
    pass
)hk",
     "`n` is defined twice", 1, 16, "1:7 `n` is defined here first"},
    {"P0303", R"hk(pipeline p() -> g:
    f(x) = x
    g(x) = f + 1
)hk",
     "`f` is a Func, used as a variable", 3, 12, "2:5 `f` is defined here"},
    {"P0303", R"hk(pipeline p(gain: i32) -> f:
    f(x) = gain(x)
)hk",
     "`gain` is a variable, used as a Func", 2, 12, "1:12 `gain` is defined here"},
    {"P0303", R"hk(pipeline p() -> f:
    rdom r(0, 3, 0, 3)
    f(x) += r
)hk",
     "`r` is a reduction domain, used as a variable", 3, 13, "2:10 `r` is defined here"},
    {"P0303", R"hk(def p(n: size, A: f32[n]):
    let a = A + 1.0
)hk",
     "`A` is a buffer with one dimension, used as a value", 2, 13, "1:16 `A` is defined here"},
    {"P0303", R"hk(def p(n: size, A: f32[n]):
    let a = A(0)
)hk",
     "`A` is a buffer, used as a function", 2, 13, "1:16 `A` is defined here"},
    {"P0303", R"hk(def p(n: size, A: f32[n]):
    for i in seq(0, n):
        A[i] = i[0]
)hk",
     "`i` is a loop variable, used as a buffer", 3, 16, "2:9 `i` is defined here"},
    {"P0303", R"hk(def p(n: size, A: f32[n], B: i32[A[0]]):
    pass
)hk",
     "`A` is a buffer, used as a value that is known before the proc runs", 1, 34,
     "1:16 `A` is defined here"},
    {"P0303", R"hk(def p(n: size):
    A: f32[n]
    free A
)hk",
     "`A` is a buffer, used as a buffer to free outside a flat proc", 3, 10,
     "2:5 `A` is defined here"},
    {"P0304", R"hk(pipeline p(input: uint8_t(x)) -> f:
    f(x) = input(x)
)hk",
     "no type is called `uint8_t`", 1, 19, "help: did you mean `u8`?\nhelp: did you mean `i8`?"},
    {"P0304", R"hk(def p(n: size, A: f33[n]):
    pass
)hk",
     "no type is called `f33`", 1, 19, "help: did you mean `f32`?"},
    {"P0304", R"hk(pipeline p(n: size) -> f:
    f(x) = n
)hk",
     "no type is called `size`", 1, 15},
    {"P0305", R"hk(def p(n: size, A: f32[n]):
    A[0] = squrt(A[0])
)hk",
     "no function is called `squrt`", 2, 12, "help: did you mean `sqrt`?"},
    {"P0305", R"hk(pipeline p(input: u8(x)) -> f:
    f(x) = repeat_edge(input)
)hk",
     "no function is called `repeat_edge`", 2, 12,
     "note: `repeat_edge` stands alone right of `=`: edge = repeat_edge(input)"},
    {"P0305", R"hk(pipeline p(a: u8(x)) -> f:
    f(x) = stride(a, 0)
)hk",
     "no function is called `stride`", 2, 12,
     "note: in a pipeline the stride of an input is `input.stride(x)`"},
    {"P0305", R"hk(pipeline p() -> f:
    f(x) = ramp(x, 1, 8)
)hk",
     "no function is called `ramp`", 2, 12, "note: `ramp` stands in loop programs only"},
    {"P0306", R"hk(pipeline p() -> f:
    f(x) = x

schedule s for p:
    f.vectorise(x, 8)
)hk",
     "no directive is called `vectorise`", 5, 7, "help: did you mean `vectorize`?"},
    {"P0307", R"hk(pipeline p(input: u8(x, y)) -> f:
    f(x, y) = input.widht()
)hk",
     "`input` has no `widht`", 2, 21, "help: did you mean `width`?"},
    {"P0307", R"hk(pipeline p(input: u8(x)) -> f:
    f(x) = input.height()
)hk",
     "`input` has no `height`", 2, 18},
    {"P0307", R"hk(pipeline p() -> f:
    rdom r(0, 3, 0, 3)
    f(x) += r.z
)hk",
     "`r` has no `z`", 3, 15,
     "2:10 `r` is defined here\nhelp: did you mean `r.x`?\nhelp: did you mean `r.y`?"},
    {"P0307", R"hk(def p(n: size, A: f32[n]):
    let a = A.extend(0)
)hk",
     "`A` has no `extend`", 2, 15, "help: did you mean `extent`?"},
    {"P0308", R"hk(flat def p(n: index, A: f32[n]):
    A[0, wehn=true] = 1.0
)hk",
     "`wehn` is no argument of an access", 2, 10, "help: did you mean `when`?"},
    {"P0308", R"hk(def p(n: size, A: f32[n]):
    A[0, align=32] = 1.0
)hk",
     "`align` is no argument of an access outside a flat proc", 2, 10},
    {"P0308", R"hk(pipeline p() -> f:
    f(x) = max(x, y=3)
)hk",
     "`y` is no argument of a function", 2, 19},
    {"P0308", R"hk(@instr("nop;", feature="avx2")
def p(n: size):
    pass
)hk",
     "`feature` is no argument of `@instr`", 1, 16, "help: did you mean `features`?"},
};

TEST(Refusals, Names) {
  for (const testing_text::Refused& r : kRefused) testing_text::expect_refused(r);
}

}  // namespace
}  // namespace hocket::text
