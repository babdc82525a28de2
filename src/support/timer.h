// Wall time since construction or the last restart. Used by: pass timing, tools, benchmarks.
#pragma once

#include <chrono>

namespace hocket::support {

class Timer {
 public:
  void restart() { start_ = Clock::now(); }
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
  double milliseconds() const { return seconds() * 1e3; }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

}  // namespace hocket::support
