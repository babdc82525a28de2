// From the syntax of a loop program to an ir::Proc.
// In: syntax, procs that it may call, pipelines whose Funcs its blocks may name. Out: a proc that
// ir::verify accepts, or a diagnostic (P03xx, P04xx, P07xx). Called by: parser.cpp.
#pragma once

#include "diag/result.h"
#include "ir/algorithm.h"
#include "ir/proc.h"
#include "text/syntax.h"

namespace hocket::text {

struct LoopContext {
  std::vector<ir::ProcRef> procs;
  std::vector<ir::AlgorithmRef> pipelines;
};

diag::Result<ir::ProcRef> elaborate_proc(const ItemSyntax& item, const Source& source,
                                         const LoopContext& context);

}  // namespace hocket::text
