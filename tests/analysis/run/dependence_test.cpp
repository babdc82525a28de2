// Which statements may change places, with witnesses where not.
#include "analysis/dependence.h"

#include <gtest/gtest.h>

#include "analysis/bounds_check.h"

namespace hocket::analysis {
namespace {

using namespace ir;

struct Dep : ::testing::Test {
  Symbol sn = Symbol::fresh("n", Type::index()), si = Symbol::fresh("i", Type::index()),
         sj = Symbol::fresh("j", Type::index()), sk = Symbol::fresh("k", Type::index());
  Symbol A = Symbol::fresh("A", Type::f(32)), B = Symbol::fresh("B", Type::f(32)),
         C = Symbol::fresh("C", Type::f(32)), U = Symbol::fresh("U", Type::u(16)),
         t = Symbol::fresh("t", Type::f(32));
  Expr n = make_var(sn), i = make_var(si), j = make_var(sj), k = make_var(sk);
  Dependence dep;

  static Expr c(int64_t v) { return make_index(v); }
  static Expr ld(const Symbol& b, std::vector<Expr> ix) {
    return make_load(b, b.type(), std::move(ix));
  }
  static Stmt st(const Symbol& b, std::vector<Expr> ix, Expr v, StoreOp op = StoreOp::Assign) {
    return make_store(b, std::move(ix), std::move(v), op);
  }
  static Expr one() { return make_float(Type::f(32), 1); }
  static Stmt loop(const Symbol& v, Expr lo, Expr hi, Body b, LoopKind kind = LoopKind::Seq) {
    return make_for(v, std::move(lo), std::move(hi), kind, std::move(b));
  }
  // A proc over size n with one- or two-dimensional buffers A, B, C of extent n and U of n.
  ProcRef proc(Body body, int rank = 1, std::vector<Expr> pre = {}) {
    auto p = support::make_ref<Proc>();
    p->sym = Symbol::fresh("p", Type::index());
    p->params.push_back({sn, ParamKind::Size, {}, false, "DRAM"});
    for (const Symbol& b : {A, B, C, U}) {
      p->params.push_back(
          {b, ParamKind::Buffer, std::vector<Expr>(static_cast<size_t>(rank), n), false, "DRAM"});
    }
    p->preconditions = std::move(pre);
    p->body = std::move(body);
    return p;
  }
  Scope scope(int rank = 1) { return scope_of(*proc({}, rank)); }
};

TEST_F(Dep, IterationsOfAMapAreIndependent) {
  Answer a = dep.iterations_independent(loop(si, c(0), n, {st(A, {i}, ld(B, {i}))}), scope(),
                                        Reductions::None);
  EXPECT_TRUE(a.proved()) << a.missing;
  EXPECT_EQ(a.how, "affine");
}

TEST_F(Dep, ARecurrenceRacesAndSaysWhere) {
  Answer a = dep.iterations_independent(loop(si, c(1), n, {st(A, {i}, ld(A, {i - c(1)}))}), scope(),
                                        Reductions::None);
  ASSERT_TRUE(a.refuted());
  ASSERT_TRUE(a.clash);
  EXPECT_EQ(a.clash->to_string(), "iteration i=1 writes A[1], which iteration i=2 reads (n=3)");
}

TEST_F(Dep, ReductionsByTypeAndPermission) {
  Stmt f32 = loop(si, c(0), n, {st(A, {c(0)}, ld(B, {i}), StoreOp::Add)});
  EXPECT_TRUE(dep.iterations_independent(f32, scope(), Reductions::None).refuted());
  EXPECT_TRUE(dep.iterations_independent(f32, scope(), Reductions::Exact).refuted());
  EXPECT_TRUE(dep.iterations_independent(f32, scope(), Reductions::All).proved());
  Stmt u16 = loop(si, c(0), n, {st(U, {c(0)}, make_int(Type::u(16), 3), StoreOp::Add)});
  EXPECT_TRUE(dep.iterations_independent(u16, scope(), Reductions::Exact).proved());
}

TEST_F(Dep, MemoryAllocatedInsideIsPrivate) {
  Stmt s = loop(si, c(0), n, {make_alloc(t, {}), st(t, {}, ld(B, {i})), st(A, {i}, ld(t, {}))});
  EXPECT_TRUE(dep.iterations_independent(s, scope(), Reductions::None).proved());
}

TEST_F(Dep, InterchangeRefusesAReversedDependence) {
  // A[i, j] = A[i - 1, j + 1]
  Stmt bad =
      loop(si, c(1), n, {loop(sj, c(0), n - c(1), {st(A, {i, j}, ld(A, {i - c(1), j + c(1)}))})});
  Answer a = dep.can_interchange(bad, scope(2));
  ASSERT_TRUE(a.refuted());
  // The witness is one: iteration (x, y) before (x', y') with x < x', y > y', same element.
  const Iteration &p = a.clash->first.iteration, &q = a.clash->second.iteration;
  EXPECT_LT(p[0].second, q[0].second);
  EXPECT_GT(p[1].second, q[1].second);
  EXPECT_EQ(a.clash->element.size(), 2u);
  Stmt good = loop(si, c(1), n, {loop(sj, c(1), n, {st(A, {i, j}, ld(A, {i - c(1), j - c(1)}))})});
  EXPECT_TRUE(dep.can_interchange(good, scope(2)).proved());
}

TEST_F(Dep, InterchangeOfAMatrixProductKeepsTheOrderOfSums) {
  Stmt inner = loop(sk, c(0), n, {st(C, {i, j}, ld(A, {i, k}) * ld(B, {k, j}), StoreOp::Add)});
  EXPECT_TRUE(dep.can_interchange(loop(sj, c(0), n, {inner}), scope(2), Reductions::None).proved());
}

TEST_F(Dep, InterchangeWantsFixedBounds) {
  Stmt s = loop(si, c(0), n, {loop(sj, c(0), i, {st(A, {i, j}, one())})});
  Answer a = dep.can_interchange(s, scope(2));
  EXPECT_EQ(a.verdict, Verdict::Unknown);
  EXPECT_EQ(a.missing, "the bounds of `j` hang on `i`");
}

TEST_F(Dep, Fission) {
  Stmt good = loop(si, c(0), n, {st(A, {i}, one()), st(B, {i}, ld(A, {i}))});
  EXPECT_TRUE(dep.can_fission(good, 1, scope()).proved());
  Stmt bad = loop(si, c(0), n - c(1), {st(A, {i}, one()), st(B, {i}, ld(A, {i + c(1)}))});
  Answer a = dep.can_fission(bad, 1, scope());
  ASSERT_TRUE(a.refuted());
  EXPECT_EQ(a.clash->to_string(), "iteration i=0 reads A[1], which iteration i=1 writes (n=3)");
  Stmt carried = loop(si, c(0), n, {make_alloc(t, {}), st(t, {}, one()), st(A, {i}, ld(t, {}))});
  EXPECT_NE(dep.can_fission(carried, 2, scope()).missing.find("`t`"), std::string::npos);
}

TEST_F(Dep, FusionComparesBothEndsAndTheOrder) {
  Stmt first = loop(si, c(0), n, {st(A, {i}, one())});
  Stmt second = loop(sj, c(0), n, {st(B, {j}, ld(A, {j}))});
  EXPECT_TRUE(dep.can_fuse(first, second, scope()).proved());
  Stmt shifted = loop(sj, c(2), n, {st(B, {j}, ld(A, {j}))});
  EXPECT_TRUE(dep.can_fuse(first, shifted, scope()).refuted());
  Stmt ahead = loop(sj, c(0), n, {st(B, {j}, ld(A, {n - c(1) - j}))});
  EXPECT_TRUE(dep.can_fuse(first, ahead, scope()).refuted());
}

TEST_F(Dep, ABranchWhoseConditionIsChangedCannotBeSplit) {
  Expr cond = make_binary(BinaryOp::Lt, ld(A, {c(0)}), one());
  Stmt bad = make_if(cond, {st(A, {c(0)}, one()), st(B, {c(0)}, one())});
  EXPECT_TRUE(dep.can_fission_branch(bad, 1, scope()).refuted());
  Stmt good = make_if(cond, {st(B, {c(0)}, one()), st(A, {c(0)}, one())});
  EXPECT_TRUE(dep.can_fission_branch(good, 1, scope()).proved());
}

TEST_F(Dep, WritesOfACalleeCount) {
  // def wr(x: [f32][n]): x[0] = 1
  Symbol m = Symbol::fresh("m", Type::index()), x = Symbol::fresh("x", Type::f(32));
  auto wr = support::make_ref<Proc>();
  wr->sym = Symbol::fresh("wr", Type::index());
  wr->params.push_back({m, ParamKind::Size, {}, false, "DRAM"});
  wr->params.push_back({x, ParamKind::Buffer, {make_var(m)}, true, "DRAM"});
  wr->body = {st(x, {c(0)}, one())};
  ProcRef callee = wr;
  Stmt call = make_call(callee, {c(4), make_window(A, A.type(), {{c(4), c(8)}})});
  Body read4 = {st(B, {c(0)}, ld(A, {c(4)}))}, read5 = {st(B, {c(0)}, ld(A, {c(5)}))};
  Answer a = dep.commutes({call}, read4, scope());
  ASSERT_TRUE(a.refuted());
  EXPECT_EQ(a.clash->element, std::vector<int64_t>{4});
  EXPECT_TRUE(dep.commutes({call}, read5, scope()).proved());
}

TEST_F(Dep, Idempotence) {
  EXPECT_TRUE(dep.idempotent({st(A, {c(0)}, ld(B, {c(0)}))}, scope()).proved());
  EXPECT_TRUE(dep.idempotent({st(A, {c(0)}, one(), StoreOp::Add)}, scope()).refuted());
  // A value made anew in each run may be read.
  EXPECT_TRUE(
      dep.idempotent({st(A, {c(0)}, one()), st(B, {c(0)}, ld(A, {c(0)}))}, scope()).proved());
  // c[i] = a[i + 1]; a[i] = 0: each iteration alone is idempotent, run again later it is not.
  Stmt overlap = loop(si, c(0), n - c(1), {st(C, {i}, ld(A, {i + c(1)})), st(A, {i}, one())});
  Scope in = inside_loop(*overlap.as<For>(), overlap, scope());
  EXPECT_TRUE(dep.idempotent(overlap.as<For>()->body, in).proved());
  EXPECT_TRUE(dep.iterations_idempotent(overlap, scope()).refuted());
}

TEST_F(Dep, ALoopFromFiveMayHaveNoIteration) {
  Scope s = scope();
  s.facts.assume(make_binary(BinaryOp::Ge, n, c(5)));
  Answer a = dep.runs_at_least_once(loop(si, c(5), n, {make_pass()}), s);
  ASSERT_TRUE(a.refuted());
  EXPECT_EQ(a.proof.model.at(sn), 5);
  EXPECT_TRUE(dep.runs_at_least_once(loop(si, c(4), n, {make_pass()}), s).proved());
}

TEST_F(Dep, GathersAreUnknownAndClampedOnesInBounds) {
  Symbol idx = Symbol::fresh("idx", Type::i(32));
  auto p = support::make_ref<Proc>(*proc({}));
  p->params.push_back({idx, ParamKind::Buffer, {n}, false, "DRAM"});
  Scope s = scope_of(*p);
  Expr at = make_cast(Type::index(), ld(idx, {i}));
  Stmt scatter = loop(si, c(0), n, {st(A, {at}, one())});
  Answer a = dep.iterations_independent(scatter, s, Reductions::None);
  EXPECT_EQ(a.verdict, Verdict::Unknown);
  Expr clamped = make_binary(BinaryOp::Min, make_binary(BinaryOp::Max, at, c(0)), n - c(1));
  p->body = {loop(si, c(0), n, {st(A, {clamped}, one())})};
  EXPECT_TRUE(check_bounds(*p).empty());
  p->body = {scatter};
  auto found = check_bounds(*p);
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0].answer.verdict, Verdict::Unknown);
}

