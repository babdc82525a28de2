// What is known about the values of index expressions: an interval for each, found by walking it.
// In: intervals of symbols (loop variables, sizes, extents), told as the walk meets them. Out: an
// interval of an expression, in which 64-bit ends saturate. Back ends choose cheap forms by it:
// unsigned division, masks. Types whose overflow is poison stay within their own range.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "ir/proc.h"

namespace hocket::codegen {

struct Interval {
  int64_t min = INT64_MIN;  // INT64_MIN: not known
  int64_t max = INT64_MAX;  // INT64_MAX: not known

  bool non_negative() const { return min >= 0; }
  bool positive() const { return min > 0; }
};

class Facts {
 public:
  void set(const ir::Symbol& symbol, Interval interval);
  // Parameters of a proc and what its preconditions of the form `n >= constant` say; a pipeline's
  // coordinates fit 32 bits, its extents are at least 0.
  void learn_params(const ir::Proc& proc);
  // The interval of a loop variable, seen from inside the loop.
  void learn_loop(const ir::For& loop);

  Interval of(const ir::Expr& e);

  // Whether 64 bits hold every sum, difference and product of an index expression. Sizes of
  // memory are computed with care where they may not.
  bool fits(const ir::Expr& e);

 private:
  Interval compute(const ir::Expr& e);

  std::unordered_map<ir::Symbol, Interval> symbols_;
  // Symbols are told before they are used and never change, so results stay true.
  std::unordered_map<const ir::ExprNode*, std::pair<ir::Expr, Interval>> memo_;
};

}  // namespace hocket::codegen
