// The ceilings of the machine, measured in the same run as the rows.
// In: nothing but the processor. Out: FMA roof on one and two cores, clock, copy bandwidth in
// L2, L3 and DRAM. Called by: row_main.cpp before the contestants, and again between attempts.
#pragma once

#include <string>

namespace hocket::bench {

struct Calibration {
  double clock_ghz = 0;          // from a chain of dependent additions
  double fma256_gflops = 0;      // one core, 256-bit registers only
  double fma512_gflops = 0;      // 0 where the processor has no AVX-512
  double fma256_two_gflops = 0;  // two cores together; 0 on a machine with one
  double fma512_two_gflops = 0;
  // Bytes read plus bytes written, GB/s.
  double l2_copy_gbs = 0, l3_copy_gbs = 0, dram_copy_gbs = 0;
  double l2_copy_two_gbs = 0, l3_copy_two_gbs = 0, dram_copy_two_gbs = 0;
};

// What a processor of this kind usually reaches; zero where the kind is not known yet, and then the
// measured clock times 32 flops a cycle (two 256-bit FMA pipes) stands for the roof.
struct Usual {
  double fma256_gflops = 0;
  double fma256_two_gflops = 0;
  double l2_copy_gbs = 0;
};

Calibration calibrate();

// The 256-bit FMA roof of one core alone, 10 ms.
double quick_fma_gflops();

// At least 90 % of the usual in every figure the usual has. `why` names the first that fails.
bool reaches_usual(const Calibration& measured, const Usual& usual, std::string& why);

}  // namespace hocket::bench
