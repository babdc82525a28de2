// The limit of computing time: work is stopped, sleep is not.
#include "analysis/cpu_limit.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>

namespace hocket::analysis {
namespace {

TEST(CpuLimit, StopsWorkAfterItsComputingTime) {
  std::atomic<bool> stop = false;
  const CpuLimit limit(20, [&] { stop = true; });
  while (!stop) {
  }
  EXPECT_TRUE(limit.reached());
}

TEST(CpuLimit, DoesNotCountTimeInWhichTheThreadDoesNotRun) {
  std::atomic<bool> stop = false;
  const CpuLimit limit(50, [&] { stop = true; });
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_FALSE(stop);
  EXPECT_FALSE(limit.reached());
}

}  // namespace
}  // namespace hocket::analysis
