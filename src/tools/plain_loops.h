// The loops of an algorithm under no schedule: its entry asks for what single points need.
//
// In: an algorithm, options of the compile. Out: the loops; where everything would be too much to
// inline, those with every Func computed by itself. Called by: box_choice.cpp, bench.cpp.
#pragma once

#include "diag/result.h"
#include "driver/compile.h"
#include "ir/algorithm.h"

namespace hocket::tools {

diag::Result<ir::ProcRef> plain_loops(const ir::AlgorithmRef& algorithm,
                                      const driver::Options& options);

}  // namespace hocket::tools
