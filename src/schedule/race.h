// Whether iterations of an update may run at the same time, as the prover of loop programs sees it.
//
// In: a Func, one of its updates, a reduction variable. Out: whether iterations that differ in the
// variable were proved to touch different elements of the Func, whatever the update's other loops
// do meanwhile. Called by: stage_facts.cpp, where the shape of the coordinates alone does not say.
#pragma once

#include "ir/algorithm.h"

namespace hocket::schedule {

bool proves_race_free(const ir::Func& f, int stage, const ir::Symbol& rvar);

}  // namespace hocket::schedule
