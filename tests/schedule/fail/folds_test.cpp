// Folds that tails run past: what a tail writes beyond the needed region counts as live.
#include <gtest/gtest.h>

#include "driver/dry_run.h"
#include "lower/loops/lower.h"
#include "schedule/seal.h"
#include "text/parser.h"

namespace hocket::schedule {
namespace {

// The message of the refusal of `f.<directives>.fold_storage(y, extent)`; empty where it is taken.
std::string refusal(const std::string& directives, int extent) {
  const std::string text =
      "pipeline p(input: i32(x, y)) -> g:\n"
      "    f(x, y) = input(x, y) * 2\n"
      "    g(x, y) = f(x, y) + f(x, y + 2)\n"
      "\n"
      "schedule s for p:\n"
      "    f." +
      directives + ".fold_storage(y, " + std::to_string(extent) + ")\n";
  auto file = text::parse(text, "t.hk");
  EXPECT_TRUE(file.ok());
  auto sealed = plan_schedule(file->pipeline("p"), *file->schedule("s"));
  EXPECT_TRUE(sealed.ok());
  auto proc = lower::loops::to_loops(sealed->plan, driver::dry_run());
  return proc.ok() ? "" : proc.error().message();
}

TEST(Folds, CountWhatRoundingUpWrites) {
  const std::string f = "split(y, yo, yi, 8, round_up).compute_at(g, x)";
  EXPECT_EQ(refusal(f, 6), "cannot fold dimension `y` of `f` to 6: 8 values are live at once");
  EXPECT_EQ(refusal(f, 8), "");
}

TEST(Folds, CountWhatShiftingInwardsWrites) {
  const std::string f = "split(y, yo, yi, 4, shift_inwards).compute_at(g, x)";
  EXPECT_EQ(refusal(f, 2), "cannot fold dimension `y` of `f` to 2: 4 values are live at once");
  EXPECT_EQ(refusal(f, 4), "");
  // Of four values the one that is written first is not needed; no run loses one that is.
  EXPECT_EQ(refusal(f, 3),
            "cannot fold dimension `y` of `f` to 3: it is not known that at most 3 of up to 4 "
            "values are needed at once, and no run at small sizes loses one");
}

TEST(Folds, GuardsWriteNothingBeyond) {
  const std::string f = "split(y, yo, yi, 8, guard).compute_at(g, x)";
  EXPECT_EQ(refusal(f, 2), "cannot fold dimension `y` of `f` to 2: 3 values are live at once");
  EXPECT_EQ(refusal(f, 3), "");
}

}  // namespace
}  // namespace hocket::schedule
