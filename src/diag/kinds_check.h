// Declares diag::kind::<name> for every kind of kinds_check.def (C0xxx: whole-program checks and
// the prover).
#pragma once

#include "diag/kind.h"

namespace hocket::diag::kind {

#define HOCKET_KIND HOCKET_DECLARE_KIND
#include "diag/kinds_check.def"
#undef HOCKET_KIND

}  // namespace hocket::diag::kind
