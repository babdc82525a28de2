// lift_alloc(buffer, n_lifts=1)
//
//   for i in seq(0, n):            a: f32[8]
//     a: f32[8]              ->    for i in seq(0, n):
//     s                              s
//
// Conditions: the shape uses nothing that is bound on the way. What an iteration finds in the
// buffer was poison before and is an old value now, so that no result can depend on it. Iterations
// that run at the same time may not share it: a parallel or vector loop on the way is refused
// unless each iteration has elements of its own. Elsewhere: lift_alloc (Exo), store_at (Halide).
#include "rewrite/kernel/operators.h"

namespace hocket::rewrite {

using namespace ir;

Outcome lift_alloc(Context& c) {
  HOCKET_TRY(Located at, c.alloc("buffer"));
  HOCKET_TRY(int64_t lifts, c.number_or("n_lifts", 1));
  if (lifts < 1) return c.bad_args("`n_lifts` is at least 1");
  if (static_cast<size_t>(lifts) > at.parents.size())
    return c.cannot("`" + at.stmt.as<Alloc>()->buffer.name() + "` stands inside " +
                    std::to_string(at.parents.size()) + " loops and branches, not " +
                    std::to_string(lifts));
  const auto* alloc = at.stmt.as<Alloc>();
  ProcRef now = c.proc();
  for (int64_t i = 0; i < lifts; ++i) {
    const Located l = *locate(*now, at.stmt.id());
    const Stmt parent = l.parents.back();
    std::vector<Symbol> bound = binders(l.list, 0, l.at);
    if (const auto* f = parent.as<For>()) bound.push_back(f->var);
    for (const Expr& e : alloc->shape)
      if (uses_any(e, bound))
        return c.cannot("the shape of `" + alloc->buffer.name() + "` depends on what `" +
                        spoken(parent) + "` binds");
    now = with_list(now, at.stmt.id(), [&](Body& list, size_t k) {
      list.erase(list.begin() + static_cast<std::ptrdiff_t>(k));
      if (list.empty()) list.push_back(make_pass(c.step.place));
    });
    now = with_list(now, parent.id(), [&](Body& list, size_t k) {
      list.insert(list.begin() + static_cast<std::ptrdiff_t>(k), at.stmt);
    });
  }
  std::vector<Claim> claims;
  const analysis::Scope there = c.scope_before(now, at.stmt.id());
  for (const Expr& e : alloc->shape)
    claims.push_back({"the extents of `" + alloc->buffer.name() + "` are not negative out there",
                      c.dependence().holds(make_binary(BinaryOp::Ge, e, make_index(0)), there)});
  claim_no_races(c, now, at.parents, claims);
  return c.judge.accept(c.proc(), now, std::move(claims));
}

}  // namespace hocket::rewrite
