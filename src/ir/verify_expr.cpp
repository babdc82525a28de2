#include "ir/verify_expr.h"

#include <cmath>

#include "diag/kinds_verify.h"
#include "ir/arith.h"
#include "ir/print.h"
#include "ir/semantics.h"
#include "ir/visit.h"

namespace hocket::ir {

namespace {

using diag::Diagnostic;
using diag::Result;

bool operands_fit(const Expr& e) {
  Type t = e.type();
  switch (e.kind()) {
    case ExprKind::Unary: {
      const auto* u = e.as<Unary>();
      return u->a.defined() && u->a.type() == t && is_defined(u->op, t);
    }
    case ExprKind::Binary: {
      const auto* b = e.as<Binary>();
      if (!b->a.defined() || !b->b.defined() || b->a.type() != b->b.type()) return false;
      Type result = is_comparison(b->op) ? Type::boolean(b->a.type().lanes) : b->a.type();
      return t == result && is_defined(b->op, b->a.type());
    }
    case ExprKind::Fma: {
      const auto* f = e.as<Fma>();
      return t.is_float() && f->a.defined() && f->b.defined() && f->c.defined() &&
             f->a.type() == t && f->b.type() == t && f->c.type() == t;
    }
    case ExprKind::Select: {
      const auto* s = e.as<Select>();
      return s->cond.defined() && s->t.defined() && s->f.defined() && s->cond.type().is_bool() &&
             s->t.type() == t && s->f.type() == t &&
             (s->cond.type().lanes == 1 || s->cond.type().lanes == t.lanes);
    }
    case ExprKind::Cast:
      return e.as<Cast>()->a.defined() && e.as<Cast>()->a.type() != t;
    case ExprKind::Ramp: {
      const auto* r = e.as<Ramp>();
      return r->base.defined() && r->stride.defined() && r->base.type() == t.element() &&
             r->stride.type() == t.element() && !t.is_bool();
    }
    case ExprKind::Broadcast:
      return e.as<Broadcast>()->value.defined() && e.as<Broadcast>()->value.type() == t.element();
    case ExprKind::Shuffle: {
      const auto* s = e.as<Shuffle>();
      for (const Expr& v : s->vectors)
        if (!v.defined() || v.type().element() != t.element()) return false;
      return !s->vectors.empty();
    }
    default:
      return true;
  }
}

bool lanes_fit(const Expr& e, bool flat) {
  if (!flat && e.type().lanes > 1) return false;
  switch (e.kind()) {
    case ExprKind::IntImm:
    case ExprKind::FloatImm:
      return e.type().lanes == 1;
    case ExprKind::Cast:
      return e.as<Cast>()->a.type().lanes == e.type().lanes;
    case ExprKind::Ramp:
    case ExprKind::Broadcast:
      return e.type().lanes > 1;
    case ExprKind::Shuffle: {
      const auto* s = e.as<Shuffle>();
      int lanes = 0;
      for (const Expr& v : s->vectors) lanes += v.type().lanes;
      for (int l : s->lanes)
        if (l < 0 || l >= lanes) return false;
      return flat && static_cast<size_t>(e.type().lanes) == s->lanes.size();
    }
    case ExprKind::Load: {
      const auto* l = e.as<Load>();
      if (!flat) return !l->predicate.defined() && l->align == 0;
      return l->align >= 0 &&
             (!l->predicate.defined() || l->predicate.type() == Type::boolean(e.type().lanes));
    }
    default:
      return true;
  }
}

bool is_value(const Expr& e) {
  if (const auto* i = e.as<IntImm>())
    return !i->type.is_float() && wrap_to(i->type, i->value) == i->value;
  if (const auto* f = e.as<FloatImm>())
    return f->type.is_float() && (std::isnan(f->value) || round_to(f->type, f->value) == f->value);
  return true;
}

}  // namespace

std::string shown(const Expr& e) {
  if (!e.defined()) return "(nothing)";
  std::string text = to_text(e);
  return text.size() <= 120 ? text : text.substr(0, 117) + "...";
}

Result<void> verify_types(const Expr& e, bool flat, const support::Place& place) {
  auto refuse = [&](diag::Kind kind) {
    return Diagnostic(kind, place).arg("at", diag::LatePrinter([at = e] { return shown(at); }));
  };
  if (!is_value(e)) return refuse(diag::kind::invariant_immediate);
  if (!operands_fit(e)) return refuse(diag::kind::invariant_operands);
  if (!lanes_fit(e, flat)) return refuse(diag::kind::invariant_lanes);
  return {};
}

}  // namespace hocket::ir
