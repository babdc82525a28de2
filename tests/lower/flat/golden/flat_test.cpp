// What the passes make of small programs, as text.
#include <gtest/gtest.h>

#include "lower/flat/build.h"
#include "testing/golden.h"

namespace hocket::lower {
namespace {

using namespace build;

Symbol f32(const char* name) {
  return Symbol::fresh(name, Type::f(32));
}

TEST(FlatGolden, GuardedVectorLoop) {
  Symbol n = index_symbol("n"), a = f32("A"), b = f32("B"), xo = index_symbol("xo"),
         xi = index_symbol("xi");
  Expr x = v(xo) * num(8) + v(xi);
  ProcRef p = proc(
      "scale", {size_param(n), buffer_param(a, {v(n)}), buffer_param(b, {v(n)})},
      {loop(
          xo, num(0), (v(n) + num(7)) / num(8), LoopKind::Seq,
          {loop(xi, num(0), num(8), LoopKind::Vectorized,
                {make_if(lt(x, v(n)), {set(b, {x}, at(a, {x}) * make_float(Type::f(32), 2))})})})});
  EXPECT_GOLDEN("lower/flat/golden/guarded_avx512.txt", lowered(p, avx512()));
  EXPECT_GOLDEN("lower/flat/golden/guarded_no_masks.txt",
                lowered(p, target::parse_target("x86-64").value()));
}

TEST(FlatGolden, ClampedStencil) {
  Symbol w = index_symbol("w"), h = index_symbol("h"), in = f32("in"), out = f32("out");
  Symbol y = index_symbol("y"), xo = index_symbol("xo"), xi = index_symbol("xi");
  Expr x = v(xo) * num(8) + v(xi);
  auto clamp = [&](Expr e) { return max_of(min_of(e, v(w) - num(1)), num(0)); };
  ProcRef p = proc(
      "blur",
      {size_param(w), size_param(h), buffer_param(in, {v(h), v(w)}),
       buffer_param(out, {v(h), v(w)})},
      {loop(y, num(0), v(h), LoopKind::Parallel,
            {loop(xo, num(0), (v(w) + num(7)) / num(8), LoopKind::Seq,
                  {loop(xi, num(0), num(8), LoopKind::Vectorized,
                        {make_if(lt(x, v(w)), {set(out, {v(y), x},
                                                   at(in, {v(y), clamp(x - num(1))}) +
                                                       at(in, {v(y), clamp(x + num(1))}))})})})})});
  EXPECT_GOLDEN("lower/flat/golden/clamped.txt", lowered(p, avx512()));
}

// The register kernel of a matrix product: loads, multiply-adds and stores as instructions.
TEST(FlatGolden, RegisterKernel) {
  auto instr_copy = [](const char* name, const char* dst_mem, const char* src_mem) {
    Symbol d = f32("dst"), s = f32("src"), i = index_symbol("i");
    ProcRef p =
        proc(name,
             {buffer_param(d, {num(16)}, true, dst_mem), buffer_param(s, {num(16)}, true, src_mem)},
             {loop(i, num(0), num(16), LoopKind::Seq, {set(d, {v(i)}, at(s, {v(i)}))})});
    return edited(p, [](Proc& n) { n.instr = Instr{}; });
  };
  ProcRef load = instr_copy("load", "AVX512", "DRAM"),
          store = instr_copy("store", "DRAM", "AVX512");
  Symbol fa = f32("A"), fb = f32("B"), fc = f32("C"), i0 = index_symbol("i"), s0 = f32("src"),
         d0 = f32("dst");
  ProcRef fmadd = edited(proc("fmadd",
                              {buffer_param(fa, {num(16)}, true, "AVX512"),
                               buffer_param(fb, {num(16)}, true, "AVX512"),
                               buffer_param(fc, {num(16)}, true, "AVX512")},
                              {loop(i0, num(0), num(16), LoopKind::Seq,
                                    {add(fc, {v(i0)}, at(fa, {v(i0)}) * at(fb, {v(i0)}), true)})}),
                         [](Proc& n) { n.instr = Instr{}; });
  ProcRef set1 = edited(
      proc("set1", {buffer_param(d0, {num(16)}, true, "AVX512"), buffer_param(s0, {num(1)}, true)},
           {loop(i0, num(0), num(16), LoopKind::Seq, {set(d0, {v(i0)}, at(s0, {num(0)}))})}),
      [](Proc& n) { n.instr = Instr{}; });

  Symbol K = index_symbol("K"), A = f32("A"), B = f32("B"), C = f32("C"), reg = f32("C_reg"),
         av = f32("A_vec"), bv = f32("B_vec");
  Symbol i = index_symbol("i"), j = index_symbol("jo"), k = index_symbol("k");
  auto win = [&](const Symbol& b, std::vector<WindowDim> d) {
    return make_window(b, Type::f(32), std::move(d));
  };
  auto c_win = [&] { return win(C, {{v(i), {}}, {v(j) * num(16), v(j) * num(16) + num(16)}}); };
  auto reg_win = [&] { return win(reg, {{v(i), {}}, {v(j), {}}, {num(0), num(16)}}); };
  auto nest = [&](Body body) {
    return fresh_copy({loop(i, num(0), num(2), LoopKind::Seq,
                            {loop(j, num(0), num(2), LoopKind::Seq, std::move(body))})})[0];
  };
  auto strided = [&](const Symbol& s) {
    return make_binary(BinaryOp::Eq, make_buffer_field(s, BufferFieldKind::Stride, 1), num(1));
  };
  ProcRef p = proc(
      "kernel",
      {size_param(K), buffer_param(A, {num(2), v(K)}, true), buffer_param(B, {v(K), num(32)}, true),
       buffer_param(C, {num(2), num(32)}, true)},
      {make_alloc(reg, {num(2), num(2), num(16)}, "AVX512"),
       nest({make_call(load, {reg_win(), c_win()})}),
       loop(k, num(0), v(K), LoopKind::Seq,
            {nest({make_alloc(av, {num(16)}, "AVX512"), make_alloc(bv, {num(16)}, "AVX512"),
                   make_call(set1, {make_var(av), win(A, {{v(i), {}}, {v(k), v(k) + num(1)}})}),
                   make_call(load,
                             {make_var(bv),
                              win(B, {{v(k), {}}, {v(j) * num(16), v(j) * num(16) + num(16)}})}),
                   make_call(fmadd, {make_var(av), make_var(bv), reg_win()})})}),
       nest({make_call(store, {c_win(), reg_win()})})},
      {strided(A), strided(B), strided(C)});
  EXPECT_GOLDEN("lower/flat/golden/register_kernel.txt", lowered(p, avx512()));
}

TEST(FlatGolden, AllocationsInVectorLoops) {
  // Each lane has its own accumulator; the loop inside stays a loop.
  Symbol n = index_symbol("n"), a = f32("A"), b = f32("B"), acc = f32("acc"), x = index_symbol("x"),
         r = index_symbol("r");
  ProcRef p =
      proc("sums", {size_param(n), buffer_param(a, {v(n), num(8)}), buffer_param(b, {num(8)})},
           {loop(x, num(0), num(8), LoopKind::Vectorized,
                 {make_alloc(acc, {}), set(acc, {}, make_float(Type::f(32), 0)),
                  loop(r, num(0), v(n), LoopKind::Seq, {add(acc, {}, at(a, {v(r), v(x)}))}),
                  set(b, {v(x)}, at(acc, {}))})});
  EXPECT_GOLDEN("lower/flat/golden/lane_allocs.txt", lowered(p, avx2()));
}

TEST(FlatGolden, TriangularInnerLoop) {
  Symbol a = f32("A"), b = f32("B"), x = index_symbol("x"), r = index_symbol("r");
  ProcRef p = proc("prefix", {buffer_param(a, {num(8)}), buffer_param(b, {num(8)})},
                   {loop(x, num(0), num(8), LoopKind::Vectorized,
                         {loop(r, num(0), v(x), LoopKind::Seq, {add(b, {v(x)}, at(a, {v(r)}))})})});
  EXPECT_GOLDEN("lower/flat/golden/triangular.txt", lowered(p, avx2()));
}

TEST(FlatGolden, HeapLeavesLoopsInOrder) {
  Symbol n = index_symbol("n"), a = f32("A"), t = f32("tmp"), y = index_symbol("y"),
         z = index_symbol("z"), x = index_symbol("x");
  ProcRef p = proc(
      "rows", {size_param(n), buffer_param(a, {v(n), v(n)})},
      {loop(
          z, num(0), num(4), LoopKind::Parallel,
          {loop(y, num(0), v(n), LoopKind::Seq,
                {make_alloc(t, {v(n)}),
                 loop(x, num(0), v(n), LoopKind::Seq, {set(t, {v(x)}, at(a, {v(y), v(x)}))}),
                 loop(x, num(0), v(n), LoopKind::Seq, {set(a, {v(x), v(y)}, at(t, {v(x)}))})})})});
  EXPECT_GOLDEN("lower/flat/golden/heap.txt", lowered(p, avx2()));
}

}  // namespace
}  // namespace hocket::lower
