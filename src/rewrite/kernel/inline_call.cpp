// inline(call)
//
//   add(C[i, 0:8], x)   ->   the body of add with C[i, l] for dst[l] and x for its scalar
//
// Conditions: none beyond the call's own; scalar arguments that read memory are bound by a let
// first, because the body may write what they read. Elsewhere: inline (Exo).
#include "diag/kinds_rewrite.h"
#include "rewrite/kernel/call_body.h"
#include "rewrite/kernel/operators.h"

namespace hocket::rewrite {

using namespace ir;

Outcome inline_call(Context& c) {
  HOCKET_TRY(Located at, c.stmt("call"));
  const auto* call = at.stmt.as<CallStmt>();
  if (!call) return c.cannot("`" + spoken(at.stmt) + "` is no call");
  Body out;
  std::vector<Expr> args = call->args;
  for (size_t i = 0; i < args.size(); ++i) {
    const Param& p = call->callee->params[i];
    if (p.kind == ParamKind::Buffer) continue;
    bool reads = false;
    for_each(args[i], [&](const Expr& e) { reads |= e.kind() == ExprKind::Load; });
    if (!reads) continue;
    const Symbol sym =
        Symbol::derived(p.sym.name(), args[i].type(), p.sym, "argument for", c.step.place);
    out.push_back(make_let(sym, args[i], c.step.place));
    args[i] = make_var(sym);
  }
  CallBody body = call_body(*call->callee, args);
  if (!body.refused.empty()) return c.cannot(body.refused);
  out.insert(out.end(), body.body.begin(), body.body.end());
  ProcRef after = with_list(c.proc(), at.stmt.id(), [&](Body& list, size_t i) {
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(i));
    list.insert(list.begin() + static_cast<std::ptrdiff_t>(i), out.begin(), out.end());
  });
  return c.judge.accept(c.proc(), after);
}

}  // namespace hocket::rewrite
