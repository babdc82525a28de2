// What is known at a place of a program: ranges of symbols, values of lets, conditions that hold.
//
// Copies are cheap (shared until one of them changes), so that a walk copies its facts where it
// enters a scope. Bounds may name symbols that were made known before; later symbols are eliminated
// first when something is proved. Nothing is checked: facts that contradict each other prove
// anything. In: index or data integers, bool conditions. Called by: every walk that proves.
#pragma once

#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "analysis/affine.h"
#include "ir/proc.h"

namespace hocket::analysis {

// An end of a parameter's range that is the number it says in every call: constants, parameters,
// sizes, and the least and greatest of them. Arithmetic of a type of few bits may wrap.
bool exact_end(const ir::Expr& e);

class Facts {
 public:
  // lo <= s <= hi, both ends included; either may be undefined.
  void bound(const ir::Symbol& s, const ir::Expr& lo, const ir::Expr& hi);
  // A let: s has that value. Proofs look through it, simplify leaves the name.
  void define(const ir::Symbol& s, const ir::Expr& value);
  // A condition that holds here; what cannot be understood is kept as it is written.
  void assume(const ir::Expr& condition);
  // Every coordinate fits 32 bits (checked at entry of pipelines): index(i32(x)) is x.
  void assume_coordinates_fit_32() { fit_32_ = true; }

  bool coordinates_fit_32() const { return fit_32_; }
  // A condition was assumed that is plainly false: this place is never reached.
  bool unreachable() const { return data_ && data_->unreachable; }

  // What is known of one atom (analysis/affine.h).
  struct Known {
    int rank = 0;  // later known, greater; its forms name atoms of smaller rank only
    std::vector<Affine> lower, upper;  // each of them holds
    std::optional<Affine> value;
  };
  const Known* find(const ir::Expr& atom) const;
  const Known* find(const ir::Symbol& s) const;
  // Conditions as assumed, conjunctions taken apart.
  const std::vector<ir::Expr>& conditions() const;
  // Conditions understood as `form >= 0`.
  const std::vector<Affine>& constraints() const;
  // Every symbol that something is known of (order of becoming known).
  const std::vector<ir::Expr>& known_atoms() const;

 private:
  struct Data {
    int next_rank = 0;
    bool unreachable = false;
    std::unordered_map<ir::Symbol, Known> symbols;
    std::vector<std::pair<ir::Expr, Known>> others;
    std::vector<ir::Expr> order;
    std::vector<ir::Expr> conditions;
    std::vector<Affine> constraints;
  };
  Data& change();
  Known& known(const ir::Expr& atom);
  void bound_atom(const ir::Expr& atom, const Affine& lo_or_hi, bool lower);
  void assume_nonnegative(const Affine& form);

  std::shared_ptr<Data> data_;
  bool fit_32_ = false;
};

// What every entry asks of a dimension: its extent is not negative and below 2^31, its coordinates
// fit 32 bits.
std::vector<ir::Expr> coordinate_limits(const ir::Symbol& min, const ir::Symbol& extent);

// What the entry of a pipeline has made sure of before its proc runs, over the proc's parameters:
// dimensions keep the limits of coordinates, the regions that are needed are there (or nothing is
// needed), scalars are in their ranges, and its checks hold. Nothing for loop programs.
std::vector<ir::Expr> entry_conditions(const ir::Proc& proc);

// Sizes are at least 1, preconditions and what the entry has made sure of hold.
Facts facts_of(const ir::Proc& proc);

}  // namespace hocket::analysis
