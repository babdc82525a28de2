#include "analysis/interval.h"

#include <algorithm>
#include <unordered_set>

#include "analysis/bound_search.h"
#include "analysis/data.h"
#include "analysis/order.h"
#include "analysis/simplify_impl.h"
#include "analysis/walk.h"

namespace hocket::analysis {

using namespace ir;

bool Interval::is_point() const {
  return is_bounded() && same(min, max);
}

namespace {

// An end of an interval while it is being worked out: an affine form, or nothing.
using End = std::optional<Affine>;
struct Ends {
  End min, max;
};

// Eliminates one symbol; with an undefined one, whatever loads and calls hold.
class Elimination {
 public:
  Elimination(const Facts& facts, Ends range, Symbol sym)
      : facts_(facts), range_(std::move(range)), sym_(std::move(sym)) {}

  Ends of(const Affine& a) {
    Ends sum{Affine(a.constant()), Affine(a.constant())};
    for (const Affine::Term& t : a.terms()) {
      Ends e = of_atom(t.atom);
      if (t.coef.sign() < 0) std::swap(e.min, e.max);
      add(sum.min, e.min, t.coef);
      add(sum.max, e.max, t.coef);
    }
    return sum;
  }

 private:
  bool varies(const Expr& e) { return sym_.defined() ? mentions(e, sym_) : reads_memory(e); }

  static void add(End& sum, const End& e, const BigInt& times) {
    if (!sum || !e) {
      sum.reset();
    } else {
      sum->add(*e, times);
    }
  }

  End simplified(const Expr& e) { return affine_of(e, facts_); }

  // What holds of a value of that type in any case; the whole of a wide type is no bound, but for
  // the 0 of 32 bits without a sign, which a clamp may rely on.
  static void within_type(Type t, const ConstRange& r, Ends& e) {
    ConstRange all = type_range(t);
    if (t.bits > 16 && r.min == all.min && r.max == all.max) {
      if (t.is_uint() && t.bits == 32 && !e.min) e.min = Affine(r.min);
      return;
    }
    if (!e.min) e.min = Affine(r.min);
    if (!e.max) e.max = Affine(r.max);
  }

  Ends of_expr(const Expr& e) { return of(parse_affine(e)); }

  Ends of_atom(const Expr& atom) {
    if (const auto* v = atom.as<VarRef>(); v && v->sym == sym_) return range_;
    if (!varies(atom)) return {Affine::of_atom(atom), Affine::of_atom(atom)};
    switch (atom.kind()) {
      case ExprKind::Select:
        return of_select(atom);
      case ExprKind::Cast:
        return of_data(atom.as<Cast>()->a);
      case ExprKind::Unary: {
        const auto* u = atom.as<Unary>();
        if (u->op == UnaryOp::Abs) return of_abs(of_expr(u->a));
        if (u->op == UnaryOp::BitNot) return of_complement(of_expr(u->a), atom.type());
        return {};
      }
      case ExprKind::Binary: {
        const auto* b = atom.as<Binary>();
        switch (b->op) {
          case BinaryOp::Min:
          case BinaryOp::Max:
            return of_extremum(b->op, of_expr(b->a), of_expr(b->b));
          case BinaryOp::Div:
            return of_div(b);
          case BinaryOp::Mod:
            return of_mod(b);
          case BinaryOp::Mul:
            return of_product(of_expr(b->a), of_expr(b->b));
          case BinaryOp::Shr:
            if (const auto by = power(b->b)) return divided(of_expr(b->a), *by);
            return {};
          case BinaryOp::BitAnd:
            return of_mask(b);
          default:
            return {};
        }
      }
      default:
        return {};
    }
  }

  Ends of_extremum(BinaryOp op, const Ends& x, const Ends& y) {
    bool is_min = op == BinaryOp::Min;
    auto both = [&](const End& p, const End& q) -> End {
      if (!p || !q) return std::nullopt;
      return affine_extremum(is_min, *p, *q, facts_);
    };
    // min(p, q) <= p alone where q is not known.
    auto either = [&](const End& p, const End& q) -> End {
      if (!p) return q;
      if (!q) return p;
      return both(p, q);
    };
    if (is_min) return {both(x.min, y.min), either(x.max, y.max)};
    return {either(x.min, y.min), both(x.max, y.max)};
  }

