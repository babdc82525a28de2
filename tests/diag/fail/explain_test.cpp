#include "diag/explain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diag/render.h"

namespace hocket::diag {
namespace {

using ::testing::HasSubstr;

TEST(Explain, PrintsThePageOfACode) {
  EXPECT_THAT(explain("S0412").value(), HasSubstr("## The same program, repaired"));
  EXPECT_EQ(explain("s0412").value(), explain("S0412").value());
}

TEST(Explain, EveryPageBelongsToAKind) {
  for (const ErrorPage& page : error_pages()) {
    EXPECT_NE(find_kind(page.code), nullptr) << "docs/errors/" << page.code << ".md";
    EXPECT_TRUE(page.text.starts_with("# " + std::string(page.code) + ": ")) << page.code;
  }
}

// D0001: there is no place, the code is the whole of what was written.
TEST(Explain, RefusesAnUnknownCodeWithTheNearest) {
  const Result<std::string> result = explain("S0413");
  ASSERT_FALSE(result.ok());
  const std::string text = render_text(result.error());
  EXPECT_THAT(text, HasSubstr("error[D0001]: no message has the code `S0413`\n"));
  EXPECT_THAT(text, HasSubstr("help: hocket explain S0412\n"));
  EXPECT_FALSE(result.error().place.known());
}

}  // namespace
}  // namespace hocket::diag
