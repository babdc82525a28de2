// Storage: the box allocated for a Func, and which dimension is a circular buffer.
//
// The box is what the Func's own stages write, seen from the store site. A dimension is folded
// where it slides on the outermost sliding loop and a constant number of values is live at once:
// then coordinate y lives at y % fold. A fold the user asks for is refused where it is too small or
// not proved. In: nests and slides. Out: n.store_min, n.store_extent, n.fold, n.store_lets.
#pragma once

#include "diag/result.h"
#include "lower/loops/lowering.h"

namespace hocket::lower::loops {

diag::Result<void> place_storage(Lowering& l, FuncNest& n);

// Element of the Func's buffer at these coordinates (the user's order), as indices of its storage.
std::vector<ir::Expr> storage_index(const Lowering& l, const FuncNest& n,
                                    const std::vector<ir::Expr>& point);

}  // namespace hocket::lower::loops
