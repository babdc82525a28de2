// Random expressions against brute force: what is simplified keeps its value, intervals hold every
// value and are tight for affine forms, what is proved is true.
#include <gtest/gtest.h>

#include <random>

#include "analysis/evaluate.h"
#include "analysis/interval.h"
#include "analysis/monotone.h"
#include "analysis/prove.h"
#include "analysis/simplify.h"
#include "ir/print.h"
#include "ir/semantics.h"
#include "ir/visit.h"

namespace hocket::analysis {
namespace {

using namespace ir;

using Assignment = std::unordered_map<Symbol, int64_t>;

Scalar value_of(const Expr& e, const Assignment& a) {
  switch (e.kind()) {
    case ExprKind::IntImm:
      return Scalar::of_int(e.type(), e.as<IntImm>()->value);
    case ExprKind::VarRef:
      return Scalar::of_int(e.type(), a.at(e.as<VarRef>()->sym));
    case ExprKind::Unary:
      return eval_unary(e.as<Unary>()->op, value_of(e.as<Unary>()->a, a));
    case ExprKind::Binary: {
      const auto* b = e.as<Binary>();
      return eval_binary(b->op, value_of(b->a, a), value_of(b->b, a));
    }
    case ExprKind::Select: {
      const auto* s = e.as<Select>();
      Scalar c = value_of(s->cond, a);
      if (c.poison) return Scalar::of_poison(e.type());
      return value_of(c.truth() ? s->t : s->f, a);
    }
    case ExprKind::Cast:
      return eval_cast(e.type(), value_of(e.as<Cast>()->a, a));
    default:
      ADD_FAILURE() << "no value";
      return Scalar::of_poison(e.type());
  }
}

struct World {
  std::mt19937 random;
  std::vector<Symbol> symbols;
  std::vector<std::pair<int64_t, int64_t>> ranges;
  Facts facts;

  explicit World(unsigned seed) : random(seed) {
    const char* names[] = {"x", "y", "n"};
    for (const char* name : names) {
      symbols.push_back(Symbol::fresh(name, Type::index()));
      int64_t lo = pick(-6, 3), hi = lo + pick(0, 7);
      ranges.emplace_back(lo, hi);
      facts.bound(symbols.back(), make_index(lo), make_index(hi));
    }
  }
  int64_t pick(int64_t lo, int64_t hi) {
    return lo + static_cast<int64_t>(random() % static_cast<uint64_t>(hi - lo + 1));
  }
  Expr symbol() { return make_var(symbols[random() % symbols.size()]); }

  Expr affine(int depth) {
    Expr e = make_index(pick(-5, 5));
    for (int i = 0; i <= depth; i++) e = e + symbol() * make_index(pick(-4, 4));
    return e;
  }

  Expr integer(int depth) {
    if (depth == 0) return random() % 3 ? symbol() : make_index(pick(-9, 9));
    switch (random() % 11) {
      case 0:
      case 1:
        return integer(depth - 1) + integer(depth - 1);
      case 2:
      case 3:
        return integer(depth - 1) - integer(depth - 1);
      case 4:
        return integer(depth - 1) * make_index(pick(-4, 8));
      case 5:
        return integer(depth - 1) / make_index(pick(1, 8));
      case 6:
        return integer(depth - 1) % make_index(pick(1, 8));
      case 7:
        return make_binary(BinaryOp::Min, integer(depth - 1), integer(depth - 1));
      case 8:
        return make_binary(BinaryOp::Max, integer(depth - 1), integer(depth - 1));
      case 9:
        return make_select(boolean(depth - 1), integer(depth - 1), integer(depth - 1));
      default:
        if (random() % 3 == 0) return integer(depth - 1) * integer(depth - 1);
        if (random() % 3 == 0) return integer(depth - 1) / integer(depth - 1);
        return make_unary(UnaryOp::Neg, integer(depth - 1));
    }
  }
  // The same through an operator on bits or the absolute value, of an index or of data.
  Expr through_bits(const Expr& e) {
    const Type types[] = {Type::index(), Type::i(32), Type::i(16), Type::u(8), Type::u(32)};
    const Type t = types[random() % std::size(types)];
    const Expr v = t.is_index() ? e : make_cast(t, e);
    const auto number = [&](int64_t lo, int64_t hi) { return make_int(t, pick(lo, hi)); };
    Expr out;
    switch (random() % 5) {
      case 0:
        out = make_unary(t.is_uint() ? UnaryOp::BitNot : UnaryOp::Abs, v);
        break;
      case 1:
        out = make_unary(UnaryOp::BitNot, v);
        break;
      case 2:
        out = make_binary(BinaryOp::Shr, v, number(0, 3));
        break;
      case 3:
        out = make_binary(BinaryOp::BitAnd, number(0, 9), v);
        break;
      default:
        out = make_binary(BinaryOp::BitAnd, v, number(t.is_uint() ? 0 : -3, 9));
    }
    return (t.is_index() ? out : make_cast(Type::index(), out)) + integer(1);
  }
  Expr boolean(int depth) {
    if (depth > 0 && random() % 3 == 0) {
      switch (random() % 3) {
        case 0:
          return make_binary(BinaryOp::And, boolean(depth - 1), boolean(depth - 1));
        case 1:
          return make_binary(BinaryOp::Or, boolean(depth - 1), boolean(depth - 1));
        default:
          return make_unary(UnaryOp::Not, boolean(depth - 1));
      }
    }
    auto op =
        static_cast<BinaryOp>(static_cast<int>(BinaryOp::Eq) + static_cast<int>(random() % 6));
    return make_binary(op, integer(depth), integer(depth));
  }

