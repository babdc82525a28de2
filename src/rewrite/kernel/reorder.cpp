// reorder(outer, inner)
//
//   for i in seq(a, b):              for j in seq(c, d):
//     for j in seq(c, d): s    ->      for i in seq(a, b): s
//
// Conditions: the loop j is all that i holds and its bounds do not mention i; no two iterations
// whose order changes touch one element, one of them writing (reductions change places only where
// that keeps every bit, or where `allow(reassociation)` was said, of every buffer). Elsewhere:
// reorder_loops (Exo), reorder (Halide, TVM), loop interchange.
#include "diag/kinds_rewrite.h"
#include "rewrite/kernel/operators.h"

namespace hocket::rewrite {

using namespace ir;

Outcome reorder(Context& c) {
  HOCKET_TRY(Located at, c.loop("outer"));
  const auto* outer = at.stmt.as<For>();
  const Stmt inner_stmt = outer->body.size() == 1 ? outer->body[0] : Stmt();
  const auto* inner = inner_stmt.as<For>();
  if (!inner)
    return c.cannot("`" + outer->var.name() + "` holds " +
                    (outer->body.size() == 1 ? "`" + spoken(outer->body[0]) + "`"
                                             : std::to_string(outer->body.size()) + " statements") +
                    ", not one loop alone");
  HOCKET_TRY(std::string wanted, c.text("inner"));
  const auto not_inside = [&] {
    return c.cannot("the loop inside `" + outer->var.name() + "` is `" + inner->var.name() +
                    "`, not `" + wanted + "`");
  };
  if (wanted != inner->var.name() && wanted != "_") {
    auto found = c.loop("inner");
    if (!found.ok() && found.error().is(diag::kind::nothing_matches)) return not_inside();
    HOCKET_TRY(Located named, std::move(found));
    if (named.stmt.id() != inner_stmt.id()) return not_inside();
  }
  if (uses(inner->lo, outer->var) || uses(inner->hi, outer->var))
    return c.cannot("the bounds of `" + inner->var.name() + "` depend on `" + outer->var.name() +
                    "`");
  const analysis::Scope scope = c.scope_before(c.proc(), at.stmt.id());
  const auto reductions = c.state.allowed("reassociation", "_") ? analysis::Reductions::All
                                                                : analysis::Reductions::Exact;
  Claim claim{
      "iterations of `" + outer->var.name() + "` and `" + inner->var.name() + "` may change places",
      c.dependence().can_interchange(at.stmt, scope, reductions)};
  const Stmt new_inner = edited<For>(at.stmt, [&](For& f) { f.body = inner->body; });
  const Stmt new_outer = edited<For>(inner_stmt, [&](For& f) { f.body = {new_inner}; });
  ProcRef after =
      with_list(c.proc(), at.stmt.id(), [&](Body& list, size_t i) { list[i] = new_outer; });
  const bool keeps_every_bit = claim.answer.proved();
  std::vector<Claim> claims{std::move(claim)};
  // A loop whose iterations run at the same time is now around, or inside, another one.
  std::vector<Stmt> around = at.parents;
  around.push_back(at.stmt);
  around.push_back(inner_stmt);
  claim_no_races(c, after, around, claims);
  Outcome outcome = c.judge.accept(c.proc(), after, std::move(claims));
  if (outcome.ok() || keeps_every_bit || reductions == analysis::Reductions::All) return outcome;
  // Whether the order of a reduction is all that stands in the way.
  std::vector<Claim> allowed{
      {"", c.dependence().can_interchange(at.stmt, scope, analysis::Reductions::All)}};
  claim_no_races(c, after, around, allowed);
  for (const Claim& other : allowed)
    if (!other.answer.proved()) return outcome;
  diag::Diagnostic refused = outcome.error();
  refused
      .note(
          "the order of the reduction changes, which shows where not every order gives the same "
          "bits")
      .help("allow(reassociation)");
  return refused;
}

}  // namespace hocket::rewrite
