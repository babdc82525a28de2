// Intervals with symbolic ends: where a value lies while some symbols vary.
//
// In: an expression, the intervals of the symbols that vary (ends over other symbols, also over
// ones that vary themselves, without cycles), facts about the rest. Out: ends of type index in
// which no varying symbol is left, both included; undefined where there is no bound. One symbol is
// eliminated after the other, those whose ends name others first, so that what they share cancels:
// affine forms in which each symbol occurs once are exact. Called by: bounds inference
// (lower/loops/region), effects.
#pragma once

#include <unordered_map>

#include "analysis/facts.h"

namespace hocket::analysis {

struct Interval {
  ir::Expr min, max;
  bool has_min() const { return min.defined(); }
  bool has_max() const { return max.defined(); }
  bool is_bounded() const { return has_min() && has_max(); }
  bool is_point() const;  // both ends are the same expression
  static Interval point(const ir::Expr& e) { return {e, e}; }
  static Interval everything() { return {}; }
};

using Ranges = std::unordered_map<ir::Symbol, Interval>;

// e is integral (data is read as the integer it is); of any other type: everything. A call or load
// lies in the range of its type where that has 16 bits or less. The cast of an index to
// i32 is looked through: coordinates fit 32 bits (checked at entry). A clamp min(max(v, lo), hi) of
// a v without bounds lies in [min(lo, hi), hi]. A select lies in the union of its sides.
// What a load or call holds never appears in an end: 32- and 64-bit ones have no bounds.
Interval bounds_of(const ir::Expr& e, const Ranges& ranges, const Facts& facts = {});

Interval union_of(const Interval& a, const Interval& b, const Facts& facts = {});

}  // namespace hocket::analysis
