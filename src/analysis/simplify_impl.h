// The inside of Simplifier, shared by simplify.cpp (values of every type) and simplify_affine.cpp
// (integers as affine forms).
#pragma once

#include <unordered_map>

#include "analysis/simplify.h"

namespace hocket::analysis {

class Simplifier::Impl {
 public:
  explicit Impl(const Facts& facts) : facts_(facts) {}

  ir::Expr simplify(const ir::Expr& e);

  // simplify_affine.cpp
  // The simplified form of an integral scalar.
  Affine affine(const ir::Expr& e) { return normal(open(e)); }
  // A comparison of integral scalars: decided, or in normal form, or undefined for "leave it".
  ir::Expr compare_integers(const ir::Expr& whole, ir::BinaryOp op, const ir::Expr& a,
                            const ir::Expr& b);

  Affine extremum_of(bool is_min, const Affine& a, const Affine& b);

 private:
  ir::Expr visit(const ir::Expr& e);
  ir::Expr unary(const ir::Expr& e);
  ir::Expr binary(const ir::Expr& e);
  ir::Expr select(const ir::Expr& e);
  ir::Expr cast(const ir::Expr& e);
  ir::Expr known_truth(const ir::Expr& e);

  // The form of e with simplified atoms, not yet normal as a whole.
  Affine open(const ir::Expr& e);
  Affine open_uncached(const ir::Expr& e);
  // What only shows when the whole sum is there: c * (x / c) + x % c, differences of mins.
  Affine normal(Affine a);
  bool join_div_mod(Affine& a);
  bool cancel_extrema(Affine& a);
  bool push_into_extremum(Affine& a);
  Affine divide(Affine a, const BigInt& c);
  Affine remainder(Affine a, const BigInt& c);
  // simplify_quotient.cpp: x / y or x % y for a y that is no number.
  Affine by_form(bool quotient_wanted, const Affine& x, const Affine& y);
  Affine extremum(bool is_min, const std::vector<Affine>& sides);
  Affine atom_of_data(const ir::Expr& e);

  const Facts facts_;
  struct Kept {
    ir::Expr key, value;  // the key is kept alive
  };
  std::unordered_map<const ir::ExprNode*, Kept> values_;
  std::unordered_map<const ir::ExprNode*, std::pair<ir::Expr, Affine>> forms_;
};

// Whether a >= 1 was seen; a product of such factors is one.
bool at_least_one(const Affine& a, const Facts& facts);

}  // namespace hocket::analysis
