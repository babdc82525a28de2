#include "diag/result.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "diag/kinds_driver.h"

namespace hocket::diag {
namespace {

Result<int> half(int value) {
  if (value % 2 != 0) return Diagnostic(kind::unknown_code).arg("code", value);
  return value / 2;
}

Result<void> small(int value) {
  if (value > 100) return Diagnostic(kind::unknown_code).arg("code", value);
  return {};
}

Result<std::string> quarter(int value) {
  HOCKET_CHECK(small(value));
  HOCKET_TRY(const int first, half(value));
  HOCKET_TRY(const int second, half(first));
  return std::to_string(second);
}

TEST(Result, PassesValuesAndTheFirstRefusalOn) {
  EXPECT_EQ(quarter(12).value(), "3");
  EXPECT_EQ(quarter(6).error().message(), "no message has the code `3`");
  EXPECT_EQ(quarter(5).error().message(), "no message has the code `5`");
  EXPECT_EQ(quarter(104).error().message(), "no message has the code `104`");
}

TEST(Result, CarriesValuesThatOnlyMove) {
  Result<std::unique_ptr<int>> result = std::make_unique<int>(7);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(**result, 7);
  const std::unique_ptr<int> taken = std::move(result).value();
  EXPECT_EQ(*taken, 7);
}

TEST(Result, AskingTheWrongHalfIsABugInHocket) {
  EXPECT_THROW(half(3).value(), support::InternalError);
  EXPECT_THROW(half(4).error(), support::InternalError);
  EXPECT_THROW(small(101).value(), support::InternalError);
}

TEST(Result, RefusalsCanBeAddedTo) {
  Result<int> result = half(3);
  result.error().note("seen in a test");
  const Result<std::string> other = std::move(result).take_failure();
  EXPECT_EQ(other.error().notes, std::vector<std::string>({"seen in a test"}));
}

}  // namespace
}  // namespace hocket::diag
