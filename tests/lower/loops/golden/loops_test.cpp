// The loops that directives make of small pipelines, as text: one pipeline per group of directives.
#include <gtest/gtest.h>

#include "diag/render.h"
#include "ir/print.h"
#include "lower/loops/lower.h"
#include "schedule/seal.h"
#include "testing/golden.h"
#include "text/parser.h"

namespace hocket::lower {
namespace {

std::string refused(const diag::Diagnostic& d) {
  ADD_FAILURE() << diag::render_text(d);
  return d.message();
}

// Loop form of the pipeline under these directives.
std::string loops(const std::string& pipeline, const std::string& directives) {
  const std::string name = pipeline.substr(9, pipeline.find('(') - 9);
  const auto file =
      text::parse(pipeline + "\nschedule s for " + name + ":\n    " + directives + "\n", "test.hk");
  if (!file.ok()) return refused(file.error());
  const auto sealed = schedule::plan_schedule(file->pipeline(name), *file->schedule("s"));
  if (!sealed.ok()) return refused(sealed.error());
  const auto proc = lower::loops::to_loops(sealed->plan);
  return proc.ok() ? ir::to_text(**proc) : refused(proc.error());
}

constexpr const char* kTwice =
    "pipeline twice(a: i32(x, y)) -> f:\n    f(x, y) = a(x, y) + a(x, y)\n";
constexpr const char* kBlur =
    "pipeline blur(a: u16(x, y)) -> v:\n    h(x, y) = a(x - 1, y) + a(x + 1, y)\n"
    "    v(x, y) = h(x, y - 1) + h(x, y + 1)\n";

constexpr const char* kPrefix =
    "pipeline prefix(a: i32(x, y)) -> f:\n    f(x, y) = a(x, y)\n    rdom r(1, 7)\n"
    "    f(r, y) += f(r - 1, y)\n";

TEST(LoopsGolden, SplitByEachTail) {
  for (const std::string tail : {"round_up", "guard", "shift_inwards"})
    EXPECT_GOLDEN("lower/loops/golden/split_" + tail + ".txt",
                  loops(kTwice, "f.split(x, xo, xi, 8, " + tail + ")"));
}

TEST(LoopsGolden, SplitWithoutATail) {
  EXPECT_EQ(loops(kTwice, "f.split(x, xo, xi, 8)"),
            loops(kTwice, "f.split(x, xo, xi, 8, shift_inwards)"));
  EXPECT_EQ(loops(kPrefix, "f.update(0).split(y, yo, yi, 8)"),
            loops(kPrefix, "f.update(0).split(y, yo, yi, 8, guard)"));
}

TEST(LoopsGolden, TileAndReorder) {
  EXPECT_GOLDEN("lower/loops/golden/tile.txt",
                loops(kTwice, "f.tile(x, y, xo, yo, xi, yi, 8, 4, guard)"));
  EXPECT_GOLDEN("lower/loops/golden/reorder.txt",
                loops(kTwice, "f.tile(x, y, xo, yo, xi, yi, 8, 4, guard).reorder(yi, xo, xi)"));
}

TEST(LoopsGolden, FuseAndRename) {
  EXPECT_GOLDEN("lower/loops/golden/fuse.txt", loops(kTwice, "f.rename(y, row).fuse(x, row, xy)"));
}

TEST(LoopsGolden, KindsOfLoops) {
  EXPECT_GOLDEN("lower/loops/golden/kinds.txt",
                loops(kTwice, "f.parallel(y).vectorize(x, 8, guard).unroll(x, 2, guard)"));
  EXPECT_GOLDEN("lower/loops/golden/stream_stores.txt",
                loops(kTwice, "f.serial(y).vectorize(x, 8, round_up).stream_stores()"));
}

TEST(LoopsGolden, Bound) {
  EXPECT_GOLDEN("lower/loops/golden/bound.txt", loops(kTwice, "f.bound(y, 0, 3).unroll(y)"));
}

TEST(LoopsGolden, Places) {
  EXPECT_GOLDEN("lower/loops/golden/inline.txt", loops(kBlur, "h.compute_inline()"));
  EXPECT_GOLDEN("lower/loops/golden/root.txt",
                loops(kBlur, "h.compute_root().store_in(DRAM_STACK).reorder_storage(y, x)"));
  EXPECT_GOLDEN("lower/loops/golden/compute_at.txt", loops(kBlur, "h.compute_at(v, y)"));
}

TEST(LoopsGolden, SlidingFolds) {
  EXPECT_GOLDEN("lower/loops/golden/slide.txt", loops(kBlur, "h.store_root().compute_at(v, y)"));
  EXPECT_GOLDEN("lower/loops/golden/slide_in_strips.txt",
                loops(kBlur,
                      "v.split(y, yo, yi, 16, guard).parallel(yo)\n"
                      "    h.store_at(v, yo).compute_at(v, yi).fold_storage(y, 4)"));
}

TEST(LoopsGolden, UpdatesSlide) {
  EXPECT_GOLDEN("lower/loops/golden/slide_update.txt",
                loops("pipeline sums(a: i32(x, y)) -> g:\n    s(x, y) = 0\n    rdom r(0, 5)\n"
                      "    s(x, y) += a(x + r, y)\n    g(x, y) = s(x, y) + s(x, y + 1)\n",
                      "s.store_root().compute_at(g, y)"));
}

TEST(LoopsGolden, UpdatesOfTheirOwn) {
  EXPECT_GOLDEN(
      "lower/loops/golden/updates.txt",
      loops(kPrefix, "f.vectorize(x, 8, guard)\n    f.update(0).parallel(y).reorder(r, y)"));
}

TEST(LoopsGolden, SeveralOutputs) {
  EXPECT_GOLDEN("lower/loops/golden/outputs.txt",
                loops("pipeline two(a: i32(x)) -> (f, g):\n    e(x) = a(x) * a(x)\n"
                      "    f(x) = e(x) + 1\n    g(x) = e(x + 1)\n",
                      "e.compute_root()\n    f.unroll(x, 2, round_up)"));
}

}  // namespace
}  // namespace hocket::lower
