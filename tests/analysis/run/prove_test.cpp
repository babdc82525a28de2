// The three answers of the prover.
#include "analysis/prove.h"

#include <gtest/gtest.h>

namespace hocket::analysis {
namespace {

using namespace ir;

struct Prove : ::testing::Test {
  Symbol sn = Symbol::fresh("n", Type::index()), si = Symbol::fresh("i", Type::index()),
         sj = Symbol::fresh("j", Type::index()), sw = Symbol::fresh("w", Type::index());
  Expr n = make_var(sn), i = make_var(si), j = make_var(sj), w = make_var(sw);
  Facts facts;
  Prover prover;
  static Expr c(int64_t v) { return make_index(v); }
  static Expr lt(Expr a, Expr b) { return make_binary(BinaryOp::Lt, a, b); }
  static Expr eq(Expr a, Expr b) { return make_binary(BinaryOp::Eq, a, b); }
  static Expr implies(Expr a, Expr b) {
    return make_binary(BinaryOp::Or, make_unary(UnaryOp::Not, a), b);
  }
};

TEST_F(Prove, AffineIsEnoughForTiles) {
  facts.bound(sn, c(1), {});
  facts.bound(si, c(0), n / c(16) - c(1));
  facts.bound(sj, c(0), c(15));
  Proof p = prover.prove(lt(i * c(16) + j, n), facts);
  EXPECT_TRUE(p.proved());
  EXPECT_EQ(p.how, "affine");
}

TEST_F(Prove, ARefutationComesWithSmallNumbers) {
  facts.bound(sn, c(1), {});
  facts.bound(si, c(0), (n + c(15)) / c(16) - c(1));
  facts.bound(sj, c(0), c(15));
  Proof p = prover.prove(lt(i * c(16) + j, n), facts);
  ASSERT_TRUE(p.refuted());
  EXPECT_GE(p.model.at(si) * 16 + p.model.at(sj), p.model.at(sn));
  EXPECT_GE(p.model.at(sn), 1);
  EXPECT_LE(p.model.at(sn), 2);
}

TEST_F(Prove, SymbolicRowsAreInjective) {
  Symbol sk = Symbol::fresh("k", Type::index()), sl = Symbol::fresh("l", Type::index());
  Expr k = make_var(sk), l = make_var(sl);
  facts.bound(sw, c(1), {});
  facts.bound(si, c(0), w - c(1));
  facts.bound(sk, c(0), w - c(1));
  EXPECT_EQ(prover.prove(implies(eq(w * j + i, w * l + k), eq(i, k)), facts).how, "affine");
  EXPECT_EQ(prover.prove(implies(eq(w * j + i, w * l + k), eq(j, l)), facts).how, "affine");
}

TEST_F(Prove, SymbolicTilesStayInside) {
  Symbol st = Symbol::fresh("t", Type::index()), sio = Symbol::fresh("io", Type::index());
  Expr t = make_var(st), io = make_var(sio);
  facts.bound(st, c(1), {});
  facts.bound(sw, c(1), {});
  facts.bound(sio, c(0), w - c(1));
  facts.bound(si, c(0), t - c(1));
  EXPECT_EQ(prover.prove(lt(t * io + i, w * t), facts).how, "affine");
}

TEST_F(Prove, AnOpaqueValueLeavesItUnknown) {
  Symbol a = Symbol::fresh("a", Type::u(8));
  Expr load = make_cast(Type::index(), make_load(a, Type::u(8), {i}));
  facts.bound(sn, c(1), {});
  Proof p = prover.prove(lt(load, n), facts);
  EXPECT_EQ(p.verdict, Verdict::Unknown);
  EXPECT_NE(p.missing.find("a[i]"), std::string::npos) << p.missing;
  EXPECT_TRUE(prover.prove(lt(load, c(256)), facts).proved());
}

TEST_F(Prove, WrappingDataIsNotUnbounded) {
  Symbol s = Symbol::fresh("s", Type::u(8));
  Expr v = make_var(s);
  Proof p = prover.prove(lt(v, v + make_int(Type::u(8), 1)), facts);
  ASSERT_TRUE(p.refuted());
  EXPECT_EQ(p.model.at(s), 255);
}

TEST_F(Prove, ContradictingFactsProveAnything) {
  facts.assume(lt(n, c(3)));
  facts.assume(lt(c(5), n));
  EXPECT_TRUE(prover.prove(eq(i, j), facts).proved());
}

// Affine reasoning sees nothing here, so the answers are Z3's.
TEST_F(Prove, Z3ProvesAndRefutes) {
  ProveOptions without;
  without.use_z3 = false;
  // n * n < 50 bounds n on both sides: a fact about a product.
  const Expr small = lt(n * n, c(50));
  const Expr holds = implies(small, lt(n, c(8))), fails = implies(small, lt(n, c(7)));
  EXPECT_EQ(prove(holds, facts, without).verdict, Verdict::Unknown);
  const Proof yes = prover.prove(holds, facts);
  EXPECT_TRUE(yes.proved());
  EXPECT_EQ(yes.how, "z3");
  EXPECT_EQ(prove(fails, facts, without).verdict, Verdict::Unknown);
  const Proof no = prover.prove(fails, facts);
  ASSERT_TRUE(no.refuted());
  EXPECT_EQ(no.how, "z3");
  EXPECT_EQ(no.model.at(sn), 7);
}

// What is known of data may name them again: it says nothing more then, and comes to an end.
TEST(ProveData, FactsThatNameThemselves) {
  const Symbol v = Symbol::fresh("v", Type::u(8)), p = Symbol::fresh("p", Type::i(16)),
               q = Symbol::fresh("q", Type::i(16));
  const auto lt = [](const Expr& a, const Expr& b) { return make_binary(BinaryOp::Lt, a, b); };
  Facts facts;
  facts.assume(lt(make_var(v), make_var(v) + make_int(Type::u(8), 1)));
  facts.assume(lt(make_var(p), make_var(q) + make_int(Type::i(16), 1)));
  facts.assume(lt(make_var(q), make_var(p) + make_int(Type::i(16), 1)));
  const Expr at = make_cast(Type::index(), make_var(v));
  EXPECT_TRUE(can_prove(lt(at, make_index(256)), facts));
  EXPECT_FALSE(can_prove(lt(at, make_index(3)), facts));
  EXPECT_FALSE(can_prove(lt(make_cast(Type::index(), make_var(p)), make_index(3)), facts));
}

}  // namespace
}  // namespace hocket::analysis
