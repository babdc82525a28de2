// The hardware libraries that Hocket carries with it: targets/*.hk, parsed once.
//
// In: nothing. Out: the instructions in the order of the files. Loop programs may call them and
// traces may name them (`replace`) without having them in their own text; a proc of the program
// hides one of the same name here. Called by: tools, api/library.
#pragma once

#include <vector>

#include "diag/result.h"
#include "ir/proc.h"

namespace hocket::driver {

extern const char* const kTargetText;  // made by the build from targets/x86.hk

diag::Result<std::vector<ir::ProcRef>> target_procs();

}  // namespace hocket::driver
