// unroll(loop)
//
//   for i in seq(0, 2): s   ->   s[i = 0]; s[i = 1]
//
// Indices that become numbers are computed: `8 * i + j` is `j`, then `8 + j`.
//
// Conditions: constant bounds, at most 1024 copies. Elsewhere: unroll_loop (Exo), unroll (Halide).
#include "analysis/simplify.h"
#include "rewrite/kernel/operators.h"

namespace hocket::rewrite {

using namespace ir;

Outcome unroll(Context& c) {
  HOCKET_TRY(Located at, c.loop("loop"));
  const auto* loop = at.stmt.as<For>();
  const analysis::Scope scope = c.scope_before(c.proc(), at.stmt.id());
  int64_t lo = 0, hi = 0;
  if (!is_int(analysis::simplify(loop->lo, scope.facts), &lo) ||
      !is_int(analysis::simplify(loop->hi, scope.facts), &hi))
    return c.cannot("the bounds of `" + loop->var.name() + "` are not constant");
  if (hi - lo > 1024) return c.cannot(std::to_string(hi - lo) + " copies are more than 1024");
  // Copies of a list bind in a list of their own: two lets of one name may not meet.
  Body out;
  for (int64_t i = lo; i < hi; ++i) {
    Body one = fresh_copy(with_number(loop->body, loop->var, i));
    out.insert(out.end(), one.begin(), one.end());
  }
  if (out.empty()) out.push_back(make_pass(c.step.place));
  ProcRef after = with_list(c.proc(), at.stmt.id(), [&](Body& list, size_t i) {
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(i));
    list.insert(list.begin() + static_cast<std::ptrdiff_t>(i), out.begin(), out.end());
  });
  return c.judge.accept(c.proc(), after);
}

}  // namespace hocket::rewrite
