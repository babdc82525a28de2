// Names of C text: none that C, its library, its headers or the text itself has taken.
#include <gtest/gtest.h>

#include "codegen/c/text.h"
#include "codegen/common/words.h"

namespace hocket::codegen {
namespace {

TEST(Names, OneTableOfTheLibraryServesLocalsAndExports) {
  for (const char* taken :
       {"floor", "floorf", "acosl", "fma", "memcpy", "y0", "signgam", "index"}) {
    EXPECT_TRUE(is_library_function(taken)) << taken;
    EXPECT_EQ(CNames().fresh(taken), std::string(taken) + "_1");
  }
}

TEST(Names, KeywordsAndWordsOfTheTextAreTaken) {
  for (const char* taken : {"while", "co_await", "context", "scalars", "NAN", "min", "linux"})
    EXPECT_EQ(CNames().fresh(taken), std::string(taken) + "_1");
  EXPECT_EQ(CNames().fresh("hocket_call"), "v_hocket_call_1");
  EXPECT_EQ(CNames().fresh("__x"), "v__x_1");
}

TEST(Names, OthersStayAsTheyAreAndDiffer) {
  CNames names;
  EXPECT_EQ(names.fresh("blur"), "blur");
  EXPECT_EQ(names.fresh("blur"), "blur_1");
  EXPECT_EQ(names.fresh("a b"), "a_b");
}

}  // namespace
}  // namespace hocket::codegen
