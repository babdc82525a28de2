// The C header that goes with an object: prototypes of what it exports.
// In: a proc in flat form or loop form. Out: text that C and C++ read, beside hocket_abi.h. Called
// by: tools/compile, api.
#pragma once

#include <string>

#include "ir/proc.h"

namespace hocket::driver {

std::string header_text(const ir::Proc& proc);

}  // namespace hocket::driver
