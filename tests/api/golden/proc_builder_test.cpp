// Every statement that the builder says, as text; which parses back to the identical program.
#include <gtest/gtest.h>

#include "api/loop_programs.h"
#include "ir/equal.h"
#include "testing/golden.h"

namespace hocket {
namespace {

void expect_text(const std::string& golden, const Proc& p) {
  EXPECT_GOLDEN("api/golden/" + golden, p.text());
  const Proc read = Library::parse(p.text())[p.name()];
  EXPECT_TRUE(ir::equal(*p.ir(), *read.ir())) << read.text();
}

TEST(ProcBuilder, ParametersAndAsserts) {
  ProcBuilder b("params");
  const Expr n = b.size("n"), k = b.index("k"), alpha = b.scalar("alpha", Float(32));
  const Expr flag = b.scalar("flag", Bool());
  const Tensor A = b.tensor("A", Float(64), {n, k + 1}), acc = b.tensor("acc", Int(32), {});
  const Tensor w = b.window_param("w", UInt(8), {n, 4}, "DRAM");
  b.assert_(k >= 0);
  b.assert_(n % 8 == 0 && w.stride(1) == 1);
  b.if_(flag, [&] { acc = acc + 1; }, [&] { A[n - 1][k] = cast(Float(64), alpha); });
  b.if_(A.extent(0) > 3, [&] { b.pass(); });
  expect_text("builder_params.txt", b.build());
}

TEST(ProcBuilder, LoopsOfEveryKind) {
  ProcBuilder b("loops");
  const Expr n = b.size("n");
  const Tensor A = b.tensor("A", Float(32), {n, 8}), sum = b.tensor("sum", Float(32), {n});
  b.parallel("i", 0, n, [&](Expr i) {
    b.vectorize("j", 0, 8, [&](Expr j) { A[i][j] = 0; });
    b.unroll("j", 0, 8, [&](Expr j) { A[i][j] *= A[i][7 - j]; });
    b.par("j", 0, 8, [&](Expr j) { sum[i] += A[i][j]; });
    b.loop(LoopKind::Seq, "i", i + 1, min(i + 4, n), [&](Expr i2) {
      sum[i2].reduce_min(A[i2][0]);
      sum[i].reduce_max(A[i2][1]);
    });
  });
  expect_text("builder_loops.txt", b.build());
}

TEST(ProcBuilder, StoresSayWhetherTheyAreFused) {
  ProcBuilder b("stores");
  const Tensor x = b.tensor("x", Float(32), {8}), y = b.tensor("y", Float(32), {8});
  const Tensor n = b.tensor("n", UInt(16), {8});
  b.seq("i", 0, 8, [&](Expr i) {
    x[i] += x[i] * y[i];
    x[i] += strict(x[i] * y[i]);
    x[i] -= x[i] * y[i];
    x[i] -= y[i];
    x[i] = x[i] * y[i] + 0.5;
    x[i] = y[i];
    y[i].stream(select(x[i] > 0, x[i], -x[i]));
    n[i] = cast<uint16_t>(i) + n[i] / 3;
  });
  expect_text("builder_stores.txt", b.build());
}

TEST(ProcBuilder, MemoryWindowsAndCalls) {
  ProcBuilder callee("scale");
  const Expr m = callee.size("m");
  const Tensor v = callee.window_param("v", Float(32), {m});
  const Expr by = callee.scalar("by", Float(32));
  callee.seq("i", 0, m, [&](Expr i) { v[i] *= by; });
  const Proc scale = callee.build();

  const Library x86 = Library::target();
  ProcBuilder b("uses");
  const Expr n = b.size("n");
  const Tensor A = b.tensor("A", Float(32), {n, 16});
  b.seq("i", 0, n, [&](Expr i) {
    const Expr half = b.let("half", i / 2), unit = b.let("unit", Float(32), 0.5);
    const Tensor t = b.alloc("t", Float(32), {8}, "AVX2"), one = b.alloc("one", Float(32));
    one = unit * 2;
    b.call(x86["mm256_loadu_ps"], t, A[i][range(8, 16)]);
    b.call(x86["mm256_storeu_ps"], A[half][range(0, 8)], t);
    const Tensor row = b.window("row", A[i][range()]), column = b.window("column", A[range()][3]);
    b.call(scale, 16, row, one);
    b.call(scale, n, column, row[half % 16]);
    b.call(scale, 2, row[range(2, 4)], A[0][0] + 1);
    b.check(n > half, "half is inside");
  });
  expect_text("builder_calls.txt", b.build());
}

TEST(ProcBuilder, AnInstructionOfOnesOwn) {
  ProcBuilder b("my_add");
  const Tensor dst = b.window_param("dst", Float(32), {8}, "AVX2");
  const Tensor a = b.window_param("a", Float(32), {8}, "AVX2");
  b.instr("{dst_data} = _mm256_add_ps({dst_data}, {a_data});", {"avx2"}, "#include <immintrin.h>");
  b.assert_(dst.stride(0) == 1);
  b.assert_(a.stride(0) == 1);
  b.seq("i", 0, 8, [&](Expr i) { dst[i] += a[i]; });
  expect_text("builder_instr.txt", b.build());
}

}  // namespace
}  // namespace hocket
