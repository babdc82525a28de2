// Helpers of the text tests: samples, comparison of files, verification of what was read.
#pragma once

#include <string>
#include <vector>

#include "text/parser.h"

namespace hocket::text::testing_text {

// Names of tests/text/golden/*.hk, sorted.
std::vector<std::string> sample_names();
std::string sample(const std::string& name);

void expect_equal(const File& a, const File& b);
void expect_verified(const File& f);

}  // namespace hocket::text::testing_text
