// Refusals that rest on a run: the witness with its numbers, or the fact that is missing; and the
// repairs that were tried before they are shown.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "driver/dry_run.h"
#include "lower/loops/lower.h"
#include "schedule/seal.h"
#include "text/parser.h"

namespace hocket::schedule {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// The refusal of the schedule `wrong`, with dry runs or without.
diag::Diagnostic refusal(const std::string& text, const DryRun& dry = driver::dry_run()) {
  auto file = text::parse(text, "t.hk");
  EXPECT_TRUE(file.ok()) << file.error().message();
  const ir::Schedule& s = *file->schedule("wrong");
  auto sealed = plan_schedule(file->pipeline(s.pipeline), s, dry);
  if (!sealed.ok()) return sealed.error();
  auto proc = lower::loops::to_loops(sealed->plan, dry);
  EXPECT_FALSE(proc.ok());
  return proc.error();
}

// The witness without the statements of the lowered program, which are another test's matter.
std::vector<std::string> numbers(const diag::Diagnostic& e) {
  std::vector<std::string> lines;
  for (const std::string& line : e.witness) lines.push_back(line.substr(0, line.find("; in `")));
  return lines;
}

const std::string kBlur =
    "pipeline blur(input: u16(x, y)) -> bv:\n"
    "    bh(x, y) = (input(x - 1, y) + input(x, y) + input(x + 1, y)) / 3\n"
    "    bv(x, y) = (bh(x, y - 1) + bh(x, y) + bh(x, y + 1)) / 3\n\n"
    "schedule wrong for blur:\n";

const std::string kDigits =
    "pipeline digits(input: u16(x, y)) -> f:\n"
    "    f(x) = u16(0)\n"
    "    rdom r(0, 2, 0, 2)\n"
    "    f(x) = f(x) * 3 + input(x + r.x, r.y)\n\n"
    "schedule wrong for digits:\n"
    "    f.update(0).reorder(r.y, r.x)\n";

TEST(Witness, S0108OfAnotherOrder) {
  const diag::Diagnostic e = refusal(kDigits);
  EXPECT_EQ(e.kind->code, "S0108");
  EXPECT_THAT(numbers(e), ElementsAre("smallest sizes that show it: f 1, input 2 x 2",
                                      "step out of order: `f` update(0) at (0), step (0, 1) comes "
                                      "where (1, 0) is due; at x = 0, r_x = "
                                      "0, r_y = 1",
                                      "output value: `f` at (0) is 111, the program gives 105"));
}

TEST(Witness, S0108OfSumsThatRound) {
  const diag::Diagnostic e = refusal(
      "pipeline sums(input: f32(x, y)) -> f:\n"
      "    f(x) = 0.0\n"
      "    rdom r(0, 3, 0, 3)\n"
      "    f(x) += input(x + r.x, r.y)\n\n"
      "schedule wrong for sums:\n"
      "    f.update(0).reorder(r.y, r.x)\n");
  EXPECT_EQ(e.kind->code, "S0108");
  EXPECT_THAT(numbers(e),
              ElementsAre("smallest sizes that show it: f 1, input 3 x 3",
                          "step out of order: `f` update(0) at (0), step (0, 1) comes where (1, 0) "
                          "is due; at x = 0, r_x = "
                          "0, r_y = 1",
                          "output value: `f` at (0) is 220031.98, the program gives 220032"));
}

TEST(Witness, S0109OfARace) {
  const std::string text =
      "pipeline count(input: u8(x)) -> h:\n"
      "    h(i) = u32(0)\n"
      "    rdom r(0, 8)\n"
      "    h(input(r)) += 1\n\n"
      "schedule wrong for count:\n"
      "    h.update(0).";
  const diag::Diagnostic e = refusal(text + "parallel(r)\n");
  EXPECT_EQ(e.kind->code, "S0109");
  EXPECT_THAT(numbers(e), ElementsAre("smallest sizes that show it: h 256, input 8",
                                      "race: iteration r = 4 reads `h[1]`, which iteration r = 0 "
                                      "writes (it holds 1); at r = 4"));
  const diag::Diagnostic v = refusal(text + "vectorize(r)\n");
  EXPECT_EQ(v.kind->code, "S0109");
  EXPECT_THAT(numbers(v), ElementsAre("smallest sizes that show it: h 256, input 8",
                                      "race: iteration r = 4 reads `h[1]`, which iteration r = 0 "
                                      "writes (it holds 1); at r = 4"));
}

// The sizes are those that the schedule asks for.
TEST(Witness, S0109AtTheSizesOfABound) {
  const diag::Diagnostic e = refusal(
      "pipeline halves(input: u8(x)) -> h:\n"
      "    h(i) = u32(0)\n"
      "    rdom r(0, 8)\n"
      "    h(r / 2) = h(r / 2) * 2 + u32(input(r))\n\n"
      "schedule wrong for halves:\n"
      "    h.bound(i, 0, 20).update(0).parallel(r)\n");
  EXPECT_EQ(e.kind->code, "S0109");
  EXPECT_THAT(numbers(e), ElementsAre("smallest sizes that show it: h 20, input 8",
                                      "race: iteration r = 1 reads `h[0]`, which iteration r = 0 "
                                      "writes (it holds 1); at r = 1"));
}

TEST(Witness, S0205OfSharedStorage) {
  const diag::Diagnostic e =
      refusal(kBlur + "    bv.parallel(y)\n    bh.store_root().compute_at(bv, y)\n");
  EXPECT_EQ(e.kind->code, "S0205");
  EXPECT_THAT(numbers(e), ElementsAre("smallest sizes that show it: bv 1 x 2, input 3 x 4",
                                      "race: iteration y = 1 reads `bh[0, 0]`, which iteration y = "
                                      "0 writes (it holds 1); at y = 1, "
                                      "x = 0"));
  EXPECT_THAT(e.helps, ElementsAre("bh.store_at(bv, y)"));
}

TEST(Witness, S0302OfAFold) {
  const diag::Diagnostic e =
      refusal(kBlur + "    bh.store_root().compute_at(bv, y).fold_storage(y, 2)\n");
  EXPECT_EQ(e.kind->code, "S0302");
  EXPECT_THAT(
      numbers(e),
      ElementsAre("smallest sizes that show it: bv 1 x 1, input 3 x 3",
                  "block value: `bv` at (0, 0) is 15460, `bv` gets 18226; at y = 0, x = 0"));
  EXPECT_THAT(e.helps, ElementsAre("bh.fold_storage(y, 3)"));
  EXPECT_THAT(e.notes, ElementsAre("coordinates of `y` that are 2 apart share one element"));
}

// Where nobody can run anything, nothing is refuted and nothing is offered.
TEST(Witness, WithoutRunsNothingIsRefuted) {
  const diag::Diagnostic order = refusal(kDigits, {});
  EXPECT_EQ(order.kind->code, "S0115");
  EXPECT_EQ(
      order.message(),
      "cannot reorder `r.y` and `r.x` of `f.update(0)`: it is not known that the update gives "
      "the same result in any order, and no run was made");
  EXPECT_EQ(order.place.line, 7);
  const diag::Diagnostic shared =
      refusal(kBlur + "    bv.parallel(y)\n    bh.store_root().compute_at(bv, y)\n", {});
  EXPECT_EQ(shared.kind->code, "S0210");
  EXPECT_THAT(shared.helps, IsEmpty());
  const diag::Diagnostic fold =
      refusal(kBlur + "    bh.store_root().compute_at(bv, y).fold_storage(y, 2)\n", {});
  EXPECT_EQ(fold.kind->code, "S0303");
  EXPECT_THAT(fold.helps, IsEmpty());
}

// A Func that has no bounds without the schedule's word cannot be run in one piece.
TEST(Witness, SaysWhyNothingCouldBeRun) {
  const diag::Diagnostic e = refusal(
      "pipeline p(input: i32(x)) -> g:\n"
      "    table(i) = i * 2\n"
      "    f(x) = 0\n"
      "    rdom r(0, 2, 0, 2)\n"
      "    f(x) = f(x) * 3 + r.x + r.y * 2\n"
      "    g(x) = f(x) + table(input(x))\n\n"
      "schedule wrong for p:\n"
      "    f.update(0).reorder(r.y, r.x)\n");
  EXPECT_EQ(e.kind->code, "S0115");
  EXPECT_EQ(
      e.message(),
      "cannot reorder `r.y` and `r.x` of `f.update(0)`: it is not known that the update gives "
      "the same result in any order, and it cannot be run: cannot bound dimension `i` of "
      "`table`: `g` reads or writes it at `input(x)`");
}

TEST(Repairs, NamesAreTriedBeforeTheyAreOffered) {
  EXPECT_THAT(refusal(kBlur + "    bg.compute_root()\n").helps, ElementsAre("did you mean `bh`?"));
  EXPECT_THAT(refusal(kBlur + "    bv.split(x, xo, xi, 8).vectorize(xii)\n").helps,
              ElementsAre("did you mean `xi`?"));
  EXPECT_THAT(refusal(kBlur + "    bh.compute_root().fold_storage(z, 2)\n").helps, IsEmpty());
  EXPECT_THAT(refusal(kBlur + "    bv.rename(x, lane)\n    bh.compute_at(bv, lame)\n").helps,
              ElementsAre("did you mean `lane`?"));
  // `bvv` is near `bv`, which is an output and cannot be inlined.
  EXPECT_THAT(refusal(kBlur + "    bvv.compute_inline()\n").helps, IsEmpty());
}

TEST(Repairs, PlacesThatAllUsersSee) {
  const std::string text =
      "pipeline chain(input: u8(x, y)) -> c:\n"
      "    a(x, y) = input(x, y) + 1\n"
      "    b(x, y) = a(x, y) * 2\n"
      "    c(x, y) = b(x - 1, y) + a(x, y)\n\n"
      "schedule wrong for chain:\n"
      "    b.compute_at(c, y)\n"
      "    a.compute_at(c, x)\n";
  const diag::Diagnostic e = refusal(text);
  EXPECT_EQ(e.kind->code, "S0412");
  EXPECT_THAT(e.helps, ElementsAre("place `a` where all users see it: a.compute_at(c, y)",
                                   "or outside of all loops: a.compute_root()"));
  // Another mistake in the same schedule: no repair of this one makes it whole.
  EXPECT_THAT(refusal(text + "    c.vectorize(x)\n").helps, IsEmpty());
}

// What a `sum` makes is a Func with an update, which stands outside of all loops until it is
// placed.
TEST(Repairs, AUserThatNobodyHasPlaced) {
  EXPECT_THAT(refusal("pipeline p(a: i32(x, y)) -> f:\n"
                      "    rdom r(0, 3)\n"
                      "    p(x, y) = a(x, y) * 2\n"
                      "    total(x, y) = 0\n"
                      "    total(x, y) += p(x + r, y)\n"
                      "    f(x, y) = total(x, y)\n\n"
                      "schedule wrong for p:\n"
                      "    p.compute_at(f, y)\n")
                  .helps,
              ElementsAre("compute `total` there as well: total.compute_at(f, y)",
                          "place `p` where all users see it: p.compute_at(total.update(0), r)",
                          "place `p` where all users see it: p.compute_at(total.update(0), x)",
                          "place `p` where all users see it: p.compute_at(total.update(0), y)",
                          "or outside of all loops: p.compute_root()"));
}

TEST(Repairs, OfLoopsStorageAndBounds) {
  EXPECT_THAT(refusal(kBlur + "    bv.vectorize(x)\n").helps, ElementsAre("bv.vectorize(x, 8)"));
  EXPECT_THAT(refusal(kBlur + "    bh.compute_at(bv, y).store_at(bv, x)\n").helps,
              ElementsAre("bh.store_at(bv, y)"));
  EXPECT_THAT(
      refusal(kBlur + "    bh.compute_at(bv, x).store_at(bv, y).fold_storage(y, 3)\n").helps,
      ElementsAre("bh.store_at(bv, x)", "bh.store_root()"));
  EXPECT_THAT(refusal("pipeline look_up(input: i32(x)) -> out:\n"
                      "    table(i) = i * 2\n"
                      "    out(x) = table(input(x))\n\n"
                      "schedule wrong for look_up:\n"
                      "    table.compute_root()\n")
                  .helps,
              ElementsAre("bound the coordinate where it is read: clamp(input(x), 0, 255)"));
}

}  // namespace
}  // namespace hocket::schedule
