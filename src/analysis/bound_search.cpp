#include "analysis/bound_search.h"

#include <algorithm>

#include "analysis/order.h"
#include "analysis/walk.h"

namespace hocket::analysis {

using namespace ir;

namespace {

// One way to bound an atom: `scale * atom` is bounded by `form`.
struct Way {
  Affine form;
  BigInt scale = 1;
};
struct Ways {
  bool every = false;  // the bound is the worst of the ways, not the best
  std::vector<Way> list;
};

// The data whose range is being worked out, innermost first: what is known of one may name it again
// (v < v + 1 of a type that wraps), and says nothing more then.
struct Open {
  const Symbol& sym;
  const Open* outer;
};

ConstRange range_of(const Expr& e, const Facts& facts, const Open* open);

class Search {
 public:
  Search(const Facts& facts, int steps, const Open* open)
      : facts_(facts), steps_(steps), open_(open) {}

  std::optional<BigInt> lower(const Affine& form) {
    if (form.is_constant()) return form.constant();
    if (--steps_ < 0) return std::nullopt;
    // The atom of greatest rank of which anything is known; those that contain others first.
    const Affine::Term* chosen = nullptr;
    double chosen_rank = -1;
    for (const Affine::Term& t : form.terms()) {
      double r = rank(t.atom);
      if (r > chosen_rank) {
        chosen = &t;
        chosen_rank = r;
      }
    }
    if (!chosen) return std::nullopt;
    chosen = &worst_first(form, *chosen, chosen_rank);
    Ways ways = bounds_of_atom(chosen->atom, chosen->coef.sign() > 0);
    if (ways.list.empty()) return std::nullopt;
    Affine rest = form.without(chosen->atom);
    std::optional<BigInt> best;
    for (const Way& w : ways.list) {
      // scale * form >= scale * rest + coef * w.form
      Affine next = w.scale == BigInt(1) ? rest : rest.times(w.scale);
      next.add(w.form, chosen->coef);
      std::optional<BigInt> b = lower(next);
      if (b && !(w.scale == BigInt(1))) b = ceil_div(*b, w.scale);
      if (ways.every) {
        if (!b) return std::nullopt;
        if (!best || *b < *best) best = b;
      } else if (b && (!best || *best < *b)) {
        best = b;
      }
    }
    return best;
  }

 private:
  static bool is_extremum(const Affine::Term& t, bool worst) {
    const auto* b = t.atom.as<Binary>();
    if (!b || (b->op != BinaryOp::Min && b->op != BinaryOp::Max)) return false;
    return ((b->op == BinaryOp::Min) == (t.coef.sign() > 0)) == worst;
  }
  // min(a + 7, b) - min(a, b): of two such the one of which both sides count goes first, so that
  // the other may choose its side anew in each.
  const Affine::Term& worst_first(const Affine& form, const Affine::Term& chosen, double its_rank) {
    constexpr double kAlike = 0.1;
    if (!is_extremum(chosen, false)) return chosen;
    for (const Affine::Term& t : form.terms()) {
      if (!is_extremum(t, true) || rank(t.atom) < its_rank - kAlike) continue;
      const bool inside = any_node(chosen.atom, [&](const Expr& n) { return same(n, t.atom); });
      if (!inside) return t;
    }
    return chosen;
  }

  // Symbols of which nothing is known never help; compound atoms go before what they contain.
  double rank(const Expr& atom) {
    const Facts::Known* k = facts_.find(atom);
    if (k) return k->rank;
    switch (atom.kind()) {
      case ExprKind::VarRef:
      case ExprKind::BufferField:
      case ExprKind::Load:
      case ExprKind::Call:
        return -1;
      case ExprKind::Cast: {
        const Expr& v = atom.as<Cast>()->a;
        if (v.kind() == ExprKind::VarRef) return 0.25;
        return 0.5;
      }
      default:
        break;
    }
    double r = 0.5;
    any_child(atom, [&](const Expr& c) {
      r = std::max(r, rank_inside(c) + 0.5);
      return false;
    });
    return r;
  }
  double rank_inside(const Expr& e) {
    if (const Facts::Known* k = facts_.find(e)) return k->rank;
    if (e.kind() == ExprKind::IntImm) return 0;
    double r = 0;
    any_child(e, [&](const Expr& c) {
      r = std::max(r, rank_inside(c));
      return false;
    });
    if (e.kind() != ExprKind::VarRef) r += 1e-3;
    return r;
  }

