// parallelize(loop)
//
//   for i in seq(a, b): s   ->   for i in parallel(a, b): s
//
// Conditions: no two iterations touch one element, one of them writing, at every depth. Elsewhere:
// parallelize_loop (Exo), parallel (Halide, TVM).
#include "rewrite/kernel/loop_kind.h"
#include "rewrite/kernel/operators.h"

namespace hocket::rewrite {

using namespace ir;

Outcome parallelize(Context& c) {
  return set_kind(c, LoopKind::Parallel, true);
}

}  // namespace hocket::rewrite
