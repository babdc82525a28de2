// Directives, as far as their text alone is concerned (P06xx, and names and numbers in `bound`).
#include <gtest/gtest.h>

#include "../text_testing.h"

namespace hocket::text {
namespace {

const testing_text::Refused kRefused[] = {
    {"P0301", R"hk(pipeline p(input: u8(x, y)) -> f:
    f(x, y) = input(x, y)

schedule s for p:
    f.bound(y, 0, inptu.extent(y))
)hk",
     "no input is called `inptu` here", 5, 19, "help: did you mean `input`?"},
    {"P0201", R"hk(pipeline p(input: u8(x, y)) -> f:
    f(x, y) = input(x, y)

schedule s for p:
    f.bound(y, 0, f(0, 0))
)hk",
     "an application where a number, a parameter or a size such as `input.extent(x)` is expected",
     5, 19},
    {"P0601", R"hk(pipeline p() -> f:
    f(x) = x

schedule s for p:
    f.split(x, 8)
)hk",
     "`split` takes `x, xo, xi, factor[, tail]`", 5, 7},
    {"P0601", R"hk(pipeline p() -> f:
    f(x) = x

schedule s for p:
    f.compute_root(x)
)hk",
     "`compute_root` takes no arguments", 5, 7, "5:20 the name `x` does not fit here"},
    {"P0601", R"hk(pipeline p() -> f:
    f(x) = x

schedule s for p:
    f.vectorize(x, guard)
)hk",
     "`vectorize` takes `x[, factor[, tail]]`", 5, 7},
    {"P0601", R"hk(pipeline p() -> f:
    f(x) = x

schedule s for p:
    f.split(x, xo, xi, 8.5)
)hk",
     "`split` takes `x, xo, xi, factor[, tail]`", 5, 7, "5:24 the number `8.5` does not fit here"},
    {"P0601", R"hk(pipeline p() -> f:
    f(x) = x

schedule s for p:
    f.split(x, xo, xi, 8, tail=guard)
)hk",
     "`split` takes `x, xo, xi, factor[, tail]`", 5, 7,
     "5:27 arguments stand by position, without names"},
    {"P0301", R"hk(pipeline p() -> f:
    f(x) = x

schedule s for p:
    f.split(x, xo, xi, 8, gard)
)hk",
     "no tail is called `gard` here", 5, 27,
     "help: did you mean `guard`?\nnote: the tails are auto, round_up, guard, shift_inwards"},
    {"P0601", R"hk(pipeline p() -> f:
    f(x) = x

schedule s for p:
    f.update(x).parallel(x)
)hk",
     "`update` takes the number of an update, from 0", 5, 7},
    {"P0601", R"hk(pipeline p() -> f:
    f(x) = x

schedule s for p:
    f.bound(x, 0)
)hk",
     "`bound` takes `x, min, extent`", 5, 7},
    {"P0602", R"hk(pipeline p() -> h:
    f(x) = x
    g(x) = f(x)
    h(x) = f(x) + g(x)

schedule s for p:
    f.chunk(x)
)hk",
     "`f.chunk` needs exactly one consumer of `f`, and there are 2", 7, 7,
     "3:5 `g` reads `f`\n4:5 `h` reads `f`"},
    {"P0603", R"hk(schedule s for p:
    f.chunk(x)
)hk",
     "`chunk` needs the pipeline `p`, which is not known here", 2, 7},
    {"P0603", R"hk(schedule s for p:
    f.bound(x, 0, width)
)hk",
     "`width` needs the pipeline `p`, which is not known here", 2, 19},
};

TEST(Refusals, Schedules) {
  for (const testing_text::Refused& r : kRefused) testing_text::expect_refused(r);
}

}  // namespace
}  // namespace hocket::text
