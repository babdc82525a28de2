// lift_if(branch)
//
//   for i in seq(a, b):        if c:
//     if c: s             ->     for i in seq(a, b): s
//
// Conditions: the branch is all that the loop holds, and c neither mentions i nor reads memory,
// which s could change. Elsewhere: lift_scope (Exo), loop unswitching.
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

}  // namespace hocket::rewrite
