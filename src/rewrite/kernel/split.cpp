// split(loop, factor, [outer, inner], tail=guard)
//
//   for i in seq(0, n): s   ->   for io in seq(0, n / 8):        tail=cut
//                                  for ii in seq(0, 8): s[i = 8 * io + ii]
//                                for ii in seq(0, n % 8): s[i = 8 * (n / 8) + ii]
//   tail=guard           (n + 7) / 8 outer iterations, s under `if 8 * io + ii < n`
//   tail=short           (n + 7) / 8 outer iterations, min(8, n - 8 * io) inner ones
//   tail=cut_and_guard   cut, the rest under `if n % 8 > 0`
//   tail=perfect         no rest; 8 divides n
//
// Conditions: the factor is at least 1; perfect: n % factor == 0 is proved. The order of iterations
// stays. Elsewhere: divide_loop (Exo), split (Halide, TVM), strip-mining.
#include "analysis/prove.h"
#include "analysis/simplify.h"
#include "diag/kinds_rewrite.h"
#include "rewrite/kernel/operators.h"

namespace hocket::rewrite {

using namespace ir;

Outcome split(Context& c) {
  HOCKET_TRY(Located at, c.loop("loop"));
  HOCKET_TRY(int64_t factor, c.number("factor"));
  HOCKET_TRY(std::vector<std::string> names, c.names("names", 2));
  if (names[0] == names[1]) return c.bad_args("the two loops need two names");
  if (c.flag("perfect") && c.has("tail")) return c.bad_args("`perfect` is a tail of its own");
  const std::string tail = c.flag("perfect") ? "perfect" : c.text_or("tail", "guard");
  const auto* loop = at.stmt.as<For>();
  constexpr int64_t most = int64_t{1} << 31;
  if (factor < 1 || factor > most)
    return diag::Diagnostic(diag::kind::split_factor, c.step.place)
        .arg("loop", loop->var.name())
        .arg("factor", factor)
        .arg("most", most);
  if (tail != "guard" && tail != "cut" && tail != "cut_and_guard" && tail != "short" &&
      tail != "perfect")
    return c.bad_args("`tail` is guard, cut, cut_and_guard, short or perfect");

  const analysis::Scope scope = c.scope_before(c.proc(), at.stmt.id());
  const Expr f = make_index(factor), zero = make_index(0), one = make_index(1);
  auto simple = [&](const Expr& e) { return analysis::simplify(e, scope.facts); };
  Expr n = simple(loop->hi - loop->lo);
  // Euclidean remainders of a negative count would be iterations that were not there.
  if (!analysis::can_prove(make_binary(BinaryOp::Ge, n, zero), scope.facts))
    n = make_binary(BinaryOp::Max, n, zero);

  const support::Place& place = c.step.place;
  const Symbol outer = Symbol::derived(names[0], Type::index(), loop->var, "outer half of", place);
  const Symbol inner = Symbol::derived(names[1], Type::index(), loop->var, "inner half of", place);
  const Expr io = make_var(outer), ii = make_var(inner);
  auto from_lo = [&](const Expr& e) { return is_int_equal(loop->lo, 0) ? e : loop->lo + e; };
  const Expr point = f * io + ii;

  const LoopKind kind = loop->loop;
  const LoopKind outer_kind =
      kind == LoopKind::Vectorized || kind == LoopKind::Unrolled ? LoopKind::Seq : kind;
  const LoopKind inner_kind = kind == LoopKind::Parallel ? LoopKind::Seq : kind;

  std::vector<Claim> claims;
  Body body = body_at(loop->body, loop->var, from_lo(point), false);
  Expr outer_extent = simple((n + make_index(factor - 1)) / f), inner_extent = f;
  if (tail == "guard") {
    body = {make_if(make_binary(BinaryOp::Lt, point, n), std::move(body), {}, place)};
  } else if (tail == "short") {
    inner_extent = make_binary(BinaryOp::Min, f, n - f * io);
  } else {
    outer_extent = simple(n / f);
  }
  if (tail == "perfect")
    claims.push_back(
        {"`" + loop->var.name() + "` runs a multiple of " + std::to_string(factor) + " times",
         c.dependence().holds(make_binary(BinaryOp::Eq, n % f, zero), scope)});

  const Stmt inner_loop = make_for(inner, zero, inner_extent, inner_kind, std::move(body), place);
  Body out{edited<For>(at.stmt, [&](For& l) {
    l.var = outer;
    l.lo = zero;
    l.hi = outer_extent;
    l.loop = outer_kind;
    l.body = {inner_loop};
  })};
  if (tail == "cut" || tail == "cut_and_guard") {
    const Symbol rest = Symbol::derived(names[1], Type::index(), loop->var, "rest of", place);
    const Expr rest_extent = simple(n % f);
    Stmt s = make_for(
        rest, zero, rest_extent, inner_kind,
        body_at(loop->body, loop->var, from_lo(simple(f * (n / f)) + make_var(rest)), true), place);
    if (tail == "cut_and_guard")
      s = make_if(make_binary(BinaryOp::Gt, rest_extent, zero), {s}, {}, place);
    // Nothing is left where the prover sees that the factor divides.
    if (!is_int_equal(rest_extent, 0)) out.push_back(s);
  }
  ProcRef after = with_list(c.proc(), at.stmt.id(), [&](Body& list, size_t i) {
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(i));
    list.insert(list.begin() + static_cast<std::ptrdiff_t>(i), out.begin(), out.end());
  });
  if (kind == LoopKind::Vectorized) claim_no_races(c, after, at.parents, claims);
  return c.judge.accept(c.proc(), after, std::move(claims));
}

}  // namespace hocket::rewrite