  // By a number above 0: the quotient rises with what is divided.
  Ends divided(const Ends& x, int64_t by) {
    auto end = [&](const End& e) -> End {
      if (!e) return std::nullopt;
      return simplified(make_binary(BinaryOp::Div, e->to_expr(), make_index(by)));
    };
    return {end(x.min), end(x.max)};
  }

  // A shift to the right rounds down, as a division does by this.
  static std::optional<int64_t> power(const Expr& shift) {
    int64_t c = 0;
    if (!is_int(shift, &c) || c < 0 || c >= 62) return std::nullopt;
    return int64_t{1} << c;
  }

  // By a number that is not negative.
  static Ends of_mask(const Binary* b) {
    int64_t c = 0;
    if ((is_int(b->a, &c) || is_int(b->b, &c)) && c >= 0) return {Affine(0), Affine(c)};
    return {};
  }

  Ends of_abs(const Ends& x) {
    if (!x.min || !x.max) return {Affine(0), std::nullopt};
    return {Affine(0), affine_extremum(false, -*x.min, *x.max, facts_)};
  }

  // ~x is -1 - x, of an unsigned type the greatest number less x.
  static Ends of_complement(const Ends& x, Type t) {
    const Affine all(t.is_uint() ? type_range(t).max : BigInt(-1));
    Ends r;
    if (x.max) r.min = all - *x.max;
    if (x.min) r.max = all - *x.min;
    return r;
  }

  Ends of_div(const Binary* b) {
    Ends x = of_expr(b->a);
    int64_t c = 0;
    if (is_int(b->b, &c) && c > 0) return divided(x, c);
    Ends y = of_expr(b->b);
    // By a y >= 1 that does not vary: the quotient rises with x.
    if (y.min && y.max && *y.min == *y.max && at_least_one(*y.min, facts_)) {
      auto divided = [&](const End& e) -> End {
        if (!e) return std::nullopt;
        return simplified(make_binary(BinaryOp::Div, e->to_expr(), y.min->to_expr()));
      };
      return {divided(x.min), divided(x.max)};
    }
    // By one that does: the quotient by a y >= 1 lies between x and 0.
    if (!y.min || !at_least_one(*y.min, facts_)) return {};
    auto outward = [&](bool is_min, const End& e) -> End {
      if (!e) return std::nullopt;
      return affine_extremum(is_min, *e, Affine(0), facts_);
    };
    return {outward(true, x.min), outward(false, x.max)};
  }

  Ends of_mod(const Binary* b) {
    Ends x = of_expr(b->a);
    int64_t c = 0;
    if (is_int(b->b, &c) && c != 0) {
      BigInt m = abs(BigInt(c));
      if (x.min && x.max) {
        // Without a wrap inside the interval the remainder rises with its argument.
        Affine lo = affine_of(make_binary(BinaryOp::Div, x.min->to_expr(), index_expr(m)), facts_);
        Affine hi = affine_of(make_binary(BinaryOp::Div, x.max->to_expr(), index_expr(m)), facts_);
        // A quotient that varies stays inside, where it does not lose sight of what it divides.
        if (lo == hi && lo.is_constant()) return {*x.min - lo.times(m), *x.max - lo.times(m)};
        if (lo == hi) {
          auto rest = [&](const Affine& e) {
            return affine_of(make_binary(BinaryOp::Mod, e.to_expr(), index_expr(m)), facts_);
          };
          return {rest(*x.min), rest(*x.max)};
        }
      }
      Ends r{Affine(0), Affine(m - BigInt(1))};
      if (x.min && x.max && is_nonnegative(*x.min, facts_)) {
        r.max = simplified(make_binary(BinaryOp::Min, x.max->to_expr(), r.max->to_expr()));
      }
      return r;
    }
    Ends y = of_expr(b->b);
    Ends r{Affine(0), std::nullopt};
    if (y.min && y.max && at_least_one(*y.min, facts_)) {
      r.max = *y.max - Affine(1);
    }
    return r;
  }

