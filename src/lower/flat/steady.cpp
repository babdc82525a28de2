#include "lower/flat/steady.h"

#include <unordered_set>

#include "analysis/affine.h"
#include "ir/visit.h"
#include "lower/flat/lanes.h"
#include "lower/flat/tidy.h"

namespace hocket::lower {

using namespace ir;
using analysis::Affine;
using support::BigInt;

namespace {

struct Range {  // lo <= var < hi
  Symbol var;
  Expr lo, hi;
};

class Finder : public Rewriter {
 public:
  using Rewriter::rewrite;
  explicit Finder(const For& loop) : lane_(loop.var) {
    ranges_.push_back({loop.var, loop.lo, loop.hi});
  }

  std::vector<Affine> conditions;  // each >= 0
  bool never = false;

 protected:
  void visit(const Stmt& s, Body& out) override {
    if (const auto* l = s.as<Let>()) {
      inner_.insert(l->sym);
      if (l->value.type().is_index() && !reads_memory(l->value))
        lets_.emplace(l->sym, substitute(l->value, lets_));
      out.push_back(recurse(s));
      return;
    }
    if (const auto* f = s.as<For>()) {
      ranges_.push_back({f->var, f->lo, f->hi});
      out.push_back(recurse(s));
      ranges_.pop_back();
      inner_.insert(f->var);  // whatever still names it cannot be answered outside
      return;
    }
    if (const auto* i = s.as<If>()) {
      const Expr cond = resolve_condition(i->cond);
      if (is_int_equal(cond, 1)) {
        Body then_body = rewrite(i->then_body);
        out.insert(out.end(), then_body.begin(), then_body.end());
        return;
      }
      Body t = rewrite(i->then_body), e = rewrite(i->else_body);
      out.push_back(edited<If>(s, [&](If& n) {
        n.cond = cond;
        n.then_body = std::move(t);
        n.else_body = std::move(e);
      }));
      return;
    }
    out.push_back(recurse(s));
  }

  Expr visit(const Expr& e) override {
    if (const auto* l = e.as<Load>()) {
      std::vector<Expr> at;
      for (const Expr& i : l->indices) at.push_back(resolve_index(rewrite(i)));
      return make_load(l->buffer, l->type, std::move(at), rewrite(l->predicate));
    }
    return recurse(e);
  }

 private:
  // Whether `form` >= 0 for every lane and every iteration inside can be asked outside: then it is
  // noted (or known) and true is returned.
  bool ask(Affine form) {
    const Affine before = form;
    for (size_t k = ranges_.size(); k-- > 0;) {
      const Range& r = ranges_[k];
      const Expr var = make_var(r.var);
      const BigInt c = form.coefficient(r.var);
      if (form.without(var).mentions(r.var)) return false;
      if (c.is_zero()) continue;
      const Expr end = c.sign() > 0 ? r.lo : r.hi - make_index(1);
      form = form.substituted(var, analysis::parse_affine(tidy(substitute(end, lets_))));
    }
    if (form.is_constant()) return form.constant().sign() >= 0;
    for (const Affine::Term& t : form.terms()) {
      if (reads_memory(t.atom)) return false;
      bool outside = true;
      for_each(t.atom, [&](const Expr& n) {
        const auto* v = n.as<VarRef>();
        outside = outside && !(v && inner_.count(v->sym));
      });
      if (!outside) return false;
    }
    for (Affine& known : conditions) {
      const Affine d = form - known;
      if (!d.is_constant()) continue;
      if (d.constant().sign() < 0) known = form;
      return true;
    }
    conditions.push_back(form);
    return true;
  }

  bool names_lane(const Expr& e) const { return uses(substitute(e, lets_), lane_); }
  Affine form_of(const Expr& e) const { return analysis::parse_affine(tidy(substitute(e, lets_))); }

  Expr resolve_condition(const Expr& c) {
    if (!names_lane(c)) return c;
    const auto* b = c.as<Binary>();
    if (!b) return c;
    if (b->op == BinaryOp::And) {
      const Expr x = resolve_condition(b->a), y = resolve_condition(b->b);
      return tidy(make_binary(BinaryOp::And, x, y));
    }
    if (!b->a.type().is_index() || reads_memory(c)) return c;
    const Affine x = form_of(b->a), y = form_of(b->b);
    const Affine one(BigInt(1));
    bool held = false;
    switch (b->op) {
      case BinaryOp::Lt:
        held = ask(y - x - one);
        break;
      case BinaryOp::Le:
        held = ask(y - x);
        break;
      case BinaryOp::Gt:
        held = ask(x - y - one);
        break;
      case BinaryOp::Ge:
        held = ask(x - y);
        break;
      default:
        break;
    }
    return held ? make_bool(true) : c;
  }

  // Clamps of a coordinate: the side that moves with the lanes is the steady one.
  Expr resolve_index(const Expr& e) {
    return map_exprs(e, [this](const Expr& n) -> Expr {
      const auto* b = n.as<Binary>();
      if (!b || (b->op != BinaryOp::Min && b->op != BinaryOp::Max)) return n;
      if (!b->type.is_index()) return n;
      const bool a_moves = names_lane(b->a), b_moves = names_lane(b->b);
      if (a_moves == b_moves || reads_memory(n)) return n;
      const Affine stay = form_of(a_moves ? b->b : b->a), move = form_of(a_moves ? b->a : b->b);
      if (!ask(b->op == BinaryOp::Min ? stay - move : move - stay)) return n;
      return a_moves ? b->a : b->b;
    });
  }

  Symbol lane_;
  std::vector<Range> ranges_;  // outermost first
  std::unordered_set<Symbol> inner_;
  Substitution lets_;
};

// form >= 0 with everything on the side where it is positive.
Expr nonnegative(const Affine& form) {
  Affine right, left;
  for (const Affine::Term& t : form.terms()) {
    if (t.coef.sign() > 0) {
      right.add_term(t.atom, t.coef);
    } else {
      left.add_term(t.atom, -t.coef);
    }
  }
  if (form.constant().sign() > 0) {
    right.add_constant(form.constant());
  } else {
    left.add_constant(-form.constant());
  }
  return make_binary(BinaryOp::Le, left.to_expr(), right.to_expr());
}

}  // namespace

std::optional<Steady> steady_state(const For& loop) {
  Finder finder(loop);
  Steady out;
  out.body = finder.rewrite(loop.body);
  if (finder.conditions.empty()) return std::nullopt;
  for (const Affine& form : finder.conditions) {
    const Expr c = nonnegative(form);
    out.condition = out.condition.defined() ? make_binary(BinaryOp::And, out.condition, c) : c;
  }
  return out;
}

}  // namespace hocket::lower
