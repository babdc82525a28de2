#include "analysis/simplify.h"

#include "analysis/bound_search.h"
#include "analysis/order.h"
#include "analysis/rules.h"
#include "analysis/simplify_impl.h"
#include "ir/semantics.h"
#include "ir/visit.h"

namespace hocket::analysis {

using namespace ir;

namespace {

bool is_immediate(const Expr& e) {
  return e.kind() == ExprKind::IntImm || e.kind() == ExprKind::FloatImm;
}

Scalar scalar_of(const Expr& e) {
  if (const auto* i = e.as<IntImm>()) return Scalar::of_int(e.type(), i->value);
  return Scalar::of_float(e.type(), e.as<FloatImm>()->value);
}

// Undefined for poison: the expression stays as it is written.
Expr constant_of(const Scalar& s) {
  if (s.poison) return {};
  return s.type.is_float() ? make_float(s.type, s.f) : make_int(s.type, s.i);
}

// Lanes of which every one is known by a formula: broadcast and ramp arithmetic of index.
Expr lanes_binary(BinaryOp op, const Expr& a, const Expr& b) {
  const auto *x = a.as<Broadcast>(), *y = b.as<Broadcast>();
  int lanes = a.type().lanes;
  if (x && y) return make_broadcast(make_binary(op, x->value, y->value), lanes);
  if (!a.type().is_index()) return {};
  const auto *p = a.as<Ramp>(), *q = b.as<Ramp>();
  switch (op) {
    case BinaryOp::Add:
      if (p && y) return make_ramp(p->base + y->value, p->stride, lanes);
      if (x && q) return make_ramp(x->value + q->base, q->stride, lanes);
      if (p && q) return make_ramp(p->base + q->base, p->stride + q->stride, lanes);
      break;
    case BinaryOp::Sub:
      if (p && y) return make_ramp(p->base - y->value, p->stride, lanes);
      if (p && q) return make_ramp(p->base - q->base, p->stride - q->stride, lanes);
      break;
    case BinaryOp::Mul:
      if (p && y) return make_ramp(p->base * y->value, p->stride * y->value, lanes);
      if (x && q) return make_ramp(q->base * x->value, q->stride * x->value, lanes);
      break;
    default:
      break;
  }
  return {};
}

}  // namespace

Expr Simplifier::Impl::simplify(const Expr& e) {
  if (is_immediate(e)) return e;
  bool keep = e.get()->use_count() > 1 && e.kind() != ExprKind::VarRef;
  if (keep) {
    if (auto it = values_.find(e.get()); it != values_.end()) return it->second.value;
  }
  Expr r;
  if (e.type() == Type::index()) {
    r = normal(open(e)).to_expr();
  } else {
    r = visit(e);
  }
  if (!r.same_as(e) && same(r, e)) r = e;
  if (keep) values_.emplace(e.get(), Kept{e, r});
  // Simplified again (as part of what a rule made), it is itself.
  if (!is_immediate(r) && r.kind() != ExprKind::VarRef) values_.emplace(r.get(), Kept{r, r});
  return r;
}

// Children simplified, then what is known of the node itself. Scalar index arithmetic only comes
// here for nodes that are atoms.
Expr Simplifier::Impl::visit(const Expr& e) {
  switch (e.kind()) {
    case ExprKind::IntImm:
    case ExprKind::FloatImm:
    case ExprKind::BufferField:
      return e;
    case ExprKind::VarRef: {
      if (e.type().is_bool()) return known_truth(e);
      if (!e.type().is_integral() || e.type().is_vector()) return e;
      const Facts::Known* k = facts_.find(e.as<VarRef>()->sym);
      if (!k) return e;
      ConstRange r = data_range(e, facts_);
      if (r.min == r.max && r.min.fits_int64()) return make_int(e.type(), *r.min.to_int64());
      return e;
    }
    case ExprKind::Unary:
      return unary(e);
    case ExprKind::Binary:
      return binary(e);
    case ExprKind::Select:
      return select(e);
    case ExprKind::Cast:
      return cast(e);
    default:
      return map_children(e, [&](const Expr& c) { return simplify(c); });
  }
}

Expr Simplifier::Impl::unary(const Expr& e) {
  const auto* u = e.as<Unary>();
  Expr a = simplify(u->a);
  if (is_immediate(a)) {
    if (Expr c = constant_of(eval_unary(u->op, scalar_of(a))); c.defined()) return c;
  }
  if (const auto* b = a.as<Broadcast>()) {
    return make_broadcast(simplify(make_unary(u->op, b->value)), e.type().lanes);
  }
  Expr r = a.same_as(u->a) ? e : make_unary(u->op, a);
  if (Expr next = apply_rules(r); next.defined()) return simplify(next);
  return e.type().is_bool() ? known_truth(r) : r;
}

Expr Simplifier::Impl::binary(const Expr& e) {
  const auto* b = e.as<Binary>();
  Expr x, y;
  if (is_comparison(b->op) && b->a.type().is_integral() && !b->a.type().is_vector()) {
    Expr r = compare_integers(e, b->op, b->a, b->b);
    if (r.defined()) {
      if (is_immediate(r)) return r;
      return known_truth(r);
    }
  }
  x = simplify(b->a);
  y = simplify(b->b);
  if (is_immediate(x) && is_immediate(y)) {
    if (Expr c = constant_of(eval_binary(b->op, scalar_of(x), scalar_of(y))); c.defined()) return c;
  }
  if (x.type().is_vector()) {
    if (Expr v = lanes_binary(b->op, x, y); v.defined()) {
      return map_children(v, [&](const Expr& c) { return simplify(c); });
    }
  }
  Expr r = x.same_as(b->a) && y.same_as(b->b) ? e : make_binary(b->op, x, y);
  if (Expr next = apply_rules(r); next.defined()) return simplify(next);
  Type t = x.type();
  if (t.is_integral() && !t.is_vector() && (b->op == BinaryOp::Min || b->op == BinaryOp::Max)) {
    ConstRange p = data_range(x, facts_), q = data_range(y, facts_);
    bool is_min = b->op == BinaryOp::Min;
    if (p.max <= q.min) return is_min ? x : y;
    if (q.max <= p.min) return is_min ? y : x;
  }
  return e.type().is_bool() ? known_truth(r) : r;
}

Expr Simplifier::Impl::select(const Expr& e) {
  const auto* s = e.as<Select>();
  Expr cond = simplify(s->cond);
  int64_t truth = 0;
  if (is_int(cond, &truth)) return simplify(truth ? s->t : s->f);
  Expr x = simplify(s->t), y = simplify(s->f);
  if (same(x, y)) return x;
  if (const auto* n = cond.as<Unary>(); n && n->op == UnaryOp::Not) {
    return make_select(n->a, y, x);
  }
  if (e.type().is_bool() && cond.type().lanes == e.type().lanes) {
    // select(c, true, false) is c. With one constant side only, `and` and `or` would evaluate the
    // other side always, and might meet poison there.
    int64_t p = 0, q = 0;
    if (is_int(x, &p) && is_int(y, &q)) return p ? cond : simplify(make_unary(UnaryOp::Not, cond));
  }
  bool unchanged = cond.same_as(s->cond) && x.same_as(s->t) && y.same_as(s->f);
  return unchanged ? e : make_select(cond, x, y);
}

Expr Simplifier::Impl::cast(const Expr& e) {
  Expr a = simplify(e.as<Cast>()->a);
  Type t = e.type();
  if (a.type() == t) return a;
  if (is_immediate(a)) {
    if (Expr c = constant_of(eval_cast(t, scalar_of(a))); c.defined()) return c;
  }
  if (const auto* b = a.as<Broadcast>()) {
    return make_broadcast(simplify(make_cast(t.element(), b->value)), t.lanes);
  }
  // Integers: a cast that keeps every value may be left out before another one; so may one that
  // only drops bits which the outer one drops as well.
  if (const auto* inner = a.as<Cast>()) {
    const Expr& v = inner->a;
    if (t.is_integral() && a.type().is_integral() && v.type().is_integral()) {
      ConstRange have =
          v.type().is_vector() ? type_range(v.type().element()) : data_range(v, facts_);
      ConstRange mid = type_range(a.type().element());
      bool kept = mid.min <= have.min && have.max <= mid.max;
      if (kept || t.bits <= a.type().bits) return simplify(make_cast(t, v));
    }
  }
  return a.same_as(e.as<Cast>()->a) ? e : make_cast(t, a);
}

// A condition that was assumed, or the opposite of one.
Expr Simplifier::Impl::known_truth(const Expr& e) {
  if (e.type() != Type::boolean()) return e;
  for (const Expr& c : facts_.conditions()) {
    if (same(c, e)) return make_bool(true);
    if (const auto* n = c.as<Unary>(); n && n->op == UnaryOp::Not && same(n->a, e)) {
      return make_bool(false);
    }
  }
  return e;
}

Simplifier::Simplifier(const Facts& facts) : impl_(std::make_unique<Impl>(facts)) {}
Simplifier::~Simplifier() = default;
Simplifier::Simplifier(Simplifier&&) noexcept = default;
Expr Simplifier::simplify(const Expr& e) {
  return impl_->simplify(e);
}
Affine Simplifier::affine(const Expr& e) {
  return impl_->affine(e);
}

Expr simplify(const Expr& e, const Facts& facts) {
  if (e.kind() == ExprKind::VarRef || e.kind() == ExprKind::IntImm) {
    if (facts.known_atoms().empty()) return e;
  }
  return Simplifier(facts).simplify(e);
}

Affine affine_extremum(bool is_min, const Affine& a, const Affine& b, const Facts& facts) {
  return Simplifier::Impl(facts).extremum_of(is_min, a, b);
}

Affine affine_of(const Expr& e, const Facts& facts) {
  return Simplifier(facts).affine(e);
}

}  // namespace hocket::analysis
