// Bounds inference: which box of a Func the stages inside a site need.
//
// Every call gives an interval per coordinate over its stage's loops; loops and region lets between
// the call and the site are eliminated from the inside out. In: the nests of all consumers. Out: a
// box over what is in scope at the site.
#pragma once

#include "diag/result.h"
#include "lower/loops/lowering.h"

namespace hocket::lower::loops {

// What all stages inside `site` need of a Func or an input image. Dimensions without a bound are a
// refusal that names the user and the index.
diag::Result<Box> required(const Lowering& l, const ir::Symbol& func, const schedule::Site& site);

// What all stages of a Func write, seen from a site around its compute site.
Box written(const Lowering& l, const FuncNest& nest, const schedule::Site& site);

// What the caller's buffer of an output has to hold: what its stages write and all stages read.
diag::Result<Box> output_region(const Lowering& l, const FuncNest& nest);

// What all stages need of a Func that is no output, its own updates among them, over the
// parameters.
diag::Result<Box> needed_region(const Lowering& l, const FuncNest& nest);

// Fills in needed and whole of a Func at its compute site. Dimensions that no stage uses become
// empty. Outputs take the entry's parameters, min and extent with them.
diag::Result<void> infer_region(Lowering& l, FuncNest& nest);

// Eliminates what is bound inside `site` from an interval over the loops of a stage, and the values
// that it names.
analysis::Interval lift(const Lowering& l, analysis::Interval iv, const ir::Symbol& func, int stage,
                        const schedule::Site& site, analysis::Ranges values = {});

// Whether some iterations compute less of a dimension than they need: its first coordinate is one
// of its own then.
bool starts_later(const FuncNest& nest, size_t dimension);

// Region lets of all Funcs replaced by their values. The first coordinates of those that slide stay
// names: they are what no iteration before has computed.
ir::Expr expand(const Lowering& l, const ir::Expr& e);

// The same without these names: an interval around what it is in any iteration.
analysis::Interval over_starts(const Lowering& l, analysis::Interval iv);

// Does an expanded expression change along the loop, itself or by a first coordinate in it?
bool varies_with(const Lowering& l, const ir::Expr& e, const ir::Symbol& loop);

}  // namespace hocket::lower::loops
