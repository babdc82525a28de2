// Warnings of lowering: the message, the place, and that what was asked for in so many words alone
// is warned of. Repairs of what cannot be inlined.
#include <gtest/gtest.h>

#include "driver/compile.h"
#include "text/parser.h"

namespace hocket::schedule {
namespace {

std::vector<diag::Diagnostic> warnings_of(const std::string& directives) {
  const text::File file = text::parse(
                              "pipeline p(a: u16(x, y)) -> f:\n"
                              "    h(x, y) = a(x, y) + 1\n"
                              "    f(x, y) = h(x, y) + h(x, y + 2)\n\n"
                              "schedule s for p:\n"
                              "    f.split(y, yo, yi, 3, guard)\n" +
                                  directives,
                              "t.hk")
                              .value();
  return driver::compile(driver::Source(file.pipeline("p"), *file.schedule("s")),
                         driver::Product::Loops)
      .value()
      .warnings;
}

TEST(Warnings, ATailThatSlidesBecomesAGuard) {
  const auto said =
      warnings_of("    h.store_root().compute_at(f, yo).split(y, hyo, hyi, 2, round_up)\n");
  ASSERT_EQ(said.size(), 1U);
  EXPECT_EQ(said[0].kind->code, "S0502");
  EXPECT_EQ(said[0].message(),
            "the tail round_up of loop `y` of `h` becomes a guard: `h` slides along it, and what "
            "lies past the region is not there any more");
  EXPECT_EQ(said[0].place.line, 7);
  EXPECT_EQ(said[0].place.column, 38);
}

TEST(Warnings, AFusedLoopSlidesWithItsDimensions) {
  const auto said = warnings_of(
      "    h.store_root().compute_at(f, yo).fuse(x, y, t).split(t, to, ti, 8, shift_inwards)\n");
  ASSERT_EQ(said.size(), 1U);
  EXPECT_EQ(said[0].kind->code, "S0502");
}

TEST(Warnings, NotOfTailsThatNobodyAskedFor) {
  EXPECT_TRUE(warnings_of("    h.store_root().compute_at(f, yo).split(y, hyo, hyi, 2)\n").empty());
  EXPECT_TRUE(warnings_of("    h.compute_at(f, yo).split(y, hyo, hyi, 2, round_up)\n").empty());
}

TEST(Repairs, LongChainsAreCutWhereThatHelpsMost) {
  std::string chain = "pipeline p(a: u16(x)) -> out:\n    g0(x) = a(x)\n";
  for (int i = 1; i <= 30; ++i) {
    const std::string before = "g" + std::to_string(i - 1);
    chain += "    g" + std::to_string(i) + "(x) = " + before + "(x) + " + before + "(x + 1)\n";
  }
  const text::File file = text::parse(chain + "    out(x) = g30(x)\n", "t.hk").value();
  const auto made = driver::compile(driver::Source(file.pipeline("p")), driver::Product::Loops);
  ASSERT_FALSE(made.ok());
  EXPECT_EQ(made.error().kind->code, "S0305");
  ASSERT_EQ(made.error().helps.size(), 1U);
  EXPECT_NE(made.error().helps[0].find(".compute_root()"), std::string::npos);
}

}  // namespace
}  // namespace hocket::schedule
