// The names that compiled code exports, judged before anything is emitted.
// In: the procs of one compile. Out: ok, or a refusal of a name that the linker would mix up.
// Called by the back ends.
#pragma once

#include <vector>

#include "diag/result.h"
#include "ir/proc.h"

namespace hocket::codegen {

diag::Result<void> check_exports(const std::vector<ir::ProcRef>& procs);

}  // namespace hocket::codegen