  Ends of_product(const Ends& x, const Ends& y) {
    auto sign_known = [&](const Ends& e) {
      if (e.min && is_nonnegative(*e.min, facts_)) return 1;
      if (e.max && is_nonnegative(-*e.max, facts_)) return -1;
      return 0;
    };
    auto is_one_value = [](const Ends& e) { return e.min && e.max && *e.min == *e.max; };
    auto times = [](const End& p, const End& q) -> End {
      if (!p || !q) return std::nullopt;
      return multiply(*p, *q);
    };
    // A factor that does not vary, of known sign.
    if (is_one_value(y)) {
      int s = sign_known(y);
      if (s > 0) return {times(x.min, y.min), times(x.max, y.min)};
      if (s < 0) return {times(x.max, y.min), times(x.min, y.min)};
    }
    if (is_one_value(x)) {
      int s = sign_known(x);
      if (s > 0) return {times(y.min, x.min), times(y.max, x.min)};
      if (s < 0) return {times(y.max, x.min), times(y.min, x.min)};
    }
    if (sign_known(x) > 0 && sign_known(y) > 0) return {times(x.min, y.min), times(x.max, y.max)};
    // The corners.
    if (!x.min || !x.max || !y.min || !y.max) return {};
    Expr corners[4] = {multiply(*x.min, *y.min).to_expr(), multiply(*x.min, *y.max).to_expr(),
                       multiply(*x.max, *y.min).to_expr(), multiply(*x.max, *y.max).to_expr()};
    Expr lo = corners[0], hi = corners[0];
    for (int i = 1; i < 4; i++) {
      lo = make_binary(BinaryOp::Min, lo, corners[i]);
      hi = make_binary(BinaryOp::Max, hi, corners[i]);
    }
    return {simplified(lo), simplified(hi)};
  }

  Ends of_select(const Expr& e) {
    const auto* s = e.as<Select>();
    Ends t = s->t.type().is_index() ? of_expr(s->t) : of_data(s->t);
    Ends f = s->t.type().is_index() ? of_expr(s->f) : of_data(s->f);
    return join(t, f);
  }

  Ends join(const Ends& x, const Ends& y) {
    auto both = [&](BinaryOp op, const End& p, const End& q) -> End {
      if (!p || !q) return std::nullopt;
      return affine_extremum(op == BinaryOp::Min, *p, *q, facts_);
    };
    return {both(BinaryOp::Min, x.min, y.min), both(BinaryOp::Max, x.max, y.max)};
  }

