// reorder_stmts(first)
//
//   s1; s2   ->   s2; s1
//
// Conditions: the statements commute, and neither uses what the other binds. Elsewhere:
// reorder_stmts (Exo).
#include "rewrite/kernel/operators.h"

namespace hocket::rewrite {

using namespace ir;

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
