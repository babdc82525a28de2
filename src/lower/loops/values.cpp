#include "lower/loops/values.h"

#include "ir/visit.h"

namespace hocket::lower::loops {

using namespace ir;
using analysis::Interval;
using analysis::Ranges;

namespace {

constexpr int kDeepest = 16;  // definitions that read each other

Expr named(const Lowering& l, const Expr& e, Ranges& ranges, int depth);

// Unbounded where the definition says nothing, or updates change what it says.
Interval range_of(const Lowering& l, const Func& f, int depth) {
  if (depth > kDeepest || !f.is_pure() || f.pure.values.size() != 1) return Interval::everything();
  Ranges ranges;
  for (const Symbol& a : f.args) ranges.emplace(a, Interval::everything());
  const Expr value = named(l, bind_fields(l, f.pure.values[0]), ranges, depth + 1);
  return analysis::bounds_of(value, ranges, l.facts);
}

Expr named(const Lowering& l, const Expr& e, Ranges& ranges, int depth) {
  return map_exprs(e, [&](const Expr& n) -> Expr {
    const auto* c = n.as<Call>();
    const Func* f = c ? l.plan.algorithm->find(c->func) : nullptr;
    if (f == nullptr || !c->type.is_integral()) return n;
    const Interval range = range_of(l, *f, depth);
    if (!range.is_bounded()) return n;
    const Symbol value = Symbol::fresh(f->name(), c->type);
    ranges.emplace(value, range);
    return make_var(value);
  });
}

}  // namespace

Expr named_values(const Lowering& l, const Expr& coordinate, Ranges& ranges) {
  return named(l, coordinate, ranges, 0);
}

}  // namespace hocket::lower::loops
