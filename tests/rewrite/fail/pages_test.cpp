// The pages docs/errors/R*.md: the program that is refused is refused with that code, the repaired
// one is applied.
#include <fstream>
#include <sstream>

#include "diag/kind.h"
#include "rewrite/support.h"
#include "testing/source_dir.h"

namespace hocket::rewrite::testing {
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
    if (code[0] != 'R') continue;
    SCOPED_TRACE(code);
    std::ifstream in(hocket::testing::source_dir() + "/docs/errors/" + code + ".md");
    std::stringstream text;
    text << in.rdbuf();
    const std::string bad = block(text.str(), "```hk refused="),
                      good = block(text.str(), "```hk\n");
    ASSERT_FALSE(bad.empty());
    ASSERT_FALSE(good.empty());
    EXPECT_EQ(refused(bad).kind->code, k->code);
    EXPECT_TRUE(applied(good).after);
    ++pages;
  }
  EXPECT_GE(pages, 13);
}

}  // namespace
}  // namespace hocket::rewrite::testing
