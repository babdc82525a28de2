// Normal forms of single expressions, as text.
#include "analysis/simplify.h"

#include <gtest/gtest.h>

#include "analysis/interval.h"
#include "analysis/prove.h"
#include "ir/print.h"

namespace hocket::analysis {
namespace {

using namespace ir;

struct Simplify : ::testing::Test {
  Symbol sx = Symbol::fresh("x", Type::index()), sy = Symbol::fresh("y", Type::index()),
         sn = Symbol::fresh("n", Type::index()), sxo = Symbol::fresh("xo", Type::index()),
         sxi = Symbol::fresh("xi", Type::index());
  Expr x = make_var(sx), y = make_var(sy), n = make_var(sn), xo = make_var(sxo), xi = make_var(sxi);
  Facts facts;

  static Expr c(int64_t v) { return make_index(v); }
  static Expr min(Expr a, Expr b) { return make_binary(BinaryOp::Min, a, b); }
  static Expr max(Expr a, Expr b) { return make_binary(BinaryOp::Max, a, b); }
  static Expr lt(Expr a, Expr b) { return make_binary(BinaryOp::Lt, a, b); }
  static Expr le(Expr a, Expr b) { return make_binary(BinaryOp::Le, a, b); }
  std::string s(const Expr& e) { return to_text(simplify(e, facts)); }
};

TEST_F(Simplify, SumsCancel) {
  EXPECT_EQ(s((x + c(3)) - x), "index(3)");
  EXPECT_EQ(s((x + y) - y + x), "x * 2");
  EXPECT_EQ(s(c(2) * (x + y) - x * c(2)), "y * 2");
}

TEST_F(Simplify, DivisionsTakeOutMultiples) {
  facts.bound(sxi, c(0), c(7));
  EXPECT_EQ(s((xo * c(8) + xi) / c(8)), "xo");
  EXPECT_EQ(s((xo * c(8) + xi) % c(8)), "xi");
  EXPECT_EQ(s((xo * c(8) + xi + c(3)) / c(8)), "xo + (xi + 3) / 8");
  EXPECT_EQ(s((x / c(4)) / c(2)), "x / 8");
  EXPECT_EQ(s(x / c(8) * c(8) + x % c(8)), "x");
  EXPECT_EQ(s(x - x / c(8) * c(8)), "x % 8");
  EXPECT_EQ(s((x * c(6) + c(3)) / c(4)), "(x * 3 + 1) / 2");
  EXPECT_EQ(s(x / c(-8)), "0 - x / 8");
}

TEST_F(Simplify, MinsArePruned) {
  EXPECT_EQ(s(min(x, x + c(3))), "x");
  EXPECT_EQ(s(max(x - c(1), min(y, x - c(4)))), "x - 1");
  facts.bound(sx, c(0), n - c(1));
  EXPECT_EQ(s(min(x, n - c(1))), "x");
  EXPECT_EQ(s(max(x, c(0))), "x");
  EXPECT_EQ(s(max(x - c(1), c(0))), "max(x - 1, 0)");
}

TEST_F(Simplify, TermsGoIntoMinsWhereThatShortens) {
  EXPECT_EQ(s(min(xo * c(32) + c(31), n - c(1)) - xo * c(32) + c(1)), "min(n - xo * 32, 32)");
  EXPECT_EQ(s(min(x + c(7), n - c(1)) - min(x, n - c(8))), "index(7)");
}

TEST_F(Simplify, Comparisons) {
  facts.bound(sxo, c(0), c(9));
  facts.bound(sxi, c(0), c(7));
  EXPECT_EQ(s(lt(xo * c(8) + xi, c(80))), "true");
  EXPECT_EQ(s(lt(xo * c(8) + xi, n)), "xo * 8 + xi < n");
  EXPECT_EQ(s(le(x * c(4), c(9))), "x <= 2");
  EXPECT_EQ(s(lt(x + c(1), n)), "x < n - 1");
  EXPECT_EQ(s(make_binary(BinaryOp::Eq, x * c(2), c(7))), "false");
  EXPECT_EQ(s(make_binary(BinaryOp::Eq, c(0), x - c(7))), "x == 7");
}

TEST_F(Simplify, Bounds) {
  Ranges r;
  r[sx] = {c(0), n - c(1)};
  r[sy] = {x - c(1), x + c(1)};
  Interval i = bounds_of(y - x, r);
  EXPECT_EQ(to_text(i.min), "index(-1)");
  EXPECT_EQ(to_text(i.max), "index(1)");
  i = bounds_of(y, r);
  EXPECT_EQ(to_text(i.min), "index(-1)");
  EXPECT_EQ(to_text(i.max), "n");
  Symbol im = Symbol::fresh("input", Type::u(8));
  Expr load = make_cast(Type::index(), make_call(im, Type::u(8), {x}));
  i = bounds_of(load, r);
  EXPECT_EQ(to_text(i.min), "index(0)");
  EXPECT_EQ(to_text(i.max), "index(255)");
  Expr call32 = make_call(im, Type::i(32), {x});
  EXPECT_FALSE(bounds_of(call32, r).has_min());
  Expr clamped =
      make_binary(BinaryOp::Min, make_binary(BinaryOp::Max, call32, make_int(Type::i(32), 0)),
                  make_int(Type::i(32), 99));
  i = bounds_of(make_cast(Type::index(), clamped), r);
  EXPECT_EQ(to_text(i.min), "index(0)");
  EXPECT_EQ(to_text(i.max), "index(99)");
  i = bounds_of(x / c(2) + x % c(2), r, facts);
  EXPECT_EQ(to_text(i.max), "(n + 1) / 2 + min(n - 1, 1) - 1");
}

TEST_F(Simplify, Proofs) {
  Symbol sio = Symbol::fresh("io", Type::index()), sii = Symbol::fresh("ii", Type::index());
  Expr io = make_var(sio), ii = make_var(sii);
  facts.bound(sn, c(1), {});
  facts.bound(sio, c(0), n / c(16) - c(1));
  facts.bound(sii, c(0), c(15));
  EXPECT_TRUE(can_prove(lt(io * c(16) + ii, n), facts));
  EXPECT_FALSE(can_prove(lt(io * c(16) + ii + c(1), n), facts));
  Facts ceil;
  ceil.bound(sn, c(1), {});
  ceil.bound(sio, c(0), (n + c(15)) / c(16) - c(1));
  ceil.bound(sii, c(0), c(15));
  EXPECT_FALSE(can_prove(lt(io * c(16) + ii, n), ceil));
  ceil.assume(make_binary(BinaryOp::Eq, n % c(16), c(0)));
  EXPECT_TRUE(can_prove(lt(io * c(16) + ii, n), ceil));
  // 2 i is never 2 j + 1
  EXPECT_TRUE(can_prove(make_binary(BinaryOp::Ne, x * c(2), y * c(2) + c(1)), {}));
}

}  // namespace
}  // namespace hocket::analysis
