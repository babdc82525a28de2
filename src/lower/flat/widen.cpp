#include "lower/flat/widen.h"

#include <algorithm>

#include "lower/flat/lanes.h"

namespace hocket::lower {

using namespace ir;

Widener::Widener(const Symbol& var, const Expr& lo, int lanes) : lanes_(lanes) {
  values_.emplace(var, make_ramp(lo, make_index(1), lanes));
}

void Widener::bind(const Symbol& sym, const Expr& wide) {
  values_.insert_or_assign(sym, wide);
  memo_.clear();
}

void Widener::expand(const Symbol& buffer, bool scalar) {
  expanded_.insert_or_assign(buffer, Own{scalar, mask_});
  memo_.clear();
}

bool Widener::is_private_scalar(const Symbol& buffer) const {
  auto it = expanded_.find(buffer);
  return it != expanded_.end() && it->second.scalar && it->second.mask.same_as(mask_);
}

void Widener::set_mask(const Expr& mask) {
  mask_ = mask;
  any_ = mask.defined() ? across(BinaryOp::Or, mask) : Expr();
  memo_.clear();
}

std::vector<Expr> Widener::indices(const Symbol& buffer, const std::vector<Expr>& i) {
  std::vector<Expr> out;
  for (const Expr& e : i) out.push_back(widen(e));
  if (is_expanded(buffer)) out.push_back(make_ramp(make_index(0), make_index(1), lanes_));
  return out;
}

Expr Widener::widen(const Expr& e) {
  auto it = memo_.find(e.get());
  if (it != memo_.end()) return it->second.second;
  Expr r = widen_node(e);
  memo_.emplace(e.get(), std::make_pair(e, r));
  return r;
}

Expr Widener::widen_node(const Expr& e) {
  switch (e.kind()) {
    case ExprKind::IntImm:
    case ExprKind::FloatImm:
    case ExprKind::BufferField:
      return e;
    case ExprKind::VarRef: {
      auto it = values_.find(e.as<VarRef>()->sym);
      return it == values_.end() ? e : it->second;
    }
    case ExprKind::Unary: {
      Expr a = widen(e.as<Unary>()->a);
      return a.same_as(e.as<Unary>()->a) ? e : make_unary(e.as<Unary>()->op, a);
    }
    case ExprKind::Binary: {
      const auto* b = e.as<Binary>();
      Expr x = widen(b->a), y = widen(b->b);
      return x.same_as(b->a) && y.same_as(b->b) ? e : lanes_binary(b->op, x, y);
    }
    case ExprKind::Fma: {
      const auto* f = e.as<Fma>();
      Expr x = widen(f->a), y = widen(f->b), z = widen(f->c);
      if (x.same_as(f->a) && y.same_as(f->b) && z.same_as(f->c)) return e;
      const int n = std::max({x.type().lanes, y.type().lanes, z.type().lanes});
      return make_fma(as_vector(x, n), as_vector(y, n), as_vector(z, n));
    }
    case ExprKind::Select: {
      const auto* s = e.as<Select>();
      Expr c = widen(s->cond), t = widen(s->t), f = widen(s->f);
      if (c.same_as(s->cond) && t.same_as(s->t) && f.same_as(s->f)) return e;
      return lanes_select(c, t, f);
    }
    case ExprKind::Cast: {
      Expr a = widen(e.as<Cast>()->a);
      return a.same_as(e.as<Cast>()->a) ? e : lanes_cast(e.type(), a);
    }
    case ExprKind::Load: {
      const auto* l = e.as<Load>();
      std::vector<Expr> at = indices(l->buffer, l->indices);
      const bool vector =
          std::any_of(at.begin(), at.end(), [](const Expr& i) { return i.type().is_vector(); });
      const Type type = l->type.element().with_lanes(vector ? lanes_ : 1);
      Expr predicate = l->predicate.defined() ? widen(l->predicate) : Expr();
      if (mask_.defined() && !is_private_scalar(l->buffer)) {
        // The load's own predicate was read under the mask: select, not and.
        predicate = predicate.defined()
                        ? lanes_select(mask_, predicate, make_const(Type::boolean(lanes_), 0))
                        : mask_;
      }
      if (predicate.defined() && vector) predicate = as_vector(predicate, lanes_);
      // One element for all lanes: read where any lane wants it.
      if (predicate.defined() && !vector)
        predicate = predicate.same_as(mask_) ? any_ : across(BinaryOp::Or, predicate);
      return make_load(l->buffer, type, std::move(at), predicate);
    }
    default:
      break;
  }
  HOCKET_UNREACHABLE("an expression in a vector loop that has no place in loop form");
}

}  // namespace hocket::lower
