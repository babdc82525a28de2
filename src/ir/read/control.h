// Control does not read memory: bounds, shapes, windows and sizes hold for as long as they are
// used.
//
// In: an expression that says where a loop ends, how large a buffer is, what a window shows or what
// a size is, and how it is called in messages. Out: nothing, or a refusal (P0707) that says how to
// bind the value first. `if` and the index of an element may read memory. Called by:
// loop_exprs.cpp, text/loops.cpp, api's loop builder, arguments of rewrites.
#pragma once

#include <string>

#include "diag/result.h"
#include "ir/expr.h"
#include "support/source.h"

namespace hocket::ir::read {

diag::Result<void> check_control(const Expr& e, const std::string& what,
                                 const support::Place& place);

}  // namespace hocket::ir::read
