// The matrix product of apps/gemm as native code, at a size of more than one block of its caches in
// every dimension: the bits of the three loops that it was made from.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "driver/callable.h"
#include "driver/target_library.h"
#include "target/target.h"
#include "testing/source_dir.h"
#include "text/parser.h"

namespace hocket::driver {
namespace {

constexpr int64_t kM = 131, kN = 1063, kK = 269;  // blocks are at most 120, 1024 and 256

std::vector<float> random(int64_t count, uint64_t x) {
  std::vector<float> out(static_cast<size_t>(count));
  for (float& v : out) {
    x = x * 6364136223846793005u + 1442695040888963407u;
    v = static_cast<float>(static_cast<int64_t>(x >> 40)) * 0x1p-20f - 8;
  }
  return out;
}

std::vector<float> product(const Source& source) {
  std::vector<float> a = random(kM * kK, 1), b = random(kK * kN, 2), c = random(kM * kN, 3);
  int64_t m = kM, n = kN, k = kK;
  void* args[] = {&m, &n, &k, a.data(), b.data(), c.data()};
  const auto code = Callable::make(source);
  EXPECT_TRUE(code.ok());
  EXPECT_TRUE(code.ok() && code->run(args).ok());
  return c;
}

void check(const std::string& trace, target::Feature feature) {
  if (!target::host().has(feature)) GTEST_SKIP() << "this machine has no " << trace;
  const std::string path = testing::source_dir() + "/apps/gemm/gemm.hk";
  text::Known known;
  known.procs = target_procs().value();
  std::ostringstream source;
  source << std::ifstream(path).rdbuf();
  const text::File file = text::parse(source.str(), path, known).value();
  const ir::ProcRef gemm = file.proc("gemm");
  const std::vector<float> plain = product(Source(gemm));
  EXPECT_EQ(product(Source(gemm, *file.trace(trace), known.procs)), plain);
  // The last element of the last blocks, by hand.
  const std::vector<float> a = random(kM * kK, 1), b = random(kK * kN, 2);
  float sum = random(kM * kN, 3).back();
  for (int64_t k = 0; k < kK; ++k)
    sum = std::fma(a[static_cast<size_t>((kM - 1) * kK + k)],
                   b[static_cast<size_t>(k * kN + kN - 1)], sum);
  EXPECT_EQ(plain.back(), sum);
}

TEST(GemmBlocks, Avx2) {
  check("avx2", target::Feature::Avx2);
}
TEST(GemmBlocks, Avx512) {
  check("avx512", target::Feature::Avx512f);
}

}  // namespace
}  // namespace hocket::driver
