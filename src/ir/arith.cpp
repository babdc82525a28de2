#include "ir/arith.h"

#include <cmath>
#include <limits>
#include <optional>

#include "diag/kinds_driver.h"
#include "diag/kinds_parse.h"
#include "ir/print.h"
#include "ir/semantics.h"
#include "ir/words.h"

namespace hocket::ir {

diag::Diagnostic no_value(const support::Place& place) {
  return diag::Diagnostic(diag::kind::bad_argument, place)
      .arg("message", "an Expr is used before it has a value");
}

namespace {

using diag::Diagnostic;
using diag::Result;
using support::Place;
using Wide = __int128;

constexpr Wide kGreatest = std::numeric_limits<uint64_t>::max();
constexpr Wide kLeast = std::numeric_limits<int64_t>::min();

bool is_float_literal(const FrontOperand& a) {
  return a.expr.as<FloatImm>() != nullptr;
}

Wide integer_of(const FrontOperand& a) {
  const auto* i = a.expr.as<IntImm>();
  if (i->type.is_uint()) return static_cast<Wide>(static_cast<uint64_t>(i->value));
  return i->value;
}

double real_of(const FrontOperand& a) {
  if (const auto* f = a.expr.as<FloatImm>()) return f->value;
  return static_cast<double>(integer_of(a));
}

std::string spoken(const FrontOperand& a) {
  return to_text(a.expr);
}

std::string digits_of(const FrontOperand& a) {
  if (const auto* f = a.expr.as<FloatImm>()) return spell_number(*f);
  return spell_number(*a.expr.as<IntImm>());
}

Result<FrontOperand> wide_literal(Wide value, const char* op, const Place& place) {
  if (value < kLeast || value > kGreatest)
    return Diagnostic(diag::kind::number_out_of_range, place)
        .arg("number", "the result of `" + std::string(op) + "`")
        .arg("range", "64 bits");
  FrontOperand r;
  bool big = value > std::numeric_limits<int64_t>::max();
  r.expr = make_int(big ? Type::u(64) : Type::i(64), static_cast<int64_t>(value));
  r.literal = true;
  return r;
}

FrontOperand typed(Expr e) {
  FrontOperand r;
  r.expr = std::move(e);
  return r;
}

Diagnostic undefined(const char* op, const std::string& type, const Place& place) {
  return Diagnostic(diag::kind::operator_undefined, place).arg("op", op).arg("type", type);
}

// A literal as an immediate of the (element) type, broadcast to its lanes.
Result<Expr> literal_as(const FrontOperand& a, Type type, const Place& place) {
  Type element = type.element();
  auto refuse = [&] {
    Diagnostic d = Diagnostic(diag::kind::literal_does_not_fit, place)
                       .arg("number", digits_of(a))
                       .arg("type", type.name());
    return d;
  };
  Expr e;
  if (element.is_bool()) return refuse();
  if (element.is_float()) {
    double v = real_of(a);
    if (std::isfinite(v) && !std::isfinite(round_to(element, v))) return refuse();
    if (!is_float_literal(a) && static_cast<Wide>(round_to(element, v)) != integer_of(a))
      return refuse();
    e = make_float(element, v);
  } else {
    if (is_float_literal(a)) return refuse();
    Wide v = integer_of(a);
    Wide least = element.min_value();
    Wide greatest = element.is_uint() && element.bits == 64 ? kGreatest : Wide{element.max_value()};
    if (v < least || v > greatest) return refuse();
    e = make_int(element, static_cast<int64_t>(v));
  }
  return type.lanes > 1 ? make_broadcast(e, type.lanes) : e;
}

Result<FrontOperand> fold(BinaryOp op, const FrontOperand& a, const FrontOperand& b,
                          const Place& place) {
  if (is_float_literal(a) || is_float_literal(b)) {
    if (!is_defined(op, Type::f(64))) return undefined(spelling(op), "floats", place);
    Scalar s = eval_binary(op, Scalar::of_float(Type::f(64), real_of(a)),
                           Scalar::of_float(Type::f(64), real_of(b)));
    if (is_comparison(op)) return typed(make_bool(s.truth()));
    return front_literal(s.f);
  }
  Wide x = integer_of(a), y = integer_of(b);
  switch (op) {
    case BinaryOp::Add:
      return wide_literal(x + y, spelling(op), place);
    case BinaryOp::Sub:
      return wide_literal(x - y, spelling(op), place);
    case BinaryOp::Mul: {
      // Beyond 2^64 on either side the product of two 65-bit numbers may leave 128 bits.
      Wide product;
      if (__builtin_mul_overflow(x, y, &product)) product = kGreatest + 1;
      return wide_literal(product, spelling(op), place);
    }
    case BinaryOp::Div:
    case BinaryOp::Mod: {
      if (y == 0) return wide_literal(0, spelling(op), place);
      Wide q = x / y, r = x % y;
      if (r < 0) {
        q += y > 0 ? -1 : 1;
        r += y > 0 ? y : -y;
      }
      return wide_literal(op == BinaryOp::Div ? q : r, spelling(op), place);
    }
    case BinaryOp::Min:
      return wide_literal(x < y ? x : y, spelling(op), place);
    case BinaryOp::Max:
      return wide_literal(x > y ? x : y, spelling(op), place);
    case BinaryOp::BitAnd:
      return wide_literal(x & y, spelling(op), place);
    case BinaryOp::BitOr:
      return wide_literal(x | y, spelling(op), place);
    case BinaryOp::BitXor:
      return wide_literal(x ^ y, spelling(op), place);
    case BinaryOp::Shl:
      if (y < 0 || y > 63)
        return Diagnostic(diag::kind::number_out_of_range, place)
            .arg("number", "the number `" + digits_of(b) + "`")
            .arg("range", "a shift of 0 to 63");
      return wide_literal(x * (Wide{1} << static_cast<int>(y)), spelling(op), place);
    case BinaryOp::Shr:
      if (y < 0 || y > 63)
        return Diagnostic(diag::kind::number_out_of_range, place)
            .arg("number", "the number `" + digits_of(b) + "`")
            .arg("range", "a shift of 0 to 63");
      return wide_literal(x >> static_cast<int>(y), spelling(op), place);
    case BinaryOp::And:
    case BinaryOp::Or:
      return undefined(spelling(op), "numbers", place);
    case BinaryOp::Eq:
      return typed(make_bool(x == y));
    case BinaryOp::Ne:
      return typed(make_bool(x != y));
    case BinaryOp::Lt:
      return typed(make_bool(x < y));
    case BinaryOp::Le:
      return typed(make_bool(x <= y));
    case BinaryOp::Gt:
      return typed(make_bool(x > y));
    case BinaryOp::Ge:
      return typed(make_bool(x >= y));
  }
  return undefined(spelling(op), "numbers", place);
}

Expr cast_to(Type type, const Expr& e) {
  return make_cast(type.with_lanes(e.type().lanes), e);
}

// The type in which two typed values meet, or nothing.
std::optional<Type> common_type(Type a, Type b) {
  if (a.lanes != b.lanes) return std::nullopt;
  if (a == b) return a;
  if (a.is_index()) a = Type::i(32, a.lanes);
  if (b.is_index()) b = Type::i(32, b.lanes);
  if (a == b) return a;
  if (a.is_bool() || b.is_bool()) return std::nullopt;
  if (a.is_float() && b.is_float()) {
    if (a.bits == b.bits) return std::nullopt;
    return a.bits > b.bits ? a : b;
  }
  if (a.is_float()) return a;
  if (b.is_float()) return b;
  int bits = a.bits > b.bits ? a.bits : b.bits;
  return a.is_uint() && b.is_uint() ? Type::u(bits, a.lanes) : Type::i(bits, a.lanes);
}

// Index meets data as its i32 cast; the rest is a plain cast.
Expr promoted(const Expr& e, Type type) {
  if (e.type().is_index() && !type.is_index()) return cast_to(type, cast_to(Type::i(32), e));
  return cast_to(type, e);
}

struct Pair {
  Expr a, b;
};

// Two typed integers of which one is signed: the result is of the left one's kind at the greater
// width, and the count keeps its value, whatever its own kind is.
Expr mixed_shift(BinaryOp op, const Expr& a, const Expr& b, Type common) {
  const Type signed_type = Type::i(common.bits, common.lanes);
  const auto number = [](Type type, int64_t value) {
    const Expr e = make_int(type.element(), value);
    return type.lanes > 1 ? make_broadcast(e, type.lanes) : e;
  };
  if (!a.type().is_uint()) {
    const bool fits = b.type().bits < common.bits;
    return make_binary(
        op, promoted(a, signed_type),
        promoted(fits ? b : make_binary(BinaryOp::Min, b, number(b.type(), common.bits)),
                 signed_type));
  }
  const Type type = Type::u(common.bits, common.lanes);
  const Expr value = promoted(a, type), count = promoted(b, signed_type);
  const Expr forth = cast_to(type, count);
  const BinaryOp other = op == BinaryOp::Shl ? BinaryOp::Shr : BinaryOp::Shl;
  return make_select(make_binary(BinaryOp::Ge, count, number(signed_type, 0)),
                     make_binary(op, value, forth),
                     make_binary(other, value, make_binary(BinaryOp::Sub, number(type, 0), forth)));
}

bool is_mixed_shift(BinaryOp op, const FrontOperand& a, const FrontOperand& b) {
  if ((op != BinaryOp::Shl && op != BinaryOp::Shr) || a.literal || b.literal) return false;
  const Type left = a.expr.type(), right = b.expr.type();
  return left.is_integral() && right.is_integral() && left.is_uint() != right.is_uint();
}

// At least one of the two is typed.
Result<Pair> matched(const char* op, const FrontOperand& a, const FrontOperand& b,
                     const Place& place) {
  if (a.literal) {
    HOCKET_TRY(Expr x, literal_as(a, b.expr.type(), place));
    return Pair{x, b.expr};
  }
  if (b.literal) {
    HOCKET_TRY(Expr y, literal_as(b, a.expr.type(), place));
    return Pair{a.expr, y};
  }
  std::optional<Type> type = common_type(a.expr.type(), b.expr.type());
  if (!type)
    return Diagnostic(diag::kind::no_common_type, place)
        .arg("op", op)
        .arg("a", a.expr.type().name())
        .arg("b", b.expr.type().name());
  return Pair{promoted(a.expr, *type), promoted(b.expr, *type)};
}

const Binary* product(const Expr& e, bool strict) {
  const auto* b = e.as<Binary>();
  return b && !strict && b->op == BinaryOp::Mul && b->type.is_float() ? b : nullptr;
}

Expr negated(const Expr& e) {
  if (const auto* f = e.as<FloatImm>()) return make_float(f->type, -f->value);
  return make_unary(UnaryOp::Neg, e);
}

Expr sum(BinaryOp op, const Expr& a, bool strict_a, const Expr& b, bool strict_b) {
  bool minus = op == BinaryOp::Sub;
  if (const Binary* p = product(b, strict_b))
    return make_fma(minus ? negated(p->a) : p->a, p->b, a);
  if (const Binary* p = product(a, strict_a)) return make_fma(p->a, p->b, minus ? negated(b) : b);
  return make_binary(op, a, b);
}

}  // namespace

bool is_defined(BinaryOp op, Type type) {
  switch (op) {
    case BinaryOp::And:
    case BinaryOp::Or:
      return type.is_bool();
    case BinaryOp::BitAnd:
    case BinaryOp::BitOr:
    case BinaryOp::BitXor:
      return !type.is_float();
    case BinaryOp::Shl:
    case BinaryOp::Shr:
      return type.is_integral();
    case BinaryOp::Eq:
    case BinaryOp::Ne:
      return true;
    default:
      return !type.is_bool();
  }
}

bool is_defined(UnaryOp op, Type type) {
  switch (op) {
    case UnaryOp::Not:
      return type.is_bool();
    case UnaryOp::BitNot:
      return type.is_integral();
    case UnaryOp::Neg:
    case UnaryOp::Abs:
      return !type.is_bool();
    default:
      return type.is_float();
  }
}

FrontOperand front_literal(int64_t value) {
  FrontOperand r = typed(make_int(Type::i(64), value));
  r.literal = true;
  return r;
}

FrontOperand front_literal(double value) {
  FrontOperand r = typed(make_float(Type::f(64), value));
  r.literal = true;
  return r;
}

Result<FrontOperand> front_binary(BinaryOp op, const FrontOperand& a, const FrontOperand& b,
                                  NumericMode mode, const Place& place) {
  if (a.literal && b.literal) return fold(op, a, b, place);
  HOCKET_TRY(Pair pair, matched(spelling(op), a, b, place));
  if (!is_defined(op, pair.a.type())) return undefined(spelling(op), pair.a.type().name(), place);
  if (is_mixed_shift(op, a, b)) return typed(mixed_shift(op, a.expr, b.expr, pair.a.type()));
  bool sums = (op == BinaryOp::Add || op == BinaryOp::Sub) && pair.a.type().is_float();
  if (sums && mode == NumericMode::Contract)
    return typed(sum(op, pair.a, a.strict, pair.b, b.strict));
  return typed(make_binary(op, pair.a, pair.b));
}

Result<FrontOperand> front_unary(UnaryOp op, const FrontOperand& a, NumericMode mode,
                                 const Place& place) {
  (void)mode;
  if (a.literal && op == UnaryOp::Neg) {
    if (is_float_literal(a)) return front_literal(-real_of(a));
    return wide_literal(-integer_of(a), spelling(op), place);
  }
  HOCKET_TRY(Expr e, front_expr(a, place));
  if (!is_defined(op, e.type())) return undefined(spelling(op), e.type().name(), place);
  return typed(make_unary(op, e));
}

Result<FrontOperand> front_fma(const FrontOperand& a, const FrontOperand& b, const FrontOperand& c,
                               const Place& place) {
  std::optional<Type> type;
  for (const FrontOperand* o : {&a, &b, &c}) {
    if (o->literal) continue;
    std::optional<Type> both = type ? common_type(*type, o->expr.type()) : o->expr.type();
    if (!both)
      return Diagnostic(diag::kind::no_common_type, place)
          .arg("op", "fma")
          .arg("a", type->name())
          .arg("b", o->expr.type().name());
    type = both;
  }
  if (!type) type = Type::f(32);
  if (!type->is_float()) return undefined("fma", type->name(), place);
  std::vector<Expr> x;
  for (const FrontOperand* o : {&a, &b, &c}) {
    if (o->literal) {
      HOCKET_TRY(Expr e, literal_as(*o, *type, place));
      x.push_back(e);
    } else {
      x.push_back(promoted(o->expr, *type));
    }
  }
  return typed(make_fma(x[0], x[1], x[2]));
}

Result<FrontOperand> front_select(const FrontOperand& cond, const FrontOperand& t,
                                  const FrontOperand& f, const Place& place) {
  HOCKET_TRY(Expr c, front_condition(cond, place));
  if (t.literal && f.literal) {
    bool real = is_float_literal(t) || is_float_literal(f);
    Type type = real ? Type::f(32) : Type::i(32);
    HOCKET_TRY(Expr x, literal_as(t, type, place));
    HOCKET_TRY(Expr y, literal_as(f, type, place));
    if (c.type().lanes > 1) {
      x = make_broadcast(x, c.type().lanes);
      y = make_broadcast(y, c.type().lanes);
    }
    return typed(make_select(c, x, y));
  }
  HOCKET_TRY(Pair pair, matched("select", t, f, place));
  if (c.type().lanes != 1 && c.type().lanes != pair.a.type().lanes)
    return Diagnostic(diag::kind::no_common_type, place)
        .arg("op", "select")
        .arg("a", c.type().name())
        .arg("b", pair.a.type().name());
  return typed(make_select(c, pair.a, pair.b));
}

Result<FrontOperand> front_clamp(const FrontOperand& v, const FrontOperand& lo,
                                 const FrontOperand& hi, const Place& place) {
  HOCKET_TRY(FrontOperand low, front_binary(BinaryOp::Max, v, lo, NumericMode::Strict, place));
  return front_binary(BinaryOp::Min, low, hi, NumericMode::Strict, place);
}

Result<FrontOperand> front_cast(Type type, const FrontOperand& a, const Place& place) {
  if (a.literal) {
    HOCKET_TRY(Expr e, literal_as(a, type, place));
    return typed(e);
  }
  if (a.expr.type().lanes != type.lanes)
    return Diagnostic(diag::kind::type_mismatch, place)
        .arg("what", "the operand of `" + type.name() + "`")
        .arg("given", a.expr.type().name())
        .arg("wanted", a.expr.type().with_lanes(type.lanes).name());
  return typed(make_cast(type, a.expr));
}

Result<Expr> front_expr(const FrontOperand& a, const Place& place) {
  if (!a.literal) return a.expr;
  return literal_as(a, is_float_literal(a) ? Type::f(32) : Type::i(32), place);
}

Result<Expr> front_value(const FrontOperand& a, Type type, const Place& place,
                         const std::string& what) {
  if (a.literal) return literal_as(a, type, place);
  Type given = a.expr.type();
  if (given == type) return a.expr;
  if (given.is_index() && type == Type::i(32, given.lanes)) return cast_to(type, a.expr);
  Diagnostic d = Diagnostic(diag::kind::type_mismatch, place)
                     .arg("what", what)
                     .arg("given", given.name())
                     .arg("wanted", type.name());
  if (given.lanes == type.lanes) d.help("write the cast: " + type.name() + "(" + spoken(a) + ")");
  return d;
}

Result<Expr> front_updated(const FrontOperand& a, const FrontOperand& right, Type type,
                           const Place& place, const std::string& what) {
  Result<Expr> value = front_value(a, type, place, what);
  if (value.ok()) return value;
  value.error().helps.clear();
  if (Result<Expr> added = front_value(right, type, place, what); !added.ok())
    value.error().helps = std::move(added.error().helps);
  return value;
}

Result<Expr> front_coordinate(const FrontOperand& a, const Place& place) {
  if (!a.literal && !a.expr.defined()) return no_value(place);
  if (a.literal && !is_float_literal(a)) return literal_as(a, Type::index(), place);
  Type given = a.literal ? Type::f(32) : a.expr.type();
  if (given.is_index()) return a.expr;
  if (!given.is_integral())
    return Diagnostic(diag::kind::not_a_coordinate, place).arg("given", given.name());
  return cast_to(Type::index(), a.expr);
}

Result<Expr> front_condition(const FrontOperand& a, const Place& place) {
  if (!a.literal && !a.expr.defined()) return no_value(place);
  if (!a.literal && a.expr.type().is_bool()) return a.expr;
  return Diagnostic(diag::kind::condition_not_bool, place)
      .arg("given", a.literal ? "a number" : a.expr.type().name());
}

}  // namespace hocket::ir
