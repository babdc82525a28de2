// lift_if(branch)           for i: if c: s          ->   if c: for i: s
// reorder_stmts(first)      s1; s2                  ->   s2; s1
//
// Conditions: lift_if: the branch is all that the loop holds, c neither mentions i nor reads memory
// that s writes. reorder_stmts: the statements commute, and neither uses what the other binds.
// Elsewhere: lift_scope, reorder_stmts (Exo), loop unswitching.
#include "rewrite/kernel/operators.h"

namespace hocket::rewrite {

using namespace ir;

Outcome lift_if(Context& c) {
  HOCKET_TRY(Located at, c.stmt("branch"));
  const auto* branch = at.stmt.as<If>();
  if (!branch) return c.cannot("`" + spoken(at.stmt) + "` is no branch");
  if (at.parents.empty() || at.parents.back().kind() != StmtKind::For || at.list.size() != 1)
    return c.cannot("the branch is not all that a loop holds");
  const Stmt loop_stmt = at.parents.back();
  const auto* loop = loop_stmt.as<For>();
  if (uses(branch->cond, loop->var))
    return c.cannot("the condition depends on `" + loop->var.name() + "`");
  bool reads = false;
  for_each(branch->cond, [&](const Expr& e) { reads |= e.kind() == ExprKind::Load; });
  if (reads) return c.cannot("the condition reads memory, which the loop may change");
  const Stmt inner = edited<For>(loop_stmt, [&](For& f) { f.body = branch->then_body; });
  Body other;
  if (!branch->else_body.empty()) {
    const Symbol var =
        Symbol::derived(loop->var.name(), Type::index(), loop->var, "copy of", c.step.place);
    other.push_back(make_for(var, loop->lo, loop->hi, loop->loop,
                             body_at(branch->else_body, loop->var, make_var(var), false),
                             c.step.place));
  }
  const Stmt lifted = edited<If>(at.stmt, [&](If& b) {
    b.then_body = {inner};
    b.else_body = other;
  });
  ProcRef after =
      with_list(c.proc(), loop_stmt.id(), [&](Body& list, size_t i) { list[i] = lifted; });
  return c.judge.accept(c.proc(), after);
}

Outcome reorder_stmts(Context& c) {
  HOCKET_TRY(Located at, c.stmt("first"));
  if (at.at + 1 >= at.list.size()) return c.cannot("nothing follows `" + spoken(at.stmt) + "`");
  const Stmt next = at.list[at.at + 1];
  if (binder(at.stmt).defined() && uses_any(Body{next}, {binder(at.stmt)}))
    return c.cannot("`" + spoken(next) + "` uses what `" + spoken(at.stmt) + "` binds");
  const analysis::Scope scope = c.scope_before(c.proc(), at.stmt.id());
  std::vector<Claim> claims;
  claims.push_back({"`" + spoken(at.stmt) + "` and `" + spoken(next) + "` may change places",
                    c.dependence().commutes({at.stmt}, {next}, scope)});
  ProcRef after = with_list(c.proc(), at.stmt.id(),
                            [&](Body& list, size_t i) { std::swap(list[i], list[i + 1]); });
  return c.judge.accept(c.proc(), after, std::move(claims));
}

}  // namespace hocket::rewrite
