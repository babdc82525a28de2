#include <gtest/gtest.h>

#include "support/assert.h"
#include "support/edit_distance.h"
#include "support/hash.h"
#include "support/source.h"
#include "support/strings.h"

namespace hocket::support {
namespace {

TEST(Assert, ThrowsWithPlaceAndCondition) {
  EXPECT_NO_THROW(HOCKET_ASSERT(1 + 1 == 2, "arithmetic"));
  try {
    HOCKET_ASSERT(1 + 1 == 3, "arithmetic is off");
    FAIL() << "the assertion passed";
  } catch (const InternalError& error) {
    EXPECT_EQ(error.message(), "arithmetic is off [1 + 1 == 3]");
    EXPECT_EQ(error.file(), "tests/support/run/support_test.cpp");
    EXPECT_NE(std::string(error.what()).find("bug in hocket: "), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("support_test.cpp:" + std::to_string(error.line())),
              std::string::npos);
  }
}

TEST(Place, SpeaksFileLineAndColumn) {
  EXPECT_EQ((Place{"blur.hk", 3, 14, 16, ""}).spoken(), "blur.hk:3:14");
  EXPECT_EQ(Place().spoken(), "");
  const Place here = Place::of(std::source_location::current());
  EXPECT_EQ(here.file, "support_test.cpp");
  EXPECT_EQ(here.line, __LINE__ - 2);
}

int line_of(Located<double> value) {
  return static_cast<int>(value.where.line());
}

TEST(Place, LocatedTakesTheLineOfTheCaller) {
  EXPECT_EQ(line_of(1), __LINE__);
}

TEST(Place, PathsAreCutToTheTree) {
  EXPECT_EQ(path_below_root("/a/b/src/ir/expr.h"), "src/ir/expr.h");
  EXPECT_EQ(path_below_root("/src/x/tests/ir/t.cpp"), "tests/ir/t.cpp");
  EXPECT_EQ(path_below_root("blur.cpp"), "blur.cpp");
}

TEST(EditDistance, CountsEditsAndSwaps) {
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(edit_distance("reodrer", "reorder"), 1u);
  EXPECT_EQ(edit_distance("tile", "tile"), 0u);
}

TEST(EditDistance, SuggestsTheNearestFirst) {
  const std::vector<std::string> names = {"compute_root", "compute_at", "store_at", "Xo", "xi"};
  EXPECT_EQ(close_names("compute_a", names),
            std::vector<std::string>({"compute_at", "compute_root"}));
  EXPECT_EQ(close_names("xo", names), std::vector<std::string>({"Xo", "xi"}));
  EXPECT_TRUE(close_names("parallel", names).empty());
}

TEST(Hash, IsStableAndSeesOrderAndLength) {
  EXPECT_EQ(Hasher().add(1).add(2).finish(), Hasher().add(1).add(2).finish());
  EXPECT_NE(Hasher().add(1).add(2).finish(), Hasher().add(2).add(1).finish());
  EXPECT_NE(Hasher().add("ab").add("c").finish(), Hasher().add("a").add("bc").finish());
  EXPECT_NE(Hasher().add("").finish(), Hasher().finish());
}

TEST(Strings, JoinSplitIndentTrim) {
  EXPECT_EQ(join({"a", "b"}, ", "), "a, b");
  EXPECT_EQ(split_lines("a\r\n\nb\n"), std::vector<std::string>({"a", "", "b"}));
  EXPECT_EQ(indent("a\n\nb", 2), "  a\n\n  b");
  EXPECT_EQ(trim(" \ta b\n"), "a b");
  EXPECT_EQ(trim("  "), "");
  EXPECT_EQ(quoted("x"), "`x`");
  EXPECT_EQ(counted(0, "update") + ", " + counted(1, "update") + ", " + counted(2, "update"),
            "0 updates, 1 update, 2 updates");
}

}  // namespace
}  // namespace hocket::support
