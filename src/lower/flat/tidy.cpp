#include "lower/flat/tidy.h"

#include "analysis/simplify.h"
#include "ir/visit.h"

namespace hocket::lower {

using namespace ir;

namespace {

class Tidier : public Rewriter {
 public:
  explicit Tidier(const analysis::Facts& facts) : simplifier_(facts) {}
  using Rewriter::rewrite;

 protected:
  Expr visit(const Expr& e) override {
    if (e.type() == Type::index() || e.type() == Type::boolean()) return simplifier_.simplify(e);
    return recurse(e);
  }

 private:
  analysis::Simplifier simplifier_;
};

}  // namespace

Expr tidy(const Expr& e, const analysis::Facts& facts) {
  if (!e.defined() || e.kind() == ExprKind::IntImm || e.kind() == ExprKind::VarRef) return e;
  return Tidier(facts).rewrite(e);
}

std::optional<int64_t> constant(const Expr& e, const analysis::Facts& facts) {
  int64_t v = 0;
  if (is_int(e, &v) || is_int(tidy(e, facts), &v)) return v;
  return std::nullopt;
}

}  // namespace hocket::lower
