// What of memory stands in an expression, and how statements turn into facts.
// Memory changes, so that a condition or value that reads it is no lasting fact; its range is.
// Called by: simplify_body, effects, bounds_check.
#pragma once

#include "analysis/facts.h"

namespace hocket::analysis {

// Whether a load or a call of a Func stands in e.
bool reads_memory(const ir::Expr& e);
// What holds for as long as the condition does, whatever becomes of memory: the parts of a
// conjunction (and of a negated disjunction) that do not read it. Undefined: none.
ir::Expr lasting(const ir::Expr& condition);
// Inside a loop: lo <= var < hi.
void bound_loop(const ir::Symbol& var, const ir::Expr& lo, const ir::Expr& hi, Facts& facts);
// After a let: its value, or where that reads memory the range of it.
void define_let(const ir::Symbol& sym, const ir::Expr& value, Facts& facts);

}  // namespace hocket::analysis
