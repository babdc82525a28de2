// The names that compiled code exports, judged before anything is emitted.
// In: the procs of one compile. Out: their names; ok, or a refusal of a name that the linker would
// mix up. Called by the back ends and the driver.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "diag/result.h"
#include "ir/proc.h"

namespace hocket::codegen {

// The name under which the compiled proc is called: the pipeline's, or the loop program's own.
std::string exported_name(const ir::Proc& proc);

// Where the names stand: code that stays in the process binds few names of libc by itself; what is
// shipped has a header and is linked with anything; C text includes headers and has helpers.
enum class Exported : uint8_t { Inside, Shipped, Text };
diag::Result<void> check_exports(const std::vector<ir::ProcRef>& procs, Exported where);

}  // namespace hocket::codegen
