// Whether every buffer of a loop program lives where it may.
//
// In: a proc in loop form. Out: nothing, or the first refusal: a memory that nobody knows (T0003),
// a buffer that does not fit its memory (T0004), a plain load or store of a memory that only
// instructions touch (T0005), a buffer given to a parameter of another memory (T0006). Called by
// the driver before a proc is lowered: a schedule or a trace may pass through such states on its
// way.
#pragma once

#include "diag/result.h"
#include "ir/proc.h"

namespace hocket::target {

diag::Result<void> check_memories(const ir::Proc& proc);

// The calls alone that are given this buffer (T0006): a trace may not leave an instruction with a
// buffer that it cannot touch.
diag::Result<void> check_calls(const ir::Proc& proc, const ir::Symbol& buffer);

// Whether a buffer in memory `given` may stand for one in `wanted`: plain memories stand for each
// other, registers only for themselves.
bool memory_fits(std::string_view wanted, std::string_view given);

}  // namespace hocket::target