  Ways bounds_of_atom(const Expr& atom, bool want_lower) {
    Ways ways;
    auto constant = [&](const BigInt& v) { ways.list.push_back({Affine(v), 1}); };
    if (const Facts::Known* k = facts_.find(atom)) {
      if (k->value) ways.list.push_back({*k->value, 1});
      for (const Affine& a : want_lower ? k->lower : k->upper) ways.list.push_back({a, 1});
      if (k->value) return ways;
    }
    if (const auto* c = atom.as<Cast>()) {
      ConstRange r = range_of(c->a, facts_, open_);
      constant(want_lower ? r.min : r.max);
      return ways;
    }
    if (const auto* s = atom.as<Select>()) {
      ways.list.clear();
      ways.every = true;
      ways.list.push_back({parse_affine(s->t), 1});
      ways.list.push_back({parse_affine(s->f), 1});
      return ways;
    }
    const auto* b = atom.as<Binary>();
    if (!b) return ways;
    int64_t c = 0;
    switch (b->op) {
      case BinaryOp::Min:
      case BinaryOp::Max: {
        bool every = (b->op == BinaryOp::Min) == want_lower;
        if (every) {
          if (!ways.list.empty()) return ways;
          ways.every = true;
        }
        ways.list.push_back({parse_affine(b->a), 1});
        ways.list.push_back({parse_affine(b->b), 1});
        break;
      }
      case BinaryOp::Div: {
        if (!is_int(b->b, &c) || c <= 0) break;
        Affine x = parse_affine(b->a);
        // Through its own constant bound, which rounds as the division does ...
        if (auto v = want_lower ? lower(x) : negated(lower(-x))) constant(floor_div(*v, BigInt(c)));
        // ... and as c * (x / c), which keeps what it has in common with other terms.
        if (want_lower) x.add_constant(BigInt(1) - BigInt(c));
        ways.list.push_back({std::move(x), BigInt(c)});
        break;
      }
      case BinaryOp::Mod: {
        if (!is_int(b->b, &c) || c <= 0) {
          if (want_lower) constant(0);
          break;
        }
        if (want_lower) {
          constant(0);
        } else {
          constant(c - 1);
          Affine x = parse_affine(b->a);
          if (auto v = lower(x); v && v->sign() >= 0) ways.list.push_back({std::move(x), 1});
        }
        break;
      }
      case BinaryOp::Mul:
        product(b, want_lower, ways);
        break;
      default:
        break;
    }
    return ways;
  }

  static std::optional<BigInt> negated(std::optional<BigInt> v) {
    if (v) v = -*v;
    return v;
  }

  void product(const Binary* b, bool want_lower, Ways& ways) {
    Affine x = parse_affine(b->a), y = parse_affine(b->b);
    std::optional<BigInt> xl = lower(x), yl = lower(y);
    std::optional<BigInt> xh = negated(lower(-x)), yh = negated(lower(-y));
    // y >= l and x >= 0: x * y >= l * x; and the like.
    auto along = [&](const Affine& form, const std::optional<BigInt>& form_low,
                     const std::optional<BigInt>& low, const std::optional<BigInt>& high) {
      if (!form_low || form_low->sign() < 0) return;
      const std::optional<BigInt>& end = want_lower ? low : high;
      if (end) ways.list.push_back({form.times(*end), 1});
    };
    along(x, xl, yl, yh);
    along(y, yl, xl, xh);
    if (xl && xh && yl && yh) {
      BigInt p = *xl * *yl, q = *xl * *yh, r = *xh * *yl, s = *xh * *yh;
      using support::max;
      using support::min;
      ways.list.push_back(
          {Affine(want_lower ? min(min(p, q), min(r, s)) : max(max(p, q), max(r, s))), 1});
    }
  }

