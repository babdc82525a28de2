// Declares diag::kind::<name> for every kind of kinds_verify.def (V0xxx: invariants of programs; a
// violation is a bug in hocket).
#pragma once

#include "diag/kind.h"

namespace hocket::diag::kind {

#define HOCKET_KIND HOCKET_DECLARE_KIND
#include "diag/kinds_verify.def"
#undef HOCKET_KIND

}  // namespace hocket::diag::kind