  // A data expression as the integer it is. Arithmetic that might wrap is bounded by its type.
  Ends of_data(const Expr& e) {
    Type t = e.type();
    if (t.is_index()) return of_expr(e);
    ConstRange whole = data_range(e, facts_);
    if (!t.is_integral() && !t.is_bool()) return {};
    Ends r;
    bool inside = !t.wraps() && t.is_integral();  // overflow is poison: no need to ask
    if (!varies(e)) {
      Expr v = make_cast(Type::index(), e);
      return {Affine::of_atom(v), Affine::of_atom(v)};
    }
    if (const auto* v = e.as<VarRef>(); v && v->sym == sym_) {
      r = range_;
      inside = true;
    } else if (const auto* c = e.as<Cast>()) {
      const Expr& a = c->a;
      if (a.type().is_index() && t.is_int() && t.bits >= 32) return of_expr(a);
      if (a.type().is_integral()) r = of_data(a);
      inside = false;
    } else if (e.kind() == ExprKind::Select) {
      r = of_select(e);
      inside = true;
    } else if (const auto* u = e.as<Unary>()) {
      if (u->op == UnaryOp::Neg) {
        Ends x = of_data(u->a);
        if (x.max) r.min = -*x.max;
        if (x.min) r.max = -*x.min;
      } else if (u->op == UnaryOp::Abs || u->op == UnaryOp::BitNot) {
        r = u->op == UnaryOp::Abs ? of_abs(of_data(u->a)) : of_complement(of_data(u->a), t);
        inside = inside || u->op == UnaryOp::BitNot;  // abs of -128 is -128 in 8 bits
      }
    } else if (const auto* b = e.as<Binary>(); b && !is_comparison(b->op)) {
      switch (b->op) {
        case BinaryOp::Add: {
          Ends x = of_data(b->a), y = of_data(b->b);
          add(x.min, y.min, 1);
          add(x.max, y.max, 1);
          r = x;
          break;
        }
        case BinaryOp::Sub: {
          Ends x = of_data(b->a), y = of_data(b->b);
          add(x.min, y.max, -1);
          add(x.max, y.min, -1);
          r = x;
          break;
        }
        case BinaryOp::Mul:
          r = of_product(of_data(b->a), of_data(b->b));
          break;
        case BinaryOp::Min:
        case BinaryOp::Max:
          r = of_extremum(b->op, of_data(b->a), of_data(b->b));
          inside = true;
          break;
        case BinaryOp::Div: {
          int64_t c = 0;
          if (is_int(b->b, &c) && c > 0) {
            r = divided(of_data(b->a), c);
            inside = true;
          }
          break;
        }
        case BinaryOp::Shr:
          if (const auto by = power(b->b)) r = divided(of_data(b->a), *by);
          inside = true;
          break;
        case BinaryOp::BitAnd:
          r = of_mask(b);
          inside = true;
          break;
        default:
          break;
      }
    }
    if (!inside) {
      // Only where both ends are seen to fit is there no wrap.
      ConstRange type = type_range(t);
      bool fits = r.min && r.max && is_nonnegative(*r.min - Affine(type.min), facts_) &&
                  is_nonnegative(Affine(type.max) - *r.max, facts_);
      if (!fits) r = Ends{};
    }
    within_type(t, whole, r);
    return r;
  }

