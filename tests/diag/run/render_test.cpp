#include "diag/render.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diag/kinds_driver.h"
#include "diag/kinds_schedule.h"
#include "support/strings.h"

namespace hocket::diag {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(RenderText, CaretsStandUnderTheColumnsOfATextPlace) {
  const std::string line = "    bh(x, y = (input(x - 1, y)";
  const std::string text = render_text(
      Diagnostic(kind::unknown_code, Place{"blur.hk", 3, 13, 14, line}).arg("code", "="));
  const std::vector<std::string> lines = support::split_lines(text);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[1], "  --> blur.hk:3:13   bh(x, y = (input(x - 1, y)");
  EXPECT_EQ(lines[2].find('^'), lines[1].find("="));
}

TEST(RenderText, LongLinesAreShownAroundTheColumn) {
  std::string line(3000, 'a');
  for (size_t i = 1; i < line.size(); i += 2) line[i] = '+';
  line[2000] = 'b';
  const auto lines = [&](int column) {
    return support::split_lines(
        render_text(Diagnostic(kind::unknown_code, Place{"a.hk", 1, column, column + 1, line})));
  };
  const std::vector<std::string> middle = lines(2001);
  EXPECT_LT(middle[1].size(), 240u);
  EXPECT_EQ(middle[2].find('^'), middle[1].find('b'));
  EXPECT_THAT(middle[1], HasSubstr("   ... "));
  EXPECT_THAT(middle[1], ::testing::EndsWith(" ..."));
  EXPECT_THAT(lines(1)[1], Not(HasSubstr("   ... ")));
  EXPECT_EQ(lines(3000)[2].find('^') + 1, lines(3000)[1].size());
}

TEST(RenderText, WideCharactersCountOnce) {
  const std::string line = "# größe = 3";
  const std::size_t at = line.find('=');
  const std::string text = render_text(
      Diagnostic(kind::unknown_code, Place{"a.hk", 1, static_cast<int>(at) + 1, 0, line}));
  const std::vector<std::string> lines = support::split_lines(text);
  // `ö` and `ß` take two bytes each before the `=`, one column each on the screen.
  EXPECT_EQ(lines[2].find('^'), lines[1].find('=') - 2);
}

TEST(RenderText, NothingReachesTheTerminalAsACommand) {
  const std::string text =
      render_text(Diagnostic(kind::unknown_code, Place{"a.hk", 1, 6, 7, "\x1b[2J \a= b\x7f"})
                      .arg("code", "\x1b[31m"));
  EXPECT_THAT(text, HasSubstr("?[2J ?= b?"));
  EXPECT_THAT(text, HasSubstr("?[31m"));
  EXPECT_EQ(text.find_first_of("\x1b\a\x7f"), std::string::npos);
  const std::vector<std::string> lines = support::split_lines(text);
  EXPECT_EQ(lines[2].find('^'), lines[1].find("?= b"));
}

TEST(RenderText, LongNestsKeepCulpritAndParents) {
  std::vector<std::string> nest = {"for y in h"};
  for (int i = 0; i < 40; ++i) nest.push_back("  for s" + std::to_string(i) + " in g");
  nest.push_back("  for x in h");
  nest.push_back("    culprit");
  const std::string text = render_text(
      Diagnostic(kind::unknown_code).show_nest(nest, static_cast<int>(nest.size()) - 1, 4, 7));
  EXPECT_THAT(text, HasSubstr("  |  for y in h\n  |    …\n"));
  EXPECT_THAT(text, HasSubstr("  |    for x in h\n  |      culprit\n  |      ^^^^^^^\n"));
  EXPECT_THAT(text, Not(HasSubstr("s5 in g")));
  EXPECT_LE(support::split_lines(text).size(), 1u + kNestLines + 1u);
}

TEST(RenderText, ShowsFiveFixesThenACount) {
  Diagnostic diagnostic(kind::unknown_code);
  for (int i = 0; i < 7; ++i) diagnostic.help("fix " + std::to_string(i));
  const std::string text = render_text(diagnostic);
  EXPECT_THAT(text, HasSubstr("help: fix 4\nnote: 2 more; `hocket explain D0001`\n"));
  EXPECT_THAT(text, Not(HasSubstr("fix 5")));
}

TEST(RenderText, ContextShowsTheUsersLineFirst) {
  Diagnostic diagnostic(kind::unknown_code, Place{"lib.hk", 9, 0, 0, "fission(s)"});
  diagnostic.in_context(Place{"lib.hk", 4, 0, 0, "tile(i)"}, "inside `tile`");
  diagnostic.in_context(Place{"user.hk", 2, 0, 0, "block(i)"}, "inside `block`");
  EXPECT_THAT(render_text(diagnostic), HasSubstr("  in  user.hk:2   block(i)   <- inside `block`\n"
                                                 "  in  lib.hk:4   tile(i)   <- inside `tile`\n"
                                                 "  --> lib.hk:9   fission(s)\n"));
}

TEST(RenderJson, ReplacesBytesThatAreNotText) {
  const std::string json = render_json(Diagnostic(kind::unknown_code).arg("code", "\xff"));
  EXPECT_THAT(json, HasSubstr("\"code\":\"D0001\""));
  EXPECT_THAT(json, HasSubstr("\xEF\xBF\xBD"));
}

}  // namespace
}  // namespace hocket::diag
