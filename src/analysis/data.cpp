#include "analysis/data.h"

#include "analysis/interval.h"
#include "analysis/walk.h"

namespace hocket::analysis {

using namespace ir;

bool reads_memory(const Expr& e) {
  return any_node(
      e, [](const Expr& n) { return n.kind() == ExprKind::Load || n.kind() == ExprKind::Call; });
}

void bound_loop(const Symbol& var, const Expr& lo, const Expr& hi, Facts& facts) {
  // Bounds that hang on memory are read once, before the loop; their ranges hold.
  Expr low = lo, high = hi;
  if (reads_memory(lo)) low = bounds_of(lo, {}, facts).min;
  if (reads_memory(hi)) high = bounds_of(hi, {}, facts).max;
  facts.bound(var, low, high.defined() ? high - make_index(1) : Expr());
  // The body runs, so there is an iteration, also where nothing names it.
  if (low.defined() && high.defined()) facts.assume(make_binary(BinaryOp::Lt, low, high));
}

void define_let(const Symbol& sym, const Expr& value, Facts& facts) {
  if (!value.type().is_integral() || value.type().is_vector()) return;
  if (!reads_memory(value)) {
    facts.define(sym, value);
    return;
  }
  Interval i = bounds_of(value, {}, facts);
  if (i.has_min() || i.has_max()) facts.bound(sym, i.min, i.max);
}

}  // namespace hocket::analysis
