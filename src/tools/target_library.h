// The hardware libraries that the command line carries with it: targets/*.hk, parsed once.
//
// Loop programs may call these instructions and traces may name them (`replace`) without having
// them in their own file. A proc of the file hides one of the same name here.
#pragma once

#include "diag/result.h"
#include "text/parser.h"

namespace hocket::tools {

extern const char* const kTargetText;  // made by the build from targets/x86.hk

diag::Result<std::vector<ir::ProcRef>> target_procs();

}  // namespace hocket::tools
