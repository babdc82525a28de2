#include "analysis/cpu_limit.h"

#include <pthread.h>

#include <algorithm>
#include <chrono>

namespace hocket::analysis {

namespace {

constexpr int64_t kClockFactor = 20;
constexpr int64_t kAgainNs = 10'000'000;

int64_t nanoseconds(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return t.tv_sec * int64_t{1'000'000'000} + t.tv_nsec;
}

}  // namespace

CpuLimit::CpuLimit(int milliseconds, std::function<void()> stop)
    : limit_ns_(int64_t{milliseconds} * 1'000'000), stop_(std::move(stop)) {
  // Without a clock of its own a thread is judged by the clock of the process.
  if (pthread_getcpuclockid(pthread_self(), &clock_) != 0) clock_ = CLOCK_PROCESS_CPUTIME_ID;
  start_ns_ = nanoseconds(clock_);
  watcher_ = std::thread([this] { watch(); });
}

CpuLimit::~CpuLimit() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  ended_.notify_one();
  watcher_.join();
}

bool CpuLimit::reached() const {
  const std::lock_guard lock(mutex_);
  return reached_;
}

void CpuLimit::watch() {
  const int64_t first = nanoseconds(CLOCK_MONOTONIC);
  std::unique_lock lock(mutex_);
  while (!over_) {
    const int64_t left = limit_ns_ - (nanoseconds(clock_) - start_ns_);
    if (left <= 0 || nanoseconds(CLOCK_MONOTONIC) - first > kClockFactor * limit_ns_) {
      reached_ = true;
      stop_();
    }
    // Processor time passes no faster than the clock.
    ended_.wait_for(lock, std::chrono::nanoseconds(std::max(left, kAgainNs)),
                    [&] { return over_; });
  }
}

}  // namespace hocket::analysis
