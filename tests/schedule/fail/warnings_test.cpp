// Warnings of lowering: the message, the place, and that what was asked for in so many words alone
// is warned of. Repairs of what cannot be inlined.
#include <gtest/gtest.h>

#include "diag/render.h"
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

// Every directive without effect is warned of, at its place.
TEST(Warnings, DirectivesThatChangeNothing) {
  struct Case {
    const char* directives;
    int column;
    const char* reason;
  };
  for (const Case& c :
       {Case{"    h.stream_stores()\n", 7, "`h` is inlined and has no loops or storage of its own"},
        {"    h.reorder_storage(y, x)\n", 7, "`h` is inlined"},
        {"    h.compute_at(f, yo).compute_root()\n", 7, "`h.compute_root()` comes after it"},
        {"    h.compute_root().compute_at(f, yo)\n", 7, "`h.compute_at(f, yo)` comes after it"},
        {"    h.compute_root().compute_inline()\n", 7, "`h.compute_inline()` comes after it"},
        {"    h.store_at(f, yo).store_root().compute_at(f, yo)\n", 7,
         "`h.store_root()` comes after it"}}) {
    const auto said = warnings_of(c.directives);
    ASSERT_EQ(said.size(), 1U) << c.directives;
    EXPECT_EQ(said[0].kind->code, "S0501");
    EXPECT_NE(said[0].message().find(c.reason), std::string::npos) << said[0].message();
    EXPECT_EQ(said[0].place.line, 7);
    EXPECT_EQ(said[0].place.column, c.column) << c.directives;
  }
  EXPECT_TRUE(warnings_of("    h.store_root().compute_at(f, yo).vectorize(x, 4)\n").empty());
}

TEST(Warnings, OfFuncsThatNobodyReads) {
  const text::File file =
      text::parse(
          "pipeline p(a: u16(x)) -> f:\n    h(x) = a(x) + 1\n    f(x) = a(x)\n\n"
          "schedule s for p:\n    h.compute_root().vectorize(x, 8)\n",
          "t.hk")
          .value();
  const auto made = driver::compile(driver::Source(file.pipeline("p"), *file.schedule("s")),
                                    driver::Product::Loops);
  ASSERT_TRUE(made.ok());
  ASSERT_EQ(made->warnings.size(), 1U);
  EXPECT_EQ(made->warnings[0].message(), "a directive on `h` has no effect: no output reads `h`");
}

diag::Result<driver::Artifact> made_of(const std::string& text) {
  const text::File file = text::parse(text, "t.hk").value();
  return driver::compile(driver::Source(file.pipeline("p"), *file.schedule("s")),
                         driver::Product::Loops);
}

// A scan along y, of which two rows are read.
std::string scan(const std::string& directives) {
  return "pipeline p(a: u8(x, y)) -> f:\n"
         "    rdom r(1, 7)\n"
         "    h(x, y) = i32(a(x, y))\n"
         "    h(x, r) += h(x, r - 1)\n"
         "    f(x, y) = h(x, y) + h(x, y + 1)\n\n"
         "schedule s for p:\n" +
         directives;
}

TEST(Warnings, OfUpdatesThatAreDoneAnewInEachIteration) {
  const auto made = made_of(scan("    h.store_root().compute_at(f, y)\n"));
  ASSERT_TRUE(made.ok());
  ASSERT_EQ(made->warnings.size(), 1U);
  const diag::Diagnostic& said = made->warnings[0];
  EXPECT_EQ(said.kind->code, "S0503");
  EXPECT_EQ(said.message(),
            "`h` does not slide on loop `y`: `h.update(0)` takes other coordinates of `y` than `y` "
            "itself");
  EXPECT_EQ(said.place.line, 8);
  EXPECT_EQ(said.place.column, 7);
  EXPECT_NE(diag::render_text(said).find("help: h.compute_root()"), std::string::npos);
  // Nothing is left over along x, and there it would slide.
  const auto apart = made_of(scan("    f.reorder(y, x)\n    h.store_root().compute_at(f, x)\n"));
  ASSERT_TRUE(apart.ok());
  EXPECT_TRUE(apart->warnings.empty());
}

TEST(Warnings, AFoldAlongAnUpdateSaysWhichOne) {
  const auto made = made_of(scan("    h.store_root().compute_at(f, y).fold_storage(y, 8)\n"));
  ASSERT_FALSE(made.ok());
  EXPECT_EQ(made.error().kind->code, "S0303");
  EXPECT_EQ(made.error().message(),
            "cannot fold dimension `y` of `h` to 8: `h` does not slide along it, since "
            "`h.update(0)` takes other coordinates of it than `y` itself");
  EXPECT_EQ(made.error().place.line, 8);
}

TEST(Warnings, TailsOfAFuncWithUpdatesThatSlidesBecomeGuards) {
  const auto made = made_of(
      "pipeline p(a: u8(x, y)) -> f:\n    rdom r(0, 3)\n    h(x, y) = i32(0)\n"
      "    h(x, y) += i32(a(x + r, y))\n    f(x, y) = h(x, y) + h(x, y + 1)\n\n"
      "schedule s for p:\n"
      "    h.store_root().compute_at(f, y).split(x, xo, xi, 8, round_up)\n");
  ASSERT_TRUE(made.ok());
  ASSERT_EQ(made->warnings.size(), 1U);
  EXPECT_EQ(made->warnings[0].kind->code, "S0502");
  EXPECT_EQ(made->warnings[0].message(),
            "the tail round_up of loop `x` of `h` becomes a guard: `h` slides, and what lies past "
            "the region would lose what its updates did");
}

TEST(Bounds, ANegativeExtentIsRefusedAtTheVerb) {
  const text::File file = text::parse(
                              "pipeline p(a: u16(x)) -> f:\n    f(x) = a(x)\n\n"
                              "schedule s for p:\n    f.bound(x, 0, -3)\n",
                              "t.hk")
                              .value();
  const auto made = driver::compile(driver::Source(file.pipeline("p"), *file.schedule("s")),
                                    driver::Product::Loops);
  ASSERT_FALSE(made.ok());
  EXPECT_EQ(made.error().kind->code, "S0110");
  EXPECT_EQ(made.error().message(),
            "`bound` takes a dimension, its min and an extent that is not negative");
  EXPECT_EQ(made.error().place.line, 5);
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
