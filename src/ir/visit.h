// Walking and rebuilding expressions and statements.
//
// `children` and `for_each` read; `Rewriter` rebuilds with structural sharing: a node is copied
// only where something below it changed. Expression results are memoised per node within one
// Rewriter, so that shared graphs cost their nodes and not their paths.
#pragma once

#include <functional>
#include <unordered_map>
#include <vector>

#include "ir/proc.h"

namespace hocket::ir {

// Direct sub-expressions, in evaluation order (undefined ones, such as a missing predicate, left
// out).
std::vector<Expr> children(const Expr& e);
// The node with its direct sub-expressions replaced by f(child); the node itself if none changed.
Expr map_children(const Expr& e, const std::function<Expr(const Expr&)>& f);

// Every node of e, children first, each shared node once.
void for_each(const Expr& e, const std::function<void(const Expr&)>& f);
// Every expression root of every statement (bounds, conditions, indices, values, block headers if
// `blocks`), outermost statements first.
void for_each_root(const Body& body, const std::function<void(const Expr&)>& f, bool blocks = true);
// Every statement, outermost first; return false from f to skip what is inside.
void for_each_stmt(const Body& body, const std::function<bool(const Stmt&)>& f);
// The first element of a buffer that e reads; undefined where it reads none.
Expr first_load(const Expr& e);
bool uses(const Expr& e, const Symbol& s);
bool uses(const Body& body, const Symbol& s, bool blocks = true);

class Rewriter {
 public:
  virtual ~Rewriter() = default;
  // Expressions: memoised entry; override visit() and call recurse() for the default.
  Expr rewrite(const Expr& e);
  // Statements: override visit() to push any number of statements onto `out`.
  Body rewrite(const Body& body);
  ProcRef rewrite(const ProcRef& p);  // preconditions and body

 protected:
  virtual Expr visit(const Expr& e) { return recurse(e); }
  virtual void visit(const Stmt& s, Body& out) { out.push_back(recurse(s)); }
  // Where false, block headers are left as they are.
  virtual bool in_blocks() const { return true; }
  Expr recurse(const Expr& e);
  Stmt recurse(const Stmt& s);
  void forget() { memo_.clear(); }  // after the meaning of a symbol changed

 private:
  std::unordered_map<const ExprNode*, std::pair<Expr, Expr>> memo_;  // key kept alive by first
};

// Bottom-up: f gets each node with its children already mapped.
Expr map_exprs(const Expr& e, const std::function<Expr(const Expr&)>& f);
Body map_exprs(const Body& body, const std::function<Expr(const Expr&)>& f);

using Substitution = std::unordered_map<Symbol, Expr>;
// VarRefs replaced by expressions of the same type. Binders are never captured: symbols are unique.
Expr substitute(const Expr& e, const Substitution& map);
Body substitute(const Body& body, const Substitution& map);
Expr substitute(const Expr& e, const Symbol& s, const Expr& value);
// A copy of the statements in which every symbol bound inside and every statement id is fresh.
Body fresh_copy(const Body& body);

}  // namespace hocket::ir