  // Every assignment within the ranges that the extra conditions allow.
  template <class F>
  void each(F&& f) {
    Assignment a;
    for (int64_t x = ranges[0].first; x <= ranges[0].second; x++) {
      for (int64_t y = ranges[1].first; y <= ranges[1].second; y++) {
        for (int64_t n = ranges[2].first; n <= ranges[2].second; n++) {
          a[symbols[0]] = x;
          a[symbols[1]] = y;
          a[symbols[2]] = n;
          f(a);
        }
      }
    }
  }
  std::string words(const Assignment& a) {
    std::string s;
    for (const Symbol& sym : symbols) s += sym.name() + "=" + std::to_string(a.at(sym)) + " ";
    return s;
  }
};

TEST(Property, SimplifyKeepsTheValueOfIndexExpressions) {
  for (unsigned seed = 0; seed < 3000; seed++) {
    World w(seed);
    Expr e = w.integer(static_cast<int>(seed % 5));
    Expr s = simplify(e, w.facts), free = simplify(e);
    Expr again = simplify(s, w.facts);
    w.each([&](const Assignment& a) {
      if (::testing::Test::HasFailure()) return;
      int64_t want = value_of(e, a).i;
      EXPECT_EQ(value_of(s, a).i, want) << to_text(e) << " -> " << to_text(s) << " " << w.words(a);
      EXPECT_EQ(value_of(free, a).i, want) << to_text(e) << " -> " << to_text(free);
      EXPECT_EQ(value_of(again, a).i, want) << to_text(s) << " -> " << to_text(again);
    });
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(Property, SimplifyKeepsTheTruthOfConditions) {
  for (unsigned seed = 0; seed < 3000; seed++) {
    World w(seed);
    Expr e = w.boolean(static_cast<int>(seed % 4));
    Expr s = simplify(e, w.facts);
    w.each([&](const Assignment& a) {
      if (::testing::Test::HasFailure()) return;
      EXPECT_EQ(value_of(s, a).i, value_of(e, a).i)
          << to_text(e) << " -> " << to_text(s) << " " << w.words(a);
    });
    if (::testing::Test::HasFailure()) return;
  }
}

// Data of one type over symbols of it; what was poison may become anything.
TEST(Property, SimplifyKeepsTheBitsOfData) {
  const Type types[] = {Type::u(8), Type::i(8), Type::u(16), Type::i(32), Type::u(32), Type::i(64)};
  const BinaryOp ops[] = {BinaryOp::Add,   BinaryOp::Sub,    BinaryOp::Mul, BinaryOp::Div,
                          BinaryOp::Mod,   BinaryOp::Min,    BinaryOp::Max, BinaryOp::BitAnd,
                          BinaryOp::BitOr, BinaryOp::BitXor, BinaryOp::Shl, BinaryOp::Shr};
  std::mt19937 random(11);
  for (int round = 0; round < 20000; round++) {
    Type t = types[random() % std::size(types)];
    Symbol p = Symbol::fresh("p", t), q = Symbol::fresh("q", t);
    Symbol other = Symbol::fresh("r", types[random() % std::size(types)]);
    auto constant = [&]() {
      int64_t small = static_cast<int64_t>(random() % 7) - 3;
      const uint64_t extreme = static_cast<uint64_t>(t.min_value()) + static_cast<uint64_t>(small);
      return make_int(t, random() % 4 ? small : ir::wrap_to(t, static_cast<int64_t>(extreme)));
    };
    std::function<Expr(int)> make = [&](int depth) -> Expr {
      if (depth == 0) {
        switch (random() % 4) {
          case 0:
            return make_var(p);
          case 1:
            return make_var(q);
          case 2:
            return make_cast(t, make_var(other));
          default:
            return constant();
        }
      }
      if (random() % 12 == 0) return make_unary(UnaryOp::Neg, make(depth - 1));
      if (random() % 12 == 0) return make_unary(UnaryOp::Abs, make(depth - 1));
      if (random() % 10 == 0) {
        Type via = types[random() % std::size(types)];
        return make_cast(t, make_cast(via, make(depth - 1)));
      }
      if (random() % 10 == 0) {
        Expr c =
            make_binary(random() % 2 ? BinaryOp::Lt : BinaryOp::Eq, make(depth - 1), constant());
        return make_select(c, make(depth - 1), make(depth - 1));
      }
      return make_binary(ops[random() % std::size(ops)], make(depth - 1),
                         random() % 2 ? constant() : make(depth - 1));
    };
    Expr e = make(1 + static_cast<int>(random() % 3));
    Expr s = simplify(e);
    for (int k = 0; k < 40; k++) {
      auto sample = [&](Type of) {
        int64_t v = static_cast<int64_t>(random()) - (int64_t{1} << 31);
        if (random() % 2) v = static_cast<int64_t>(random() % 9) - 4;
        if (random() % 8 == 0) v = of.max_value();
        if (random() % 8 == 0) v = of.min_value();
        return wrap_to(of, v);
      };
      Assignment a{{p, sample(t)}, {q, sample(t)}, {other, sample(other.type())}};
      Scalar want = value_of(e, a), got = value_of(s, a);
      if (want.poison) continue;
      ASSERT_TRUE(same_value(want, got))
          << to_text(e) << " -> " << to_text(s) << " with p=" << a[p] << " q=" << a[q]
          << " r=" << a[other] << ": " << want.i << " became " << (got.poison ? -999 : got.i);
    }
  }
}

TEST(Property, IntervalsHoldEveryValue) {
  for (unsigned seed = 0; seed < 3000; seed++) {
    World w(seed);
    Expr e = w.integer(static_cast<int>(seed % 4));
    if (seed % 7 < 3) e = w.through_bits(e);
    // x and y vary, n stays; y's range may hang on x.
    Ranges r;
    Facts facts;
    facts.bound(w.symbols[2], make_index(w.ranges[2].first), make_index(w.ranges[2].second));
    bool hangs = seed % 3 == 0;
    Expr x = make_var(w.symbols[0]);
    r[w.symbols[0]] = {make_index(w.ranges[0].first), make_index(w.ranges[0].second)};
    r[w.symbols[1]] = {make_index(w.ranges[1].first), make_index(w.ranges[1].second)};
    if (hangs) r[w.symbols[1]] = {x + make_index(-1), x + make_index(2)};
    Interval i = bounds_of(e, r, facts);
    for (const Expr& end : {i.min, i.max}) {
      if (!end.defined()) continue;
      ASSERT_FALSE(uses(end, w.symbols[0]) || uses(end, w.symbols[1])) << to_text(end);
    }
    w.each([&](const Assignment& given) {
      if (::testing::Test::HasFailure()) return;
      Assignment a = given;
      if (hangs) {
        int64_t span = a[w.symbols[1]] - w.ranges[1].first;
        if (span > 3) return;
        a[w.symbols[1]] = a[w.symbols[0]] - 1 + span;
      }
      int64_t v = value_of(e, a).i;
      if (i.has_min()) {
        EXPECT_LE(value_of(i.min, a).i, v) << to_text(e) << " >= " << to_text(i.min) << w.words(a);
      }
      if (i.has_max()) {
        EXPECT_GE(value_of(i.max, a).i, v) << to_text(e) << " <= " << to_text(i.max) << w.words(a);
      }
    });
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(Property, IntervalsThroughBitsHaveEnds) {
  World w(1);
  const Expr x = make_var(w.symbols[0]);
  const Ranges r{{w.symbols[0], {make_index(-5), make_index(3)}}};
  const auto ends = [&](const Expr& e) {
    const Interval i = bounds_of(e, r);
    return (i.has_min() ? to_text(i.min) : "_") + " " + (i.has_max() ? to_text(i.max) : "_");
  };
  EXPECT_EQ(ends(make_unary(UnaryOp::Abs, x)), "index(0) index(5)");
  EXPECT_EQ(ends(make_unary(UnaryOp::BitNot, x)), "index(-4) index(4)");
  EXPECT_EQ(ends(make_binary(BinaryOp::Shr, x, make_index(1))), "index(-3) index(1)");
  EXPECT_EQ(ends(make_binary(BinaryOp::BitAnd, x, make_index(6))), "index(0) index(6)");
  EXPECT_EQ(ends(make_binary(BinaryOp::BitAnd, x, make_index(-2))), "_ _");
  // Eight bits wrap: the absolute value of -128 is -128.
  const auto wrapping_abs = [](int64_t lo, int64_t hi) {
    const Symbol v = Symbol::fresh("v", Type::index());
    const Expr e =
        make_cast(Type::index(), make_unary(UnaryOp::Abs, make_cast(Type::i(8), make_var(v))));
    const Interval i = bounds_of(e, {{v, {make_index(lo), make_index(hi)}}});
    int64_t least = INT64_MIN;
    if (i.has_min()) EXPECT_TRUE(is_int(i.min, &least));
    return least;
  };
  EXPECT_LE(wrapping_abs(-128, 127), -128);
  EXPECT_EQ(wrapping_abs(-127, 127), 0);
}

TEST(Property, IntervalsOfAffineFormsAreTight) {
  for (unsigned seed = 0; seed < 2000; seed++) {
    World w(seed);
    Expr e = w.affine(2);
    Ranges r;
    for (int k = 0; k < 2; k++) {
      r[w.symbols[k]] = {make_index(w.ranges[k].first), make_index(w.ranges[k].second)};
    }
    Interval i = bounds_of(e, r);
    ASSERT_TRUE(i.is_bounded());
    std::unordered_map<int64_t, std::pair<int64_t, int64_t>> seen;  // by n
    w.each([&](const Assignment& a) {
      int64_t n = a.at(w.symbols[2]), v = value_of(e, a).i;
      auto [it, made] = seen.try_emplace(n, v, v);
      it->second.first = std::min(it->second.first, v);
      it->second.second = std::max(it->second.second, v);
    });
    for (const auto& [n, ends] : seen) {
      Assignment a{{w.symbols[2], n}};
      ASSERT_EQ(value_of(i.min, a).i, ends.first) << to_text(e) << " " << to_text(i.min);
      ASSERT_EQ(value_of(i.max, a).i, ends.second) << to_text(e) << " " << to_text(i.max);
    }
  }
}

TEST(Property, WhatIsProvedIsTrue) {
  int proved = 0, truths = 0;
  for (unsigned seed = 0; seed < 4000; seed++) {
    World w(seed);
    Facts facts = w.facts;
    Expr assumed = w.boolean(static_cast<int>(seed % 2));
    bool use = seed % 2;
    if (use) facts.assume(assumed);
    Expr e = w.boolean(static_cast<int>(seed % 3));
    bool yes = can_prove(e, facts);
    bool truth = true;
    std::string where;
    w.each([&](const Assignment& a) {
      if (use && !value_of(assumed, a).truth()) return;
      if (!value_of(e, a).truth()) {
        truth = false;
        where = w.words(a);
      }
    });
    ASSERT_TRUE(truth || !yes) << to_text(e) << " under " << to_text(assumed) << " at " << where;
    proved += yes;
    truths += truth;
  }
  // It sees most of what is true in these small worlds.
  EXPECT_GT(proved * 10, truths * 7) << proved << " of " << truths;
}

TEST(Property, TheJudgeIsRightBothWays) {
  Prover prover;
  int unknown = 0;
  for (unsigned seed = 0; seed < 600; seed++) {
    World w(seed);
    Facts facts = w.facts;
    Expr assumed = w.boolean(1);
    if (seed % 2) facts.assume(assumed);
    Expr e = w.boolean(static_cast<int>(seed % 3));
    Proof p = prover.prove(e, facts);
    bool truth = true;
    w.each([&](const Assignment& a) {
      if (seed % 2 && !value_of(assumed, a).truth()) return;
      truth = truth && value_of(e, a).truth();
    });
    if (p.proved()) {
      ASSERT_TRUE(truth) << to_text(e) << " under " << to_text(assumed) << " by " << p.how;
    } else if (p.refuted()) {
      ASSERT_FALSE(truth) << to_text(e);
      Assignment a(p.model.begin(), p.model.end());
      for (size_t k = 0; k < 3; k++) a.try_emplace(w.symbols[k], w.ranges[k].first);
      EXPECT_FALSE(value_of(e, a).truth()) << to_text(e) << " at " << w.words(a);
    } else {
      unknown++;
    }
  }
  EXPECT_LT(unknown, 60);
}

TEST(Property, MonotoneIsMonotone) {
  for (unsigned seed = 0; seed < 2000; seed++) {
    World w(seed);
    Expr e = w.integer(static_cast<int>(seed % 4));
    Monotone m = monotone_in(e, w.symbols[0], w.facts);
    if (m == Monotone::Unknown) continue;
    w.each([&](const Assignment& a) {
      if (::testing::Test::HasFailure() || a.at(w.symbols[0]) == w.ranges[0].second) return;
      Assignment next = a;
      next[w.symbols[0]]++;
      int64_t d = value_of(e, next).i - value_of(e, a).i;
      if (m == Monotone::Constant) {
        EXPECT_EQ(d, 0) << to_text(e);
      }
      if (m == Monotone::Increasing) {
        EXPECT_GE(d, 0) << to_text(e);
      }
      if (m == Monotone::Decreasing) {
        EXPECT_LE(d, 0) << to_text(e);
      }
    });
    if (::testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace hocket::analysis
