// Loop programs written and rewritten in C++: what they print, replay and compute.
#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "api/loop_programs.h"
#include "ir/equal.h"
#include "testing/source_dir.h"

namespace hocket {
namespace {

using testing::gemm;
using testing::gemm_avx2;
using testing::kGemm;

std::vector<float> numbers(int64_t n, uint32_t seed) {
  std::vector<float> out(static_cast<size_t>(n));
  for (float& f : out) {
    seed = seed * 1664525u + 1013904223u;
    f = static_cast<float>(static_cast<int32_t>(seed)) / 4294967296.0f;
  }
  return out;
}

std::vector<float> product(const Proc& p, int64_t n, int64_t m, int64_t k, bool guarded = false) {
  const std::vector<float> a = numbers(n * k, 1), b = numbers(k * m, 2);
  std::vector<float> c = numbers(n * m, 3);
  if (guarded)
    p.interpret(n, m, k, a.data(), b.data(), c.data());
  else
    p.run(n, m, k, a.data(), b.data(), c.data());
  return c;
}

bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

TEST(Proc, TheMatrixProductOfCppIsThatOfText) {
  EXPECT_EQ(gemm().text(), kGemm);
  const Proc read = Library::parse(kGemm)["gemm"];
  EXPECT_TRUE(ir::equal(*gemm().ir(), *read.ir()));
}

// Indices of loop programs are zero-based, whatever the coordinates of a buffer are.
TEST(Proc, TheFirstElementOfABufferIsTheOneAtItsMins) {
  ProcBuilder b("copy");
  const Expr n = b.size("n"), m = b.size("m");
  const Tensor from = b.tensor("from", Float(32), {n, m}), to = b.tensor("to", Float(32), {n, m});
  b.seq("i", 0, n, [&](Expr i) { b.seq("j", 0, m, [&](Expr j) { to[i][j] = from[i][j]; }); });
  Buffer<float> given(3, 2), out(3, 2);
  given.set_min(10, -4);
  given.for_each_element([&](int x, int y) { given(x, y) = static_cast<float>(100 * y + x); });
  b.build().run(2, 3, given, out);
  out.for_each_element([&](int x, int y) { EXPECT_EQ(out(x, y), given(x + 10, y - 4)); });
}

TEST(Proc, CopiesThatUnrollMakesAreFoundByPatterns) {
  ProcBuilder b("two");
  const Tensor a = b.tensor("a", Float(32), {2});
  b.seq("i", 0, 2, [&](Expr i) { a[i] = 1.0f; });
  const Proc p = b.build();
  const Cursor loop = p.find_loop("i"), store = loop.body().front();
  const Proc flat = p.unroll("i");
  for (const Cursor& gone : {loop, store}) {
    try {
      flat.forward(gone);
      ADD_FAILURE() << gone.text();
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), "D0203");
      EXPECT_NE(std::string(e.what()).find("is not in `two`"), std::string::npos) << e.what();
    }
  }
  EXPECT_EQ(flat.find("a[_] = _ #1").text(), "a[1] = 1.0\n");
}

TEST(Proc, RewrittenItComputesTheSameBits) {
  const Proc naive = gemm(), fast = gemm_avx2(naive);
  const Proc replayed = naive.replay(fast.trace_text("avx2"));
  EXPECT_TRUE(ir::equal(*fast.ir(), *replayed.ir()));
  EXPECT_EQ(fast.text(), replayed.text());
  const Proc read = Library::parse(fast.text())["gemm_avx2"];
  EXPECT_TRUE(ir::equal(*fast.ir(), *read.ir()));
  const target::Target& host = target::host();
  if (!host.has("avx2") || !host.has("fma")) GTEST_SKIP() << "no AVX2 here";
  for (const auto& [n, m, k] : std::vector<std::array<int64_t, 3>>{
           {1, 1, 1}, {3, 16, 4}, {7, 17, 5}, {5, 47, 13}, {12, 64, 31}}) {
    const std::vector<float> expected = product(naive, n, m, k);
    EXPECT_TRUE(same_bits(expected, product(fast, n, m, k))) << n << " " << m << " " << k;
    EXPECT_TRUE(same_bits(expected, product(replayed, n, m, k))) << n << " " << m << " " << k;
    EXPECT_TRUE(same_bits(expected, product(fast, n, m, k, true))) << n << " " << m << " " << k;
  }
}

// Also where the steps alone name a proc that is no instruction of targets/.
TEST(Proc, AsAFileItReadsBackAndReplays) {
  const Library mine = Library::parse(
      "def zero8(d: [f32][8]):\n    for i in seq(0, 8):\n        d[i] = 0.0\n\n"
      "def unused(d: [f32][8]):\n    for i in seq(0, 8):\n        d[i] = 1.0\n\n"
      "def clear(A: f32[16]):\n    for i in seq(0, 16):\n        A[i] = 0.0\n");
  const Proc p =
      mine["clear"].with(mine).split("i", 8, {"io", "ii"}, Tail::Perfect).replace("ii", "zero8");
  const Library file = Library::parse(p.file_text("by8"));
  EXPECT_TRUE(file.contains("zero8"));
  EXPECT_FALSE(file.contains("unused"));
  const Proc again = file["clear"].with(file).replay(file.trace("by8"));
  EXPECT_EQ(again.text(), p.text());
  EXPECT_EQ(again.file_text("by8"), p.file_text("by8"));
  // A step undone: what it named is not called any more, and belongs to the file all the same.
  EXPECT_TRUE(Library::parse(p.inline_("zero8(_)").file_text()).contains("zero8"));
}

TEST(Proc, TheTraceOfTheAppReplaysOnIt) {
  const Library app = Library::load(testing::source_dir() + "/apps/gemm/gemm.hk");
  const Proc naive = gemm("M", "N").with(app);
  EXPECT_EQ(naive.text(), app["gemm"].text_alone());
  const Proc fast = naive.replay(app.trace("avx2"));
  EXPECT_EQ(fast.text(), app["gemm"].replay(app.trace("avx2")).text());
  const target::Target& host = target::host();
  if (!host.has("avx2") || !host.has("fma")) GTEST_SKIP() << "no AVX2 here";
  for (const auto& [m, n, k] : std::vector<std::array<int64_t, 3>>{{7, 17, 5}, {125, 70, 259}})
    EXPECT_TRUE(same_bits(product(naive, m, n, k), product(fast, m, n, k))) << m << " " << n;
}

}  // namespace
}  // namespace hocket
