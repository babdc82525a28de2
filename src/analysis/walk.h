// Quick looks into small expressions, without a set of what was seen.
//
// Shared graphs could be walked many times; after a fixed number of nodes the walk starts over with
// ir::for_each, which visits each node once. Called by: all of this room.
#pragma once

#include "ir/visit.h"

namespace hocket::analysis {

// f(child) for each direct sub-expression until one is true.
template <class F>
bool any_child(const ir::Expr& e, F&& f) {
  using namespace ir;
  auto given = [&](const Expr& c) { return c.defined() && f(c); };
  switch (e.kind()) {
    case ExprKind::IntImm:
    case ExprKind::FloatImm:
    case ExprKind::VarRef:
    case ExprKind::BufferField:
      return false;
    case ExprKind::Unary:
      return f(e.as<Unary>()->a);
    case ExprKind::Binary:
      return f(e.as<Binary>()->a) || f(e.as<Binary>()->b);
    case ExprKind::Cast:
      return f(e.as<Cast>()->a);
    case ExprKind::Select: {
      const auto* s = e.as<Select>();
      return f(s->cond) || f(s->t) || f(s->f);
    }
    case ExprKind::Load: {
      const auto* l = e.as<Load>();
      for (const Expr& i : l->indices) {
        if (f(i)) return true;
      }
      return given(l->predicate);
    }
    case ExprKind::Call:
      for (const Expr& a : e.as<Call>()->args) {
        if (f(a)) return true;
      }
      return false;
    default:
      for (const Expr& c : children(e)) {
        if (f(c)) return true;
      }
      return false;
  }
}

namespace detail {
// 1 found, 0 not, -1 too many nodes.
template <class P>
int any_within(const ir::Expr& e, P& p, int& nodes) {
  if (--nodes < 0) return -1;
  if (p(e)) return 1;
  int result = 0;
  any_child(e, [&](const ir::Expr& c) {
    result = any_within(c, p, nodes);
    return result != 0;
  });
  return result;
}
}  // namespace detail

// Whether p holds for some node of e.
template <class P>
bool any_node(const ir::Expr& e, P p) {
  int nodes = 400;
  int r = detail::any_within(e, p, nodes);
  if (r >= 0) return r == 1;
  bool found = false;
  ir::for_each(e, [&](const ir::Expr& n) { found = found || p(n); });
  return found;
}

inline bool mentions(const ir::Expr& e, const ir::Symbol& s) {
  return any_node(e, [&](const ir::Expr& n) {
    const auto* v = n.as<ir::VarRef>();
    return v && v->sym == s;
  });
}

}  // namespace hocket::analysis
