// remove_loop(loop)
//   for i in seq(a, b): s   ->   s
//
// cut_loop(loop, point)
//   for i in seq(a, b): s   ->   for i in seq(a, p): s
//                                for i in seq(p, b): s
//
// parallelize(loop)   seq        ->   parallel
//
// vectorize(loop)     seq        ->   vectorize
//
// to_seq(loop)        any kind   ->   seq
//
// Conditions: remove_loop: s does not mention i, doing it twice is doing it once, and the loop runs
// at least once (b > a). cut_loop: a <= p <= b. parallelize, vectorize: no two iterations touch one
// element, one of them writing; vectorize: constant bounds. Elsewhere: the same names in Exo,
// parallel and vectorize in Halide and TVM; par_to_seq.
#include "analysis/simplify.h"
#include "rewrite/kernel/operators.h"

namespace hocket::rewrite {

using namespace ir;

Outcome remove_loop(Context& c) {
  HOCKET_TRY(Located at, c.loop("loop"));
  const auto* loop = at.stmt.as<For>();
  if (uses(loop->body, loop->var)) return c.cannot("the body uses `" + loop->var.name() + "`");
  const analysis::Scope scope = c.scope_before(c.proc(), at.stmt.id());
  std::vector<Claim> claims;
  claims.push_back({"`" + loop->var.name() + "` runs at least once",
                    c.dependence().runs_at_least_once(at.stmt, scope)});
  analysis::Scope inside = analysis::inside_loop(*loop, at.stmt, scope);
  claims.push_back({"the body may run once instead of several times",
                    c.dependence().idempotent(loop->body, inside)});
  ProcRef after = with_list(c.proc(), at.stmt.id(), [&](Body& list, size_t i) {
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(i));
    list.insert(list.begin() + static_cast<std::ptrdiff_t>(i), loop->body.begin(),
                loop->body.end());
  });
  return c.judge.accept(c.proc(), after, std::move(claims));
}

Outcome cut_loop(Context& c) {
  HOCKET_TRY(Located at, c.loop("loop"));
  HOCKET_TRY(Expr point, c.index("point", at));
  const auto* loop = at.stmt.as<For>();
  const analysis::Scope scope = c.scope_before(c.proc(), at.stmt.id());
  std::vector<Claim> claims;
  claims.push_back(
      {"the point lies between the bounds of `" + loop->var.name() + "`",
       c.dependence().holds(make_binary(BinaryOp::And, make_binary(BinaryOp::Le, loop->lo, point),
                                        make_binary(BinaryOp::Le, point, loop->hi)),
                            scope)});
  const Stmt first = edited<For>(at.stmt, [&](For& f) { f.hi = point; });
  const Symbol var =
      Symbol::derived(loop->var.name(), Type::index(), loop->var, "rest of", c.step.place);
  const Stmt second = make_for(var, point, loop->hi, loop->loop,
                               body_at(loop->body, loop->var, make_var(var), true), c.step.place);
  ProcRef after = with_list(c.proc(), at.stmt.id(), [&](Body& list, size_t i) {
    list[i] = first;
    list.insert(list.begin() + static_cast<std::ptrdiff_t>(i) + 1, second);
  });
  return c.judge.accept(c.proc(), after, std::move(claims));
}

namespace {

Outcome set_kind(Context& c, LoopKind kind, bool independent) {
  HOCKET_TRY(Located at, c.loop("loop"));
  const auto* loop = at.stmt.as<For>();
  const analysis::Scope scope = c.scope_before(c.proc(), at.stmt.id());
  if (kind == LoopKind::Vectorized && !is_int(analysis::simplify(loop->hi - loop->lo, scope.facts)))
    return c.cannot("the number of iterations of `" + loop->var.name() + "` is not a constant");
  std::vector<Claim> claims;
  if (independent)
    claims.push_back(
        {"iterations of `" + loop->var.name() + "` touch elements of their own",
         c.dependence().iterations_independent(at.stmt, scope, analysis::Reductions::None)});
  ProcRef after = with_list(c.proc(), at.stmt.id(), [&](Body& list, size_t i) {
    list[i] = edited<For>(at.stmt, [&](For& f) { f.loop = kind; });
  });
  return c.judge.accept(c.proc(), after, std::move(claims));
}

}  // namespace

Outcome parallelize(Context& c) {
  return set_kind(c, LoopKind::Parallel, true);
}
Outcome vectorize(Context& c) {
  return set_kind(c, LoopKind::Vectorized, true);
}
// In order is one of the orders that the other kinds allow.
Outcome to_seq(Context& c) {
  return set_kind(c, LoopKind::Seq, false);
}

}  // namespace hocket::rewrite