TEST_F(Dep, DeadAfter) {
  Stmt w = st(t, {}, one()), r = st(A, {i}, ld(t, {})), w2 = st(t, {}, one());
  Body list = {make_alloc(t, {}), loop(si, c(0), n, {w, r, w2})};
  EXPECT_TRUE(
      dep.dead_after(list, t, r.id(), scope()).proved());  // the next iteration writes first
  EXPECT_FALSE(dep.dead_after(list, t, w.id(), scope()).proved());
  Stmt r2 = st(A, {c(0)}, ld(t, {}));
  Body read_last = {make_alloc(t, {}), loop(si, c(0), n, {w, r}), r2};
  EXPECT_FALSE(dep.dead_after(read_last, t, r.id(), scope()).proved());
}

TEST_F(Dep, BoundsOfAWholeProc) {
  EXPECT_TRUE(check_bounds(*proc({loop(si, c(0), n, {st(A, {i}, ld(B, {i}))})})).empty());
  auto found = check_bounds(*proc({loop(si, c(0), n, {st(A, {i}, ld(B, {i + c(1)}))})}));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].kind, Obligation::Kind::Access);
  EXPECT_TRUE(found[0].answer.refuted());
  EXPECT_EQ(found[0].answer.proof.model.at(sn), 1);
  EXPECT_EQ(found[0].answer.proof.model.at(si), 0);
  // Under a select that guards it, the load may be out of bounds.
  Expr guarded = make_select(make_binary(BinaryOp::Lt, i + c(1), n), ld(B, {i + c(1)}), one());
  EXPECT_TRUE(check_bounds(*proc({loop(si, c(0), n, {st(A, {i}, guarded)})})).empty());
}

