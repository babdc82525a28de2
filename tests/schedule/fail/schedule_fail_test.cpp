// Every refusal of directives and plans: the message and the place, from the text of a schedule.
#include <gtest/gtest.h>

#include "driver/dry_run.h"
#include "lower/loops/lower.h"
#include "schedule/seal.h"
#include "text/parser.h"

namespace hocket::schedule {
namespace {

struct Refused {
  const char* code;
  const char* text;  // a pipeline and the schedule that is refused
  const char* message;
  int line, column;
};

diag::Result<ir::ProcRef> lowered(const text::File& file, const ir::Schedule& s) {
  const DryRun dry = driver::dry_run();
  HOCKET_TRY(Sealed sealed, plan_schedule(file.pipeline(s.pipeline), s, dry));
  return lower::loops::to_loops(sealed.plan, dry);
}

class Refusals : public testing::TestWithParam<Refused> {};

TEST_P(Refusals, SayWhatAndWhere) {
  const Refused& r = GetParam();
  auto file = text::parse(r.text, "t.hk");
  ASSERT_TRUE(file.ok()) << file.error().message();
  const ir::Schedule* s = file->schedule("wrong");
  ASSERT_TRUE(s);
  auto result = lowered(*file, *s);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().kind->code, r.code);
  EXPECT_EQ(result.error().message(), r.message);
  EXPECT_EQ(result.error().place.line, r.line);
  EXPECT_EQ(result.error().place.column, r.column);
  // Refuted and unknown are never mixed: a refutation shows a run, nothing else does.
  EXPECT_EQ(!result.error().witness.empty(),
            result.error().kind->category == diag::Category::refuted);
}

const Refused kRefused[] = {
    {"S0101", R"hk(pipeline blur(input: u16(x, y)) -> bv:
    bh(x, y) = (input(x - 1, y) + input(x, y) + input(x + 1, y)) / 3
    bv(x, y) = (bh(x, y - 1) + bh(x, y) + bh(x, y + 1)) / 3

schedule wrong for blur:
    bb.parallel(y)
)hk",
     "pipeline `blur` has no Func `bb`", 6, 8},
    {"S0102", R"hk(pipeline blur(input: u16(x, y)) -> bv:
    bh(x, y) = (input(x - 1, y) + input(x, y) + input(x + 1, y)) / 3
    bv(x, y) = (bh(x, y - 1) + bh(x, y) + bh(x, y + 1)) / 3

schedule wrong for blur:
    bv.update(0).parallel(y)
)hk",
     "`bv` has no `update(0)`: it has 0 updates", 6, 18},
    {"S0102", R"hk(pipeline blur(input: u16(x, y)) -> bv:
    bv(x, y) = input(x, y)
    bv(x, 0) += input(x, 1)

schedule wrong for blur:
    bv.update(1).parallel(x)
)hk",
     "`bv` has no `update(1)`: it has 1 update", 6, 18},
    {"S0103", R"hk(pipeline blur(input: u16(x, y)) -> bv:
    bh(x, y) = (input(x - 1, y) + input(x, y) + input(x + 1, y)) / 3
    bv(x, y) = (bh(x, y - 1) + bh(x, y) + bh(x, y + 1)) / 3

schedule wrong for blur:
    bv.split(x, xo, xi, 8).parallel(yo)
)hk",
     "`bv` has no loop `yo`", 6, 28},
    {"S0104", R"hk(pipeline blur(input: u16(x, y)) -> bv:
    bh(x, y) = (input(x - 1, y) + input(x, y) + input(x + 1, y)) / 3
    bv(x, y) = (bh(x, y - 1) + bh(x, y) + bh(x, y + 1)) / 3

schedule wrong for blur:
    bv.split(x, y, xi, 8)
)hk",
     "`bv` already has a loop `y`", 6, 8},
    {"S0105", R"hk(pipeline blur(input: u16(x, y)) -> bv:
    bh(x, y) = (input(x - 1, y) + input(x, y) + input(x + 1, y)) / 3
    bv(x, y) = (bh(x, y - 1) + bh(x, y) + bh(x, y + 1)) / 3

schedule wrong for blur:
    bv.split(x, xo, xi, 0)
)hk",
     "factor 0 of `split` on loop `x` is less than 1", 6, 8},
    {"S0106", R"hk(pipeline blur(input: u16(x, y)) -> bv:
    bh(x, y) = (input(x - 1, y) + input(x, y) + input(x + 1, y)) / 3
    bv(x, y) = (bh(x, y - 1) + bh(x, y) + bh(x, y + 1)) / 3

schedule wrong for blur:
    bv.reorder(x, x)
)hk",
     "loop `x` is listed twice in `reorder`", 6, 8},
    {"S0106", R"hk(pipeline blur(input: u16(x, y)) -> bv:
    bh(x, y) = (input(x - 1, y) + input(x, y) + input(x + 1, y)) / 3
    bv(x, y) = (bh(x, y - 1) + bh(x, y) + bh(x, y + 1)) / 3

schedule wrong for blur:
    bh.compute_root().reorder_storage(y, y)
)hk",
     "dimension `y` is listed twice in `reorder_storage`", 6, 23},
    {"S0107", R"hk(pipeline blur(input: u16(x, y)) -> bv:
    bh(x, y) = (input(x - 1, y) + input(x, y) + input(x + 1, y)) / 3
    bv(x, y) = (bh(x, y - 1) + bh(x, y) + bh(x, y + 1)) / 3

schedule wrong for blur:
    bv.fuse(y, x, t)
)hk",
     "cannot fuse `y` into `x` of `bv`: `y` does not stand directly inside `x`", 6, 8},
    {"S0108", R"hk(pipeline digits(input: u16(x, y)) -> f:
    f(x) = u16(0)
    rdom r(0, 2, 0, 2)
    f(x) = f(x) * 3 + input(x + r.x, r.y)

schedule wrong for digits:
    f.update(0).reorder(r.y, r.x)
)hk",
     "cannot reorder `r.y` and `r.x` of `f.update(0)`: the update gives another result in another "
     "order",
     7, 17},
    {"S0109", R"hk(pipeline count(input: u8(x, y)) -> h:
    h(i) = u32(0)
    rdom r(0, 16, 0, 16)
    h(input(r.x, r.y)) += 1

schedule wrong for count:
    h.update(0).parallel(r.y)
)hk",
     "cannot run loop `r.y` of `h.update(0)` as parallel: two of its iterations touch the same "
     "element",
     7, 17},
    {"S0111", R"hk(pipeline count(input: u8(x, y)) -> h:
    h(i) = u32(0)
    rdom r(0, 16, 0, 16)
    h(input(r.x, r.y)) += 1

schedule wrong for count:
    h.update(0).split(r.x, ro, ri, 3, round_up)
)hk",
     "tail `round_up` of loop `r.x` of `h.update(0)` would apply the update twice to some points",
     7, 17},
    {"S0112", R"hk(pipeline blur(input: u16(x, y)) -> bv:
    bh(x, y) = (input(x - 1, y) + input(x, y) + input(x + 1, y)) / 3
    bv(x, y) = (bh(x, y - 1) + bh(x, y) + bh(x, y + 1)) / 3

schedule wrong for blur:
    bv.parallel(y).unroll(y)
)hk",
     "loop `y` of `bv` is already parallel", 6, 20},
    {"S0112", R"hk(pipeline blur(input: u16(x, y)) -> bv:
    bh(x, y) = (input(x - 1, y) + input(x, y) + input(x + 1, y)) / 3
    bv(x, y) = (bh(x, y - 1) + bh(x, y) + bh(x, y + 1)) / 3

schedule wrong for blur:
    bv.vectorize(x, 8).serial(x).unroll(y, 2).parallel(y).serial(y)
)hk",
     "loop `y` of `bv` is already parallel", 6, 59},
    {"S0113", R"hk(pipeline blur(input: u16(x, y)) -> bv:
    bh(x, y) = (input(x - 1, y) + input(x, y) + input(x + 1, y)) / 3
    bv(x, y) = (bh(x, y - 1) + bh(x, y) + bh(x, y + 1)) / 3

schedule wrong for blur:
    bh.compute_root().reorder_storage(y, z)
)hk",
     "`bh` has no dimension `z`", 6, 23},
    {"S0114", R"hk(pipeline blur(input: u16(x, y)) -> bv:
    bh(x, y) = (input(x - 1, y) + input(x, y) + input(x + 1, y)) / 3
    bv(x, y) = (bh(x, y - 1) + bh(x, y) + bh(x, y + 1)) / 3

schedule wrong for blur:
    bv.bound(x, 0, 64).bound(x, 0, 128)
)hk",
     "`bv` is given `bound` of `x` twice", 6, 24},
    {"S0115", R"hk(pipeline paths(input: u16(x, y)) -> f:
    f(x, y) = input(x, y)
    rdom r(1, 7, 1, 7)
    f(r.x, r.y) = f(r.x - 1, r.y) + f(r.x, r.y - 1)

schedule wrong for paths:
    f.update(0).reorder(r.y, r.x)
)hk",
     "cannot reorder `r.y` and `r.x` of `f.update(0)`: it is not known that the update gives the "
     "same result in any order, and no run at small sizes shows another one",
     7, 17},
    {"S0116", R"hk(pipeline spread(input: u8(x), n: i32 = 5) -> h:
    h(i) = u32(0)
    rdom r(0, 16)
    h(r * n) += u32(input(r))

schedule wrong for spread:
    h.update(0).parallel(r)
)hk",
     "cannot run loop `r` of `h.update(0)` as parallel: it is not known that its iterations touch "
     "different elements of `h`, and no run at small sizes shows two that meet",
     7, 17},
    {"S0117", R"hk(pipeline blur(input: u16(x, y)) -> bv:
    bh(x, y) = (input(x - 1, y) + input(x, y) + input(x + 1, y)) / 3
    bv(x, y) = (bh(x, y - 1) + bh(x, y) + bh(x, y + 1)) / 3

schedule wrong for blur:
    bv.split(x, xo, xi, 8000000000)
)hk",
     "8000000000 iterations of loop `x` in `split` are more than 2147483647", 6, 8},
    {"S0117", R"hk(pipeline blur(input: u16(x, y)) -> bv:
    bh(x, y) = (input(x - 1, y) + input(x, y) + input(x + 1, y)) / 3
    bv(x, y) = (bh(x, y - 1) + bh(x, y) + bh(x, y + 1)) / 3

schedule wrong for blur:
    bv.vectorize(x, 1000000)
)hk",
     "1000000 lanes of loop `x` in `vectorize` are more than 4096", 6, 8},
    {"S0117", R"hk(pipeline blur(input: u16(x, y)) -> bv:
    bh(x, y) = (input(x - 1, y) + input(x, y) + input(x + 1, y)) / 3
    bv(x, y) = (bh(x, y - 1) + bh(x, y) + bh(x, y + 1)) / 3

schedule wrong for blur:
    bv.unroll(x, 20000, guard)
)hk",
     "20000 copies of loop `x` in `unroll` are more than 16384", 6, 8},
    {"S0117", R"hk(pipeline blur(input: u16(x, y)) -> bv:
    bh(x, y) = (input(x - 1, y) + input(x, y) + input(x + 1, y)) / 3
    bv(x, y) = (bh(x, y - 1) + bh(x, y) + bh(x, y + 1)) / 3

schedule wrong for blur:
    bh.compute_root().fold_storage(y, 4611686018427387904)
)hk",
     "4611686018427387904 values of dimension `y` in `fold_storage` are more than 2147483647", 6,
     23},
    {"S0107", R"hk(pipeline blur(input: u16(x, y)) -> bv:
    bh(x, y) = (input(x - 1, y) + input(x, y) + input(x + 1, y)) / 3
    bv(x, y) = (bh(x, y - 1) + bh(x, y) + bh(x, y + 1)) / 3

schedule wrong for blur:
    bv.split(x, a, b, 2147483647, guard).split(y, c, d, 2147483647, guard).reorder(b, d, a, c).split(a, e, f, 2147483647, guard).reorder(b, d, f, e, c).fuse(b, d, g).fuse(g, f, h)
)hk",
     "cannot fuse `g` into `f` of `bv`: together they have more than 2^62 iterations", 6, 167},
    {"S0201", R"hk(pipeline stairs(input: u8(x)) -> out:
    table(i) = u16(i)
    rdom r(1, 255)
    table(r) = table(r - 1) + 3
    out(x) = table(input(x))

schedule wrong for stairs:
    table.compute_inline()
)hk",
     "cannot inline `table`: it has updates", 8, 11},
    {"S0202", R"hk(pipeline blur(input: u16(x, y)) -> bv:
    bh(x, y) = (input(x - 1, y) + input(x, y) + input(x + 1, y)) / 3
    bv(x, y) = (bh(x, y - 1) + bh(x, y) + bh(x, y + 1)) / 3

schedule wrong for blur:
    bv.compute_inline()
)hk",
     "cannot inline `bv`: it is an output of the pipeline", 6, 8},
    {"S0203", R"hk(pipeline chain(input: u8(x)) -> c:
    a(x) = input(x) + 1
    b(x) = a(x) * 2
    c(x) = b(x - 1) + b(x + 1)

schedule wrong for chain:
    a.compute_at(b, x)
)hk",
     "cannot place `a` at loop `x` of `b`: `b` is inlined and has no loops", 7, 7},
    {"S0204", R"hk(pipeline blur(input: u16(x, y)) -> bv:
    bh(x, y) = (input(x - 1, y) + input(x, y) + input(x + 1, y)) / 3
    bv(x, y) = (bh(x, y - 1) + bh(x, y) + bh(x, y + 1)) / 3

schedule wrong for blur:
    bh.compute_at(bv, y).store_at(bv, x)
)hk",
     "storage of `bh` at loop `x` of `bv` does not enclose loop `y` of `bv`, where it is computed",
     6, 26},
    {"S0205", R"hk(pipeline blur(input: u16(x, y)) -> bv:
    bh(x, y) = (input(x - 1, y) + input(x, y) + input(x + 1, y)) / 3
    bv(x, y) = (bh(x, y - 1) + bh(x, y) + bh(x, y + 1)) / 3

schedule wrong for blur:
    bv.parallel(y)
    bh.store_root().compute_at(bv, y)
)hk",
     "storage of `bh` at root is shared by the iterations of parallel loop `y` of `bv`", 7, 8},
    {"S0206", R"hk(pipeline blur(input: u16(x, y)) -> bv:
    bh(x, y) = (input(x - 1, y) + input(x, y) + input(x + 1, y)) / 3
    bv(x, y) = (bh(x, y - 1) + bh(x, y) + bh(x, y + 1)) / 3

schedule wrong for blur:
    bh.compute_at(bh, y)
)hk",
     "cannot place `bh` at loop `y` of `bh`: that loop is inside `bh` itself", 6, 8},
    {"S0207", R"hk(pipeline blur(input: u16(x, y)) -> bv:
    bh(x, y) = (input(x - 1, y) + input(x, y) + input(x + 1, y)) / 3
    bv(x, y) = (bh(x, y - 1) + bh(x, y) + bh(x, y + 1)) / 3

schedule wrong for blur:
    bv.split(x, xo, xi, 8).vectorize(xi)
    bh.compute_at(bv, xi)
)hk",
     "cannot place `bh` at vector loop `xi` of `bv`", 7, 8},
    {"S0208", R"hk(pipeline blur(input: u16(x, y)) -> bv:
    bh(x, y) = (input(x - 1, y) + input(x, y) + input(x + 1, y)) / 3
    bv(x, y) = (bh(x, y - 1) + bh(x, y) + bh(x, y + 1)) / 3

schedule wrong for blur:
    bv.vectorize(x)
)hk",
     "cannot vectorize loop `x` of `bv`: its number of iterations is not a constant", 6, 8},
    {"S0208", R"hk(pipeline blur(input: u16(x, y)) -> bv:
    bh(x, y) = (input(x - 1, y) + input(x, y) + input(x + 1, y)) / 3
    bv(x, y) = (bh(x, y - 1) + bh(x, y) + bh(x, y + 1)) / 3

schedule wrong for blur:
    bh.compute_at(bv, y).unroll(y).vectorize(x)
)hk",
     "cannot vectorize loop `x` of `bh`: its number of iterations is not a constant", 6, 36},
    {"S0117", R"hk(pipeline blur(input: u16(x, y)) -> bv:
    bh(x, y) = (input(x - 1, y) + input(x, y) + input(x + 1, y)) / 3
    bv(x, y) = (bh(x, y - 1) + bh(x, y) + bh(x, y + 1)) / 3

schedule wrong for blur:
    bv.tile(x, y, xi, yi, 5000, 4)
    bh.compute_at(bv, x).vectorize(x)
)hk",
     "5000 lanes of loop `x` in `vectorize` are more than 4096", 7, 26},
    {"S0209", R"hk(pipeline blur(input: u16(x, y)) -> bv:
    bh(x, y) = (input(x - 1, y) + input(x, y) + input(x + 1, y)) / 3
    bv(x, y) = (bh(x, y - 1) + bh(x, y) + bh(x, y + 1)) / 3

schedule wrong for blur:
    bv.split(y, yo, yi, 8).vectorize(yi).parallel(x)
)hk",
     "cannot vectorize loop `yi` of `bv`: loop `x` inside it is parallel", 6, 28},
    {"S0210", R"hk(pipeline columns(input: u16(x, y)) -> g:
    f(x, y) = input(x, y) * 2
    g(x, y) = f(x, y) + 1

schedule wrong for columns:
    g.reorder(y, x).parallel(x)
    f.store_root().compute_at(g, x)
)hk",
     "storage of `f` at root is shared by the iterations of parallel loop `x` of `g`: it is not "
     "known that they use different elements of it, and no run at small sizes shows two that meet",
     7, 7},
    {"S0301", R"hk(pipeline look_up(input: i32(x)) -> out:
    table(i) = i * 2
    out(x) = table(input(x))

schedule wrong for look_up:
    table.compute_root()
)hk",
     "cannot bound dimension `i` of `table`: `out` reads or writes it at `input(x)`", 3, 5},
    // `f` has a region at its place; it is `h` that reads it anywhere.
    {"S0301", R"hk(pipeline p(input: u8(x), idx: i32(x)) -> h:
    g(x) = input(x) + 1
    f(x) = g(x + 1) + g(x)
    h(x) = f(idx(x))

schedule wrong for p:
    g.compute_root()
    f.compute_at(h, x)
)hk",
     "cannot bound dimension `x` of `f`: `h` reads or writes it at `idx(x)`", 4, 5},
    {"S0302", R"hk(pipeline blur(input: u16(x, y)) -> bv:
    bh(x, y) = (input(x - 1, y) + input(x, y) + input(x + 1, y)) / 3
    bv(x, y) = (bh(x, y - 1) + bh(x, y) + bh(x, y + 1)) / 3

schedule wrong for blur:
    bh.store_root().compute_at(bv, y).fold_storage(y, 2)
)hk",
     "cannot fold dimension `y` of `bh` to 2: 3 values are live at once", 6, 39},
    {"S0303", R"hk(pipeline blur(input: u16(x, y)) -> bv:
    bh(x, y) = (input(x - 1, y) + input(x, y) + input(x + 1, y)) / 3
    bv(x, y) = (bh(x, y - 1) + bh(x, y) + bh(x, y + 1)) / 3

schedule wrong for blur:
    bh.compute_root().fold_storage(y, 3)
)hk",
     "cannot fold dimension `y` of `bh` to 3: no constant bounds how many values are live at once",
     6, 23},
    {"S0304", R"hk(pipeline pair(input: u8(x)) -> out:
    both(x) = (input(x), input(x + 1))
    out(x) = both(x)[0] + both(x)[1]

schedule wrong for pair:
    both.compute_root()
)hk",
     "cannot lower `both`: it has 2 values", 2, 5},
    {"S0305", R"hk(pipeline pyramid(a: u16(x)) -> out:
    g0(x) = a(x)
    g1(x) = g0(x) + g0(x + 1)
    g2(x) = g1(x) + g1(x + 1)
    g3(x) = g2(x) + g2(x + 1)
    g4(x) = g3(x) + g3(x + 1)
    g5(x) = g4(x) + g4(x + 1)
    g6(x) = g5(x) + g5(x + 1)
    g7(x) = g6(x) + g6(x + 1)
    g8(x) = g7(x) + g7(x + 1)
    g9(x) = g8(x) + g8(x + 1)
    g10(x) = g9(x) + g9(x + 1)
    g11(x) = g10(x) + g10(x + 1)
    g12(x) = g11(x) + g11(x + 1)
    g13(x) = g12(x) + g12(x + 1)
    g14(x) = g13(x) + g13(x + 1)
    g15(x) = g14(x) + g14(x + 1)
    g16(x) = g15(x) + g15(x + 1)
    g17(x) = g16(x) + g16(x + 1)
    g18(x) = g17(x) + g17(x + 1)
    g19(x) = g18(x) + g18(x + 1)
    g20(x) = g19(x) + g19(x + 1)
    out(x) = g20(x)

schedule wrong for pyramid:
    out.parallel(x)
)hk",
     "cannot inline everything into `out`: its value would have more than 100000 nodes", 23, 5},
    {"S0306", R"hk(pipeline wide() -> f:
    f(x0, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, x15, x16, x17, x18, x19, x20, x21, x22, x23, x24, x25, x26, x27, x28, x29, x30, x31, x32) = 1

schedule wrong for wide:
    f.parallel(x32)
)hk",
     "`f` has 33 dimensions, the limit is 32", 2, 5},
    {"S0412", R"hk(pipeline chain(input: u8(x)) -> c:
    a(x) = input(x) + 1
    b(x) = a(x) * 2
    c(x) = b(x - 1) + a(x)

schedule wrong for chain:
    b.compute_root()
    a.compute_at(c, x)
)hk",
     "cannot compute `a` at loop `x` of `c`: `b` also reads `a`, outside that loop", 8, 7},
};

