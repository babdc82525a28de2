// Whether a target has what the instructions of a loop program need.
//
// In: a proc in loop form, a target. Out: nothing, or the first instruction that needs a feature
// which the target lacks (T0007), at its call. Called by the driver before a proc becomes code: a
// trace for another machine is read, checked and shown here all the same.
#pragma once

#include "diag/result.h"
#include "ir/proc.h"
#include "target/target.h"

namespace hocket::target {

diag::Result<void> check_instructions(const ir::Proc& proc, const Target& target);

}  // namespace hocket::target
