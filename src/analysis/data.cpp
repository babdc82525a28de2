#include "analysis/data.h"

#include "analysis/interval.h"
#include "analysis/walk.h"

namespace hocket::analysis {

using namespace ir;

bool reads_memory(const Expr& e) {
  return any_node(
      e, [](const Expr& n) { return n.kind() == ExprKind::Load || n.kind() == ExprKind::Call; });
}

Expr lasting(const Expr& condition) {
  if (!reads_memory(condition)) return condition;
  Expr a, b;
  if (const auto* c = condition.as<Binary>(); c && c->op == BinaryOp::And) {
    a = lasting(c->a);
    b = lasting(c->b);
  } else if (const auto* no = condition.as<Unary>(); no && no->op == UnaryOp::Not) {
    if (const auto* d = no->a.as<Binary>(); d && d->op == BinaryOp::Or) {
      a = lasting(make_unary(UnaryOp::Not, d->a));
      b = lasting(make_unary(UnaryOp::Not, d->b));
    }
  }
  if (!a.defined() || !b.defined()) return a.defined() ? a : b;
  return make_binary(BinaryOp::And, a, b);
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
