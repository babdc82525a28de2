#include "analysis/order.h"

#include <cmath>
#include <cstring>

#include "ir/visit.h"

namespace hocket::analysis {

using namespace ir;

namespace {

bool same_list(const std::vector<Expr>& a, const std::vector<Expr>& b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); i++) {
    if (!same(a[i], b[i])) return false;
  }
  return true;
}

template <class T>
int order_of(const T& a, const T& b) {
  return a < b ? -1 : b < a ? 1 : 0;
}

int compare_names(const Symbol& a, const Symbol& b) {
  if (a == b) return 0;
  int c = a.name().compare(b.name());
  return c < 0 ? -1 : c > 0 ? 1 : 0;
}

int type_key(Type t) {
  return (static_cast<int>(t.code) << 24) | (t.bits << 16) | t.lanes;
}

}  // namespace

bool same(const Expr& a, const Expr& b) {
  if (a.same_as(b)) return true;
  if (!a.defined() || !b.defined()) return false;
  if (a.kind() != b.kind() || a.type() != b.type()) return false;
  switch (a.kind()) {
    case ExprKind::IntImm:
      return a.as<IntImm>()->value == b.as<IntImm>()->value;
    case ExprKind::FloatImm: {
      double x = a.as<FloatImm>()->value, y = b.as<FloatImm>()->value;
      return std::memcmp(&x, &y, sizeof x) == 0;
    }
    case ExprKind::VarRef:
      return a.as<VarRef>()->sym == b.as<VarRef>()->sym;
    case ExprKind::Unary:
      return a.as<Unary>()->op == b.as<Unary>()->op && same(a.as<Unary>()->a, b.as<Unary>()->a);
    case ExprKind::Binary: {
      const auto *x = a.as<Binary>(), *y = b.as<Binary>();
      return x->op == y->op && same(x->a, y->a) && same(x->b, y->b);
    }
    case ExprKind::Fma: {
      const auto *x = a.as<Fma>(), *y = b.as<Fma>();
      return same(x->a, y->a) && same(x->b, y->b) && same(x->c, y->c);
    }
    case ExprKind::Select: {
      const auto *x = a.as<Select>(), *y = b.as<Select>();
      return same(x->cond, y->cond) && same(x->t, y->t) && same(x->f, y->f);
    }
    case ExprKind::Cast:
      return same(a.as<Cast>()->a, b.as<Cast>()->a);
    case ExprKind::Load: {
      const auto *x = a.as<Load>(), *y = b.as<Load>();
      if (x->predicate.defined() != y->predicate.defined()) return false;
      return x->buffer == y->buffer && same_list(x->indices, y->indices) &&
             (!x->predicate.defined() || same(x->predicate, y->predicate));
    }
    case ExprKind::Call: {
      const auto *x = a.as<Call>(), *y = b.as<Call>();
      return x->func == y->func && x->value_index == y->value_index && same_list(x->args, y->args);
    }
    case ExprKind::BufferField: {
      const auto *x = a.as<BufferField>(), *y = b.as<BufferField>();
      return x->buffer == y->buffer && x->field == y->field && x->dim == y->dim;
    }
    case ExprKind::Window: {
      const auto *x = a.as<Window>(), *y = b.as<Window>();
      if (!(x->buffer == y->buffer) || x->dims.size() != y->dims.size()) return false;
      for (size_t i = 0; i < x->dims.size(); i++) {
        const WindowDim &p = x->dims[i], &q = y->dims[i];
        if (p.is_point() != q.is_point() || !same(p.lo, q.lo)) return false;
        if (!p.is_point() && !same(p.hi, q.hi)) return false;
      }
      return true;
    }
    case ExprKind::Ramp:
      return same(a.as<Ramp>()->base, b.as<Ramp>()->base) &&
             same(a.as<Ramp>()->stride, b.as<Ramp>()->stride);
    case ExprKind::Broadcast:
      return same(a.as<Broadcast>()->value, b.as<Broadcast>()->value);
    case ExprKind::Shuffle:
      return a.as<Shuffle>()->lanes == b.as<Shuffle>()->lanes &&
             same_list(a.as<Shuffle>()->vectors, b.as<Shuffle>()->vectors);
  }
  return false;
}

int compare(const Expr& a, const Expr& b) {
  if (a.same_as(b)) return 0;
  if (a.kind() != b.kind()) {
    // Plain names before compound expressions, numbers last.
    auto rank = [](const Expr& e) {
      if (e.kind() == ExprKind::VarRef) return 0;
      if (e.kind() == ExprKind::IntImm || e.kind() == ExprKind::FloatImm) return 100;
      return 1 + static_cast<int>(e.kind());
    };
    return order_of(rank(a), rank(b));
  }
  if (a.type() != b.type()) return order_of(type_key(a.type()), type_key(b.type()));
  switch (a.kind()) {
    case ExprKind::IntImm:
      return order_of(a.as<IntImm>()->value, b.as<IntImm>()->value);
    case ExprKind::FloatImm:
      return order_of(a.as<FloatImm>()->value, b.as<FloatImm>()->value);
    case ExprKind::VarRef:
      return compare_names(a.as<VarRef>()->sym, b.as<VarRef>()->sym);
    case ExprKind::Unary:
      if (int c = order_of(a.as<Unary>()->op, b.as<Unary>()->op)) return c;
      break;
    case ExprKind::Binary:
      if (int c = order_of(a.as<Binary>()->op, b.as<Binary>()->op)) return c;
      break;
    case ExprKind::Load:
      if (int c = compare_names(a.as<Load>()->buffer, b.as<Load>()->buffer)) return c;
      break;
    case ExprKind::Call:
      if (int c = compare_names(a.as<Call>()->func, b.as<Call>()->func)) return c;
      if (int c = order_of(a.as<Call>()->value_index, b.as<Call>()->value_index)) return c;
      break;
    case ExprKind::BufferField: {
      const auto *x = a.as<BufferField>(), *y = b.as<BufferField>();
      if (int c = compare_names(x->buffer, y->buffer)) return c;
      if (int c = order_of(x->field, y->field)) return c;
      return order_of(x->dim, y->dim);
    }
    case ExprKind::Window:
      if (int c = compare_names(a.as<Window>()->buffer, b.as<Window>()->buffer)) return c;
      break;
    case ExprKind::Shuffle:
      if (int c = order_of(a.as<Shuffle>()->lanes, b.as<Shuffle>()->lanes)) return c;
      break;
    default:
      break;
  }
  std::vector<Expr> x = children(a), y = children(b);
  if (x.size() != y.size()) return order_of(x.size(), y.size());
  for (size_t i = 0; i < x.size(); i++) {
    if (int c = compare(x[i], y[i])) return c;
  }
  return 0;
}

}  // namespace hocket::analysis
