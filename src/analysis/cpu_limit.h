// A limit of computing time, not of the clock: a question that is answered on an idle machine is
// answered on a busy one as well.
//
// In: milliseconds of the calling thread's processor time, and what stops its work. The stop is
// called from another thread, again and again from the limit on until the object ends. A machine
// that gives the thread less than a twentieth of a processor stops it too. Called by:
// z3_solver.cpp.
#pragma once

#include <condition_variable>
#include <ctime>
#include <functional>
#include <mutex>
#include <thread>

namespace hocket::analysis {

class CpuLimit {
 public:
  CpuLimit(int milliseconds, std::function<void()> stop);
  ~CpuLimit();
  CpuLimit(const CpuLimit&) = delete;
  CpuLimit& operator=(const CpuLimit&) = delete;

  bool reached() const;

 private:
  void watch();

  const int64_t limit_ns_;
  const std::function<void()> stop_;
  clockid_t clock_{};
  int64_t start_ns_ = 0;
  mutable std::mutex mutex_;
  std::condition_variable ended_;
  bool over_ = false, reached_ = false;
  std::thread watcher_;
};

}  // namespace hocket::analysis
