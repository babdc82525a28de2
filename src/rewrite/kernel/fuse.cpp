// fuse(first, second)
//
//   for i in seq(a, b): s1                 for i in seq(a, b):
//   for j in seq(a, b): s2         ->        s1; s2[j = i]
//
// Conditions: neighbours of one kind with equal bounds, both ends; no s1 of a later iteration
// clashes with an s2 of an earlier one. Elsewhere: fuse (Exo), loop fusion.
#include "rewrite/kernel/operators.h"

namespace hocket::rewrite {

using namespace ir;

Outcome fuse(Context& c) {
  HOCKET_TRY(Located a, c.loop("first"));
  HOCKET_TRY(Located b, c.loop("second"));
  if (a.at + 1 >= a.list.size() || a.list[a.at + 1].id() != b.stmt.id())
    return c.cannot("`" + spoken(b.stmt) + "` does not follow `" + spoken(a.stmt) + "` at once");
  const auto *x = a.stmt.as<For>(), *y = b.stmt.as<For>();
  if (x->loop != y->loop)
    return c.cannot("the loops are of two kinds, " + std::string(spelling(x->loop)) + " and " +
                    spelling(y->loop));
  const analysis::Scope scope = c.scope_before(c.proc(), a.stmt.id());
  std::vector<Claim> claims;
  claims.push_back({"the loops have the same bounds and may run together",
                    c.dependence().can_fuse(a.stmt, b.stmt, scope)});
  Body body = x->body;
  for (const Stmt& s : body_at(y->body, y->var, make_var(x->var), false)) body.push_back(s);
  ProcRef after = with_list(c.proc(), a.stmt.id(), [&](Body& list, size_t i) {
    list[i] = edited<For>(a.stmt, [&](For& f) { f.body = std::move(body); });
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(i) + 1);
  });
  std::vector<Stmt> around = a.parents;
  around.push_back(a.stmt);
  claim_no_races(c, after, around, claims);
  return c.judge.accept(c.proc(), after, std::move(claims));
}

}  // namespace hocket::rewrite
