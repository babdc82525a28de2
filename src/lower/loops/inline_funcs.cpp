#include "lower/loops/inline_funcs.h"

#include <memory>

#include "ir/visit.h"

namespace hocket::lower::loops {

using namespace ir;
using schedule::FuncPlan;
using schedule::Plan;
using schedule::Site;

namespace {

class Inliner : public Rewriter {
 public:
  // Funcs already free of inlined calls, by symbol.
  explicit Inliner(const std::vector<Func>& inlined) : inlined_(inlined) {}

 protected:
  Expr visit(const Expr& e) override {
    Expr r = recurse(e);
    const auto* c = r.as<Call>();
    if (!c) return r;
    for (const Func& f : inlined_) {
      if (!(f.sym == c->func)) continue;
      Substitution map;
      for (size_t i = 0; i < f.args.size(); ++i) map.emplace(f.args[i], c->args[i]);
      return substitute(f.pure.values[static_cast<size_t>(c->value_index)], map);
    }
    return r;
  }

 private:
  const std::vector<Func>& inlined_;
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

Plan inline_funcs(const Plan& plan) {
  Plan out = plan;
  auto algorithm = std::make_shared<Algorithm>(*plan.algorithm);
  algorithm->funcs.clear();
  out.funcs.clear();
  std::vector<Func> gone;
  for (const Func& f : plan.algorithm->funcs) {  // producers first, so what is gone is already free
    Inliner inliner(gone);
    Func g = f;
    g.pure = inlined(f.pure, inliner);
    for (Definition& d : g.updates) d = inlined(d, inliner);
    const FuncPlan& p = plan.of(f.sym);
    if (p.compute.kind == Site::Kind::Inline) {
      gone.push_back(std::move(g));
    } else {
      algorithm->funcs.push_back(std::move(g));
      out.funcs.push_back(p);
    }
  }
  out.algorithm = algorithm;
  return out;
}

}  // namespace hocket::lower::loops
