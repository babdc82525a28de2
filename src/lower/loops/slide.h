// Sliding windows: a Func stored outside a loop and computed inside it computes in each iteration
// only what the iterations before have not left in storage.
//
// In: the needed box at the compute site, the loops between there and the store site. A loop slides
// in dimension d where d is the only dimension whose box depends on it and both ends of d never
// fall with it. Then the box starts after the last coordinate of the previous iteration, but in
// the first iteration. Each dimension slides on at most one loop, the innermost it depends on.
// Out: n.needed with later starts, n.slides_on, n.returns.
//
// Funcs whose loops are an outer half that is split again do not slide. Funcs with updates do not
// slide either: an update would be applied again to what is left over. The sealed plan has no
// parallel or vector loop between store and compute site.
#pragma once

#include "lower/loops/lowering.h"

namespace hocket::lower::loops {

void slide(Lowering& l, FuncNest& n);

}  // namespace hocket::lower::loops
