#include "lower/loops/hull.h"

#include <optional>

#include "analysis/simplify.h"
#include "ir/visit.h"

namespace hocket::lower::loops {

using namespace ir;
using analysis::Affine;
using analysis::BigInt;
using analysis::Facts;
using analysis::Interval;

namespace {

class Elimination {
 public:
  Elimination(const Symbol& s, const Interval& range, const Facts& facts)
      : s_(s), range_(range), facts_(facts) {}

  std::optional<Affine> end(Affine a, bool upper) const {
    if (!a.mentions(s_)) return a;
    if (!a.coefficient(s_).is_zero()) {
      while (const std::optional<Affine> plain = without_rounding(a, upper)) a = *plain;
      for (const Affine::Term& t : a.terms())
        if (const auto* b = extremum(t)) return inside(a, t, *b, upper);
    }
    const Interval iv = analysis::bounds_of(a.to_expr(), {{s_, range_}}, facts_);
    if (upper ? !iv.has_max() : !iv.has_min()) return std::nullopt;
    return analysis::affine_of(upper ? iv.max : iv.min, facts_);
  }

 private:
  // c * (x / c) lies in [x - (c - 1), x].
  std::optional<Affine> without_rounding(const Affine& a, bool upper) const {
    for (const Affine::Term& t : a.terms()) {
      const auto* b = t.atom.as<Binary>();
      int64_t c = 0;
      if (!b || b->op != BinaryOp::Div || !is_int(b->b, &c) || c <= 0 || !uses(t.atom, s_) ||
          !support::floor_mod(t.coef, BigInt(c)).is_zero())
        continue;
      const BigInt times = support::floor_div(t.coef, BigInt(c));
      Affine out = a.without(t.atom);
      out.add(analysis::parse_affine(b->a), times);
      if ((times.sign() > 0) != upper) out.add_constant(-(times * BigInt(c - 1)));
      return out;
    }
    return std::nullopt;
  }

  const Binary* extremum(const Affine::Term& t) const {
    const auto* b = t.atom.as<Binary>();
    return b && (b->op == BinaryOp::Min || b->op == BinaryOp::Max) && uses(t.atom, s_) ? b
                                                                                       : nullptr;
  }

  // n * min(x, y) + rest = min(n * x + rest, n * y + rest), max where n is below 0.
  std::optional<Affine> inside(const Affine& a, const Affine::Term& t, const Binary& b,
                               bool upper) const {
    const Affine rest = a.without(t.atom);
    const auto side = [&](const Expr& e) {
      Affine sum = rest;
      sum.add(analysis::parse_affine(e), t.coef);
      return end(std::move(sum), upper);
    };
    const std::optional<Affine> x = side(b.a), y = side(b.b);
    const bool is_min = (b.op == BinaryOp::Min) == (t.coef.sign() > 0);
    if (x && y) return analysis::affine_extremum(is_min, *x, *y, facts_);
    // One side alone still bounds what is at most (at least) as far as both.
    return is_min == upper ? (x ? x : y) : std::nullopt;
  }

  const Symbol& s_;
  const Interval& range_;
  const Facts& facts_;
};

}  // namespace

Expr end_over(const Expr& e, const Symbol& s, const Interval& range, bool upper,
              const Facts& facts) {
  if (!uses(e, s)) return e;
  const std::optional<Affine> end =
      Elimination(s, range, facts).end(analysis::affine_of(e, facts), upper);
  return end ? end->to_expr() : Expr();
}

}  // namespace hocket::lower::loops
