// The pages docs/errors/T0001.md and T0002.md: the target of the command that is refused is refused
// with that code, the repaired one is known. (T0003 to T0006 hold programs, which `./dev docs`
// runs.)
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "target/target.h"
#include "testing/source_dir.h"

namespace hocket::target {
namespace {

// The words behind `--target` on the page, in order.
std::vector<std::string> targets_of(const std::string& code) {
  std::ifstream in(hocket::testing::source_dir() + "/docs/errors/" + code + ".md");
  std::vector<std::string> out;
  for (std::string word, last; in >> word; last = word)
    if (last == "--target") out.push_back(word);
  return out;
}

TEST(TargetPages, CommandsBehaveAsTheySay) {
  for (const char* code : {"T0001", "T0002"}) {
    SCOPED_TRACE(code);
    const std::vector<std::string> targets = targets_of(code);
    ASSERT_EQ(targets.size(), 2u);
    const auto bad = parse_target(targets[0]);
    ASSERT_FALSE(bad.ok());
    EXPECT_EQ(bad.error().kind->code, code);
    EXPECT_TRUE(parse_target(targets[1]).ok());
  }
}

}  // namespace
}  // namespace hocket::target