INSTANTIATE_TEST_SUITE_P(Schedules, Refusals, testing::ValuesIn(kRefused), [](const auto& info) {
  return std::string(info.param.code) + "_" + std::to_string(info.index);
});

// The parser refuses directives of another shape; schedules built in C++ meet this refusal.
TEST(Directives, S0110TakeTheirArguments) {
  auto file = text::parse("pipeline p(input: u8(x)) -> f:\n    f(x) = input(x)\n", "t.hk");
  ASSERT_TRUE(file.ok());
  ir::Schedule s;
  ir::Directive d;
  d.func = "f";
  d.verb = ir::Verb::Split;
  d.names = {"x", "xo"};
  d.factors = {8};
  d.place = {"here.cpp", 7, 3};
  s.directives = {d};
  auto result = plan_schedule(file->pipeline("p"), s);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().kind->code, "S0110");
  EXPECT_EQ(
      result.error().message(),
      "`split` takes a loop, the names of its outer and inner half, a factor and maybe a tail");
  EXPECT_EQ(result.error().place.line, 7);
}

TEST(Directives, S0501WithoutEffectAreWarnedOf) {
  auto file = text::parse(
      "pipeline p(input: u8(x)) -> g:\n    f(x) = input(x)\n    g(x) = f(x)\n\n"
      "schedule s for p:\n    f.vectorize(x, 8)\n",
      "t.hk");
  ASSERT_TRUE(file.ok());
  auto sealed = plan_schedule(file->pipeline("p"), *file->schedule("s"));
  ASSERT_TRUE(sealed.ok());
  ASSERT_EQ(sealed->warnings.size(), 1u);
  EXPECT_EQ(sealed->warnings[0].kind->code, "S0501");
  EXPECT_EQ(
      sealed->warnings[0].message(),
      "a directive on `f` has no effect: `f` is inlined and has no loops or storage of its own");
  EXPECT_EQ(sealed->warnings[0].place.line, 6);
}

}  // namespace
}  // namespace hocket::schedule
