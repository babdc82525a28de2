// Quotients and remainders by a divisor that is no number, as fused loops make them: in `t / w` and
// `t % w` the divisor is the extent of the loop inside.
//
// (q * w + r) / w = q + r / w and (q * w + r) % w = r % w; what is left over is -1, 0 or a
// division. The quotient needs w /= 0, which only a w of at least 1 shows. In: simplified forms.
// Called by: simplify_affine.cpp.
#include <algorithm>

#include "analysis/bound_search.h"
#include "analysis/factors.h"
#include "analysis/order.h"
#include "analysis/simplify_impl.h"

namespace hocket::analysis {

using namespace ir;

namespace {

// term / divisor where that is whole: every factor of the divisor is one of the term.
std::optional<Affine> quotient(const Affine::Term& term, const Affine::Term& divisor) {
  if (!divides(divisor.coef, term.coef)) return std::nullopt;
  std::vector<Expr> left, gone;
  factors_of(term.atom, left);
  factors_of(divisor.atom, gone);
  for (const Expr& g : gone) {
    auto it = std::find_if(left.begin(), left.end(), [&](const Expr& e) { return same(e, g); });
    if (it == left.end()) return std::nullopt;
    left.erase(it);
  }
  const BigInt coef = floor_div(term.coef, divisor.coef);
  if (left.empty()) return Affine(coef);
  Expr product = left[0];
  for (size_t i = 1; i < left.size(); ++i) product = product * left[i];
  return Affine::of_atom(product, coef);
}

}  // namespace

bool at_least_one(const Affine& a, const Facts& facts) {
  if (a.terms().size() == 1 && a.constant().is_zero() && a.terms()[0].coef.sign() > 0) {
    std::vector<Expr> factors;
    factors_of(a.terms()[0].atom, factors);
    if (factors.size() > 1)
      return std::all_of(factors.begin(), factors.end(),
                         [&](const Expr& f) { return at_least_one(parse_affine(f), facts); });
  }
  return is_nonnegative(a - Affine(1), facts);
}

Affine Simplifier::Impl::by_form(bool quotient_wanted, const Affine& x, const Affine& y) {
  Affine whole, rest(x.constant());
  const bool product = y.terms().size() == 1 && y.constant().is_zero();
  for (const Affine::Term& t : x.terms()) {
    const std::optional<Affine> q = product ? quotient(t, y.terms()[0]) : std::nullopt;
    if (q) {
      whole.add(*q);
    } else {
      rest.add_term(t.atom, t.coef);
    }
  }
  const auto kept = [&](const Affine& a) {
    return Affine::of_atom(
        make_binary(quotient_wanted ? BinaryOp::Div : BinaryOp::Mod, a.to_expr(), y.to_expr()));
  };
  if (whole == x) rest = Affine(0);
  const bool opened = !(rest == x);
  // Only a numerator of which something left or that is a number is worth the proofs.
  if (!opened && !rest.is_constant()) return kept(x);
  if (!at_least_one(y, facts_)) return kept(x);
  // One whole divisor below or above 0 at most.
  if (is_nonnegative(rest, facts_)) {
    if (is_nonnegative(y - rest - Affine(1), facts_)) return quotient_wanted ? whole : rest;
  } else if (is_nonnegative(rest + y, facts_) && is_nonnegative(-rest - Affine(1), facts_)) {
    return quotient_wanted ? whole.add_constant(-1) : rest + y;
  }
  return quotient_wanted ? whole.add(kept(rest)) : kept(rest);
}

}  // namespace hocket::analysis
