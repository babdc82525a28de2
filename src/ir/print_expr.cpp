// Expressions as text: as few parentheses as read back to the same tree, types where a number would
// take another one. In: an expression, names. Out: text. Called by: every other printer.
#include "ir/printer.h"
#include "ir/words.h"

namespace hocket::ir {

namespace {

enum Strength : int {
  kAny = 0,
  kOr,
  kAnd,
  kNot,
  kCompare,
  kBitOr,
  kBitXor,
  kBitAnd,
  kShift,
  kSum,
  kProduct,
  kUnary,
};

int strength_of(BinaryOp op) {
  switch (op) {
    case BinaryOp::Or:
      return kOr;
    case BinaryOp::And:
      return kAnd;
    case BinaryOp::BitOr:
      return kBitOr;
    case BinaryOp::BitXor:
      return kBitXor;
    case BinaryOp::BitAnd:
      return kBitAnd;
    case BinaryOp::Shl:
    case BinaryOp::Shr:
      return kShift;
    case BinaryOp::Add:
    case BinaryOp::Sub:
      return kSum;
    case BinaryOp::Mul:
    case BinaryOp::Div:
    case BinaryOp::Mod:
      return kProduct;
    default:
      return kCompare;
  }
}

bool is_product(const Expr& e) {
  const auto* b = e.as<Binary>();
  return b && b->op == BinaryOp::Mul && b->type.is_float();
}

}  // namespace

bool is_number(const Expr& e) {
  return e.as<FloatImm>() || (e.as<IntImm>() && !e.type().is_bool());
}

void Printer::exprs(const std::vector<Expr>& list, bool bare) {
  for (size_t i = 0; i < list.size(); ++i) {
    if (i > 0) out_ += ", ";
    expr(list[i], bare);
  }
}

// Where a coordinate stands, an integer is cast to index without being told.
void Printer::coordinates(const std::vector<Expr>& list) {
  for (size_t i = 0; i < list.size(); ++i) {
    if (i > 0) out_ += ", ";
    const auto* c = list[i].as<Cast>();
    bool implied = c && c->type.is_index() && c->a.type().is_integral() && !is_number(c->a);
    expr(implied ? c->a : list[i], true);
  }
}

// Two operands of one type: at most one of them may be a bare number.
void Printer::pair(const Expr& a, const Expr& b) {
  expr(a, !is_number(b));
  out_ += ", ";
  expr(b, true);
}

void Printer::binary(const Binary& b, int strength) {
  if (b.op == BinaryOp::Min || b.op == BinaryOp::Max) {
    out_ += std::string(spelling(b.op)) + "(";
    pair(b.a, b.b);
    out_ += ")";
    return;
  }
  int own = strength_of(b.op);
  bool contracts =
      mode_ == NumericMode::Contract && (b.op == BinaryOp::Add || b.op == BinaryOp::Sub);
  auto operand = [&](const Expr& e, bool bare, int around) {
    if (contracts && is_product(e)) {
      out_ += "strict(";
      expr(e, bare);
      out_ += ")";
    } else {
      expr(e, bare, around);
    }
  };
  if (own < strength) out_ += "(";
  // Comparisons do not chain: neither side may be one.
  operand(b.a, !is_number(b.b), own == kCompare ? own + 1 : own);
  out_ += std::string(" ") + spelling(b.op) + " ";
  operand(b.b, true, own + 1);
  if (own < strength) out_ += ")";
}

void Printer::load(const Symbol& buffer, const std::vector<Expr>& indices, const Expr& predicate,
                   int64_t align) {
  out_ += names_.name(buffer);
  if (indices.empty() && !predicate.defined() && align == 0) return;
  out_ += "[";
  coordinates(indices);
  const char* separator = indices.empty() ? "" : ", ";
  if (predicate.defined()) {
    out_ += std::string(separator) + "when=";
    expr(predicate);
    separator = ", ";
  }
  if (align != 0) out_ += std::string(separator) + "align=" + std::to_string(align);
  out_ += "]";
}

// A window without an interval looks like an element; outside a call it says what it is.
void Printer::window(const Window& w, bool in_call) {
  bool all_points = true;
  for (const WindowDim& d : w.dims) all_points &= d.is_point();
  if (all_points && !in_call) out_ += "window(";
  out_ += names_.name(w.buffer) + "[";
  for (size_t i = 0; i < w.dims.size(); ++i) {
    if (i > 0) out_ += ", ";
    expr(w.dims[i].lo, true);
    if (!w.dims[i].is_point()) {
      out_ += ":";
      expr(w.dims[i].hi, true);
    }
  }
  out_ += "]";
  if (all_points && !in_call) out_ += ")";
}

void Printer::expr(const Expr& e, bool bare, int strength) {
  if (!e.defined()) {
    out_ += "_";
    return;
  }
  switch (e.kind()) {
    case ExprKind::IntImm:
    case ExprKind::FloatImm: {
      std::string digits =
          e.as<IntImm>() ? spell_number(*e.as<IntImm>()) : spell_number(*e.as<FloatImm>());
      if (bare || !is_number(e)) {
        out_ += digits;
      } else {
        out_ += e.type().name() + "(" + digits + ")";
      }
      break;
    }
    case ExprKind::VarRef:
      out_ += names_.name(e.as<VarRef>()->sym);
      break;
    case ExprKind::Unary: {
      const auto* u = e.as<Unary>();
      if (u->op == UnaryOp::Neg || u->op == UnaryOp::BitNot || u->op == UnaryOp::Not) {
        int own = u->op == UnaryOp::Not ? kNot : kUnary;
        if (own < strength) out_ += "(";
        out_ += spelling(u->op);
        if (u->op == UnaryOp::Not) out_ += " ";
        expr(u->a, false, own);
        if (own < strength) out_ += ")";
      } else {
        out_ += std::string(spelling(u->op)) + "(";
        expr(u->a);
        out_ += ")";
      }
      break;
    }
    case ExprKind::Binary:
      binary(*e.as<Binary>(), strength);
      break;
    case ExprKind::Fma: {
      const auto* f = e.as<Fma>();
      bool typed = is_number(f->a) && is_number(f->b) && is_number(f->c);
      out_ += "fma(";
      expr(f->a, !typed);
      out_ += ", ";
      expr(f->b, true);
      out_ += ", ";
      expr(f->c, true);
      out_ += ")";
      break;
    }
    case ExprKind::Select: {
      const auto* s = e.as<Select>();
      out_ += "select(";
      expr(s->cond);
      out_ += ", ";
      pair(s->t, s->f);
      out_ += ")";
      break;
    }
    case ExprKind::Cast:
      out_ += e.type().name() + "(";
      expr(e.as<Cast>()->a);
      out_ += ")";
      break;
    case ExprKind::Load: {
      const auto* l = e.as<Load>();
      load(l->buffer, l->indices, l->predicate, l->align);
      break;
    }
    case ExprKind::Call: {
      const auto* c = e.as<Call>();
      out_ += names_.name(c->func) + "(";
      coordinates(c->args);
      out_ += ")";
      const Func* f = algorithm_ ? algorithm_->find(c->func) : nullptr;
      if (f ? f->types.size() > 1 : c->value_index > 0)
        out_ += "[" + std::to_string(c->value_index) + "]";
      break;
    }
    case ExprKind::BufferField: {
      const auto* b = e.as<BufferField>();
      const ImageParam* image = algorithm_ ? algorithm_->find_input(b->buffer) : nullptr;
      std::string dim = image && b->dim >= 0 && static_cast<size_t>(b->dim) < image->dims.size()
                            ? spell_name(image->dims[static_cast<size_t>(b->dim)])
                            : std::to_string(b->dim);
      if (b->field == BufferFieldKind::Stride && !image) {
        out_ += "stride(" + names_.name(b->buffer) + ", " + dim + ")";
      } else {
        const char* field = b->field == BufferFieldKind::Min      ? "min"
                            : b->field == BufferFieldKind::Extent ? "extent"
                                                                  : "stride";
        out_ += names_.name(b->buffer) + "." + field + "(" + dim + ")";
      }
      break;
    }
    case ExprKind::Window:
      window(*e.as<Window>(), true);
      break;
    case ExprKind::Ramp: {
      const auto* r = e.as<Ramp>();
      out_ += "ramp(";
      pair(r->base, r->stride);
      out_ += ", " + std::to_string(e.type().lanes) + ")";
      break;
    }
    case ExprKind::Broadcast:
      out_ += "broadcast(";
      expr(e.as<Broadcast>()->value);
      out_ += ", " + std::to_string(e.type().lanes) + ")";
      break;
    case ExprKind::Shuffle: {
      const auto* s = e.as<Shuffle>();
      out_ += "shuffle(";
      exprs(s->vectors, false);
      out_ += ", [";
      for (size_t i = 0; i < s->lanes.size(); ++i) {
        if (i > 0) out_ += ", ";
        out_ += std::to_string(s->lanes[i]);
      }
      out_ += "])";
      break;
    }
  }
}

}  // namespace hocket::ir
