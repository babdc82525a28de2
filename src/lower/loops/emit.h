// The proc: region lets, allocations, loops and stores with block headers, in their places.
//
// In: finished nests. Out: a proc in loop form with a PipelineEntry, ready for the verifier.
#pragma once

#include "lower/loops/lowering.h"

namespace hocket::lower::loops {

ir::ProcRef emit(Lowering& l, std::shared_ptr<const ir::PipelineEntry> entry,
                 std::vector<ir::Param> params, std::vector<ir::Expr> preconditions,
                 const ir::Expr& nonempty);

}  // namespace hocket::lower::loops
