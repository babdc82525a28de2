#include "codegen/common/facts.h"

#include <algorithm>

#include "ir/visit.h"

namespace hocket::codegen {

namespace {

__extension__ using Wide = __int128;

int64_t clamp_to_64(Wide v) {
  if (v < INT64_MIN) return INT64_MIN;
  if (v > INT64_MAX) return INT64_MAX;
  return static_cast<int64_t>(v);
}

Interval range_of(ir::Type type) {
  if (type.is_index() || type.is_float()) return {};
  if (type.is_uint() && type.bits == 64) return {};
  return {type.min_value(), type.max_value()};
}

// An end at the limit of 64 bits may stand for anything beyond it.
bool open_below(const Interval& i) {
  return i.min == INT64_MIN;
}
bool open_above(const Interval& i) {
  return i.max == INT64_MAX;
}

Interval add(const Interval& a, const Interval& b) {
  Interval r;
  if (!open_below(a) && !open_below(b)) r.min = clamp_to_64(Wide{a.min} + b.min);
  if (!open_above(a) && !open_above(b)) r.max = clamp_to_64(Wide{a.max} + b.max);
  return r;
}

Interval negate(const Interval& a) {
  Interval r;
  if (!open_above(a)) r.min = clamp_to_64(-Wide{a.max});
  if (!open_below(a)) r.max = clamp_to_64(-Wide{a.min});
  return r;
}

Interval multiply(const Interval& a, const Interval& b) {
  if (a.non_negative() && b.non_negative()) {
    Interval r{clamp_to_64(Wide{a.min} * b.min), INT64_MAX};
    if (!open_above(a) && !open_above(b)) r.max = clamp_to_64(Wide{a.max} * b.max);
    return r;
  }
  if (open_below(a) || open_above(a) || open_below(b) || open_above(b)) return {};
  const Wide ends[] = {Wide{a.min} * b.min, Wide{a.min} * b.max, Wide{a.max} * b.min,
                       Wide{a.max} * b.max};
  return {clamp_to_64(*std::min_element(ends, ends + 4)),
          clamp_to_64(*std::max_element(ends, ends + 4))};
}

int64_t floor_divide(int64_t a, int64_t b) {
  return a / b - (a % b < 0 ? 1 : 0);
}  // b > 0

}  // namespace

void Facts::set(const ir::Symbol& symbol, Interval interval) {
  const auto [at, fresh] = symbols_.emplace(symbol, interval);
  if (!fresh) {
    at->second.min = std::max(at->second.min, interval.min);
    at->second.max = std::min(at->second.max, interval.max);
  }
}

void Facts::learn_params(const ir::Proc& proc) {
  for (const ir::Param& param : proc.params) {
    if (param.kind == ir::ParamKind::Size) set(param.sym, {1, INT64_MAX});
  }
  const auto learn = [&](const ir::Expr& e, const auto& self) -> void {
    const auto* b = e.as<ir::Binary>();
    if (b == nullptr) return;
    if (b->op == ir::BinaryOp::And) {
      self(b->a, self);
      self(b->b, self);
      return;
    }
    const auto* left = b->a.as<ir::VarRef>();
    const auto* right = b->b.as<ir::VarRef>();
    int64_t c = 0;
    if (left != nullptr && ir::is_int(b->b, &c)) {
      if (b->op == ir::BinaryOp::Ge) set(left->sym, {c, INT64_MAX});
      if (b->op == ir::BinaryOp::Gt && c < INT64_MAX) set(left->sym, {c + 1, INT64_MAX});
      if (b->op == ir::BinaryOp::Le) set(left->sym, {INT64_MIN, c});
      if (b->op == ir::BinaryOp::Lt && c > INT64_MIN) set(left->sym, {INT64_MIN, c - 1});
      if (b->op == ir::BinaryOp::Eq) set(left->sym, {c, c});
    } else if (right != nullptr && ir::is_int(b->a, &c)) {
      if (b->op == ir::BinaryOp::Le) set(right->sym, {c, INT64_MAX});
      if (b->op == ir::BinaryOp::Lt && c < INT64_MAX) set(right->sym, {c + 1, INT64_MAX});
      if (b->op == ir::BinaryOp::Eq) set(right->sym, {c, c});
    }
  };
  for (const ir::Expr& e : proc.preconditions) learn(e, learn);
  if (proc.entry == nullptr) return;
  for (const ir::EntryCheck& check : proc.entry->checks) learn(check.cond, learn);
  for (const ir::EntryArg& argument : proc.entry->args) {
    for (size_t d = 0; d < argument.dims.size(); ++d) {
      const ir::EntryDim& dim = argument.dims[d];
      set(dim.min, {INT32_MIN, INT32_MAX});
      set(dim.extent, {0, int64_t{INT32_MAX} - INT32_MIN + 1});
      // Metadata without constraints asks for a dense first dimension (docs/abi.md).
      if (d == 0) set(dim.stride, {1, 1});
    }
  }
}

void Facts::learn_loop(const ir::For& loop) {
  const Interval hi = of(loop.hi);
  set(loop.var, {of(loop.lo).min, hi.max == INT64_MAX ? INT64_MAX : hi.max - 1});
}

Interval Facts::of(const ir::Expr& e) {
  const auto known = memo_.find(e.get());
  if (known != memo_.end()) return known->second.second;
  const Interval result = compute(e);
  memo_.emplace(e.get(), std::pair(e, result));
  return result;
}

bool Facts::fits(const ir::Expr& e) {
  if (e.type() != ir::Type::index()) return true;
  for (const ir::Expr& c : ir::children(e)) {
    if (!fits(c)) return false;
  }
  const auto* b = e.as<ir::Binary>();
  const bool grows = e.kind() == ir::ExprKind::Unary ||
                     (b != nullptr && (b->op == ir::BinaryOp::Add || b->op == ir::BinaryOp::Sub ||
                                       b->op == ir::BinaryOp::Mul));
  const Interval r = of(e);
  return !grows || (r.min > INT64_MIN && r.max < INT64_MAX);
}

Interval Facts::compute(const ir::Expr& e) {
  const ir::Type type = e.type().element();
  const Interval whole = range_of(type);
  if (type.is_float() || (type.is_uint() && type.bits == 64)) return {};
  // What does not fit: for types that wrap nothing is known, for the others it is poison.
  const auto fit = [&](Interval r) {
    if (type.wraps() && (r.min < whole.min || r.max > whole.max)) return whole;
    return Interval{std::max(r.min, whole.min), std::min(r.max, whole.max)};
  };
  if (const auto* imm = e.as<ir::IntImm>()) return {imm->value, imm->value};
  if (const auto* var = e.as<ir::VarRef>()) {
    const auto at = symbols_.find(var->sym);
    return at == symbols_.end() ? whole : fit(at->second);
  }
  if (const auto* unary = e.as<ir::Unary>()) {
    if (unary->op == ir::UnaryOp::Neg) return fit(negate(of(unary->a)));
    if (unary->op == ir::UnaryOp::Abs && !type.wraps()) return {0, whole.max};
    return whole;
  }
  if (const auto* b = e.as<ir::Binary>()) {
    if (ir::is_comparison(b->op)) return {0, 1};
    const Interval x = of(b->a), y = of(b->b);
    switch (b->op) {
      case ir::BinaryOp::Add:
        return fit(add(x, y));
      case ir::BinaryOp::Sub:
        return fit(add(x, negate(y)));
      case ir::BinaryOp::Mul:
        return fit(multiply(x, y));
      case ir::BinaryOp::Div:
        if (y.positive() && y.min == y.max) {
          return {open_below(x) ? whole.min : floor_divide(x.min, y.min),
                  open_above(x) ? whole.max : floor_divide(x.max, y.min)};
        }
        if (x.non_negative() && y.non_negative()) return {0, x.max};
        return whole;
      case ir::BinaryOp::Mod: {
        const int64_t top = y.positive() && !open_above(y) ? y.max - 1 : whole.max;
        return {0, x.non_negative() ? std::min(top, x.max) : top};
      }
      case ir::BinaryOp::Min:
        return {std::min(x.min, y.min), std::min(x.max, y.max)};
      case ir::BinaryOp::Max:
        return {std::max(x.min, y.min), std::max(x.max, y.max)};
      case ir::BinaryOp::BitAnd:
        if (x.non_negative() || y.non_negative()) return {0, whole.max};
        return whole;
      default:
        return whole;
    }
  }
  if (const auto* s = e.as<ir::Select>()) {
    const Interval x = of(s->t), y = of(s->f);
    return {std::min(x.min, y.min), std::max(x.max, y.max)};
  }
  if (const auto* c = e.as<ir::Cast>()) {
    if (c->a.type().is_float()) return whole;
    const Interval x = of(c->a);
    // A narrowing cast of an index wraps.
    if (x.min >= whole.min && x.max <= whole.max) return x;
    return whole;
  }
  if (const auto* r = e.as<ir::Ramp>()) {
    const Interval lane{0, e.type().lanes - 1};
    return fit(add(of(r->base), multiply(of(r->stride), lane)));
  }
  if (const auto* b = e.as<ir::Broadcast>()) return of(b->value);
  if (const auto* s = e.as<ir::Shuffle>()) {
    Interval r = of(s->vectors.front());
    for (const ir::Expr& v : s->vectors) {
      const Interval x = of(v);
      r = {std::min(r.min, x.min), std::max(r.max, x.max)};
    }
    return r;
  }
  return whole;
}

}  // namespace hocket::codegen
