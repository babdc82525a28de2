#include "lower/flat/lanes.h"

#include "ir/visit.h"
#include "lower/flat/tidy.h"

namespace hocket::lower {

using namespace ir;

namespace {

int lanes_of(const Expr& e) {
  return e.type().lanes;
}

// Base and stride of an index ramp or scalar.
struct RampParts {
  Expr base, stride;
};
bool ramp_parts(const Expr& e, RampParts& out) {
  if (!e.type().is_index()) return false;
  if (const auto* r = e.as<Ramp>()) {
    out = {r->base, r->stride};
  } else if (const auto* b = e.as<Broadcast>()) {
    out = {b->value, make_index(0)};
  } else if (!e.type().is_vector()) {
    out = {e, make_index(0)};
  } else {
    return false;
  }
  return true;
}

Expr ramp(const Expr& base, const Expr& stride, int lanes) {
  const Expr s = tidy(stride), b = tidy(base);
  return is_int_equal(s, 0) ? b : make_ramp(b, s, lanes);
}

// How a mask of index comparisons changes from lane to lane.
enum class Trend { Unknown, Constant, Falling, Rising };  // Falling: true, then false

Trend flip(Trend t) {
  return t == Trend::Falling ? Trend::Rising : t == Trend::Rising ? Trend::Falling : t;
}

Trend trend_of(const Expr& mask) {
  if (!mask.type().is_vector() || mask.kind() == ExprKind::Broadcast) return Trend::Constant;
  if (const auto* u = mask.as<Unary>()) return flip(trend_of(u->a));
  const auto* b = mask.as<Binary>();
  if (!b) return Trend::Unknown;
  if (b->op == BinaryOp::And || b->op == BinaryOp::Or) {
    const Trend x = trend_of(b->a), y = trend_of(b->b);
    if (x == Trend::Constant) return y;
    return x == y || y == Trend::Constant ? x : Trend::Unknown;
  }
  int64_t p = 0, q = 0;
  if (!is_ramp(b->a, &p) || !is_ramp(b->b, &q)) return Trend::Unknown;
  const int64_t d = p - q;  // a - b grows by d each lane
  if (d == 0) return Trend::Constant;
  const Trend less = d > 0 ? Trend::Falling : Trend::Rising;
  switch (b->op) {
    case BinaryOp::Lt:
    case BinaryOp::Le:
      return less;
    case BinaryOp::Gt:
    case BinaryOp::Ge:
      return flip(less);
    default:
      return Trend::Unknown;
  }
}

}  // namespace

bool is_ramp(const Expr& e, int64_t* stride) {
  RampParts p;
  return ramp_parts(e, p) && is_int(p.stride, stride);
}

bool reads_memory(const Expr& e) {
  bool found = false;
  for_each(e, [&](const Expr& n) { found |= n.kind() == ExprKind::Load; });
  return found;
}

Expr as_vector(const Expr& e, int lanes) {
  return e.type().is_vector() ? e : make_broadcast(e, lanes);
}

Expr lanes_binary(BinaryOp op, const Expr& a, const Expr& b) {
  const int n = std::max(lanes_of(a), lanes_of(b));
  if (n == 1) return make_binary(op, a, b);
  RampParts x, y;
  if (ramp_parts(a, x) && ramp_parts(b, y)) {
    switch (op) {
      case BinaryOp::Add:
        return ramp(x.base + y.base, x.stride + y.stride, n);
      case BinaryOp::Sub:
        return ramp(x.base - y.base, x.stride - y.stride, n);
      case BinaryOp::Mul:
        if (is_int_equal(x.stride, 0)) return ramp(x.base * y.base, x.base * y.stride, n);
        if (is_int_equal(y.stride, 0)) return ramp(x.base * y.base, y.base * x.stride, n);
        break;
      case BinaryOp::Min:
      case BinaryOp::Max: {
        int64_t s = 0, t = 0;
        if (is_int(x.stride, &s) && is_int(y.stride, &t) && s == t)
          return ramp(make_binary(op, x.base, y.base), x.stride, n);
        break;
      }
      case BinaryOp::Div:
      case BinaryOp::Mod: {
        // Strides that the divisor divides: every lane has the same remainder.
        int64_t s = 0, c = 0;
        if (is_int(x.stride, &s) && is_int(y.base, &c) && is_int_equal(y.stride, 0) && c > 0 &&
            s % c == 0)
          return ramp(make_binary(op, x.base, y.base), make_index(op == BinaryOp::Div ? s / c : 0),
                      n);
        break;
      }
      default:
        break;
    }
  }
  return make_binary(op, as_vector(a, n), as_vector(b, n));
}

Expr lanes_select(const Expr& c, const Expr& t, const Expr& f) {
  const int n = std::max({lanes_of(c), lanes_of(t), lanes_of(f)});
  if (n == 1) return make_select(c, t, f);
  return make_select(c, as_vector(t, n), as_vector(f, n));
}

Expr lanes_cast(Type element, const Expr& a) {
  const int n = lanes_of(a);
  // A coordinate as i32: coordinates fit 32 bits, so neighbours do not wrap.
  const auto* r = a.as<Ramp>();
  if (r && a.type().is_index() && is_int_equal(r->stride, 1) && element == Type::i(32))
    return make_ramp(make_cast(element, r->base), make_int(element, 1), n);
  if (const auto* b = a.as<Broadcast>()) return make_broadcast(make_cast(element, b->value), n);
  return make_cast(element.with_lanes(n), a);
}

Expr lane(const Expr& e, int k) {
  if (!e.type().is_vector()) return e;
  if (const auto* b = e.as<Broadcast>()) return b->value;
  if (const auto* r = e.as<Ramp>()) {
    const Expr at = r->base + r->stride * make_const(r->base.type(), k);
    return r->base.type().is_index() ? tidy(at) : at;
  }
  if (!reads_memory(e)) {
    if (const auto* b = e.as<Binary>())
      return tidy(make_binary(b->op, lane(b->a, k), lane(b->b, k)));
    if (const auto* u = e.as<Unary>()) return make_unary(u->op, lane(u->a, k));
    if (const auto* c = e.as<Cast>()) return make_cast(c->type.element(), lane(c->a, k));
  }
  return make_shuffle({e}, {k});
}

Expr across(BinaryOp op, const Expr& e) {
  const int n = lanes_of(e);
  if (n == 1) return e;
  if (e.type().is_bool()) {
    const bool any = op == BinaryOp::Or;
    switch (trend_of(e)) {
      case Trend::Constant:
        return lane(e, 0);
      case Trend::Falling:
        return lane(e, any ? 0 : n - 1);
      case Trend::Rising:
        return lane(e, any ? n - 1 : 0);
      case Trend::Unknown:
        break;
    }
  }
  int64_t s = 0;
  if ((op == BinaryOp::Min || op == BinaryOp::Max) && is_ramp(e, &s))
    return lane(e, (s >= 0) == (op == BinaryOp::Min) ? 0 : n - 1);
  Expr r = lane(e, 0);
  for (int k = 1; k < n; ++k) r = make_binary(op, r, lane(e, k));
  return r;
}

}  // namespace hocket::lower