TEST_F(Dep, ARaceDeepInsideIsFound) {
  Stmt inner = loop(si, c(0), n, {st(t, {}, ld(A, {i}), StoreOp::Add)}, LoopKind::Parallel);
  auto found = check_bounds(*proc({make_alloc(t, {}), loop(sj, c(0), n, {inner})}));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].kind, Obligation::Kind::Race);
  EXPECT_EQ(found[0].loops.size(), 1u);
}

TEST_F(Dep, CallsAreCheckedAtTheirDoor) {
  Symbol m = Symbol::fresh("m", Type::index()), x = Symbol::fresh("x", Type::f(32)),
         y = Symbol::fresh("y", Type::f(32));
  auto copy = support::make_ref<Proc>();
  copy->sym = Symbol::fresh("copy", Type::index());
  copy->params.push_back({m, ParamKind::Size, {}, false, "DRAM"});
  copy->params.push_back({x, ParamKind::Buffer, {make_var(m)}, true, "DRAM"});
  copy->params.push_back({y, ParamKind::Buffer, {make_var(m)}, true, "DRAM"});
  copy->preconditions = {make_binary(BinaryOp::Le, make_var(m), c(4))};
  copy->body = {loop(si, c(0), make_var(m), {st(x, {i}, ld(y, {i}))})};
  ProcRef callee = copy;
  auto win = [&](const Symbol& b, int64_t lo, int64_t hi) {
    return make_window(b, b.type(), {{c(lo), c(hi)}});
  };
  std::vector<Expr> pre = {make_binary(BinaryOp::Ge, n, c(8))};
  auto kinds = [&](const Stmt& call) {
    std::vector<int> k;
    for (const Obligation& o : check_bounds(*proc({call}, 1, pre)))
      k.push_back(static_cast<int>(o.kind));
    return k;
  };
  using K = Obligation::Kind;
  using L = std::vector<int>;
  EXPECT_EQ(kinds(make_call(callee, {c(4), win(A, 0, 4), win(A, 4, 8)})), L{});
  EXPECT_EQ(kinds(make_call(callee, {c(4), win(A, 0, 4), win(A, 2, 6)})), L{int(K::Alias)});
  EXPECT_EQ(kinds(make_call(callee, {c(5), win(A, 0, 5), win(B, 0, 5)})), L{int(K::Precondition)});
  EXPECT_EQ(kinds(make_call(callee, {c(4), win(A, 0, 3), win(B, 0, 4)})), L{int(K::Argument)});
  EXPECT_EQ(kinds(make_call(callee, {c(4), win(A, 6, 10), win(B, 0, 4)})), L{int(K::Window)});
}

