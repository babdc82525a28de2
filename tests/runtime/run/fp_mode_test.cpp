// The floating-point mode: default inside calls and tasks, the caller's own afterwards.
#include <gtest/gtest.h>

#include <atomic>
#include <cfenv>
#include <thread>

#include "../call_fixture.h"

#if defined(__x86_64__)
#include <immintrin.h>

namespace hocket::runtime_test {
namespace {

constexpr unsigned kFlushRoundUp = 0x8040 | 0x4000 | 0x1F80;  // FTZ, DAZ, round up

float halved_denormal() {
  volatile float small = 1e-39f, half = 0.5f;
  return small * half;
}

bool is_default_mode() {
  return (_mm_getcsr() & ~0x3Fu) == 0x1F80 && halved_denormal() != 0;
}

class FpTest : public CallTest {
 protected:
  FpTest() : saved_(_mm_getcsr()) {}
  ~FpTest() override { _mm_setcsr(saved_); }
  unsigned saved_;
};

TEST_F(FpTest, body_runs_in_the_default_mode_and_the_caller_keeps_its_own) {
  body = [](const hocket_context_t*, const int64_t*, void* const*) -> int32_t {
    return is_default_mode() ? 0 : 1;
  };
  _mm_setcsr(kFlushRoundUp);
  const int32_t code = call();
  const unsigned after = _mm_getcsr();
  _mm_setcsr(saved_);
  EXPECT_EQ(code, 0);
  EXPECT_EQ(after & ~0x3Fu, kFlushRoundUp);
}

TEST_F(FpTest, exception_flags_stay_raised) {
  body = [](const hocket_context_t*, const int64_t*, void* const*) -> int32_t {
    volatile float one = 1, zero = 0;
    volatile float quotient = one / zero;
    (void)quotient;
    return 0;
  };
  _mm_setcsr(kFlushRoundUp);
  call();
  const unsigned after = _mm_getcsr();
  EXPECT_EQ(after & ~0x3Fu, kFlushRoundUp);
  EXPECT_NE(after & 0x4, 0u);  // divided by zero
}

int32_t check_task(const hocket_context_t*, int64_t, void* closure) {
  std::atomic<int>* arrived = static_cast<std::atomic<int>*>(closure);
  ++*arrived;
  while (*arrived < 3) std::this_thread::yield();  // so that all three threads are looked at
  const bool good = is_default_mode();
  return good ? 0 : 1;
}

TEST_F(FpTest, tasks_run_in_the_default_mode_on_every_thread) {
  const int32_t previous = hocket_set_num_threads(3);
  for (int round = 0; round < 20; ++round) {
    std::atomic<int> arrived{0};
    _mm_setcsr(kFlushRoundUp);
    const int32_t code = hocket_do_par_for(nullptr, check_task, 0, 3, &arrived);
    const unsigned after = _mm_getcsr();
    _mm_setcsr(saved_);
    ASSERT_EQ(code, 0);
    ASSERT_EQ(after & ~0x3Fu, kFlushRoundUp);
  }
  hocket_set_num_threads(previous);
}

TEST_F(FpTest, serial_loops_too) {
  const int32_t previous = hocket_set_num_threads(1);
  std::atomic<int> arrived{3};
  _mm_setcsr(kFlushRoundUp);
  const int32_t code = hocket_do_par_for(nullptr, check_task, 0, 1, &arrived);
  const unsigned after = _mm_getcsr();
  _mm_setcsr(saved_);
  EXPECT_EQ(code, 0);
  EXPECT_EQ(after & ~0x3Fu, kFlushRoundUp);
  hocket_set_num_threads(previous);
}

TEST_F(FpTest, enter_and_leave) {
  _mm_setcsr(kFlushRoundUp);
  const uint64_t saved = hocket_fp_enter();
  EXPECT_TRUE(is_default_mode());
  hocket_fp_leave(saved);
  EXPECT_EQ(_mm_getcsr() & ~0x3Fu, kFlushRoundUp);
}

}  // namespace
}  // namespace hocket::runtime_test

#endif
