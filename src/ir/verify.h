// The verifier: numbered invariants of procs and algorithms, listed in verify_proc.cpp's and
// verify_algorithm.cpp's head comments. A violation is a bug in Hocket (kind V00NN), never the
// user's; text/ and api/ refuse bad programs with their own messages before they get here.
#pragma once

#include "diag/result.h"
#include "ir/algorithm.h"
#include "ir/proc.h"

namespace hocket::ir {

// Ok, or the first violated invariant with the statement or expression at fault.
diag::Result<void> verify(const Proc& p);
diag::Result<void> verify(const Algorithm& a);

}  // namespace hocket::ir
