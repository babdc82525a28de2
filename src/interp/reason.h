// Words for why a value is poison. In: a Reason (code.h). Out: the end of a sentence. Called by the
// evaluator's refusals and by finding.h, when they are shown.
#pragma once

#include <string>

#include "interp/code.h"

namespace hocket::interp {

// "the i32 sum overflows", "`in` at (4, -1) lies outside its region", ...
std::string describe(const Reason& reason);

}  // namespace hocket::interp
