// Steps in C++ of every kind: the program after them and the trace, which replays to it.
#include <gtest/gtest.h>

#include "api/loop_programs.h"
#include "ir/equal.h"
#include "testing/golden.h"

namespace hocket {
namespace {

// The program after the steps, and the steps.
void expect_steps(const std::string& golden, const Proc& p) {
  EXPECT_GOLDEN("api/golden/" + golden, p.text_alone() + "\n" + p.trace_text());
  EXPECT_TRUE(ir::equal(*p.ir(), *p.origin().replay(p.trace_text()).ir()));
}

Proc two_stages() {
  ProcBuilder b("stages");
  const Expr n = b.size("n"), on = b.scalar("on", Bool());
  const Tensor x = b.tensor("x", Float(32), {n}), y = b.tensor("y", Float(32), {n});
  const Tensor z = b.tensor("z", Float(32), {8});
  b.seq("i", 0, n, [&](Expr i) {
    const Tensor t = b.alloc("t", Float(32), {2});
    t[0] = x[i] * 2;
    t[1] = x[i] + 1;
    y[i] = t[0] + t[1];
  });
  b.seq("j", 0, n, [&](Expr j) { y[j] *= 0.5; });
  b.par("l", 0, 8, [&](Expr l) { b.if_(on, [&] { z[l] = 1; }); });
  return b.build();
}

TEST(Steps, OfLoops) {
  const Proc p = two_stages()
                     .expand_dim("t", "n", "i")
                     .lift_alloc("t", 1)
                     .fission("t[_] = _ #1")
                     .fuse("i #1", "j")
                     .cut_loop("i", "n / 2")
                     .lift_if("if _: _")
                     .to_seq("l")
                     .vectorize("l")
                     .parallelize("i")
                     .split("i", 4, {"io", "ii"}, Tail::Short)
                     .reorder_stmts("t[_] = _")
                     .simplify();
  expect_steps("steps_loops.txt", p);
}

TEST(Steps, OfMemory) {
  const Proc p = two_stages()
                     .rearrange_dim("t", {0})
                     .resize_dim("t", 0, 3, 0)
                     .resize_dim("t", 0, "2 + 2")
                     .divide_dim("t", 0, 2)
                     .rearrange_dim("t", {1, 0})
                     .set_memory("t", "DRAM_STACK")
                     .bind_expr("y[_] = _", "t", "first")
                     .stage_mem({"t[_] = _", "t[_] = _ #1"}, "x[i:i + 1]", "xs")
                     .allow("precision", "xs")
                     .set_precision("xs", Float(64))
                     .rename("memory");
  expect_steps("steps_memory.txt", p);
}

TEST(Steps, OfCalls) {
  ProcBuilder b("halve");
  const Expr m = b.size("m");
  const Tensor v = b.window_param("v", Float(32), {m});
  b.seq("e", 0, m, [&](Expr e) { v[e] *= 0.5; });
  const Proc halve = b.build();
  const Proc called = two_stages().replace("j", halve);
  EXPECT_NE(called.text().find("halve(n, y[0:n])"), std::string::npos) << called.text();
  const Proc back = called.inline_("halve(_)").partial_eval("n", 8).unroll("l");
  expect_steps("steps_calls.txt", back);
  EXPECT_EQ(two_stages().with(Library::parse(halve.text())).replace_all("halve").text(),
            called.text());
}

TEST(Steps, ThatReachFartherThanTheProgram) {
  ProcBuilder b("f");
  const Expr n = b.size("n");
  const Tensor y = b.tensor("y", Float(32), {n});
  const Tensor t = b.alloc("t", Float(32), {n + 7});
  b.seq("i", 0, n, [&](Expr i) { t[i] = 1; });
  b.seq("r", 0, 3, [&](Expr) { y[0] = t[0]; });
  const Proc p = b.build().extend_loop("i", "(n + 7) / 8 * 8").remove_loop("r");
  expect_steps("steps_extend.txt", p);
}

TEST(Steps, OfTheMatrixProduct) {
  expect_steps("gemm_avx2.txt", testing::gemm_avx2(testing::gemm()));
}

}  // namespace
}  // namespace hocket
