#include "diag/diagnostic.h"

#include <gtest/gtest.h>

#include <cctype>
#include <set>

#include "diag/kinds_schedule.h"
#include "diag/kinds_verify.h"

namespace hocket::diag {
namespace {

TEST(Diagnostic, LatePrintersRunOnlyWhenShown) {
  int calls = 0;
  const Diagnostic diagnostic = Diagnostic(kind::compute_at_outside_user).arg("func", [&calls] {
    ++calls;
    return std::string("f");
  });
  const Diagnostic copy = diagnostic;
  EXPECT_TRUE(copy.is(kind::compute_at_outside_user));
  EXPECT_EQ(calls, 0);
  EXPECT_EQ(copy.message().rfind("cannot compute `f` at loop `<loop>`", 0), 0u);
  EXPECT_EQ(calls, 2);
}

TEST(Diagnostic, FailedAssertionsBecomeBugsInHocket) {
  try {
    HOCKET_ASSERT(false, "a block without a stage");
    FAIL();
  } catch (const support::InternalError& error) {
    const Diagnostic diagnostic = internal_bug(error);
    EXPECT_EQ(diagnostic.kind->category, Category::internal);
    EXPECT_EQ(diagnostic.message(),
              "bug in hocket: a block without a stage [false] "
              "(tests/diag/run/diagnostic_test.cpp:" +
                  std::to_string(error.line()) + ")");
  }
}

TEST(Kinds, CodesAreWellFormedAndUnique) {
  std::set<std::string_view> codes, names;
  for (Kind kind : all_kinds()) {
    ASSERT_EQ(kind->code.size(), 5u) << kind->code;
    EXPECT_TRUE(std::isupper(static_cast<unsigned char>(kind->code[0]))) << kind->code;
    for (char c : kind->code.substr(1)) EXPECT_TRUE(std::isdigit(static_cast<unsigned char>(c)));
    EXPECT_TRUE(codes.insert(kind->code).second) << kind->code << " is given twice";
    EXPECT_TRUE(names.insert(kind->name).second) << kind->name << " is given twice";
    EXPECT_EQ(find_kind(kind->code), &kind.info());
  }
  EXPECT_FALSE(codes.empty());
}

// The tone of messages: lower case, no full stop, braces that pair.
TEST(Kinds, MessagesKeepTheTone) {
  for (Kind kind : all_kinds()) {
    for (std::string_view text : {kind->message, kind->why}) {
      ASSERT_FALSE(text.empty()) << kind->code;
      EXPECT_FALSE(text.ends_with('.')) << kind->code << ": " << text;
      // `Func` keeps its capital, as do names such as LLVM.
      const bool sentence_case = std::isupper(static_cast<unsigned char>(text[0])) &&
                                 std::islower(static_cast<unsigned char>(text[1])) &&
                                 !text.starts_with("Func");
      EXPECT_FALSE(sentence_case) << kind->code << ": " << text;
      for (std::string_view word : {"illegal", "invalid"}) {
        EXPECT_EQ(text.find(word), std::string_view::npos) << kind->code << ": " << text;
      }
      int depth = 0;
      for (char c : text) {
        depth += c == '{' ? 1 : (c == '}' ? -1 : 0);
        EXPECT_TRUE(depth == 0 || depth == 1) << kind->code;
      }
      EXPECT_EQ(depth, 0) << kind->code;
    }
  }
}

}  // namespace
}  // namespace hocket::diag
