#include "lower/loops/inline_funcs.h"

#include <memory>

#include "ir/equal.h"
#include "ir/visit.h"
#include "schedule/stage_facts.h"

namespace hocket::lower::loops {

using namespace ir;
using schedule::FuncPlan;
using schedule::holds_call;
using schedule::Plan;
using schedule::Site;

namespace {

// A Func that is gone, and the coordinates that went with it.
struct Gone {
  Func func;
  std::vector<Expr> unused;
};

class Inliner : public Rewriter {
 public:
  // Funcs already free of inlined calls.
  explicit Inliner(const std::vector<Gone>& gone) : gone_(gone) {}
  // Of all that was rewritten.
  std::vector<Expr>& unused() { return unused_; }

 protected:
  Expr visit(const Expr& e) override {
    Expr r = recurse(e);
    const auto* c = r.as<Call>();
    if (!c) return r;
    for (const Gone& g : gone_) {
      if (!(g.func.sym == c->func)) continue;
      const Expr& value = g.func.pure.values[static_cast<size_t>(c->value_index)];
      Substitution map;
      for (size_t i = 0; i < g.func.args.size(); ++i) {
        map.emplace(g.func.args[i], c->args[i]);
        if (holds_call(c->args[i]) && !uses(value, g.func.args[i])) keep(c->args[i]);
      }
      for (const Expr& u : g.unused) keep(substitute(u, map));
      return substitute(value, map);
    }
    return r;
  }

 private:
  void keep(const Expr& e) {
    for (const Expr& u : unused_)
      if (equal(u, e)) return;
    unused_.push_back(e);
  }
  const std::vector<Gone>& gone_;
  std::vector<Expr> unused_;
};

Definition inlined(const Definition& d, Inliner& inliner) {
  Definition out = d;
  for (Expr& e : out.args) e = inliner.Rewriter::rewrite(e);
  for (Expr& e : out.values) e = inliner.Rewriter::rewrite(e);
  out.domain.where = inliner.Rewriter::rewrite(out.domain.where);
  for (RVar& r : out.domain.vars) {
    r.min = inliner.Rewriter::rewrite(r.min);
    r.extent = inliner.Rewriter::rewrite(r.extent);
  }
  return out;
}

}  // namespace

Plan inline_funcs(const Plan& plan, std::vector<Unused>& unused) {
  Plan out = plan;
  auto algorithm = std::make_shared<Algorithm>(*plan.algorithm);
  algorithm->funcs.clear();
  out.funcs.clear();
  std::vector<Gone> gone;
  for (const Func& f : plan.algorithm->funcs) {  // producers first, so what is gone is already free
    Func g = f;
    const FuncPlan& p = plan.of(f.sym);
    const bool goes = p.compute.kind == Site::Kind::Inline;
    std::vector<Expr> own;
    for (int stage = 0; stage < f.num_stages(); ++stage) {
      Inliner inliner(gone);
      Definition& d = stage == 0 ? g.pure : g.updates[static_cast<size_t>(stage) - 1];
      d = inlined(f.stage(stage), inliner);
      own = std::move(inliner.unused());
      for (const Expr& e : own)
        if (!goes) unused.push_back({f.sym, stage, e});
    }
    if (goes) {
      gone.push_back({std::move(g), std::move(own)});
    } else {
      algorithm->funcs.push_back(std::move(g));
      out.funcs.push_back(p);
    }
  }
  out.algorithm = algorithm;
  return out;
}

}  // namespace hocket::lower::loops
