// Compiled Hocket as one C11 file: pipelines from flat form, loop programs from loop form (readable
// loops) or from flat form. In: procs. Out: text that gcc and clang compile without warnings and
// that computes the same bits as the JIT. Needs hocket_abi.h and the runtime, libm, pthreads.
// Called by the driver (`hocket show --form c`, artifacts).
#pragma once

#include <string>
#include <vector>

#include "diag/result.h"
#include "ir/proc.h"

namespace hocket::codegen {

struct COptions {
  std::string abi_header = "hocket_abi.h";  // how the file includes it
  std::string target;                       // for the metadata: the target string
};

// Refuses what has no C text: an instruction without template, a register of no C type.
diag::Result<std::string> c_source(const std::vector<ir::ProcRef>& procs,
                                   const COptions& options = {});

}  // namespace hocket::codegen
