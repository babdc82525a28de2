// Statements under what their surroundings say.
#include <gtest/gtest.h>

#include "analysis/simplify.h"
#include "ir/print.h"

namespace hocket::analysis {
namespace {

using namespace ir;

struct SimplifyBody : ::testing::Test {
  Symbol sn = Symbol::fresh("n", Type::index()), si = Symbol::fresh("i", Type::index()),
         sj = Symbol::fresh("j", Type::index()), A = Symbol::fresh("A", Type::f(32)),
         idx = Symbol::fresh("idx", Type::i(32));
  Expr n = make_var(sn), i = make_var(si), j = make_var(sj);
  static Expr c(int64_t v) { return make_index(v); }
  static Expr lt(Expr a, Expr b) { return make_binary(BinaryOp::Lt, a, b); }
  Stmt store(Expr at) { return make_store(A, {at}, make_float(Type::f(32), 1)); }
  Stmt loop(const Symbol& v, Expr lo, Expr hi, Body b) {
    return make_for(v, lo, hi, LoopKind::Seq, std::move(b));
  }
  std::string s(const Body& b, const Facts& f = {}) { return to_text(simplify(b, f)); }
};

TEST_F(SimplifyBody, BranchesThatTheLoopDecides) {
  Body b = {
      loop(si, c(0), c(8), {make_if(lt(i, c(8)), {store(i)}), make_if(lt(i, c(0)), {store(j)})})};
  EXPECT_EQ(s(b), "for i in seq(0, 8):\n    A[i] = 1.0\n");
}

TEST_F(SimplifyBody, LoopsWithoutIterations) {
  Facts f;
  f.bound(sn, {}, c(4));
  EXPECT_EQ(s({loop(si, c(4), n, {store(i)}), store(j)}, f), "A[j] = 1.0\n");
  EXPECT_TRUE(simplify(Body{loop(si, c(4), n, {store(i)})}, f).empty());
}

TEST_F(SimplifyBody, InsideALoopItRuns) {
  Body b = {loop(si, c(0), n, {make_if(lt(c(0), n), {store(i)})})};
  EXPECT_EQ(s(b), "for i in seq(0, n):\n    A[i] = 1.0\n");
}

TEST_F(SimplifyBody, MemoryThatMayChangeIsNoFact) {
  // The second condition is not decided by the first: A was written in between.
  Expr cond = make_binary(BinaryOp::Lt, make_load(A, A.type(), {i}), make_float(Type::f(32), 2));
  Body b = {make_if(cond, {store(i), make_if(cond, {store(j)})})};
  EXPECT_EQ(simplify(b)[0].get(), b[0].get());
}

TEST_F(SimplifyBody, WhatStaysTheSameIsTheSame) {
  Body b = {loop(si, c(0), n, {store(i)})};
  EXPECT_EQ(simplify(b)[0].get(), b[0].get());
}

TEST_F(SimplifyBody, ALetFromMemoryKeepsItsRange) {
  Symbol at = Symbol::fresh("at", Type::index());
  Expr load = make_cast(Type::index(), make_load(idx, Type::i(32), {i}));
  Expr value = make_binary(BinaryOp::Max, load, c(0));
  Body b = {make_let(at, value), make_if(lt(make_var(at), c(0)), {store(i)}), store(make_var(at))};
  EXPECT_EQ(s(b), "let at: index = max(index(idx[i]), 0)\nA[at] = 1.0\n");
}

}  // namespace
}  // namespace hocket::analysis
