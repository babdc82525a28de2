// Simplification: the same value in a normal form, under facts.
//
// Index arithmetic is read over the unbounded integers (index never wraps in a correct program)
// and comes back as an affine form; data arithmetic keeps its bits: constants are folded by
// ir/semantics.h and otherwise only the rules of rules.h apply, each for the types it is proved
// for. Where the old value is poison the new one may be anything. Shared nodes are visited once.
// Called by: lower, rewrite, and the rest of this room.
#pragma once

#include <memory>

#include "analysis/facts.h"
#include "ir/stmt.h"

namespace hocket::analysis {

ir::Expr simplify(const ir::Expr& e, const Facts& facts = {});

// The affine form of an integral scalar expression as a mathematical integer, simplified: divisions
// and remainders with known ranges resolved, mins and maxs pruned. Data of 32- and 64-bit signed
// types is opened too (its overflow is poison); other data is an atom, cast to index.
Affine affine_of(const ir::Expr& e, const Facts& facts = {});

// The least or greatest of two simplified forms, pruned.
Affine affine_extremum(bool is_min, const Affine& a, const Affine& b, const Facts& facts = {});

// Several expressions under the same facts, sharing what was already simplified.
class Simplifier {
 public:
  class Impl;
  explicit Simplifier(const Facts& facts = {});
  ~Simplifier();
  Simplifier(Simplifier&&) noexcept;
  ir::Expr simplify(const ir::Expr& e);
  Affine affine(const ir::Expr& e);

 private:
  std::unique_ptr<Impl> impl_;
};

// Statements: loops, lets and conditions add to the facts inside them; branches that are never
// taken, loops without iterations and empty statements disappear. Loops are not unrolled and lets
// not inlined.
ir::Body simplify(const ir::Body& body, const Facts& facts = {});

}  // namespace hocket::analysis
