#include "ir/semantics.h"

#include <cmath>
#include <cstring>
#include <limits>

namespace hocket::ir {

namespace {

// Rounds a double to a binary float of `mantissa` stored bits and `exponent` bits, nearest even.
// `sticky` says that the true value differs from v by less than its last bit, in the direction away
// from zero (+1) or toward zero (-1).
double round_small(double v, int mantissa, int exponent) {
  if (std::isnan(v) || std::isinf(v) || v == 0) return v;
  int e = 0;
  std::frexp(v, &e);  // v = m * 2^e, 0.5 <= |m| < 1
  int bias = (1 << (exponent - 1)) - 1;
  int min_exp = 1 - bias;  // exponent of the least normal, as 1.x * 2^min_exp
  int unit = std::max(e - 1, min_exp) - mantissa;
  double scaled = std::ldexp(v, -unit);
  double r = std::nearbyint(scaled);
  double result = std::ldexp(r, unit);
  double limit = std::ldexp(2.0 - std::ldexp(1.0, -mantissa), bias);
  if (std::fabs(result) > limit) return std::copysign(std::numeric_limits<double>::infinity(), v);
  return result;
}

// a * b + c for narrow floats: the product is exact in double, the sum is rounded to odd so that
// the second rounding sees what was lost.
double fma_small(double a, double b, double c, Type t) {
  double p = a * b;
  double s = p + c;
  if (std::isfinite(s)) {
    double bb = s - p;
    double err = (p - (s - bb)) + (c - bb);
    if (err != 0) {
      uint64_t bits;
      std::memcpy(&bits, &s, 8);
      if ((bits & 1) == 0) {
        bool away = (err > 0) == (s > 0);
        bits = away ? bits + 1 : bits - 1;
        std::memcpy(&s, &bits, 8);
      }
    }
  }
  return round_to(t, s);
}

Scalar int_result(Type t, __int128 v) {
  if (!t.wraps() && (v < t.min_value() || v > t.max_value())) return Scalar::of_poison(t);
  return Scalar::of_int(t, static_cast<int64_t>(static_cast<unsigned __int128>(v)));
}

__int128 wide(const Scalar& s) {
  if (s.type.is_uint() && s.type.bits == 64)
    return static_cast<__int128>(static_cast<uint64_t>(s.i));
  return s.i;
}

Scalar shift(BinaryOp op, const Scalar& a, const Scalar& b) {
  Type t = a.type;
  __int128 n = wide(b);
  bool left = op == BinaryOp::Shl;
  if (n < 0) {
    left = !left;
    n = -n;
  }
  if (n >= t.bits) return Scalar::of_int(t, !left && t.is_signed() && a.i < 0 ? -1 : 0);
  if (left)
    return Scalar::of_int(t,
                          static_cast<int64_t>(static_cast<uint64_t>(a.i) << static_cast<int>(n)));
  return Scalar::of_int(t, static_cast<int64_t>(wide(a) >> static_cast<int>(n)));
}

Scalar int_binary(BinaryOp op, const Scalar& a, const Scalar& b) {
  Type t = a.type;
  __int128 x = wide(a), y = wide(b);
  switch (op) {
    case BinaryOp::Add:
      return int_result(t, x + y);
    case BinaryOp::Sub:
      return int_result(t, x - y);
    case BinaryOp::Mul: {
      if (t.wraps())
        return Scalar::of_int(
            t, static_cast<int64_t>(static_cast<uint64_t>(a.i) * static_cast<uint64_t>(b.i)));
      return int_result(t, x * y);
    }
    case BinaryOp::Div:
    case BinaryOp::Mod: {
      if (y == 0) return Scalar::of_int(t, 0);
      __int128 q = x / y, r = x % y;
      if (r < 0) {
        q += y > 0 ? -1 : 1;
        r += y > 0 ? y : -y;
      }
      return int_result(t, op == BinaryOp::Div ? q : r);
    }
    case BinaryOp::Min:
      return x < y ? a : b;
    case BinaryOp::Max:
      return x > y ? a : b;
    case BinaryOp::And:
    case BinaryOp::BitAnd:
      return Scalar::of_int(t, a.i & b.i);
    case BinaryOp::Or:
    case BinaryOp::BitOr:
      return Scalar::of_int(t, a.i | b.i);
    case BinaryOp::BitXor:
      return Scalar::of_int(t, a.i ^ b.i);
    case BinaryOp::Shl:
    case BinaryOp::Shr:
      return shift(op, a, b);
    case BinaryOp::Eq:
      return Scalar::of_bool(x == y);
    case BinaryOp::Ne:
      return Scalar::of_bool(x != y);
    case BinaryOp::Lt:
      return Scalar::of_bool(x < y);
    case BinaryOp::Le:
      return Scalar::of_bool(x <= y);
    case BinaryOp::Gt:
      return Scalar::of_bool(x > y);
    case BinaryOp::Ge:
      return Scalar::of_bool(x >= y);
  }
  return Scalar::of_poison(t);
}

// f32 operations in double, rounded once more, are exact IEEE f32 operations (53 >= 2 * 24 + 2);
// the same holds for the narrower types.
Scalar float_binary(BinaryOp op, const Scalar& a, const Scalar& b) {
  Type t = a.type;
  double x = a.f, y = b.f;
  switch (op) {
    case BinaryOp::Add:
      return Scalar::of_float(t, x + y);
    case BinaryOp::Sub:
      return Scalar::of_float(t, x - y);
    case BinaryOp::Mul:
      return Scalar::of_float(t, x * y);
    case BinaryOp::Div:
      return Scalar::of_float(t, x / y);
    case BinaryOp::Mod: {
      double q = std::floor(round_to(t, x / y));
      return Scalar::of_float(t, x - round_to(t, y * q));
    }
    case BinaryOp::Min:
      return x < y ? a : b;
    case BinaryOp::Max:
      return x > y ? a : b;
    case BinaryOp::Eq:
      return Scalar::of_bool(x == y);
    case BinaryOp::Ne:
      return Scalar::of_bool(x != y);
    case BinaryOp::Lt:
      return Scalar::of_bool(x < y);
    case BinaryOp::Le:
      return Scalar::of_bool(x <= y);
    case BinaryOp::Gt:
      return Scalar::of_bool(x > y);
    case BinaryOp::Ge:
      return Scalar::of_bool(x >= y);
    default:
      return Scalar::of_poison(t);
  }
}

}  // namespace

int64_t wrap_to(Type type, int64_t value) {
  if (type.is_bool()) return value != 0;
  if (type.bits >= 64) return value;
  uint64_t mask = (uint64_t{1} << type.bits) - 1;
  uint64_t low = static_cast<uint64_t>(value) & mask;
  if (type.is_int() && (low >> (type.bits - 1)) != 0) low |= ~mask;
  return static_cast<int64_t>(low);
}

double round_to(Type type, double value) {
  if (type.code == TypeCode::BFloat) return round_small(value, 7, 8);
  if (type.bits == 16) return round_small(value, 10, 5);
  if (type.bits == 32) return static_cast<double>(static_cast<float>(value));
  return value;
}

int64_t euclid_div(int64_t a, int64_t b) {
  int64_t q = a / b, r = a % b;
  if (r < 0) q += b > 0 ? -1 : 1;
  return q;
}

int64_t euclid_mod(int64_t a, int64_t b) {
  int64_t r = a % b;
  return r < 0 ? r + (b > 0 ? b : -b) : r;
}

Scalar Scalar::of_int(Type t, int64_t v) {
  Scalar s;
  s.type = t;
  s.i = wrap_to(t, v);
  return s;
}

Scalar Scalar::of_float(Type t, double v) {
  Scalar s;
  s.type = t;
  s.f = round_to(t, v);
  return s;
}

Scalar Scalar::of_poison(Type t) {
  Scalar s;
  s.type = t;
  s.poison = true;
  return s;
}

bool same_value(const Scalar& a, const Scalar& b) {
  if (a.poison || b.poison || a.type != b.type) return false;
  if (!a.type.is_float()) return a.i == b.i;
  if (std::isnan(a.f) || std::isnan(b.f)) return std::isnan(a.f) && std::isnan(b.f);
  return a.f == b.f && std::signbit(a.f) == std::signbit(b.f);
}

Scalar eval_unary(UnaryOp op, const Scalar& a) {
  Type t = a.type;
  if (a.poison) return Scalar::of_poison(t);
  switch (op) {
    case UnaryOp::Neg:
      return t.is_float() ? Scalar::of_float(t, -a.f) : int_result(t, -wide(a));
    case UnaryOp::Not:
      return Scalar::of_bool(!a.truth());
    case UnaryOp::BitNot:
      return Scalar::of_int(t, ~a.i);
    case UnaryOp::Abs:
      if (t.is_float()) return Scalar::of_float(t, std::fabs(a.f));
      return int_result(t, wide(a) < 0 ? -wide(a) : wide(a));
    case UnaryOp::Sqrt:
      return Scalar::of_float(t,
                              t.bits == 64 ? std::sqrt(a.f) : static_cast<double>(std::sqrt(a.f)));
    case UnaryOp::Floor:
      return t.is_float() ? Scalar::of_float(t, std::floor(a.f)) : a;
    case UnaryOp::Ceil:
      return t.is_float() ? Scalar::of_float(t, std::ceil(a.f)) : a;
    case UnaryOp::Trunc:
      return t.is_float() ? Scalar::of_float(t, std::trunc(a.f)) : a;
    case UnaryOp::Round:
      return t.is_float() ? Scalar::of_float(t, std::nearbyint(a.f)) : a;
  }
  return Scalar::of_poison(t);
}

Scalar eval_binary(BinaryOp op, const Scalar& a, const Scalar& b) {
  Type result = is_comparison(op) ? Type::boolean() : a.type;
  if (a.poison || b.poison) return Scalar::of_poison(result);
  return a.type.is_float() ? float_binary(op, a, b) : int_binary(op, a, b);
}

Scalar eval_fma(const Scalar& a, const Scalar& b, const Scalar& c) {
  Type t = a.type;
  if (a.poison || b.poison || c.poison) return Scalar::of_poison(t);
  if (t.bits == 64) return Scalar::of_float(t, std::fma(a.f, b.f, c.f));
  if (t.bits == 32)
    return Scalar::of_float(
        t, static_cast<double>(std::fmaf(static_cast<float>(a.f), static_cast<float>(b.f),
                                         static_cast<float>(c.f))));
  return Scalar::of_float(t, fma_small(a.f, b.f, c.f, t));
}

Scalar eval_cast(Type to, const Scalar& a) {
  if (a.poison) return Scalar::of_poison(to);
  if (to.is_float()) {
    if (a.type.is_float()) return Scalar::of_float(to, a.f);
    if (to.bits == 64) {
      double d = a.type.is_uint() ? static_cast<double>(static_cast<uint64_t>(a.i))
                                  : static_cast<double>(a.i);
      return Scalar::of_float(to, d);
    }
    if (to.bits == 32) {  // straight from the integer: no double rounding
      float f = a.type.is_uint() ? static_cast<float>(static_cast<uint64_t>(a.i))
                                 : static_cast<float>(a.i);
      return Scalar::of_float(to, static_cast<double>(f));
    }
    long double d = a.type.is_uint() ? static_cast<long double>(static_cast<uint64_t>(a.i))
                                     : static_cast<long double>(a.i);
    double head = static_cast<double>(d);
    if (static_cast<long double>(head) != d) {  // round to odd, then to the narrow type
      uint64_t bits;
      std::memcpy(&bits, &head, 8);
      bool above = static_cast<long double>(std::fabs(head)) > (d < 0 ? -d : d);
      if ((bits & 1) == 0) bits = above ? bits - 1 : bits + 1;
      std::memcpy(&head, &bits, 8);
    }
    return Scalar::of_float(to, head);
  }
  if (a.type.is_float()) {
    if (std::isnan(a.f)) return Scalar::of_int(to, 0);
    if (to.is_bool()) return Scalar::of_bool(a.f != 0);
    double t = std::trunc(a.f);
    if (to.is_uint()) {
      if (t <= 0) return Scalar::of_int(to, 0);
      if (t >= std::ldexp(1.0, to.bits)) return Scalar::of_int(to, to.max_value());
      return Scalar::of_int(to, static_cast<int64_t>(static_cast<uint64_t>(t)));
    }
    if (t < std::ldexp(-1.0, to.bits - 1)) return Scalar::of_int(to, to.min_value());
    if (t >= std::ldexp(1.0, to.bits - 1)) return Scalar::of_int(to, to.max_value());
    return Scalar::of_int(to, static_cast<int64_t>(t));
  }
  if (to.is_bool()) return Scalar::of_bool(a.i != 0);
  return Scalar::of_int(to, a.i);
}

void store_bytes(const Scalar& v, void* to) {
  Type t = v.type;
  if (!t.is_float()) {
    std::memcpy(to, &v.i, static_cast<size_t>(t.bytes()));
  } else if (t.bits == 64) {
    std::memcpy(to, &v.f, 8);
  } else {
    float f = static_cast<float>(v.f);
    uint32_t bits;
    std::memcpy(&bits, &f, 4);
    if (t.bits == 32) {
      std::memcpy(to, &bits, 4);
    } else if (t.code == TypeCode::BFloat) {
      uint16_t h = static_cast<uint16_t>(bits >> 16);
      if (std::isnan(f)) h |= 0x40;
      std::memcpy(to, &h, 2);
    } else {
      uint16_t sign = static_cast<uint16_t>((bits >> 16) & 0x8000);
      uint16_t h = 0;
      double m = std::fabs(v.f);
      if (std::isnan(v.f)) {
        h = 0x7e00;
      } else if (std::isinf(v.f)) {
        h = 0x7c00;
      } else if (m >= std::ldexp(1.0, -14)) {
        int e = 0;
        double frac = std::frexp(m, &e);  // m = frac * 2^e
        h = static_cast<uint16_t>(((e - 1 + 15) << 10) + static_cast<int>((frac * 2 - 1) * 1024));
      } else {
        h = static_cast<uint16_t>(std::ldexp(m, 24));
      }
      h |= sign;
      std::memcpy(to, &h, 2);
    }
  }
}

Scalar load_bytes(Type type, const void* from) {
  if (!type.is_float()) {
    int64_t v = 0;
    std::memcpy(&v, from, static_cast<size_t>(type.bytes()));
    return Scalar::of_int(type, v);
  }
  double d = 0;
  if (type.bits == 64) {
    std::memcpy(&d, from, 8);
  } else if (type.bits == 32) {
    float f;
    std::memcpy(&f, from, 4);
    d = static_cast<double>(f);
  } else {
    uint16_t h;
    std::memcpy(&h, from, 2);
    if (type.code == TypeCode::BFloat) {
      uint32_t bits = static_cast<uint32_t>(h) << 16;
      float f;
      std::memcpy(&f, &bits, 4);
      d = static_cast<double>(f);
    } else {
      int e = (h >> 10) & 31, m = h & 1023;
      if (e == 31) {
        d = m ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
      } else {
        d = e ? std::ldexp(1024 + m, e - 25) : std::ldexp(m, -24);
      }
      if (h & 0x8000) d = -d;
    }
  }
  Scalar s;
  s.type = type;
  s.f = d;
  return s;
}

}  // namespace hocket::ir
