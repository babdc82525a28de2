// Declares diag::kind::<name> for every kind of kinds_runtime.def (E0xxx: errors of compiled or
// interpreted programs while they run).
#pragma once

#include "diag/kind.h"

namespace hocket::diag::kind {

#define HOCKET_KIND HOCKET_DECLARE_KIND
#include "diag/kinds_runtime.def"
#undef HOCKET_KIND

}  // namespace hocket::diag::kind
