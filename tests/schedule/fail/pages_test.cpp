// The pages docs/errors/S*.md: the schedule that is refused is refused with that code, the repaired
// one is taken without a word.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "driver/compile.h"
#include "testing/source_dir.h"
#include "text/parser.h"

namespace hocket::schedule {
namespace {

// The first fenced block that starts so, from `at` on; `at` moves behind it.
std::string block(const std::string& page, const std::string& fence, size_t& at) {
  at = page.find(fence, at);
  if (at == std::string::npos) return {};
  const size_t from = page.find('\n', at) + 1;
  at = page.find("```", from);
  return page.substr(from, at - from);
}

struct Said {
  std::string refused;                // the code, empty where it compiles
  std::vector<std::string> warnings;  // codes
};

Said compiled(const std::string& program) {
  auto file = text::parse(program, "page.hk");
  if (!file.ok()) return {"parse: " + file.error().message(), {}};
  for (const text::Item& item : file->items) {
    const auto* s = std::get_if<ir::Schedule>(&item.value);
    if (!s) continue;
    auto made =
        driver::compile(driver::Source(file->pipeline(s->pipeline), *s), driver::Product::Loops);
    if (!made.ok()) return {std::string(made.error().kind->code), {}};
    Said said;
    for (const diag::Diagnostic& w : made->warnings) said.warnings.emplace_back(w.kind->code);
    return said;
  }
  return {"no schedule", {}};
}

TEST(Pages, SchedulesBehaveAsTheySay) {
  int refused = 0;
  for (const diag::Kind& k : diag::all_kinds()) {
    const std::string code(k->code);
    if (code[0] != 'S') continue;
    SCOPED_TRACE(code);
    std::ifstream in(hocket::testing::source_dir() + "/docs/errors/" + code + ".md");
    std::stringstream text;
    text << in.rdbuf();
    const std::string page = text.str();
    size_t at = 0;
    if (k->severity == diag::Severity::warning) {
      const std::string bad = block(page, "```hk\n", at);
      EXPECT_EQ(compiled(bad).refused, "");
      EXPECT_EQ(compiled(bad).warnings, std::vector<std::string>{code});
    } else if (code != "S0110") {  // text of that shape does not parse
      const std::string bad = block(page, "```hk refused=" + code, at);
      ASSERT_FALSE(bad.empty());
      EXPECT_EQ(compiled(bad).refused, code);
      ++refused;
    }
    // The default schedule of some is refused as well: `schedule=` names the one to look at.
    const std::string good = block(page, "```hk", at);
    ASSERT_FALSE(good.empty());
    EXPECT_EQ(compiled(good).refused, "");
    EXPECT_TRUE(compiled(good).warnings.empty());
  }
  EXPECT_GE(refused, 30);
}

}  // namespace
}  // namespace hocket::schedule
