#include "lower/loops/relax.h"

#include "analysis/bound_search.h"
#include "analysis/simplify.h"
#include "ir/equal.h"

namespace hocket::lower::loops {

using namespace ir;
using analysis::Affine;
using analysis::BigInt;
using analysis::Facts;

namespace {

const Binary* quotient(const Expr& atom) {
  const auto* b = atom.as<Binary>();
  return b && b->op == BinaryOp::Div && !is_int(b->b) ? b : nullptr;
}

Affine unrounded(const Affine& a);

// c * (z / c) <= z: what was rounded up to a multiple, without the rounding.
std::optional<Affine> without_rounding(const Affine::Term& t) {
  const auto* b = t.atom.as<Binary>();
  int64_t c = 0;
  const bool rounds = b && b->op == BinaryOp::Div && is_int(b->b, &c) && c > 0 &&
                      t.coef.sign() > 0 && support::floor_mod(t.coef, BigInt(c)).is_zero();
  if (!rounds) return std::nullopt;
  Affine out;
  out.add(analysis::parse_affine(b->a), support::floor_div(t.coef, BigInt(c)));
  return out;
}

// min(a, b) <= a, and <= b: the smaller one, where both are a number apart once the rounding is
// gone (a tile shifted inwards starts at the last but one multiple or a tile before the end).
std::optional<Affine> without_min(const Affine::Term& t) {
  const auto* b = t.atom.as<Binary>();
  if (!b || b->op != BinaryOp::Min || t.coef.sign() <= 0) return std::nullopt;
  const auto side = [&](const Expr& e) {
    Affine scaled;
    scaled.add(analysis::parse_affine(e), t.coef);
    return unrounded(scaled);
  };
  const Affine first = side(b->a), second = side(b->b);
  Affine apart = first;
  apart.add(second, BigInt(-1));
  if (!apart.is_constant()) return std::nullopt;
  return apart.constant().sign() <= 0 ? first : second;
}

// Something that is at least as much, in which less stands in the way of a quotient.
Affine unrounded(const Affine& a) {
  Affine out(a.constant());
  for (const Affine::Term& t : a.terms()) {
    std::optional<Affine> plain = without_rounding(t);
    if (!plain) plain = without_min(t);
    if (plain)
      out.add(*plain, BigInt(1));
    else
      out.add_term(t.atom, t.coef);
  }
  return out;
}

// The quotient by something that is at least 1 lies between its numerator and 0. Undefined where
// no number bounds the numerator.
std::optional<Affine> end_of(const Binary& q, bool lower, const Facts& facts) {
  const Affine n = analysis::parse_affine(q.a);
  const auto bound = lower ? analysis::lower_bound(n, facts, analysis::kPatientSteps)
                           : analysis::upper_bound(n, facts, analysis::kPatientSteps);
  if (!bound) return std::nullopt;
  return Affine(lower ? support::min(*bound, BigInt(0)) : support::max(*bound, BigInt(0)));
}

Expr relaxed_end(const Expr& e, bool lower, const Facts& facts);

// A quotient by what is at least 1, in a term that goes with it (down) or against it.
Affine near_quotient(const Binary& q, const Expr& atom, bool down, const Facts& facts) {
  Affine near = Affine::of_atom(atom);
  if (!down)
    near = analysis::affine_of(
        make_binary(BinaryOp::Div, unrounded(analysis::parse_affine(q.a)).to_expr(), q.b), facts);
  Affine sum(near.constant());
  for (const Affine::Term& u : near.terms()) {
    const Binary* rest = quotient(u.atom);
    const std::optional<Affine> end =
        rest && u.coef == BigInt(1) ? end_of(*rest, down, facts) : std::nullopt;
    sum.add(end ? *end : Affine::of_atom(u.atom), end ? BigInt(1) : u.coef);
  }
  return sum;
}

// What grows with its operands, with their ends in their place: min, max, and a quotient by a
// number above 0. Undefined for everything else.
Expr inside(const Expr& atom, bool lower, const Facts& facts) {
  const auto* b = atom.as<Binary>();
  int64_t c = 0;
  if (!b) return {};
  if (b->op == BinaryOp::Min || b->op == BinaryOp::Max)
    return make_binary(b->op, relaxed_end(b->a, lower, facts), relaxed_end(b->b, lower, facts));
  if (b->op == BinaryOp::Div && is_int(b->b, &c) && c > 0)
    return make_binary(BinaryOp::Div, relaxed_end(b->a, lower, facts), b->b);
  return {};
}

Expr relaxed_end(const Expr& e, bool lower, const Facts& facts) {
  const Affine form = analysis::parse_affine(e);
  Affine out(form.constant());
  bool changed = false;
  for (const Affine::Term& t : form.terms()) {
    const bool down = lower == (t.coef.sign() > 0);
    if (const Binary* q = quotient(t.atom)) {
      out.add(near_quotient(*q, t.atom, down, facts), t.coef);
      changed = true;
      continue;
    }
    const Expr near = inside(t.atom, down, facts);
    const bool other = near.defined() && !equal(near, t.atom);
    if (other)
      out.add(analysis::parse_affine(near), t.coef);
    else
      out.add_term(t.atom, t.coef);
    changed |= other;
  }
  return changed ? out.to_expr() : e;
}

}  // namespace

analysis::Interval relaxed(const analysis::Interval& iv, const Facts& facts) {
  analysis::Interval out = iv;
  if (out.has_min()) out.min = relaxed_end(out.min, true, facts);
  if (out.has_max()) out.max = relaxed_end(out.max, false, facts);
  return out;
}

}  // namespace hocket::lower::loops
