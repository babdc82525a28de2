#include "interp/code.h"

#include "ir/visit.h"

namespace hocket::interp {

using ir::BinaryOp;
using ir::Expr;
using ir::ExprKind;
using ir::Type;
using ir::UnaryOp;

XOp binary_op(BinaryOp op, Type t) {
  if (t.is_float()) {
    const bool f32 = t.bits == 32, f64 = t.bits == 64;
    switch (op) {
      case BinaryOp::Add:
        return f32 ? XOp::AddF32 : f64 ? XOp::AddF64 : XOp::Binary;
      case BinaryOp::Sub:
        return f32 ? XOp::SubF32 : f64 ? XOp::SubF64 : XOp::Binary;
      case BinaryOp::Mul:
        return f32 ? XOp::MulF32 : f64 ? XOp::MulF64 : XOp::Binary;
      case BinaryOp::Div:
        return f32 ? XOp::DivF32 : f64 ? XOp::DivF64 : XOp::Binary;
      case BinaryOp::Min:
        return XOp::MinF;
      case BinaryOp::Max:
        return XOp::MaxF;
      case BinaryOp::Eq:
        return XOp::EqF;
      case BinaryOp::Ne:
        return XOp::NeF;
      case BinaryOp::Lt:
        return XOp::LtF;
      case BinaryOp::Le:
        return XOp::LeF;
      case BinaryOp::Gt:
        return XOp::GtF;
      case BinaryOp::Ge:
        return XOp::GeF;
      default:
        return XOp::Binary;
    }
  }
  const bool signed64 = (t.is_int() && t.bits == 64) || t.is_index();
  const bool i32 = t.is_int() && t.bits == 32;
  const bool u64 = t.is_uint() && t.bits == 64;
  switch (op) {
    case BinaryOp::Add:
      return t.is_bool() ? XOp::Binary : signed64 ? XOp::Add64 : i32 ? XOp::Add32 : XOp::AddWrap;
    case BinaryOp::Sub:
      return t.is_bool() ? XOp::Binary : signed64 ? XOp::Sub64 : i32 ? XOp::Sub32 : XOp::SubWrap;
    case BinaryOp::Mul:
      return t.is_bool() ? XOp::Binary : signed64 ? XOp::Mul64 : i32 ? XOp::Mul32 : XOp::MulWrap;
    case BinaryOp::Div:
      return signed64 ? XOp::Div64 : XOp::Binary;
    case BinaryOp::Mod:
      return signed64 ? XOp::Mod64 : XOp::Binary;
    case BinaryOp::And:
    case BinaryOp::BitAnd:
      return XOp::And;
    case BinaryOp::Or:
    case BinaryOp::BitOr:
      return XOp::Or;
    case BinaryOp::BitXor:
      return XOp::Xor;
    case BinaryOp::Eq:
      return XOp::Eq;
    case BinaryOp::Ne:
      return XOp::Ne;
    case BinaryOp::Min:
      return u64 ? XOp::Binary : XOp::Min;
    case BinaryOp::Max:
      return u64 ? XOp::Binary : XOp::Max;
    case BinaryOp::Lt:
      return u64 ? XOp::Binary : XOp::Lt;
    case BinaryOp::Le:
      return u64 ? XOp::Binary : XOp::Le;
    case BinaryOp::Gt:
      return u64 ? XOp::Binary : XOp::Gt;
    case BinaryOp::Ge:
      return u64 ? XOp::Binary : XOp::Ge;
    default:
      return XOp::Binary;
  }
}

const XNode* ExprCompiler::root(const Expr& e) {
  seen_.clear();
  return compile(e);
}

uint32_t ExprCompiler::new_reason(Reason::Kind kind, const Expr& e, const ir::Symbol& buffer) {
  reasons.push_back(Reason{kind, e, buffer, {}});
  return static_cast<uint32_t>(reasons.size() - 1);
}

void ExprCompiler::binary(const ir::Binary& b, XNode& n) {
  n.a = compile(b.a);
  n.b = compile(b.b);
  n.from = b.a.type().element();
  n.op = binary_op(b.op, n.from);
  n.sub = static_cast<uint8_t>(b.op);
}

void ExprCompiler::cast(const ir::Cast& c, XNode& n) {
  n.a = compile(c.a);
  const Type from = n.from = c.a.type().element(), to = n.type;
  n.op = XOp::Cast;
  const bool plain = !from.is_float() && !(from.is_uint() && from.bits == 64);
  if (!from.is_float() && !to.is_float() && !to.is_bool()) n.op = XOp::CastInt;
  if (plain && to.is_float() && to.bits == 32) n.op = XOp::CastIntF32;
  if (plain && to.is_float() && to.bits == 64) n.op = XOp::CastIntF64;
  if (from.is_float() && to == Type::f(32)) n.op = XOp::CastF32;
}

XNode* ExprCompiler::compile(const Expr& e) {
  if (auto it = seen_.find(e.get()); it != seen_.end()) {
    XNode* known = it->second;
    if (known->op == XOp::Const || known->op == XOp::Slot || known->op == XOp::LaneSlot ||
        known->op == XOp::Shared)
      return known;
    nodes.push_back(*known);
    XNode* inner = &nodes.back();
    known->op = XOp::Shared;
    known->a = inner;
    known->slot = cache_cells++;
    return known;
  }
  if (const auto* b = e.as<ir::Broadcast>()) return compile(b->value);
  nodes.emplace_back();
  XNode& n = nodes.back();
  seen_.emplace(e.get(), &n);
  n.type = e.type().element();
  switch (e.kind()) {
    case ExprKind::IntImm:
      n.op = XOp::Const;
      n.imm = Val::of(e.as<ir::IntImm>()->value);
      return &n;
    case ExprKind::FloatImm:
      n.op = XOp::Const;
      n.imm = Val::of_float(e.as<ir::FloatImm>()->value);
      return &n;
    case ExprKind::Unary: {
      const auto* u = e.as<ir::Unary>();
      n.a = compile(u->a);
      n.from = n.type;
      n.op = u->op == UnaryOp::Not ? XOp::Not : XOp::Unary;
      n.sub = static_cast<uint8_t>(u->op);
      break;
    }
    case ExprKind::Binary:
      binary(*e.as<ir::Binary>(), n);
      break;
    case ExprKind::Fma: {
      const auto* f = e.as<ir::Fma>();
      n.op = XOp::Fma;
      n.from = n.type;
      n.a = compile(f->a);
      n.b = compile(f->b);
      n.c = compile(f->c);
      break;
    }
    case ExprKind::Select: {
      const auto* s = e.as<ir::Select>();
      n.op = XOp::Select;
      n.a = compile(s->cond);
      n.b = compile(s->t);
      n.c = compile(s->f);
      return &n;
    }
    case ExprKind::Cast:
      cast(*e.as<ir::Cast>(), n);
      break;
    case ExprKind::Ramp: {
      const auto* r = e.as<ir::Ramp>();
      n.op = XOp::Ramp;
      n.from = n.type;
      n.a = compile(r->base);
      n.b = compile(r->stride);
      break;
    }
    case ExprKind::Shuffle: {
      const auto* s = e.as<ir::Shuffle>();
      n.op = XOp::Shuffle;
      std::vector<std::pair<const XNode*, int>> all;
      for (const Expr& v : s->vectors) {
        const XNode* source = compile(v);
        for (int lane = 0; lane < v.type().lanes; ++lane) all.emplace_back(source, lane);
      }
      for (const int lane : s->lanes) {
        HOCKET_ASSERT(lane >= 0 && static_cast<size_t>(lane) < all.size(),
                      "shuffle of a lane that is not there");
        n.lanes.push_back(all[static_cast<size_t>(lane)]);
      }
      return &n;
    }
    case ExprKind::VarRef:
    case ExprKind::Load:
    case ExprKind::Call:
    case ExprKind::BufferField:
      leaf(e, n);
      return &n;
    case ExprKind::Broadcast:
    case ExprKind::Window:
      HOCKET_UNREACHABLE("an expression that has no value");
  }
  switch (n.op) {  // operations that can make poison out of values
    case XOp::Add64:
    case XOp::Sub64:
    case XOp::Mul64:
    case XOp::Add32:
    case XOp::Sub32:
    case XOp::Mul32:
    case XOp::Div64:
    case XOp::Unary:
    case XOp::Binary:
    case XOp::Ramp:
      if (!n.from.is_float() && !n.from.wraps() && !n.from.is_bool())
        n.reason = new_reason(Reason::Kind::Overflow, e);
      break;
    default:
      break;
  }
  return &n;
}

}  // namespace hocket::interp
