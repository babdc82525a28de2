#include "codegen/c/expr.h"

#include <cctype>

#include "support/assert.h"
#include "support/strings.h"

namespace hocket::codegen {

namespace {

using B = ir::BinaryOp;
using U = ir::UnaryOp;

bool is_narrow(ir::Type t) {
  return t.is_float() && t.bits == 16;
}

// Operators that mean in C what they mean here, for this type.
bool is_plain(B op, ir::Type t) {
  if (is_narrow(t) || t.is_bool()) return false;
  if (ir::is_comparison(op)) return !t.is_vector();
  if (op == B::Add || op == B::Sub || op == B::Mul) {
    // Narrow results would be wider in C; signed data may overflow, indices may not.
    if (t.is_float() || t.is_index()) return !(t.is_index() && t.is_vector());
    return t.is_uint() && (t.is_vector() || t.bits >= 32);
  }
  if (op == B::Div) return t.is_float();
  if (op == B::BitAnd || op == B::BitOr || op == B::BitXor) return t.is_vector() || t.bits >= 32;
  return false;
}

// Compilers take `2 ^ 6` for a power that was meant, and not `0x2 ^ 6` (-Wxor-used-as-pow).
CText no_power(const CText& a) {
  const size_t digits = a.text.find_first_not_of("0123456789");
  const std::string base = a.text.substr(0, digits);
  if (a.binding != CText::Primary || (base != "2" && base != "10")) return a;
  if (digits != std::string::npos && a.text.find_first_not_of("uUlL", digits) != std::string::npos)
    return a;
  return {(base == "2" ? "0x2" : "0xa") + a.text.substr(base.size()), a.binding};
}

CText infix(B op, const CText& a, const CText& b) {
  switch (op) {
    case B::Add:
      if (b.binding == CText::Unary && b.text.size() > 1 && b.text[0] == '-' &&
          std::isdigit(static_cast<unsigned char>(b.text[1])) != 0) {
        return {a.in(CText::Sum) + " - " + b.text.substr(1), CText::Sum};
      }
      return {a.in(CText::Sum) + " + " + b.in(CText::Product), CText::Sum};
    case B::Sub:
      return {a.in(CText::Sum) + " - " + b.in(CText::Product), CText::Sum};
    case B::Mul:
      return {a.in(CText::Product) + " * " + b.in(CText::Unary), CText::Product};
    case B::Div:
    case B::Mod:
      return {a.in(CText::Product) + c_operator(op) + b.in(CText::Unary), CText::Product};
    case B::BitAnd:
    case B::BitOr:
      return {a.in(CText::Unary) + c_operator(op) + b.in(CText::Unary), CText::Loose};
    case B::BitXor:
      return {no_power(a).in(CText::Unary) + c_operator(op) + b.in(CText::Unary), CText::Loose};
    default:
      return {a.in(CText::Sum) + c_operator(op) + b.in(CText::Sum), CText::Loose};
  }
}

}  // namespace

CText CExprs::call(const std::string& f, const std::vector<std::string>& args) {
  return {f + "(" + support::join(args, ", ") + ")", CText::Primary};
}

CText CExprs::expr(const ir::Expr& e) {
  const auto shared = shared_.find(e.get());
  if (shared != shared_.end()) return {shared->second, CText::Primary};
  switch (e.kind()) {
    case ir::ExprKind::IntImm: {
      const std::string text = c_literal(e.type(), e.as<ir::IntImm>()->value);
      return {text, text[0] == '-' ? CText::Unary : CText::Primary};
    }
    case ir::ExprKind::FloatImm: {
      const std::string text = c_float_literal(e.type(), e.as<ir::FloatImm>()->value);
      return {text, text[0] == '-' || text[0] == '(' ? CText::Unary : CText::Primary};
    }
    case ir::ExprKind::VarRef:
      return var(*e.as<ir::VarRef>());
    case ir::ExprKind::Unary:
      return unary(*e.as<ir::Unary>());
    case ir::ExprKind::Binary:
      return binary(*e.as<ir::Binary>());
    case ir::ExprKind::Fma: {
      const auto* f = e.as<ir::Fma>();
      return call(helpers_.fma(e.type()), {text(f->a), text(f->b), text(f->c)});
    }
    case ir::ExprKind::Select:
      return select(*e.as<ir::Select>());
    case ir::ExprKind::Cast:
      return cast(*e.as<ir::Cast>());
    case ir::ExprKind::Load:
      return load(*e.as<ir::Load>());
    case ir::ExprKind::BufferField:
      return field(*e.as<ir::BufferField>());
    case ir::ExprKind::Ramp: {
      const auto* r = e.as<ir::Ramp>();
      return call(helpers_.ramp(e.type()), {text(r->base), text(r->stride)});
    }
    case ir::ExprKind::Broadcast:
      return call(helpers_.splat(e.type()), {text(e.as<ir::Broadcast>()->value)});
    case ir::ExprKind::Shuffle: {
      std::vector<std::string> vectors;
      for (const ir::Expr& v : e.as<ir::Shuffle>()->vectors) vectors.push_back(text(v));
      return call(helpers_.shuffle(*e.as<ir::Shuffle>()), vectors);
    }
    case ir::ExprKind::Call:
    case ir::ExprKind::Window:
      break;
  }
  HOCKET_UNREACHABLE("an expression that has no C text");
}

CText CExprs::unary(const ir::Unary& e) {
  const ir::Type t = e.type;
  const CText a = expr(e.a);
  if (t.is_vector()) return call(helpers_.unary(e.op, t), {a.text});
  if (e.op == U::Not) return {"!" + a.in(CText::Primary), CText::Unary};
  if (e.op == U::Neg && sizing_ && t.is_index()) return apply(B::Sub, t, {"0", CText::Primary}, a);
  if (e.op == U::Neg && t.is_index()) return {"-" + a.in(CText::Primary), CText::Unary};
  if (t.is_float() && !is_narrow(t) && e.op != U::Neg) {
    const char* const words[] = {"", "", "", "fabs", "sqrt", "floor", "ceil", "trunc", "rint"};
    return call(words[static_cast<int>(e.op)] + std::string(t.bits == 32 ? "f" : ""), {a.text});
  }
  if (!t.is_float() && (e.op >= U::Floor || (e.op == U::Abs && !t.is_signed()))) return a;
  return call(helpers_.unary(e.op, t), {a.text});
}

CText CExprs::binary(const ir::Binary& e) {
  if ((e.op == B::Div || e.op == B::Mod) && !e.type.is_float()) return divide(e);
  // Two literals would be computed as ints.
  CText a = expr(e.a);
  if (e.a.type().is_index() && e.a.as<ir::IntImm>() != nullptr && e.b.as<ir::IntImm>() != nullptr) {
    a = {"(int64_t)" + a.in(CText::Unary), CText::Unary};
  }
  return apply(e.op, e.a.type(), a, expr(e.b));
}

CText CExprs::apply(B op, ir::Type t, const CText& a, const CText& b) {
  if (saturate_ && t.is_index() && (op == B::Add || op == B::Sub || op == B::Mul)) {
    return call(helpers_.saturating(op), {a.text, b.text});
  }
  if (sizing_ && t.is_index() && !t.is_vector() &&
      (op == B::Add || op == B::Sub || op == B::Mul || op == B::Div || op == B::Mod)) {
    return call(helpers_.sizing(op), {a.text, b.text});
  }
  if (is_plain(op, t)) return infix(op, a, b);
  if (!t.is_vector() && t.is_bool()) {
    if (op == B::And || op == B::BitAnd) return infix(B::And, a, b);
    if (op == B::Or || op == B::BitOr) return infix(B::Or, a, b);
    if (op == B::Eq || op == B::Ne) return infix(op, a, b);
  }
  if (!t.is_vector() && t.is_integral() && t.bits < 32) {
    const std::string type = c_type(t);
    if (op == B::Add || op == B::Sub || op == B::BitAnd || op == B::BitOr || op == B::BitXor) {
      return {"(" + type + ")(" + infix(op, a, b).text + ")", CText::Unary};
    }
  }
  return call(helpers_.binary(op, t), {a.text, b.text});
}

// Where neither side is negative, C's division is the Euclidean one.
CText CExprs::divide(const ir::Binary& e) {
  const ir::Type t = e.type;
  const CText a = expr(e.a), b = expr(e.b);
  if (sizing_ && t.is_index()) return apply(e.op, t, a, b);
  const bool unsigned_side = t.is_uint() || (!t.is_vector() && facts_.of(e.a).non_negative());
  const bool by_positive =
      facts_.of(e.b).positive() || (t.is_uint() && ir::is_int(e.b) && !ir::is_int_equal(e.b, 0));
  if (unsigned_side && by_positive) {
    CText r = infix(e.op, a, b);
    if (!t.is_vector() && t.bits < 32) r = {"(" + c_type(t) + ")(" + r.text + ")", CText::Unary};
    return r;
  }
  return call(helpers_.binary(e.op, t), {a.text, b.text});
}

CText CExprs::select(const ir::Select& e) {
  const CText cond = expr(e.cond), t = expr(e.t), f = expr(e.f);
  if (e.cond.type().is_vector()) {
    return call(helpers_.select(e.type), {cond.text, t.text, f.text});
  }
  CText r{cond.in(CText::Sum) + " ? " + t.in(CText::Sum) + " : " + f.in(CText::Sum), CText::Loose};
  // The two sides of a narrow type meet as ints.
  if (!e.type.is_vector() && e.type.is_integral() && e.type.bits < 32) {
    r = {"(" + c_type(e.type) + ")(" + r.text + ")", CText::Unary};
  }
  return r;
}

CText CExprs::cast(const ir::Cast& e) {
  const ir::Type to = e.type, from = e.a.type();
  const CText a = expr(e.a);
  const bool narrow = is_narrow(to) || is_narrow(from);
  if (to.is_vector() || narrow || (from.is_float() && !to.is_float())) {
    return call(helpers_.cast(to, from), {a.text});
  }
  if (to.is_bool()) return {a.in(CText::Sum) + " != 0", CText::Loose};
  return {"(" + c_type(to) + ")" + a.in(CText::Primary), CText::Unary};
}

}  // namespace hocket::codegen
