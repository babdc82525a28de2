// remove_loop(loop)
//
//   for i in seq(a, b): s   ->   s
//
// Conditions: s does not mention i, doing it twice is doing it once (a largest or smallest integer
// taken again is the same), and the loop runs at least once, b > a. Elsewhere: remove_loop (Exo).
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

}  // namespace hocket::rewrite
