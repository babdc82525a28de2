// The verifier: numbered invariants of procs and algorithms, listed in verify_proc.cpp's and
// verify_algorithm.cpp's head comments. A violation is a bug in Hocket (kind V00NN), never the
// user's; text/ and api/ refuse bad programs with their own messages before they get here.
#pragma once

#include "diag/result.h"
#include "ir/algorithm.h"
#include "ir/proc.h"

namespace hocket::ir {

// Which invariants a proc has to meet: those of its form, or those that hold between the passes of
// lower/flat, where memory has several dimensions still and there are vectors already.
enum class Stand : uint8_t { AtADoor, BetweenPasses };

// Ok, or the first violated invariant with the statement or expression at fault.
diag::Result<void> verify(const Proc& p, Stand stand = Stand::AtADoor);
diag::Result<void> verify(const Algorithm& a);

}  // namespace hocket::ir
