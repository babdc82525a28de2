// cut_loop(loop, point)
//
//   for i in seq(a, b): s   ->   for i in seq(a, p): s
//                                for i in seq(p, b): s
//
// Conditions: a <= p <= b. Elsewhere: cut_loop (Exo), index-set splitting.
#include "rewrite/kernel/operators.h"

namespace hocket::rewrite {

using namespace ir;

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

}  // namespace hocket::rewrite
