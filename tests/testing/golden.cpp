#include "testing/golden.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "testing/source_dir.h"

namespace hocket::testing {

namespace {

// The first line on which the two texts differ, counted from 1.
int first_difference(const std::string& left, const std::string& right) {
  std::istringstream a(left), b(right);
  std::string line_a, line_b;
  for (int line = 1;; ++line) {
    bool more_a = static_cast<bool>(std::getline(a, line_a));
    bool more_b = static_cast<bool>(std::getline(b, line_b));
    if (more_a != more_b || (more_a && line_a != line_b) || !more_a) return line;
  }
}

}  // namespace

::testing::AssertionResult matches_golden(const std::string& path_below_tests,
                                          const std::string& actual) {
  const std::filesystem::path path =
      std::filesystem::path(source_dir()) / "tests" / path_below_tests;
  const char* update = std::getenv("HOCKET_UPDATE_GOLDEN");
  if (update != nullptr && std::string(update) == "1") {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << actual;
    return ::testing::AssertionSuccess();
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    return ::testing::AssertionFailure()
           << "no golden file tests/" << path_below_tests << "; make it with `./dev golden`\n"
           << "--- actual\n"
           << actual;
  }
  std::ostringstream expected;
  expected << file.rdbuf();
  if (expected.str() == actual) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure()
         << "differs from tests/" << path_below_tests << " at line "
         << first_difference(expected.str(), actual) << "; accept with `./dev golden`\n"
         << "--- expected\n"
         << expected.str() << "--- actual\n"
         << actual;
}

}  // namespace hocket::testing