// Elements of a tensor lie densely: the stride of each dimension is the product of the extents
// inside it, through windows as well. Those of a window parameter are run-time values.
TEST_F(Dep, StridesOfDenseBuffersAreKnown) {
  const Symbol x = Symbol::fresh("x", Type::f(32)), w = Symbol::fresh("w", Type::f(32));
  auto callee = [&](int64_t stride) {
    auto p = support::make_ref<Proc>();
    p->sym = Symbol::fresh("row", Type::index());
    p->params.push_back({x, ParamKind::Buffer, {c(4)}, true, "DRAM"});
    p->preconditions = {
        make_binary(BinaryOp::Eq, make_buffer_field(x, BufferFieldKind::Stride, 0), c(stride))};
    p->body = {st(x, {c(0)}, one())};
    return ProcRef(p);
  };
  // column of a tensor [4, 8], and a row
  const Expr row = make_window(t, t.type(), {{c(1), {}}, {c(0), c(4)}});
  const Expr column = make_window(t, t.type(), {{c(0), c(4)}, {c(1), {}}});
  auto failed = [&](const Stmt& call) {
    return check_bounds(*proc({make_alloc(t, {c(4), c(8)}), call})).size();
  };
  EXPECT_EQ(failed(make_call(callee(1), {row})), 0u);
  EXPECT_EQ(failed(make_call(callee(8), {column})), 0u);
  EXPECT_EQ(failed(make_call(callee(1), {column})), 1u);
  auto outer = support::make_ref<Proc>();
  outer->sym = Symbol::fresh("outer", Type::index());
  outer->params.push_back({w, ParamKind::Buffer, {c(4)}, true, "DRAM"});
  outer->body = {make_call(callee(1), {make_var(w)})};
  EXPECT_EQ(check_bounds(*outer).size(), 1u);
}

}  // namespace
}  // namespace hocket::analysis
