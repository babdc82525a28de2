// The pages docs/errors/P*.md: the program that is refused is refused with that code and the words
// at the head of the page, the repaired one is read and holds the invariants.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "../text_testing.h"
#include "diag/kind.h"
#include "diag/render.h"
#include "testing/source_dir.h"

namespace hocket::text {
namespace {

std::string block(const std::string& page, const std::string& fence) {
  const size_t at = page.find(fence);
  if (at == std::string::npos) return {};
  const size_t from = page.find('\n', at) + 1;
  return page.substr(from, page.find("```", from) - from);
}

TEST(Pages, ProgramsBehaveAsTheySay) {
  int pages = 0;
  for (const diag::Kind& k : diag::all_kinds()) {
    const std::string code(k->code);
    if (code[0] != 'P') continue;
    SCOPED_TRACE(code);
    std::ifstream in(hocket::testing::source_dir() + "/docs/errors/" + code + ".md");
    std::stringstream text;
    text << in.rdbuf();
    const std::string page = text.str();
    std::string bad = block(page, "```hk refused=" + code);
    // The one program that is too large to be shown.
    if (code == "P0110") bad = std::string(9 << 20, '#');
    ASSERT_FALSE(bad.empty());
    diag::Result<File> refused = parse(bad, "page.hk");
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().kind->code, code);
    EXPECT_EQ(block(page, "```\n"), "error[" + code + "]: " + refused.error().message() + "\n");
    const std::string good = block(page, "```hk\n");
    ASSERT_FALSE(good.empty());
    diag::Result<File> repaired = parse(good, "page.hk");
    ASSERT_TRUE(repaired.ok()) << diag::render_text(repaired.error());
    EXPECT_FALSE(repaired->items.empty());
    testing_text::expect_verified(*repaired);
    ++pages;
  }
  EXPECT_GE(pages, 50);
}

}  // namespace
}  // namespace hocket::text
