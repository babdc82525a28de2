#include "lower/flat/tidy.h"

#include "analysis/affine.h"
#include "ir/semantics.h"
#include "ir/visit.h"

namespace hocket::lower {

using namespace ir;
using analysis::Affine;
using support::BigInt;

namespace {

bool scalar_index(const Expr& e) { return e.type() == Type::index(); }

bool is_sum(const Expr& e) {
  if (!scalar_index(e)) return false;
  if (const auto* b = e.as<Binary>())
    return b->op == BinaryOp::Add || b->op == BinaryOp::Sub || b->op == BinaryOp::Mul;
  const auto* u = e.as<Unary>();
  return u && u->op == UnaryOp::Neg;
}

Expr normal(const Expr& e) { return is_sum(e) ? analysis::parse_affine(e).to_expr() : e; }

// (8 * x + r) / 8 is x + r / 8, and the remainder of the two is that of r: exact for every integer
// with a positive divisor.
Expr divide(const Binary& b, const Expr& whole) {
  int64_t c = 0;
  if (!is_int(b.b, &c) || c <= 0) return whole;
  const BigInt divisor(c);
  Affine quotient, rest;
  for (const Affine::Term& t : analysis::parse_affine(b.a).terms()) {
    if (support::divides(divisor, t.coef)) {
      quotient.add_term(t.atom, floor_div(t.coef, divisor));
    } else {
      rest.add_term(t.atom, t.coef);
    }
  }
  const BigInt k = analysis::parse_affine(b.a).constant();
  quotient.add_constant(floor_div(k, divisor));
  rest.add_constant(floor_mod(k, divisor));
  const bool exact = rest.is_constant();
  if (b.op == BinaryOp::Mod) {
    if (exact) return analysis::index_expr(rest.constant());
    if (quotient.is_constant() && quotient.constant().is_zero()) return whole;
    return make_binary(BinaryOp::Mod, rest.to_expr(), b.b);
  }
  if (exact) return quotient.to_expr();
  if (quotient.is_constant() && quotient.constant().is_zero()) return whole;
  quotient.add(Affine::of_atom(make_binary(BinaryOp::Div, rest.to_expr(), b.b)));
  return quotient.to_expr();
}

Expr fold(const Expr& e) {
  if (e.type().is_vector()) return e;
  if (const auto* s = e.as<Select>()) {
    int64_t c = 0;
    if (is_int(s->cond, &c)) return c ? s->t : s->f;
    return e;
  }
  if (const auto* u = e.as<Unary>()) {
    int64_t c = 0;
    if (u->op == UnaryOp::Not && is_int(u->a, &c)) return make_bool(!c);
    return e;
  }
  const auto* b = e.as<Binary>();
  if (!b) return e;
  if (b->type.is_bool() && (b->op == BinaryOp::And || b->op == BinaryOp::Or)) {
    int64_t c = 0;
    const bool is_and = b->op == BinaryOp::And;
    if (is_int(b->a, &c)) return (c != 0) == is_and ? b->b : b->a;
    if (is_int(b->b, &c)) return (c != 0) == is_and ? b->a : b->b;
    return e;
  }
  if (!scalar_index(b->a)) return e;
  const Expr x = normal(b->a), y = normal(b->b);
  int64_t p = 0, q = 0;
  if (is_int(x, &p) && is_int(y, &q)) {
    Scalar r = eval_binary(b->op, Scalar::of_int(Type::index(), p), Scalar::of_int(Type::index(), q));
    if (!r.poison) return make_int(e.type(), r.i);
    return e;
  }
  const bool same = x.same_as(b->a) && y.same_as(b->b);
  const Expr whole = same ? e : make_binary(b->op, x, y);
  switch (b->op) {
    case BinaryOp::Div:
    case BinaryOp::Mod: return divide(*whole.as<Binary>(), whole);
    case BinaryOp::Min:
    case BinaryOp::Max:
    case BinaryOp::Eq:
    case BinaryOp::Ne:
    case BinaryOp::Lt:
    case BinaryOp::Le:
    case BinaryOp::Gt:
    case BinaryOp::Ge: {
      const Affine d = analysis::parse_affine(x) - analysis::parse_affine(y);
      if (!d.is_constant()) return whole;
      const int sign = d.constant().sign();
      switch (b->op) {
        case BinaryOp::Min: return sign < 0 ? x : y;
        case BinaryOp::Max: return sign > 0 ? x : y;
        case BinaryOp::Eq: return make_bool(sign == 0);
        case BinaryOp::Ne: return make_bool(sign != 0);
        case BinaryOp::Lt: return make_bool(sign < 0);
        case BinaryOp::Le: return make_bool(sign <= 0);
        case BinaryOp::Gt: return make_bool(sign > 0);
        default: return make_bool(sign >= 0);
      }
    }
    default: return whole;
  }
}

}  // namespace

Expr tidy(const Expr& e) {
  if (!e.defined()) return e;
  // Sums are brought to normal form where they end (in fold, at loads, here), not at every step.
  Expr r = map_exprs(e, [](const Expr& n) {
    if (is_sum(n)) return n;
    Expr f = fold(n);
    // Indices of loads, arguments of casts and the like.
    return map_children(f, [](const Expr& c) { return normal(c); });
  });
  return normal(r);
}

std::optional<int64_t> constant(const Expr& e) {
  int64_t v = 0;
  if (is_int(e, &v)) return v;
  Expr t = tidy(e);
  if (is_int(t, &v)) return v;
  return std::nullopt;
}

}  // namespace hocket::lower
