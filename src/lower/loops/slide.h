// Sliding windows: a Func stored outside a loop and computed inside it computes in each iteration
// only what the iterations before have not left in storage.
//
// In: the needed box at the compute site, the loops between there and the store site. A loop slides
// in dimension d where d is the only dimension whose box depends on it and both ends of d never
// fall with it. Then the box starts after the last coordinate of the previous iteration, but in
// the first iteration. Each dimension slides on at most one loop, the innermost it depends on.
// Out: n.needed with later starts, n.slides_on, n.returns.
//
// A Func with updates slides along a dimension that every update takes as it is, on the left and
// wherever it reads the Func itself: then no value depends on another coordinate of the dimension,
// and what is left over is left alone. Where an update does more, what an update did would be done
// again, so that the Func is computed anew in each iteration, with a warning (S0503). Funcs whose
// loops are an outer half that is split again do not slide either. The sealed plan has no parallel
// or vector loop between store and compute site.
#pragma once

#include "lower/loops/lowering.h"

namespace hocket::lower::loops {

void slide(Lowering& l, FuncNest& n);

// The first update that keeps the Func from sliding along dimension d; -1 where none does.
int mixing_update(const ir::Func& f, size_t d);

}  // namespace hocket::lower::loops
