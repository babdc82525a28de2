// V0000: an assertion of Hocket's own that fails says which, where in the source, and blames
// nobody.
#include <gtest/gtest.h>

#include "diag/diagnostic.h"
#include "support/assert.h"

namespace hocket::diag {
namespace {

TEST(InternalBug, V0000NamesTheAssertionAndItsLine) {
  const int line = __LINE__ + 2;
  try {
    HOCKET_ASSERT(1 + 1 == 3, "sums are wrong");
    FAIL() << "an assertion that does not hold went by";
  } catch (const support::InternalError& e) {
    const Diagnostic d = internal_bug(e);
    EXPECT_EQ(d.kind->code, "V0000");
    EXPECT_EQ(d.kind->category, Category::internal);
    EXPECT_EQ(d.message(), "bug in hocket: sums are wrong [1 + 1 == 3] (" + e.file() + ":" +
                               std::to_string(line) + ")");
    EXPECT_TRUE(e.file().ends_with("internal_test.cpp")) << e.file();
    EXPECT_FALSE(d.place.known());  // no line of the user's is at fault
  }
}

}  // namespace
}  // namespace hocket::diag
