// P02xx: what stands where the grammar wants something else.
#include <gtest/gtest.h>

#include "../text_testing.h"

namespace hocket::text {
namespace {

const testing_text::Refused kRefused[] = {
    {"P0201", R"hk(pipeline p() -> f:
    f(x) = x x
)hk",
     "`x` where the end of the line is expected", 2, 14},
    {"P0201", R"hk(pipeline p() -> f, g:
    f(x) = 1
    g(x) = 2
)hk",
     "`,` where `:` (several outputs stand in parentheses) is expected", 1, 18},
    {"P0201", R"hk(pipeline p() f:
    f(x) = x
)hk",
     "`f` where `->` is expected", 1, 14},
    {"P0201", R"hk(pipeline p() -> f:
    f(x) = ()
)hk",
     "`()` where an expression is expected", 2, 12},
    {"P0201", R"hk(pipeline p() -> f:
    f(x) = x)
)hk",
     "`)` where an open bracket is expected", 2, 13},
    {"P0201", R"hk(pipeline p() -> f:
    x + 1 = 3
)hk",
     "an expression where a Func at coordinates, such as `f(x, y)`, is expected", 2, 7},
    {"P0201", R"hk(pipeline p(input: u8(x)) -> f:
    f(x) = input[x]
)hk",
     "an index in brackets where a Func at coordinates, such as `f(x)` or `f(x)[1]`, is expected",
     2, 12},
    {"P0201", R"hk(pipeline p() -> f:
    f(x) = "text"
)hk",
     "a string where an expression is expected", 2, 12},
    {"P0201", R"hk(pipeline p() -> ():
    f(x) = x
)hk",
     "a pipeline without outputs where at least one output is expected", 1, 1},
    {"P0201", R"hk(def p(n: size):
    n
)hk",
     "the end of the line where a statement: an assignment, a call or an allocation is expected", 2,
     6},
    {"P0201", R"hk(def p(n: size, A: f32[n]):
    for i in seq(0, n)
        A[i] = 0.0
)hk",
     "the end of the line where `:` is expected", 2, 23},
    {"P0201", R"hk(def p(n: size, A: f32[n]):
    for i in range(0, n):
        A[i] = 0.0
)hk",
     "`range` where `seq`, `par`, `parallel`, `vectorize` or `unroll` is expected", 2, 14},
    {"P0201", R"hk(def p(n: size, A: f32[n], B: f32[n]):
    A[0] = B[0:n]
)hk",
     "an interval where an index is expected", 2, 15,
     "note: windows stand only in calls and alone right of `=`"},
    {"P0201", R"hk(schedule s for p:
    f
)hk",
     "the name `f` where directives of a Func, such as `f.split(x, xo, xi, 8)`, is expected", 2, 5},
    {"P0201", R"hk(schedule s for p:
    f.update(0)
)hk",
     "an update without a directive where a directive after it is expected", 2, 7},
    {"P0201", R"hk(trace t for p:
    split(i, 8 + 8)
)hk",
     "an expression where a number, a name, a string (`\"n + 1\"`) or a list of them is expected",
     2, 16},
    {"P0201", R"hk(trace t for p:
    split(at=i, 8)
)hk",
     "an argument after a named one where positional arguments before named ones is expected", 2,
     17},
    {"P0201", R"hk(flat def p(n: index, A: f32[n]):
    entry q:
        buffer A:
            dim(_, n, _)
)hk",
     "`buffer` where `scalar`, `input`, `output` or `check` is expected", 3, 9},
    {"P0201", R"hk(def p(n: size, A: f32[n]):
    block f(0):
        A[0] = 1.0
        A[1] = 1.0
)hk",
     "a second line where one store is expected", 4, 9},
    {"P0202", R"hk(pipeline p() -> f:
    f(in) = 3
)hk",
     "`in` is a word of the language, not a name", 2, 7},
    {"P0202", R"hk(def for(n: size):
    pass
)hk",
     "`for` is a word of the language, not a name", 1, 5,
     "note: in backticks it is a name: `` `for` ``"},
    {"P0202", R"hk(pipeline p() -> f:
    f(x) = min + 1
)hk",
     "`min` is a word of the language, not a name", 2, 12},
    {"P0203", R"hk(pipeline p(n: i32) -> f:
    f(x) = select(0 <= x < n, 1, 0)
)hk",
     "comparisons do not chain: `<=` is followed by `<`", 2, 26},
    {"P0204", R"hk(def p(n: size):
    if n > 0:
    pass
)hk",
     "no indented lines follow `if`", 2, 5},
    {"P0204", R"hk(pipeline p() -> f:
)hk",
     "no indented lines follow `pipeline`", 1, 1},
    {"P0205", R"hk(pipelien p() -> f:
    f(x) = x
)hk",
     "`pipelien` does not start a pipeline, schedule, def or trace", 1, 1,
     "help: did you mean `pipeline`?"},
    {"P0205", R"hk(f(x) = x
)hk",
     "`f` does not start a pipeline, schedule, def or trace", 1, 1},
    {"P0206", R"hk(def p(n: size):
    pass
        pass
)hk",
     "this line is indented, but no line above opens a block for it", 3, 9},
    {"P0206", R"hk(  def p(n: size):
    pass
)hk",
     "this line is indented, but no line above opens a block for it", 1, 3},
};

TEST(Refusals, Grammar) {
  for (const testing_text::Refused& r : kRefused) testing_text::expect_refused(r);
}

}  // namespace
}  // namespace hocket::text
