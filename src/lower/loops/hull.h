// Ends of regions over the first coordinate that a Func which slides computes.
//
// Such a Func starts, from one iteration to the next, anywhere between the start of what is needed
// (`whole`) and just past its end: only the end itself is the same as if nothing slid. Its tiles,
// and what producers compute for them, stand where that start says.
//
//   s + 2 * ((last - s + 2) / 2) - 1   at most last + 1, whatever s is
//   s + min(0, last - s - 4)           at least min(first, last - 4)
//
// In: an end over the symbol, the interval it lies in, which end it is. Out: a number that is at
// most (at least) as far, without the symbol; undefined where there is none. What the symbol has in
// common with a rounding or a min beside it cancels first. Called by: region.cpp.
#pragma once

#include "analysis/interval.h"

namespace hocket::lower::loops {

ir::Expr end_over(const ir::Expr& e, const ir::Symbol& s, const analysis::Interval& range,
                  bool upper, const analysis::Facts& facts);

}  // namespace hocket::lower::loops
