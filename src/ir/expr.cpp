#include "ir/expr.h"

#include "ir/semantics.h"

namespace hocket::ir {

namespace {
template <class T, class... Args>
Expr node(Args&&... args) {
  return Expr(support::Ref<const ExprNode>(new T(std::forward<Args>(args)...)));
}
}  // namespace

bool is_comparison(BinaryOp op) {
  return op >= BinaryOp::Eq;
}

const char* spelling(BinaryOp op) {
  switch (op) {
    case BinaryOp::Add:
      return "+";
    case BinaryOp::Sub:
      return "-";
    case BinaryOp::Mul:
      return "*";
    case BinaryOp::Div:
      return "/";
    case BinaryOp::Mod:
      return "%";
    case BinaryOp::Min:
      return "min";
    case BinaryOp::Max:
      return "max";
    case BinaryOp::And:
      return "and";
    case BinaryOp::Or:
      return "or";
    case BinaryOp::BitAnd:
      return "&";
    case BinaryOp::BitOr:
      return "|";
    case BinaryOp::BitXor:
      return "^";
    case BinaryOp::Shl:
      return "<<";
    case BinaryOp::Shr:
      return ">>";
    case BinaryOp::Eq:
      return "==";
    case BinaryOp::Ne:
      return "!=";
    case BinaryOp::Lt:
      return "<";
    case BinaryOp::Le:
      return "<=";
    case BinaryOp::Gt:
      return ">";
    case BinaryOp::Ge:
      return ">=";
  }
  return "?";
}

const char* spelling(UnaryOp op) {
  switch (op) {
    case UnaryOp::Neg:
      return "-";
    case UnaryOp::Not:
      return "not";
    case UnaryOp::BitNot:
      return "~";
    case UnaryOp::Abs:
      return "abs";
    case UnaryOp::Sqrt:
      return "sqrt";
    case UnaryOp::Floor:
      return "floor";
    case UnaryOp::Ceil:
      return "ceil";
    case UnaryOp::Trunc:
      return "trunc";
    case UnaryOp::Round:
      return "round";
  }
  return "?";
}

Expr make_int(Type type, int64_t value) {
  HOCKET_ASSERT(!type.is_float() && type.lanes == 1, "make_int of a type that is no integer");
  return node<IntImm>(type, wrap_to(type, value));
}

Expr make_bool(bool value) {
  return make_int(Type::boolean(), value);
}

Expr make_float(Type type, double value) {
  HOCKET_ASSERT(type.is_float() && type.lanes == 1, "make_float of a type that is no float");
  return node<FloatImm>(type, round_to(type, value));
}

Expr make_const(Type type, int64_t value) {
  if (type.lanes > 1) return make_broadcast(make_const(type.element(), value), type.lanes);
  if (type.is_float()) return make_float(type, static_cast<double>(value));
  return make_int(type, value);
}

Expr make_var(const Symbol& sym) {
  HOCKET_ASSERT(sym.defined(), "reference to an undefined symbol");
  return node<VarRef>(sym.type(), sym);
}

Expr make_unary(UnaryOp op, Expr a) {
  Type t = a.type();
  HOCKET_ASSERT(op != UnaryOp::Not || t.is_bool(), "not of a value that is no bool");
  return node<Unary>(t, op, std::move(a));
}

Expr make_binary(BinaryOp op, Expr a, Expr b) {
  HOCKET_ASSERT(a.defined() && b.defined(), "operand is undefined");
  HOCKET_ASSERT(a.type() == b.type(), std::string("operands of ") + spelling(op) + " are " +
                                          a.type().name() + " and " + b.type().name());
  Type t = is_comparison(op) ? Type::boolean(a.type().lanes) : a.type();
  return node<Binary>(t, op, std::move(a), std::move(b));
}

Expr make_fma(Expr a, Expr b, Expr c) {
  Type t = a.type();
  HOCKET_ASSERT(t.is_float() && b.type() == t && c.type() == t,
                "fma wants three floats of one type");
  return node<Fma>(t, std::move(a), std::move(b), std::move(c));
}

Expr make_select(Expr cond, Expr t, Expr f) {
  HOCKET_ASSERT(cond.type().is_bool() && t.type() == f.type(), "select of unlike types");
  HOCKET_ASSERT(cond.type().lanes == 1 || cond.type().lanes == t.type().lanes,
                "select of unlike lanes");
  Type ty = t.type();
  return node<Select>(ty, std::move(cond), std::move(t), std::move(f));
}

Expr make_cast(Type type, Expr a) {
  HOCKET_ASSERT(type.lanes == a.type().lanes, "cast changes the number of lanes");
  if (a.type() == type) return a;
  return node<Cast>(type, std::move(a));
}

Expr make_load(const Symbol& buffer, Type type, std::vector<Expr> indices, Expr predicate,
               int64_t align) {
  return node<Load>(type, buffer, std::move(indices), std::move(predicate), align);
}

Expr make_call(const Symbol& func, Type type, std::vector<Expr> args, int value_index) {
  for (const Expr& a : args) HOCKET_ASSERT(a.type().is_index(), "a coordinate that is no index");
  return node<Call>(type, func, std::move(args), value_index);
}

Expr make_buffer_field(const Symbol& buffer, BufferFieldKind field, int dim) {
  return node<BufferField>(buffer, field, dim);
}

Expr make_window(const Symbol& buffer, Type type, std::vector<WindowDim> dims) {
  return node<Window>(type, buffer, std::move(dims));
}

Expr make_ramp(Expr base, Expr stride, int lanes) {
  HOCKET_ASSERT(lanes > 1 && base.type() == stride.type() && base.type().lanes == 1,
                "ramp of unlike types");
  Type t = base.type().with_lanes(lanes);
  return node<Ramp>(t, std::move(base), std::move(stride));
}

Expr make_broadcast(Expr value, int lanes) {
  HOCKET_ASSERT(value.type().lanes == 1, "broadcast of a vector");
  if (lanes == 1) return value;
  Type t = value.type().with_lanes(lanes);
  return node<Broadcast>(t, std::move(value));
}

Expr make_shuffle(std::vector<Expr> vectors, std::vector<int> lanes) {
  HOCKET_ASSERT(!vectors.empty() && !lanes.empty(), "empty shuffle");
  Type t = vectors[0].type().with_lanes(static_cast<int>(lanes.size()));
  return node<Shuffle>(t, std::move(vectors), std::move(lanes));
}

bool is_int(const Expr& e, int64_t* value) {
  if (const auto* i = e.as<IntImm>()) {
    if (value) *value = i->value;
    return true;
  }
  if (const auto* b = e.as<Broadcast>()) return is_int(b->value, value);
  return false;
}

bool is_int_equal(const Expr& e, int64_t value) {
  int64_t v = 0;
  return is_int(e, &v) && v == value;
}

}  // namespace hocket::ir
