// vectorize(loop)
//
//   for i in seq(a, b): s   ->   for i in vectorize(a, b): s
//
// Conditions: as for parallelize, and a constant number of iterations, which become lanes.
// Elsewhere: vectorize (Halide, TVM).
#include "rewrite/kernel/loop_kind.h"
#include "rewrite/kernel/operators.h"

namespace hocket::rewrite {

using namespace ir;

Outcome vectorize(Context& c) {
  return set_kind(c, LoopKind::Vectorized, true);
}

}  // namespace hocket::rewrite
