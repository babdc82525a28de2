// to_seq(loop)
//
//   for i in parallel(a, b): s   ->   for i in seq(a, b): s
//
// Conditions: none. In order is one of the orders that the other kinds (parallel, vectorize,
// unroll, par) allow. Elsewhere: par_to_seq (Exo), serial (Halide).
#include "rewrite/kernel/loop_kind.h"
#include "rewrite/kernel/operators.h"

namespace hocket::rewrite {

using namespace ir;

Outcome to_seq(Context& c) {
  return set_kind(c, LoopKind::Seq, false);
}

}  // namespace hocket::rewrite
