// What the values of a Func lie between, whatever its coordinates are: what a coordinate that such
// a value decides may be.
//
//   ix(x) = clamp(at(x), 0, input.width() - 1)      input(ix(x)) reads columns 0 .. width - 1
//
// In: the plan, a coordinate. Out: the same with a name in the place of each call of such a Func,
// and the ranges of these names over symbols of the entry. What is stored is what the definition
// says, wherever a consumer computes anything, so that the range holds of every read. Called by:
// region.cpp.
#pragma once

#include "analysis/interval.h"
#include "lower/loops/lowering.h"

namespace hocket::lower::loops {

ir::Expr named_values(const Lowering& l, const ir::Expr& coordinate, analysis::Ranges& ranges);

}  // namespace hocket::lower::loops
