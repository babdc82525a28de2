#include "lower/loops/relax.h"

#include "analysis/bound_search.h"
#include "analysis/simplify.h"

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

// c * (z / c) <= z: what was rounded up to a multiple, without the rounding.
Affine unrounded(const Affine& a) {
  Affine out(a.constant());
  for (const Affine::Term& t : a.terms()) {
    const auto* b = t.atom.as<Binary>();
    int64_t c = 0;
    const bool rounds = b && b->op == BinaryOp::Div && is_int(b->b, &c) && c > 0 &&
                        t.coef.sign() > 0 && support::floor_mod(t.coef, BigInt(c)).is_zero();
    if (rounds) {
      out.add(analysis::parse_affine(b->a), support::floor_div(t.coef, BigInt(c)));
    } else {
      out.add_term(t.atom, t.coef);
    }
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

Expr relaxed_end(const Expr& e, bool lower, const Facts& facts) {
  const Affine form = analysis::parse_affine(e);
  Affine out(form.constant());
  bool changed = false;
  for (const Affine::Term& t : form.terms()) {
    const Binary* q = quotient(t.atom);
    if (!q) {
      out.add_term(t.atom, t.coef);
      continue;
    }
    const bool down = lower == (t.coef.sign() > 0);
    Affine near = Affine::of_atom(t.atom);
    if (!down)
      near = analysis::affine_of(
          make_binary(BinaryOp::Div, unrounded(analysis::parse_affine(q->a)).to_expr(), q->b),
          facts);
    Affine sum(near.constant());
    for (const Affine::Term& u : near.terms()) {
      const Binary* rest = quotient(u.atom);
      const std::optional<Affine> end =
          rest && u.coef == BigInt(1) ? end_of(*rest, down, facts) : std::nullopt;
      sum.add(end ? *end : Affine::of_atom(u.atom), end ? BigInt(1) : u.coef);
    }
    out.add(sum, t.coef);
    changed = true;
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
