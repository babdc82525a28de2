// A rewriter that knows what holds where it is: sizes, preconditions, checks at entry, loop ranges,
// values of lets, conditions of branches.
//
// In: a proc; passes derive from it, override visit, and call FactWalk::visit to go inside. Out:
// `facts()` at each place, `simple(e)` under them. Used by every pass here that proves something.
#pragma once

#include <optional>

#include "analysis/simplify.h"
#include "ir/visit.h"

namespace hocket::lower {

// What holds in the body of a proc; for pipelines also what its entry checks before it starts.
analysis::Facts facts_at_entry(const ir::Proc& proc);

class FactWalk : public ir::Rewriter {
 public:
  explicit FactWalk(const ir::Proc& proc) : facts_(facts_at_entry(proc)) {}
  using Rewriter::rewrite;

 protected:
  void visit(const ir::Stmt& s, ir::Body& out) override;
  ir::Expr visit(const ir::Expr& e) override { return recurse(e); }

  const analysis::Facts& facts() const { return facts_; }
  // Index and bool parts in normal form under the facts; data untouched.
  ir::Expr simple(const ir::Expr& e);
  // Something more is known from here to the end of the list.
  void learn(const ir::Expr& condition);

 private:
  ir::Body inside(const ir::Body& body, const analysis::Facts& facts);
  void set(analysis::Facts facts);

  analysis::Facts facts_;
  std::optional<analysis::Simplifier> simplifier_;
};

}  // namespace hocket::lower
