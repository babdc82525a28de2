#include "rewrite/kernel/loop_kind.h"

#include "analysis/simplify.h"
#include "rewrite/kernel/operators.h"

namespace hocket::rewrite {

using namespace ir;

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

}  // namespace hocket::rewrite
