// What parallelize, vectorize and to_seq share: another way for a loop to run.
//
// In: the step's `loop`, the kind that it gets, whether its iterations have to be independent then.
// Out: the changed proc, or a refusal. Called by: parallelize.cpp, vectorize.cpp, to_seq.cpp.
#pragma once

#include "rewrite/kernel/context.h"

namespace hocket::rewrite {

diag::Result<Change> set_kind(Context& c, ir::LoopKind kind, bool independent);

}  // namespace hocket::rewrite
