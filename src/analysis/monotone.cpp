#include "analysis/monotone.h"

#include "analysis/bound_search.h"
#include "analysis/simplify.h"
#include "analysis/walk.h"

namespace hocket::analysis {

using namespace ir;

namespace {

Monotone reversed(Monotone m) {
  if (m == Monotone::Increasing) return Monotone::Decreasing;
  if (m == Monotone::Decreasing) return Monotone::Increasing;
  return m;
}

// Of a sum, a min or a max of two values that move so.
Monotone together(Monotone a, Monotone b) {
  if (a == Monotone::Constant) return b;
  if (b == Monotone::Constant || a == b) return a;
  return Monotone::Unknown;
}

class Walk {
 public:
  Walk(const Symbol& s, const Facts& facts) : s_(s), facts_(facts) {}

  Monotone of(const Affine& a) {
    Monotone m = Monotone::Constant;
    for (const Affine::Term& t : a.terms()) {
      Monotone one = of_atom(t.atom);
      m = together(m, t.coef.sign() > 0 ? one : reversed(one));
    }
    return m;
  }

 private:
  int sign(const Affine& a) {
    if (is_nonnegative(a, facts_)) return 1;
    if (is_nonnegative(-a, facts_)) return -1;
    return 0;
  }

  Monotone of_atom(const Expr& e) {
    if (!mentions(e, s_)) return Monotone::Constant;
    if (e.kind() == ExprKind::VarRef) return Monotone::Increasing;
    if (const auto* c = e.as<Cast>()) {
      bool keeps_order = !(c->a.type().is_uint() && c->a.type().bits == 64);
      if (c->a.kind() == ExprKind::VarRef && keeps_order) return Monotone::Increasing;
      return Monotone::Unknown;
    }
    if (const auto* s = e.as<Select>()) {
      if (mentions(s->cond, s_)) return Monotone::Unknown;
      return together(of(parse_affine(s->t)), of(parse_affine(s->f)));
    }
    const auto* b = e.as<Binary>();
    if (!b) return Monotone::Unknown;
    Affine x = parse_affine(b->a), y = parse_affine(b->b);
    switch (b->op) {
      case BinaryOp::Min:
      case BinaryOp::Max:
        return together(of(x), of(y));
      case BinaryOp::Div:
        // By a divisor that stays and is not negative; x / 0 = 0 is constant.
        if (mentions(b->b, s_)) return Monotone::Unknown;
        if (int k = sign(y)) return k > 0 ? of(x) : reversed(of(x));
        return Monotone::Unknown;
      case BinaryOp::Mul: {
        bool left = mentions(b->a, s_), right = mentions(b->b, s_);
        if (left && right) {
          int p = sign(x), q = sign(y);
          if (p > 0 && q > 0) return together(of(x), of(y));
          return Monotone::Unknown;
        }
        int k = sign(left ? y : x);
        if (k == 0) return Monotone::Unknown;
        Monotone m = of(left ? x : y);
        return k > 0 ? m : reversed(m);
      }
      default:
        return Monotone::Unknown;
    }
  }

  Symbol s_;
  const Facts& facts_;
};

}  // namespace

Monotone monotone_in(const Expr& e, const Symbol& s, const Facts& facts) {
  if (!mentions(e, s)) return Monotone::Constant;
  if (!e.type().is_integral() || e.type().is_vector()) return Monotone::Unknown;
  return Walk(s, facts).of(affine_of(e, facts));
}

}  // namespace hocket::analysis
