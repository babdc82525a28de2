// Window statements resolved: `w = A[i, 0:8]; ... w[k]` becomes `A[i, k]`.
// In: a loop-form body. Out: the same body without window statements; every access and every
// argument names the buffer that holds the memory. Called by program.cpp before printing.
#pragma once

#include "ir/proc.h"

namespace hocket::codegen {

ir::Body resolve_windows(const ir::Body& body);

}  // namespace hocket::codegen
