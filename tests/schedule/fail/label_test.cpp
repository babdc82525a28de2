// A loop that was there once: the step that took it away is the second place.
#include <gtest/gtest.h>

#include "schedule/seal.h"
#include "text/parser.h"

namespace hocket::schedule {
namespace {

diag::Diagnostic refused(const std::string& directives) {
  const std::string text =
      "pipeline p(input: u8(x, y)) -> g:\n"
      "    f(x, y) = input(x, y) + 1\n"
      "    g(x, y) = f(x, y) * 2\n"
      "\n"
      "schedule wrong for p:\n" +
      directives;
  auto file = text::parse(text, "t.hk");
  EXPECT_TRUE(file.ok()) << file.error().message();
  auto sealed = plan_schedule(file->pipeline("p"), *file->schedule("wrong"), DryRun());
  EXPECT_FALSE(sealed.ok());
  return sealed.error();
}

void expect_label(const diag::Diagnostic& e, const std::string& text, int line, int column) {
  EXPECT_EQ(e.kind->code, "S0103");
  ASSERT_EQ(e.labels.size(), 1u);
  EXPECT_EQ(e.labels[0].text, text);
  EXPECT_EQ(e.labels[0].place.line, line);
  EXPECT_EQ(e.labels[0].place.column, column);
}

TEST(Labels, OfTheSplitThatTookALoop) {
  expect_label(refused("    g.split(x, xo, xi, 8)\n    g.vectorize(x)\n"),
               "`x` became `xo` and `xi` here", 6, 7);
}

TEST(Labels, OfTheFusionAndTheRename) {
  expect_label(refused("    g.fuse(x, y, t)\n    g.parallel(y)\n"), "`y` became a part of `t` here",
               6, 7);
  expect_label(refused("    g.rename(x, u)\n    g.parallel(x)\n"), "`x` became `u` here", 6, 7);
}

TEST(Labels, OfTheLoopThatASiteNames) {
  expect_label(refused("    f.compute_at(g, x)\n    g.split(x, xo, xi, 8)\n"),
               "`x` became `xo` and `xi` here", 7, 7);
}

TEST(Labels, NotOfALoopThatNeverWas) {
  EXPECT_TRUE(refused("    g.split(x, xo, xi, 8)\n    g.vectorize(z)\n").labels.empty());
}

}  // namespace
}  // namespace hocket::schedule
