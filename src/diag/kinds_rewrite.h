// Declares diag::kind::<name> for every kind of kinds_rewrite.def (R0xxx: rewrites of loop
// programs).
#pragma once

#include "diag/kind.h"

namespace hocket::diag::kind {

#define HOCKET_KIND HOCKET_DECLARE_KIND
#include "diag/kinds_rewrite.def"
#undef HOCKET_KIND

}  // namespace hocket::diag::kind