  const Facts& facts_;
  Ends range_;
  Symbol sym_;
};

bool is_extremum(const Expr& e) {
  const auto* b = e.as<Binary>();
  return b && (b->op == BinaryOp::Min || b->op == BinaryOp::Max);
}

// lo + min(hi - lo - 7, 0) as min(hi - 7, lo), where `lo` is a min, a quotient or the like itself:
// apart, each would be bounded without the other.
Affine gathered(const Affine& a, const Facts& facts, int depth = 4) {
  if (depth == 0) return a;
  for (const Affine::Term& t : a.terms()) {
    if (!is_extremum(t.atom) || !(abs(t.coef) == BigInt(1))) continue;
    const auto* b = t.atom.as<Binary>();
    const Affine rest = a.without(t.atom);
    const auto with = [&](const Expr& side) {
      Affine whole = rest;
      whole.add(parse_affine(side), t.coef);
      return whole;
    };
    const Affine first = with(b->a), second = with(b->b);
    bool cancels = false;
    for (const Affine::Term& r : rest.terms())
      cancels = cancels ||
                (r.atom.kind() == ExprKind::Binary &&
                 (first.coefficient(r.atom).is_zero() || second.coefficient(r.atom).is_zero()));
    if (!cancels) continue;
    const bool is_min = (b->op == BinaryOp::Min) == (t.coef.sign() > 0);
    return affine_extremum(is_min, gathered(first, facts, depth - 1),
                           gathered(second, facts, depth - 1), facts);
  }
  return a;
}

// What of the varying symbols the expression names.
void collect(const Expr& e, const Ranges& ranges, std::vector<Symbol>& order,
             std::unordered_set<Symbol>& seen) {
  any_node(e, [&](const Expr& n) {
    const auto* v = n.as<VarRef>();
    if (!v) return false;
    auto it = ranges.find(v->sym);
    if (it == ranges.end() || !seen.insert(v->sym).second) return false;
    const Interval& r = it->second;
    // What its ends name comes later.
    std::vector<Symbol> inner;
    if (r.has_min()) collect(r.min, ranges, inner, seen);
    if (r.has_max()) collect(r.max, ranges, inner, seen);
    order.insert(order.end(), inner.begin(), inner.end());
    order.push_back(v->sym);
    return false;
  });
}

}  // namespace

Interval bounds_of(const Expr& given, const Ranges& ranges, const Facts& facts) {
  Type t = given.type();
  if ((!t.is_integral() && !t.is_bool()) || t.is_vector()) return Interval::everything();

  // Inside, the varying symbols are known to lie in their ranges as far as these are numbers.
  std::vector<Symbol> order;
  std::unordered_set<Symbol> seen;
  collect(given, ranges, order, seen);
  Facts wide = facts;
  wide.assume_coordinates_fit_32();
  bool data = reads_memory(given);
  if (order.empty() && !data) return Interval::point(affine_of(given, wide).to_expr());
  std::reverse(order.begin(), order.end());
  // Dependents first: a symbol goes before every one that its ends name.
  std::vector<Symbol> sorted;
  std::unordered_set<Symbol> left(order.begin(), order.end());
  while (!left.empty()) {
    size_t before = left.size();
    for (const Symbol& s : order) {
      if (!left.count(s)) continue;
      bool named = false;
      for (const Symbol& o : left) {
        if (o == s) continue;
        const Interval& r = ranges.at(o);
        named = named || (r.has_min() && mentions(r.min, s)) || (r.has_max() && mentions(r.max, s));
      }
      if (named) continue;
      sorted.push_back(s);
      left.erase(s);
    }
    if (left.size() == before) return Interval::everything();  // a cycle has no meaning
  }

  // Facts for simplification before elimination: the ranges themselves, outermost first.
  Facts inner = wide;
  for (auto it = sorted.rbegin(); it != sorted.rend(); ++it) {
    const Interval& r = ranges.at(*it);
    const Facts::Known* k = inner.find(*it);
    bool known = k && !k->lower.empty() && !k->upper.empty();
    if (!known) inner.bound(*it, r.min, r.max);
  }
  const Affine start = gathered(affine_of(given, inner), inner);
  Ends ends{start, start};
  if (start.is_constant()) return Interval::point(start.to_expr());

  std::vector<std::pair<Symbol, Ends>> ranged;
  if (data) ranged.emplace_back(Symbol(), Ends{});
  for (const Symbol& s : sorted) {
    const Interval& r = ranges.at(s);
    Ends e;
    if (r.has_min()) e.min = affine_of(r.min, wide);
    if (r.has_max()) e.max = affine_of(r.max, wide);
    ranged.emplace_back(s, std::move(e));
  }
  for (const auto& [s, range] : ranged) {
    Elimination out(wide, range, s);
    bool shared = ends.min && ends.max && *ends.min == *ends.max;
    if (shared) {
      ends = out.of(*ends.min);
      continue;
    }
    if (ends.min) ends.min = out.of(*ends.min).min;
    if (ends.max) ends.max = out.of(*ends.max).max;
  }
  Interval result;
  auto finish = [&](const End& e) -> Expr {
    if (!e) return {};
    return simplify(e->to_expr(), wide);
  };
  result.min = finish(ends.min);
  result.max = finish(ends.max);
  return result;
}

namespace {

// Of two ends that are simplified as they come.
Expr extreme(bool is_min, const Expr& a, const Expr& b, const Facts& facts) {
  if (same(a, b)) return a;
  return affine_extremum(is_min, parse_affine(a), parse_affine(b), facts).to_expr();
}

}  // namespace

Interval union_of(const Interval& a, const Interval& b, const Facts& facts) {
  Interval r;
  if (a.has_min() && b.has_min()) r.min = extreme(true, a.min, b.min, facts);
  if (a.has_max() && b.has_max()) r.max = extreme(false, a.max, b.max, facts);
  return r;
}

}  // namespace hocket::analysis
