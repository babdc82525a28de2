// The matrix product, said in C++ and written in text: the same program. Used by: the tests of
// loop programs.
#pragma once

#include <hocket/hocket.h>

namespace hocket::testing {

inline constexpr const char* kGemm =
    R"(def gemm(N: size, M: size, K: size, A: f32[N, K], B: f32[K, M], C: f32[N, M]):
    for i in seq(0, N):
        for j in seq(0, M):
            for k in seq(0, K):
                C[i, j] += A[i, k] * B[k, j]
)";

// C is rows x columns; in kGemm they are called N and M, in apps/gemm M and N.
inline Proc gemm(const std::string& rows = "N", const std::string& columns = "M") {
  ProcBuilder b("gemm");
  const Expr m = b.size(rows), n = b.size(columns), k_size = b.size("K");
  const Tensor A = b.tensor("A", Float(32), {m, k_size});
  const Tensor B = b.tensor("B", Float(32), {k_size, n});
  const Tensor C = b.tensor("C", Float(32), {m, n});
  b.seq("i", 0, m, [&](Expr i) {
    b.seq("j", 0, n,
          [&](Expr j) { b.seq("k", 0, k_size, [&](Expr k) { C[i][j] += A[i][k] * B[k][j]; }); });
  });
  return b.build();
}

// Sixteen columns at a time, in two registers of eight lanes, by instructions of AVX2.
inline Proc gemm_avx2(const Proc& naive) {
  const Library x86 = Library::target();
  return naive.rename("gemm_avx2")
      .split("j", 16, {"jo", "ji"}, Tail::CutAndGuard)
      .split("jo ji", 8, {"jv", "jl"}, Tail::Perfect)
      .reorder("jl", "k")
      .reorder("jv", "k")
      .stage_mem("jo k", "C[i, 16 * jo:16 * jo + 16]", "c")
      .split("jo i0", 8, {"iv", "il"}, Tail::Perfect)
      .split("jo i0", 8, {"iv", "il"}, Tail::Perfect)
      .divide_dim("c", 0, 8)
      .set_memory("c", "AVX2")
      .replace_all(x86["mm256_loadu_ps"])
      .replace_all("mm256_storeu_ps")
      .bind_expr("c[_] += _", "A", "a")
      .expand_dim("a", 8, "jl")
      .lift_alloc("a")
      .fission("a = _")
      .set_memory("a", "AVX2")
      .replace_all("mm256_broadcast_ss")
      .bind_expr("c[_] += _", "B", "b")
      .expand_dim("b", 8, "jl")
      .lift_alloc("b")
      .fission("b = _")
      .set_memory("b", "AVX2")
      .replace_all("mm256_loadu_ps")
      .replace_all("mm256_fmadd_ps")
      .simplify();
}

}  // namespace hocket::testing
