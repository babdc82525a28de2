// Coordinates, bounds and conditions in normal form, under all that is known at their place.
//
//   for k in seq(0, max(n / 8, 0))   ->   for k in seq(0, n / 8)      where n is a size
//   A[min(8 * xo + 3, n - 1)]        ->   A[8 * xo + 3]               where 8 * xo + 8 <= n
//
// Loops without iterations and branches that are never taken disappear. Values stay as the user
// wrote them.
#include "analysis/prove.h"
#include "lower/flat/fact_walk.h"
#include "lower/flat/passes.h"

namespace hocket::lower {

using namespace ir;

namespace {

class IndexSimplifier : public FactWalk {
 public:
  using FactWalk::FactWalk;
  using FactWalk::rewrite;

 protected:
  Expr visit(const Expr& e) override {
    if (e.type() == Type::index() || e.type() == Type::boolean()) return simple(e);
    return recurse(e);
  }
  void visit(const Stmt& s, Body& out) override {
    if (const auto* f = s.as<For>()) {
      if (analysis::can_prove(make_binary(BinaryOp::Le, f->hi, f->lo), facts())) return;
    } else if (const auto* i = s.as<If>()) {
      int64_t c = 0;
      if (is_int(rewrite(i->cond), &c)) {
        for (const Stmt& inner : c ? i->then_body : i->else_body) visit(inner, out);
        return;
      }
    }
    FactWalk::visit(s, out);
  }
};

}  // namespace

diag::Result<ProcRef> simplify_indices(const ProcRef& proc, const FlatContext&) {
  return edited(proc, [&](Proc& p) { p.body = IndexSimplifier(*proc).rewrite(proc->body); });
}

}  // namespace hocket::lower