  const Facts& facts_;
  int steps_;
  const Open* open_;
};

std::optional<BigInt> least(const Affine& form, const Facts& facts, const Open* open) {
  return Search(facts, kQuickSteps, open).lower(form);
}
std::optional<BigInt> greatest(const Affine& form, const Facts& facts, const Open* open) {
  auto v = Search(facts, kQuickSteps, open).lower(-form);
  if (v) v = -*v;
  return v;
}

ConstRange clip(const ConstRange& r, const ConstRange& to) {
  return {support::max(r.min, to.min), support::min(r.max, to.max)};
}

}  // namespace

std::optional<BigInt> lower_bound(const Affine& form, const Facts& facts, int steps) {
  return Search(facts, steps, nullptr).lower(form);
}

std::optional<BigInt> upper_bound(const Affine& form, const Facts& facts, int steps) {
  auto v = Search(facts, steps, nullptr).lower(-form);
  if (v) v = -*v;
  return v;
}

bool is_nonnegative(const Affine& form, const Facts& facts, int steps) {
  if (form.is_constant()) return form.constant().sign() >= 0;
  auto v = lower_bound(form, facts, steps);
  return v && v->sign() >= 0;
}

ConstRange type_range(Type type) {
  if (type.is_uint() && type.bits == 64) return {0, support::pow(2, 64) - BigInt(1)};
  return {type.min_value(), type.max_value()};
}

namespace {

ConstRange range_of(const Expr& e, const Facts& facts, const Open* open) {
  ConstRange whole = type_range(e.type().element());
  auto fits = [&](const ConstRange& r) { return whole.min <= r.min && r.max <= whole.max; };
  auto settle = [&](const ConstRange& r) {
    if (fits(r)) return r;
    if (e.type().wraps() || e.type().is_bool()) return whole;
    ConstRange c = clip(r, whole);
    return c.max < c.min ? whole : c;
  };
  auto integral = [](const Expr& x) { return x.type().is_integral() || x.type().is_bool(); };
  if (e.type().is_index()) {
    auto lo = least(parse_affine(e), facts, open), hi = greatest(parse_affine(e), facts, open);
    return {lo ? support::max(*lo, whole.min) : whole.min,
            hi ? support::min(*hi, whole.max) : whole.max};
  }
  switch (e.kind()) {
    case ExprKind::IntImm: {
      int64_t v = e.as<IntImm>()->value;
      BigInt b = e.type().is_uint() ? BigInt(static_cast<uint64_t>(v)) : BigInt(v);
      return {b, b};
    }
    case ExprKind::VarRef: {
      const Symbol& sym = e.as<VarRef>()->sym;
      const Facts::Known* k = facts.find(sym);
      if (!k) return whole;
      for (const Open* o = open; o != nullptr; o = o->outer)
        if (o->sym == sym) return whole;
      const Open here{sym, open};
      ConstRange r = whole;
      if (k->value) {
        if (auto lo = least(*k->value, facts, &here)) r.min = support::max(r.min, *lo);
        if (auto hi = greatest(*k->value, facts, &here)) r.max = support::min(r.max, *hi);
      }
      for (const Affine& a : k->lower) {
        if (auto lo = least(a, facts, &here)) r.min = support::max(r.min, *lo);
      }
      for (const Affine& a : k->upper) {
        if (auto hi = greatest(a, facts, &here)) r.max = support::min(r.max, *hi);
      }
      return r.max < r.min ? whole : r;
    }
    case ExprKind::Broadcast:
      return range_of(e.as<Broadcast>()->value, facts, open);
    case ExprKind::Select: {
      ConstRange t = range_of(e.as<Select>()->t, facts, open),
                 f = range_of(e.as<Select>()->f, facts, open);
      return {support::min(t.min, f.min), support::max(t.max, f.max)};
    }
    case ExprKind::Cast: {
      const Expr& a = e.as<Cast>()->a;
      if (!integral(a) || e.type().is_bool()) return whole;
      ConstRange r = range_of(a, facts, open);
      return fits(r) ? r : whole;  // a cast wraps in every type
    }
    case ExprKind::Unary: {
      const auto* u = e.as<Unary>();
      if (u->op == UnaryOp::Neg) {
        ConstRange a = range_of(u->a, facts, open);
        return settle({-a.max, -a.min});
      }
      if (u->op == UnaryOp::Abs) {
        ConstRange a = range_of(u->a, facts, open);
        if (a.min.sign() >= 0) return a;
        BigInt top = support::max(-a.min, a.max);
        return settle({a.max.sign() < 0 ? -a.max : BigInt(0), top});
      }
      return whole;
    }
    case ExprKind::Binary: {
      const auto* b = e.as<Binary>();
      if (is_comparison(b->op) || !integral(b->a)) return whole;
      ConstRange x = range_of(b->a, facts, open), y = range_of(b->b, facts, open);
      switch (b->op) {
        case BinaryOp::Add:
          return settle({x.min + y.min, x.max + y.max});
        case BinaryOp::Sub:
          return settle({x.min - y.max, x.max - y.min});
        case BinaryOp::Mul: {
          BigInt p = x.min * y.min, q = x.min * y.max, r = x.max * y.min, s = x.max * y.max;
          return settle({support::min(support::min(p, q), support::min(r, s)),
                         support::max(support::max(p, q), support::max(r, s))});
        }
        case BinaryOp::Min:
          return {support::min(x.min, y.min), support::min(x.max, y.max)};
        case BinaryOp::Max:
          return {support::max(x.min, y.min), support::max(x.max, y.max)};
        case BinaryOp::Div:
          if (y.min == y.max && y.min.sign() > 0) {
            return settle({floor_div(x.min, y.min), floor_div(x.max, y.min)});
          }
          return whole;
        case BinaryOp::Mod:
          if (y.min.sign() > 0) {
            BigInt top = y.max - BigInt(1);
            if (x.min.sign() >= 0) top = support::min(top, x.max);
            return settle({0, top});
          }
          return whole;
        case BinaryOp::BitAnd:
          if (y.min.sign() >= 0) {
            return {0, x.min.sign() >= 0 ? support::min(x.max, y.max) : y.max};
          }
          if (x.min.sign() >= 0) return {0, x.max};
          return whole;
        case BinaryOp::Shr:
          if (y.min == y.max && y.min.sign() >= 0 && y.max < BigInt(e.type().bits)) {
            BigInt by = support::pow(2, static_cast<unsigned>(*y.min.to_int64()));
            return {floor_div(x.min, by), floor_div(x.max, by)};
          }
          return whole;
        default:
          return whole;
      }
    }
    default:
      return whole;
  }
}

}  // namespace

ConstRange data_range(const Expr& e, const Facts& facts) {
  return range_of(e, facts, nullptr);
}

}  // namespace hocket::analysis
