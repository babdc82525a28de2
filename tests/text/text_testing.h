// Helpers of the text tests: samples, comparison of files, verification of what was read.
#pragma once

#include <string>
#include <vector>

#include "text/parser.h"

namespace hocket::text::testing_text {

// Names of tests/text/golden/*.hk, sorted.
std::vector<std::string> sample_names();
std::string sample(const std::string& name);

// A text that is refused: with which code and words, and where. `more` holds the second places,
// helps and notes, one a line: `1:12 `x` is defined here first`, `help: ...`, `note: ...`.
struct Refused {
  const char* code;
  std::string text;
  const char* message;
  int line, column;
  const char* more = "";
};
void expect_refused(const Refused& r);

void expect_equal(const File& a, const File& b);
void expect_verified(const File& f);

}  // namespace hocket::text::testing_text
