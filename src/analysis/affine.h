// Affine forms: a sum of integer multiples of atoms, plus a constant, of any size.
//
// An atom is an expression of type index that is no sum and no multiple: a symbol, a BufferField,
// a division or remainder, a min or max, a select, a product of several, or the cast of data to
// index. Equal atoms meet (by `same`), so that `(x + c) - x` leaves `c`. In: expressions, meant as
// integers without overflow. Out: forms, and expressions in one normal order (greatest multiple
// first, then by name; the constant last). Called by: all of this room, lower, schedule, rewrite.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/term_list.h"
#include "ir/expr.h"
#include "support/bigint.h"

namespace hocket::analysis {

using support::BigInt;

class Affine {
 public:
  struct Term {
    ir::Expr atom;
    BigInt coef;  // never 0
  };

  using Terms = TermList<Term, 4>;

  Affine() = default;
  Affine(BigInt constant) : constant_(std::move(constant)) {}
  static Affine of_atom(const ir::Expr& atom, const BigInt& coef = 1);
  static Affine of_symbol(const ir::Symbol& sym, const BigInt& coef = 1);

  const Terms& terms() const { return terms_; }  // in order of first occurrence
  const BigInt& constant() const { return constant_; }
  bool is_constant() const { return terms_.empty(); }
  BigInt coefficient(const ir::Symbol& sym) const;  // of the symbol itself; 0 where absent
  BigInt coefficient(const ir::Expr& atom) const;
  // Whether the symbol occurs anywhere, inside atoms too.
  bool mentions(const ir::Symbol& sym) const;

  Affine& add(const Affine& other, const BigInt& times = 1);
  Affine& add_term(const ir::Expr& atom, const BigInt& coef);
  Affine& add_constant(const BigInt& c) {
    constant_ += c;
    return *this;
  }
  Affine times(const BigInt& factor) const;
  // The form without that atom.
  Affine without(const ir::Expr& atom) const;
  // The symbol replaced by a form, where it stands as an atom of its own (not inside others).
  Affine substituted(const ir::Expr& atom, const Affine& value) const;
  // Greatest common divisor of the coefficients (0 for a constant), the constant not counted.
  BigInt content() const;

  friend Affine operator+(const Affine& a, const Affine& b);
  friend Affine operator-(const Affine& a, const Affine& b);
  Affine operator-() const { return times(-1); }
  friend bool operator==(const Affine& a, const Affine& b);

  // As an expression of type index.
  ir::Expr to_expr() const;
  // `8*xo + xi - 1`, for messages.
  std::string to_string() const;

 private:
  Terms terms_;
  BigInt constant_;
};

// The affine form of an integral expression by its syntax alone: sums, differences, multiples and
// products are opened, everything else is an atom. simplify.h's affine_of does more.
Affine parse_affine(const ir::Expr& e);
// The product, multiplied out where that stays small.
Affine multiply(const Affine& a, const Affine& b);
// By name and coefficients, for a fixed order of lists; constants last.
int compare(const Affine& a, const Affine& b);
// The terms in the order in which they are written.
std::vector<Affine::Term> written_order(const Affine& a);
// An integer of type index; those beyond 64 bits as a sum of products.
ir::Expr index_expr(const BigInt& value);

}  // namespace hocket::analysis
