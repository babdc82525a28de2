// When a run of a fuzzer is green: a generator that makes nothing usable must not be.
#include "fuzz_run.h"

#include <gtest/gtest.h>

namespace hocket::street {
namespace {

TEST(FuzzRun, SaysSomethingOrIsRed) {
  FuzzOptions options;
  options.count = 100;
  const FuzzRun run(options);
  EXPECT_TRUE(run.passes({100, 100, 60, 40}));
  EXPECT_FALSE(run.passes({0, 0, 0, 0}));
  EXPECT_FALSE(run.passes({99, 99, 60, 40}));
  EXPECT_FALSE(run.passes({100, 0, 0, 0}));
  EXPECT_FALSE(run.passes({100, 100, 0, 40}));
  EXPECT_FALSE(run.passes({100, 100, 60, 0}));
}

TEST(FuzzRun, WitnessesThatAreSwitchedOffAreNotMissed) {
  FuzzOptions options;
  options.count = 100;
  options.judge.llvm = options.judge.c = false;
  EXPECT_TRUE(FuzzRun(options).passes({100, 100, 0, 0}));
  FuzzRun failed(options);
  failed.first_few();
  EXPECT_FALSE(failed.passes({100, 100, 0, 0}));
}

// What a compiler says of C text has several lines; a kept file must be read all the same.
TEST(FuzzRun, RemarksAreComments) {
  EXPECT_EQ(as_comment("c: error\n  50 |\n\n"), "# c: error\n#   50 |\n# \n");
  EXPECT_EQ(as_comment("one"), "# one\n");
  EXPECT_EQ(as_comment(""), "");
}

}  // namespace
}  // namespace hocket::street
