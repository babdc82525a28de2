#include "lower/flat/fact_walk.h"

#include "lower/flat/lanes.h"

namespace hocket::lower {

using namespace ir;
using analysis::Facts;

Facts facts_at_entry(const Proc& proc) {
  Facts facts = analysis::facts_of(proc);
  if (proc.entry) facts.assume_coordinates_fit_32();
  return facts;
}

void FactWalk::set(Facts facts) {
  facts_ = std::move(facts);
  simplifier_.reset();
  forget();
}

void FactWalk::learn(const Expr& condition) {
  if (reads_memory(condition)) return;
  Facts more = facts_;
  more.assume(condition);
  set(std::move(more));
}

Expr FactWalk::simple(const Expr& e) {
  if (!e.defined()) return e;
  if (!simplifier_) simplifier_.emplace(facts_);
  if (e.type() == Type::index() || e.type() == Type::boolean()) return simplifier_->simplify(e);
  return map_children(e, [this](const Expr& c) { return simple(c); });
}

Body FactWalk::inside(const Body& body, const Facts& facts) {
  const Facts outside = facts_;
  set(facts);
  Body out = rewrite(body);
  set(outside);
  return out;
}

void FactWalk::visit(const Stmt& s, Body& out) {
  if (const auto* f = s.as<For>()) {
    const Expr lo = rewrite(f->lo), hi = rewrite(f->hi);
    Facts more = facts_;
    const bool plain = !reads_memory(lo) && !reads_memory(hi);
    if (plain) more.bound(f->var, lo, hi - make_index(1));
    Body body = inside(f->body, more);
    out.push_back(edited<For>(s, [&](For& n) {
      n.lo = lo;
      n.hi = hi;
      n.body = std::move(body);
    }));
    return;
  }
  if (const auto* i = s.as<If>()) {
    const Expr cond = rewrite(i->cond);
    Facts yes = facts_, no = facts_;
    if (!reads_memory(cond)) {
      yes.assume(cond);
      no.assume(make_unary(UnaryOp::Not, cond));
    }
    Body t = inside(i->then_body, yes), e = inside(i->else_body, no);
    out.push_back(edited<If>(s, [&](If& n) {
      n.cond = cond;
      n.then_body = std::move(t);
      n.else_body = std::move(e);
    }));
    return;
  }
  out.push_back(recurse(s));
  if (const auto* l = out.back().as<Let>()) {
    if (l->value.type() == Type::index() && !reads_memory(l->value)) {
      Facts more = facts_;
      more.define(l->sym, l->value);
      set(std::move(more));
    }
  } else if (const auto* c = out.back().as<Check>()) {
    learn(c->cond);
  }
}

}  // namespace hocket::lower
