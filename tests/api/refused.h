// A statement that the C++ front end refuses: the code, the words, and the line of the call at
// fault. Used by: tests/api/fail.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hocket/hocket.h>

#include <optional>

namespace hocket::testing {

template <class F>
std::optional<Error> refused(F&& f) {
  try {
    f();
  } catch (const Error& e) {
    return e;
  }
  return std::nullopt;
}

}  // namespace hocket::testing

#define EXPECT_REFUSED(statement, with_code, words)                              \
  do {                                                                           \
    const int line = __LINE__;                                                   \
    const std::optional<hocket::Error> e =                                       \
        hocket::testing::refused([&] { static_cast<void>(statement); });         \
    ASSERT_TRUE(e.has_value());                                                  \
    EXPECT_EQ(e->code(), with_code) << e->what();                                \
    EXPECT_THAT(e->what(), ::testing::HasSubstr(words));                         \
    EXPECT_EQ(e->diagnostic().place.line, line) << e->what();                    \
    EXPECT_EQ(e->diagnostic().place.file,                                        \
              hocket::support::Place::of(std::source_location::current()).file); \
  } while (false)
