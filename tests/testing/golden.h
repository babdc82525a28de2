// Golden tests: compare a text with a file of the tree.
// In: a path below tests/ and the text made now. Out: a gtest failure that shows both where they
// differ. With HOCKET_UPDATE_GOLDEN=1 (`./dev golden`) the file is rewritten instead, and the test
// passes. Called by: tests in tests/<room>/golden/ through EXPECT_GOLDEN.
#pragma once

#include <gtest/gtest.h>

#include <string>

namespace hocket::testing {

::testing::AssertionResult matches_golden(const std::string& path_below_tests,
                                          const std::string& actual);

}  // namespace hocket::testing

#define EXPECT_GOLDEN(path_below_tests, actual) \
  EXPECT_TRUE(::hocket::testing::matches_golden(path_below_tests, actual))
