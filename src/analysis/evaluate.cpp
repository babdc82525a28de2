#include "analysis/evaluate.h"

namespace hocket::analysis {

using namespace ir;

BigInt wrapped(Type type, const BigInt& value) {
  if (type.is_bool()) return BigInt(value.is_zero() ? 0 : 1);
  BigInt size = support::pow(2, type.bits);
  BigInt low = floor_mod(value, size);
  if (!type.is_uint() && !(low < support::pow(2, type.bits - 1u))) low -= size;
  return low;
}

std::optional<BigInt> evaluate(const Expr& e, const TermValue& values) {
  Type t = e.type();
  auto settle = [&](BigInt v) { return t.wraps() ? wrapped(t, v) : v; };
  switch (e.kind()) {
    case ExprKind::IntImm: {
      int64_t v = e.as<IntImm>()->value;
      return t.is_uint() ? BigInt(static_cast<uint64_t>(v)) : BigInt(v);
    }
    case ExprKind::Unary: {
      const auto* u = e.as<Unary>();
      if (t.is_float()) return values(e);
      if (u->op != UnaryOp::Neg && u->op != UnaryOp::Not && u->op != UnaryOp::Abs) return values(e);
      auto a = evaluate(u->a, values);
      if (!a) return std::nullopt;
      if (u->op == UnaryOp::Not) return BigInt(a->is_zero() ? 1 : 0);
      return settle(u->op == UnaryOp::Neg ? -*a : abs(*a));
    }
    case ExprKind::Select: {
      const auto* s = e.as<Select>();
      if (t.is_float()) return values(e);
      auto c = evaluate(s->cond, values);
      if (!c) return std::nullopt;
      return evaluate(c->is_zero() ? s->f : s->t, values);
    }
    case ExprKind::Cast: {
      const Expr& a = e.as<Cast>()->a;
      if (t.is_float() || !(a.type().is_integral() || a.type().is_bool())) return values(e);
      auto v = evaluate(a, values);
      if (!v) return std::nullopt;
      return wrapped(t, *v);
    }
    case ExprKind::Binary: {
      const auto* b = e.as<Binary>();
      Type o = b->a.type();
      if (o.is_float() || o.is_vector()) return values(e);
      auto x = evaluate(b->a, values), y = evaluate(b->b, values);
      if (!x || !y) return std::nullopt;
      switch (b->op) {
        case BinaryOp::Add:
          return settle(*x + *y);
        case BinaryOp::Sub:
          return settle(*x - *y);
        case BinaryOp::Mul:
          return settle(*x * *y);
        case BinaryOp::Div:
          return y->is_zero() ? BigInt(0) : settle(euclidean_div(*x, *y));
        case BinaryOp::Mod:
          return y->is_zero() ? BigInt(0) : settle(euclidean_mod(*x, *y));
        case BinaryOp::Min:
          return *x < *y ? *x : *y;
        case BinaryOp::Max:
          return *y < *x ? *x : *y;
        case BinaryOp::And:
          return BigInt(!x->is_zero() && !y->is_zero());
        case BinaryOp::Or:
          return BigInt(!x->is_zero() || !y->is_zero());
        case BinaryOp::Eq:
          return BigInt(*x == *y);
        case BinaryOp::Ne:
          return BigInt(!(*x == *y));
        case BinaryOp::Lt:
          return BigInt(*x < *y);
        case BinaryOp::Le:
          return BigInt(!(*y < *x));
        case BinaryOp::Gt:
          return BigInt(*y < *x);
        case BinaryOp::Ge:
          return BigInt(!(*x < *y));
        default:
          return values(e);
      }
    }
    default:
      return values(e);
  }
}

std::optional<BigInt> evaluate(const Affine& a, const TermValue& values) {
  BigInt sum = a.constant();
  for (const Affine::Term& t : a.terms()) {
    auto v = evaluate(t.atom, values);
    if (!v) return std::nullopt;
    sum += t.coef * *v;
  }
  return sum;
}

std::optional<int64_t> evaluate(const Expr& e, const SymbolValues& values) {
  const auto v = evaluate(e, TermValue([&](const Expr& t) -> std::optional<BigInt> {
                            const auto* s = t.as<VarRef>();
                            const auto found = s != nullptr ? values.find(s->sym) : values.end();
                            if (found == values.end()) return std::nullopt;
                            return BigInt(found->second);
                          }));
  return v ? v->to_int64() : std::nullopt;
}

}  // namespace hocket::analysis
