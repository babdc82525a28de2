// Runs at small sizes against the algorithm: data on which the algorithm itself overflows say
// nothing about its schedules.
#include "driver/agreement.h"

#include <gtest/gtest.h>

#include "driver/compile.h"
#include "text/parser.h"

namespace hocket::driver {
namespace {

TEST(Agreement, DataDoNotOverflowWhatTheAlgorithmComputes) {
  const auto file = text::parse(
      "pipeline twice(a: i32(x, y)) -> o:\n"
      "    o(x, y) = a(x, y) * 2 + a(x + 1, y)\n"
      "schedule s for twice:\n"
      "    o.fuse(x, y, t).parallel(t, 8)\n",
      "agreement.hk");
  ASSERT_TRUE(file.ok());
  const ir::AlgorithmRef algorithm = file->pipeline("twice");
  for (const ir::Schedule& s : {ir::Schedule{}, *file->schedule("s")}) {
    const auto made = compile(Source(algorithm, s), Product::Loops);
    ASSERT_TRUE(made.ok());
    Agreement runs;
    EXPECT_TRUE(check_agreement(*made->loops, *algorithm, s.name, 9, runs).ok());
    EXPECT_GT(runs.count, 0);
  }
}

}  // namespace
}  // namespace hocket::driver
