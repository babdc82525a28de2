// Register-only FMA loops, an addition chain for the clock, and copies of three sizes.
// In: the processor. Out: Calibration. Called by: row_main.cpp.
// Wide code is compiled per function and chosen by feature, so that one binary runs everywhere.
#include "calibrate.h"

#include <immintrin.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <thread>

#include "memory.h"

namespace hocket::bench {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Runs `work` in `threads` threads that start together; best GX/s of `tries`, where one call of
// work does `amount` units.
double best_rate(int threads, int tries, double amount, const std::function<void(int)>& work) {
  double best = 0;
  for (int attempt = 0; attempt < tries; ++attempt) {
    std::atomic<int> ready{0};
    std::atomic<bool> go{false};
    std::vector<std::thread> helpers;
    for (int t = 1; t < threads; ++t) {
      helpers.emplace_back([&, t] {
        ++ready;
        while (!go.load()) {
        }
        work(t);
      });
    }
    while (ready.load() < threads - 1) std::this_thread::yield();
    Clock::time_point start = Clock::now();
    go.store(true);
    work(0);
    for (std::thread& helper : helpers) helper.join();
    best = std::max(best, threads * amount / seconds_since(start) * 1e-9);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return best;
}

constexpr int kFmaRounds = 400000;  // about 1.3 ms at 3.6 GHz with 12 chains of 256 bits

__attribute__((target("avx2,fma"))) void fma256(int) {
  __m256 r[12];
  for (int i = 0; i < 12; ++i) r[i] = _mm256_set1_ps(0.1f * i);
  __m256 a = _mm256_set1_ps(0.999f), b = _mm256_set1_ps(0.001f);
  for (int n = 0; n < kFmaRounds; ++n) {
#pragma GCC unroll 12
    for (int i = 0; i < 12; ++i) {
      r[i] = _mm256_fmadd_ps(r[i], a, b);
      asm volatile("" : "+x"(r[i]));
    }
  }
}

__attribute__((target("avx512f"))) void fma512(int) {
  __m512 r[12];
  for (int i = 0; i < 12; ++i) r[i] = _mm512_set1_ps(0.1f * i);
  __m512 a = _mm512_set1_ps(0.999f), b = _mm512_set1_ps(0.001f);
  for (int n = 0; n < kFmaRounds; ++n) {
#pragma GCC unroll 12
    for (int i = 0; i < 12; ++i) {
      r[i] = _mm512_fmadd_ps(r[i], a, b);
      asm volatile("" : "+v"(r[i]));
    }
  }
}

// One cycle per dependent addition on every processor met.
void addition_chain(int) {
  uint64_t x = 1;
  for (int n = 0; n < 400000; ++n) {
    asm volatile(
        "add %0, %0\n\tadd %0, %0\n\tadd %0, %0\n\tadd %0, %0\n\t"
        "add %0, %0\n\tadd %0, %0\n\tadd %0, %0\n\tadd %0, %0"
        : "+r"(x));
  }
}

__attribute__((target("avx2"))) void copy_vectors(char* to, const char* from, int64_t bytes) {
  for (int64_t i = 0; i < bytes; i += 128) {
    for (int64_t j = i; j < i + 128; j += 32) {
      __m256i v = _mm256_load_si256(reinterpret_cast<const __m256i*>(from + j));
      _mm256_store_si256(reinterpret_cast<__m256i*>(to + j), v);
    }
  }
}

// Copies `half` bytes from one half of a thread's buffer to the other, again and again.
double copy_rate(int threads, int64_t half, int repeats) {
  std::vector<Pages<char>> buffers;
  for (int t = 0; t < threads; ++t) buffers.emplace_back(2 * half);
  return best_rate(threads, 8, 2.0 * half * repeats, [&](int t) {
    char* data = buffers[t].data();
    for (int n = 0; n < repeats; ++n) copy_vectors(data + half, data, half);
  });
}

}  // namespace

double quick_fma_gflops() {
  return best_rate(1, 6, 12.0 * 16 * kFmaRounds, fma256);
}

Calibration calibrate() {
  Calibration c;
  bool two = std::thread::hardware_concurrency() >= 2;
  bool wide = __builtin_cpu_supports("avx512f");
  double flops256 = 12.0 * 16 * kFmaRounds, flops512 = 12.0 * 32 * kFmaRounds;
  best_rate(1, 4, 1, fma256);  // brings the clock up
  c.clock_ghz = best_rate(1, 8, 8.0 * 400000, addition_chain);
  c.fma256_gflops = best_rate(1, 12, flops256, fma256);
  if (wide) c.fma512_gflops = best_rate(1, 12, flops512, fma512);
  constexpr int64_t kKiB = 1024, kMiB = 1024 * kKiB;
  c.l2_copy_gbs = copy_rate(1, 160 * kKiB, 400);
  c.l3_copy_gbs = copy_rate(1, 4 * kMiB, 8);
  c.dram_copy_gbs = copy_rate(1, 96 * kMiB, 1);
  if (two) {
    c.fma256_two_gflops = best_rate(2, 12, flops256, fma256);
    if (wide) c.fma512_two_gflops = best_rate(2, 12, flops512, fma512);
    c.l2_copy_two_gbs = copy_rate(2, 160 * kKiB, 400);
    c.l3_copy_two_gbs = copy_rate(2, 4 * kMiB, 8);
    c.dram_copy_two_gbs = copy_rate(2, 96 * kMiB, 1);
  }
  return c;
}

bool reaches_usual(const Calibration& measured, const Usual& usual, std::string& why) {
  double roof = usual.fma256_gflops > 0 ? usual.fma256_gflops : 32 * measured.clock_ghz;
  double roof_two = usual.fma256_two_gflops > 0 ? usual.fma256_two_gflops : 2 * roof;
  auto falls_short = [&](double got, double expected, const char* name) {
    if (expected <= 0 || got >= 0.9 * expected) return false;
    why = name;
    return true;
  };
  if (falls_short(measured.fma256_gflops, roof, "fma256_gflops")) return false;
  if (measured.fma256_two_gflops > 0 &&
      falls_short(measured.fma256_two_gflops, roof_two, "fma256_two_gflops")) {
    return false;
  }
  return !falls_short(measured.l2_copy_gbs, usual.l2_copy_gbs, "l2_copy_gbs");
}

}  // namespace hocket::bench
