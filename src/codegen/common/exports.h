// The names that compiled code exports, judged before anything is emitted.
// In: the procs of one compile. Out: their names; ok, or a refusal of a name that the linker would
// mix up. Called by the back ends and the driver.
#pragma once

#include <string>
#include <vector>

#include "diag/result.h"
#include "ir/proc.h"

namespace hocket::codegen {

// The name under which the compiled proc is called: the pipeline's, or the loop program's own.
std::string exported_name(const ir::Proc& proc);

// `as_text`: the names stand in C text too, below the headers that it includes.
diag::Result<void> check_exports(const std::vector<ir::ProcRef>& procs, bool as_text = false);

}  // namespace hocket::codegen
