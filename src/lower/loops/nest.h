// The loops of a Func's stages: splits, fuses and kinds carried out on the region's extents.
//
// In: the region (min, extent) and the stage's plan. Out: loops, each variable of the stage as an
// expression over them, and the guards of tails and `where`.
#pragma once

#include "lower/loops/lowering.h"

namespace hocket::lower::loops {

// Fills in n.stages. A dimension that slides gets guards instead of tails that compute too much.
diag::Result<void> make_nests(Lowering& l, FuncNest& n);

}  // namespace hocket::lower::loops
