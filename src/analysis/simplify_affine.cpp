// Integers as affine forms: divisions, remainders, mins and maxs with what is known of their parts.
#include <algorithm>

#include "analysis/bound_search.h"
#include "analysis/order.h"
#include "analysis/simplify_impl.h"
#include "ir/semantics.h"

namespace hocket::analysis {

using namespace ir;

namespace {

// Whether arithmetic of this type may be read over the unbounded integers: its overflow is poison.
bool unbounded(Type t) {
  return t.is_index() || (t.is_int() && t.bits >= 32);
}

bool shared(const Expr& e) {
  return e.get()->use_count() > 1;
}

Expr extremum_expr(bool is_min, const std::vector<Affine>& sides) {
  Expr r;
  for (const Affine& s : sides) {
    Expr e = s.to_expr();
    r = r.defined() ? make_binary(is_min ? BinaryOp::Min : BinaryOp::Max, r, e) : e;
  }
  return r;
}

// The sides of a min or max atom, nested ones of the same kind opened.
void sides_of(const Expr& e, BinaryOp op, std::vector<Affine>& out) {
  const auto* b = e.as<Binary>();
  if (b && b->op == op) {
    sides_of(b->a, op, out);
    sides_of(b->b, op, out);
  } else {
    out.push_back(parse_affine(e));
  }
}

BinaryOp extremum_op(const Expr& atom) {
  const auto* b = atom.as<Binary>();
  if (b && (b->op == BinaryOp::Min || b->op == BinaryOp::Max)) return b->op;
  return BinaryOp::Add;  // none
}

}  // namespace

Affine Simplifier::Impl::open(const Expr& e) {
  if (e.kind() == ExprKind::IntImm || e.kind() == ExprKind::VarRef || !shared(e)) {
    return open_uncached(e);
  }
  if (auto it = forms_.find(e.get()); it != forms_.end()) return it->second.second;
  Affine a = open_uncached(e);
  forms_.emplace(e.get(), std::make_pair(e, a));
  return a;
}

Affine Simplifier::Impl::atom_of_data(const Expr& e) {
  Expr v = simplify(e);
  int64_t c = 0;
  if (is_int(v, &c) && !(v.type().is_uint() && v.type().bits == 64 && c < 0)) return Affine(c);
  ConstRange r = data_range(v, facts_);
  if (r.min == r.max && r.min.fits_int64()) return Affine(r.min);
  return Affine::of_atom(make_cast(Type::index(), v));
}

Affine Simplifier::Impl::open_uncached(const Expr& e) {
  Type t = e.type();
  switch (e.kind()) {
    case ExprKind::IntImm: {
      int64_t v = e.as<IntImm>()->value;
      if (t.is_uint() && t.bits == 64) return v < 0 ? atom_of_data(e) : Affine(v);
      return Affine(v);
    }
    case ExprKind::VarRef:
      if (!t.is_index()) return atom_of_data(e);
      if (const Facts::Known* k = facts_.find(e.as<VarRef>()->sym)) {
        // A loop of one iteration, a size that is asserted to be a number.
        for (const Affine& lo : k->lower) {
          if (!lo.is_constant()) continue;
          for (const Affine& hi : k->upper) {
            if (hi.is_constant() && hi.constant() == lo.constant()) return lo;
          }
        }
        if (k->value && k->value->is_constant()) return *k->value;
      }
      return Affine::of_atom(e);
    case ExprKind::Unary:
      if (unbounded(t) && e.as<Unary>()->op == UnaryOp::Neg) return -open(e.as<Unary>()->a);
      break;
    case ExprKind::Binary: {
      if (!unbounded(t)) break;
      const auto* b = e.as<Binary>();
      switch (b->op) {
        case BinaryOp::Add:
          return open(b->a).add(open(b->b));
        case BinaryOp::Sub:
          return open(b->a).add(open(b->b), -1);
        case BinaryOp::Mul:
          return multiply(normal(open(b->a)), normal(open(b->b)));
        case BinaryOp::Div:
        case BinaryOp::Mod: {
          bool div = b->op == BinaryOp::Div;
          Affine x = affine(b->a), y = affine(b->b);
          if (y.is_constant()) {
            const BigInt& c = y.constant();
            if (c.is_zero()) return Affine(0);
            // x = (-c) * q + r with 0 <= r < c: the quotient changes its sign, the rest does not.
            if (!div) return remainder(std::move(x), abs(c));
            return c.sign() > 0 ? divide(std::move(x), c) : -divide(std::move(x), abs(c));
          }
          if (x.is_constant() && x.constant().is_zero()) return Affine(0);
          return by_form(div, x, y);
        }
        case BinaryOp::Min:
        case BinaryOp::Max: {
          Affine x = affine(b->a);
          return extremum_of(b->op == BinaryOp::Min, x, affine(b->b));
        }
        default:
          break;
      }
      break;
    }
    case ExprKind::Select: {
      if (!t.is_index()) break;
      const auto* s = e.as<Select>();
      Expr cond = simplify(s->cond);
      int64_t truth = 0;
      if (is_int(cond, &truth)) return open(truth ? s->t : s->f);
      Affine x = affine(s->t), y = affine(s->f);
      if (x == y) return x;
      if (const auto* n = cond.as<Unary>(); n && n->op == UnaryOp::Not) {
        return Affine::of_atom(make_select(n->a, y.to_expr(), x.to_expr()));
      }
      return Affine::of_atom(make_select(cond, x.to_expr(), y.to_expr()));
    }
    case ExprKind::Cast: {
      const Expr& a = e.as<Cast>()->a;
      bool from_integer = a.type().is_integral();
      if (t.is_index()) {
        if (a.type().is_int()) return open(a);
        if (from_integer || a.type().is_bool()) return atom_of_data(a);
        break;
      }
      if (unbounded(t) && from_integer) {
        if (t.bits == 32 && a.type().is_index() && facts_.coordinates_fit_32()) return open(a);
        ConstRange have = data_range(a, facts_), want = type_range(t);
        if (want.min <= have.min && have.max <= want.max) return open(a);
      }
      break;
    }
    default:
      break;
  }
  if (!t.is_index()) return atom_of_data(e);
  Expr v = visit(e);
  int64_t c = 0;
  if (is_int(v, &c)) return Affine(c);
  return Affine::of_atom(v);
}

Affine Simplifier::Impl::divide(Affine a, const BigInt& c) {
  if (c == BigInt(1)) return a;
  // Multiples of c leave the division; the constant leaves but for its remainder.
  Affine whole(floor_div(a.constant(), c)), rest(floor_mod(a.constant(), c));
  for (const Affine::Term& t : a.terms()) {
    if (divides(c, t.coef)) {
      whole.add_term(t.atom, floor_div(t.coef, c));
    } else {
      rest.add_term(t.atom, t.coef);
    }
  }
  if (rest.is_constant()) return whole;
  // (g * x + k) / (g * d) = (x + k / g) / d
  BigInt divisor = c;
  BigInt g = gcd(rest.content(), divisor);
  if (!(g == BigInt(1))) {
    Affine smaller(floor_div(rest.constant(), g));
    for (const Affine::Term& t : rest.terms()) smaller.add_term(t.atom, floor_div(t.coef, g));
    rest = std::move(smaller);
    divisor = floor_div(divisor, g);
    if (divisor == BigInt(1)) return whole.add(rest);
  }
  // Known to lie between two multiples: the quotient is known.
  if (auto lo = lower_bound(rest, facts_)) {
    if (auto hi = upper_bound(rest, facts_)) {
      BigInt q = floor_div(*lo, divisor);
      if (q == floor_div(*hi, divisor)) return whole.add_constant(q);
    }
  }
  // (x / m + k) / d = (x + k * m) / (m * d)
  if (rest.terms().size() == 1 && rest.terms()[0].coef == BigInt(1)) {
    const auto* inner = rest.terms()[0].atom.as<Binary>();
    int64_t m = 0;
    if (inner && inner->op == BinaryOp::Div && is_int(inner->b, &m) && m > 0) {
      Affine x = parse_affine(inner->a);
      x.add_constant(rest.constant() * BigInt(m));
      return whole.add(divide(std::move(x), divisor * BigInt(m)));
    }
  }
  Expr atom = make_binary(BinaryOp::Div, rest.to_expr(), index_expr(divisor));
  whole.add_term(atom, 1);
  return whole;
}

Affine Simplifier::Impl::remainder(Affine a, const BigInt& c) {
  if (c == BigInt(1)) return Affine(0);
  Affine rest(floor_mod(a.constant(), c));
  for (const Affine::Term& t : a.terms()) {
    if (divides(c, t.coef)) continue;
    // (x % m) % c = x % c where c divides m; the multiple of x that stays is taken modulo c.
    const auto* inner = t.atom.as<Binary>();
    int64_t m = 0;
    if (inner && inner->op == BinaryOp::Mod && is_int(inner->b, &m) && m > 0 &&
        divides(c, BigInt(m))) {
      Affine x = parse_affine(inner->a);
      Affine again = x.times(t.coef);
      rest.add_constant(again.constant());
      for (const Affine::Term& u : again.terms()) {
        if (!divides(c, u.coef)) rest.add_term(u.atom, u.coef);
      }
      continue;
    }
    rest.add_term(t.atom, t.coef);
  }
  rest.add_constant(floor_mod(rest.constant(), c) - rest.constant());
  Affine kept(rest.constant());
  for (const Affine::Term& t : rest.terms()) {
    if (!divides(c, t.coef)) kept.add_term(t.atom, t.coef);
  }
  rest = std::move(kept);
  if (rest.is_constant()) return rest;
  if (auto lo = lower_bound(rest, facts_)) {
    if (auto hi = upper_bound(rest, facts_)) {
      BigInt q = floor_div(*lo, c);
      if (q == floor_div(*hi, c)) return rest.add_constant(-(q * c));
    }
  }
  // (g * x + k) % (g * d) = g * ((x + k / g) % d) + k % g
  BigInt g = gcd(rest.content(), c);
  if (!(g == BigInt(1))) {
    Affine x(floor_div(rest.constant(), g));
    for (const Affine::Term& t : rest.terms()) x.add_term(t.atom, floor_div(t.coef, g));
    return remainder(std::move(x), floor_div(c, g))
        .times(g)
        .add_constant(floor_mod(rest.constant(), g));
  }
  return Affine::of_atom(make_binary(BinaryOp::Mod, rest.to_expr(), index_expr(c)));
}

Affine Simplifier::Impl::extremum_of(bool is_min, const Affine& a, const Affine& b) {
  BinaryOp op = is_min ? BinaryOp::Min : BinaryOp::Max;
  std::vector<Affine> sides;
  for (const Affine* side : {&a, &b}) {
    bool nested = side->terms().size() == 1 && side->terms()[0].coef == BigInt(1) &&
                  side->constant().is_zero() && extremum_op(side->terms()[0].atom) == op;
    if (nested) {
      sides_of(side->terms()[0].atom, op, sides);
    } else {
      sides.push_back(*side);
    }
  }
  return extremum(is_min, sides);
}

Affine Simplifier::Impl::extremum(bool is_min, const std::vector<Affine>& given) {
  // x goes where another side is never on the wrong side of it.
  std::vector<Affine> sides;
  auto no_use = [&](const Affine& x, const Affine& other) {
    return is_nonnegative(is_min ? x - other : other - x, facts_);
  };
  for (const Affine& x : given) {
    bool drop = false;
    if (given.size() <= 8) {
      for (const Affine& other : sides) drop = drop || no_use(x, other);
      if (!drop) {
        std::erase_if(sides, [&](const Affine& other) { return no_use(other, x); });
      }
    } else {
      drop = std::find(sides.begin(), sides.end(), x) != sides.end();
    }
    if (!drop) sides.push_back(x);
  }
  if (sides.size() == 1) return sides[0];
  std::stable_sort(sides.begin(), sides.end(),
                   [](const Affine& x, const Affine& y) { return compare(x, y) < 0; });
  return Affine::of_atom(extremum_expr(is_min, sides));
}

// q * (c * (x / c) + x % c) = q * x
bool Simplifier::Impl::join_div_mod(Affine& a) {
  for (const Affine::Term& d : a.terms()) {
    const auto* div = d.atom.as<Binary>();
    int64_t c = 0;
    if (!div || div->op != BinaryOp::Div || !is_int(div->b, &c) || c <= 0) continue;
    if (!divides(BigInt(c), d.coef)) continue;
    BigInt q = floor_div(d.coef, BigInt(c));
    // With its remainder, a whole ...
    for (const Affine::Term& m : a.terms()) {
      const auto* mod = m.atom.as<Binary>();
      if (!mod || mod->op != BinaryOp::Mod || !(m.coef == q)) continue;
      if (!same(mod->a, div->a) || !same(mod->b, div->b)) continue;
      Affine r = a.without(d.atom).without(m.atom);
      r.add(parse_affine(div->a), q);
      a = std::move(r);
      return true;
    }
    // ... and taken from the whole, its remainder.
    Affine x = parse_affine(div->a);
    if (x.is_constant()) continue;
    bool all = std::all_of(x.terms().begin(), x.terms().end(), [&](const Affine::Term& t) {
      return a.coefficient(t.atom) == -(t.coef * q);
    });
    if (!all) continue;
    Affine r = a.without(d.atom);
    r.add(x, q);
    r.add(remainder(x, c), -q);
    a = std::move(r);
    return true;
  }
  return false;
}

// k * min(a + d, b + d) - k * min(a, b) = k * d
bool Simplifier::Impl::cancel_extrema(Affine& a) {
  const auto& terms = a.terms();
  for (size_t i = 0; i < terms.size(); i++) {
    BinaryOp op = extremum_op(terms[i].atom);
    if (op == BinaryOp::Add) continue;
    for (size_t j = i + 1; j < terms.size(); j++) {
      if (extremum_op(terms[j].atom) != op || !(terms[i].coef == -terms[j].coef)) continue;
      std::vector<Affine> x, y;
      sides_of(terms[i].atom, op, x);
      sides_of(terms[j].atom, op, y);
      if (x.size() != y.size()) continue;
      // Each side of one has a partner in the other at the same distance.
      for (const Affine& partner : y) {
        Affine d = x[0] - partner;
        std::vector<Affine> left = y;
        bool all = true;
        for (const Affine& side : x) {
          auto it = std::find(left.begin(), left.end(), side - d);
          if (it == left.end()) {
            all = false;
            break;
          }
          left.erase(it);
        }
        if (!all) continue;
        BigInt k = terms[i].coef;
        Expr first = terms[i].atom, second = terms[j].atom;
        Affine r = a.without(first).without(second);
        r.add(d, k);
        a = std::move(r);
        return true;
      }
    }
  }
  return false;
}

// min(x + a, b) - x = min(a, b - x), where that has fewer terms.
bool Simplifier::Impl::push_into_extremum(Affine& a) {
  for (const Affine::Term& t : a.terms()) {
    BinaryOp op = extremum_op(t.atom);
    if (op == BinaryOp::Add) continue;
    if (!(abs(t.coef) == BigInt(1))) continue;
    Affine rest = a.without(t.atom);
    if (rest.is_constant()) continue;
    std::vector<Affine> sides;
    sides_of(t.atom, op, sides);
    size_t before = rest.terms().size(), after = 0;
    for (Affine& s : sides) {
      before += s.terms().size();
      Affine whole = rest;
      whole.add(s, t.coef);
      s = std::move(whole);
      after += s.terms().size();
    }
    if (after >= before) continue;
    bool is_min = (op == BinaryOp::Min) == (t.coef.sign() > 0);
    for (Affine& s : sides) s = normal(std::move(s));
    a = extremum(is_min, sides);
    return true;
  }
  return false;
}

Affine Simplifier::Impl::normal(Affine a) {
  if (a.terms().size() < 2) return a;
  bool compound = std::any_of(a.terms().begin(), a.terms().end(), [](const Affine::Term& t) {
    return t.atom.kind() == ExprKind::Binary;
  });
  if (!compound) return a;
  while (join_div_mod(a) || cancel_extrema(a) || push_into_extremum(a)) {
  }
  return a;
}

Expr Simplifier::Impl::compare_integers(const Expr& whole, BinaryOp op, const Expr& a,
                                        const Expr& b) {
  // Every comparison as `form >= 0` or `form == 0`.
  Affine d;
  bool equality = op == BinaryOp::Eq || op == BinaryOp::Ne;
  Affine x = open(a), y = open(b);
  switch (op) {
    case BinaryOp::Lt:
      d = (y - x).add_constant(-1);
      break;
    case BinaryOp::Gt:
      d = (x - y).add_constant(-1);
      break;
    case BinaryOp::Ge:
      d = x - y;
      break;
    default:
      d = y - x;
      break;
  }
  d = normal(std::move(d));
  auto lo = lower_bound(d, facts_), hi = upper_bound(d, facts_);
  if (equality) {
    bool never = (lo && lo->sign() > 0) || (hi && hi->sign() < 0);
    bool always = lo && hi && lo->is_zero() && hi->is_zero();
    BigInt g = d.content();
    if (!d.is_constant() && !divides(g, d.constant())) never = true;
    if (never || always) return make_bool((op == BinaryOp::Eq) == always);
  } else {
    if (lo && lo->sign() >= 0) return make_bool(true);
    if (hi && hi->sign() < 0) return make_bool(false);
  }
  if (!a.type().is_index()) return {};  // data comparisons keep their types
  // Divided by what the coefficients share; what is taken away goes to the other side.
  BigInt g = d.content();
  if (!(g == BigInt(1))) {
    Affine smaller(floor_div(d.constant(), g));
    for (const Affine::Term& t : d.terms()) smaller.add_term(t.atom, floor_div(t.coef, g));
    d = std::move(smaller);
  }
  Affine plus, minus;
  for (const Affine::Term& t : d.terms()) {
    if (t.coef.sign() > 0) {
      plus.add_term(t.atom, t.coef);
    } else {
      minus.add_term(t.atom, -t.coef);
    }
  }
  BigInt k = d.constant();
  BinaryOp result = equality ? op : BinaryOp::Le;
  if (equality) {
    // One spelling for x == y and y == x.
    int c = compare(plus, minus);
    if (c > 0) {
      std::swap(plus, minus);
      k = -k;
    }
    // plus + k == minus
    if (minus.is_constant()) {
      minus.add_constant(-k);
    } else {
      (k.sign() >= 0 ? plus : minus).add_constant(abs(k));
    }
    Expr r = make_binary(result, plus.to_expr(), minus.to_expr());
    return same(r, whole) ? whole : r;
  }
  // minus <= plus + k
  if (minus.is_constant() && !(k == BigInt(-1))) {
    minus.add_constant(-k);
  } else if (plus.is_constant() || k.sign() >= 0) {
    plus.add_constant(k);
  } else {
    result = BinaryOp::Lt;
    plus.add_constant(k + BigInt(1));
  }
  Expr r = make_binary(result, minus.to_expr(), plus.to_expr());
  return same(r, whole) ? whole : r;
}

}  // namespace hocket::analysis
