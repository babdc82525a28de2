// Loads that only one side of a select makes get the select's condition as their predicate, where
// they could leave their buffer otherwise: native code computes both sides.
//
//   select(i < n, A[i], 0)   ->   select(i < n, A[i, when=i < n], 0)     unless i is always inside
//
// Pipelines need nothing here: their regions cover both sides of every select.
#include "analysis/prove.h"
#include "lower/flat/fact_walk.h"
#include "lower/flat/passes.h"

namespace hocket::lower {

using namespace ir;

namespace {

class Guard : public FactWalk {
 public:
  explicit Guard(const Proc& proc) : FactWalk(proc) {
    for (const Param& p : proc.params)
      if (p.kind == ParamKind::Buffer) shapes_.emplace(p.sym, p.shape);
  }
  using FactWalk::rewrite;

 protected:
  void visit(const Stmt& s, Body& out) override {
    if (const auto* a = s.as<Alloc>()) shapes_.emplace(a->buffer, a->shape);
    FactWalk::visit(s, out);
  }
  Expr visit(const Expr& e) override {
    const auto* s = e.as<Select>();
    if (!s || !has_select_loads(*s)) return recurse(e);
    const Expr cond = rewrite(s->cond);
    return make_select(cond, guarded(rewrite(s->t), cond),
                       guarded(rewrite(s->f), make_unary(UnaryOp::Not, cond)));
  }

 private:
  static bool has_select_loads(const Select& s) { return reads(s.t) || reads(s.f); }
  static bool reads(const Expr& e) {
    bool found = false;
    for_each(e, [&](const Expr& n) { found |= n.kind() == ExprKind::Load; });
    return found;
  }

  Expr guarded(const Expr& side, const Expr& cond) {
    return map_exprs(side, [&](const Expr& e) -> Expr {
      const auto* l = e.as<Load>();
      if (!l || is_inside(*l)) return e;
      // Where the inner condition was read under this one, it may be poison: select, not and.
      const Expr when =
          l->predicate.defined() ? make_select(cond, l->predicate, make_bool(false)) : cond;
      return make_load(l->buffer, l->type, l->indices, when, l->align);
    });
  }

  bool is_inside(const Load& l) const {
    auto it = shapes_.find(l.buffer);
    if (it == shapes_.end()) return false;
    for (size_t d = 0; d < l.indices.size(); ++d) {
      const Expr& i = l.indices[d];
      if (!analysis::can_prove(make_binary(BinaryOp::Ge, i, make_index(0)), facts()) ||
          !analysis::can_prove(make_binary(BinaryOp::Lt, i, it->second[d]), facts()))
        return false;
    }
    return true;
  }

  std::unordered_map<Symbol, std::vector<Expr>> shapes_;
};

}  // namespace

diag::Result<ProcRef> guard_selects(const ProcRef& proc, const FlatContext&) {
  if (proc->entry) return proc;
  return edited(proc, [&](Proc& p) { p.body = Guard(*proc).rewrite(proc->body); });
}

}  // namespace hocket::lower
