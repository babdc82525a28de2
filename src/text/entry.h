// The `entry` section of a proc that came from a pipeline.
// In: syntax, the proc's parameters, and its expressions in scope. Out: an ir::PipelineEntry, or a
// diagnostic (P0705 and those of expressions). Called by: loops.cpp.
#pragma once

#include <vector>

#include "diag/result.h"
#include "ir/proc.h"
#include "ir/read/loop_exprs.h"
#include "text/syntax.h"

namespace hocket::text {

diag::Result<ir::PipelineEntry> elaborate_entry(const ItemSyntax& item,
                                                const std::vector<ir::Param>& params,
                                                const Source& source, LoopExprs& exprs);

}  // namespace hocket::text
