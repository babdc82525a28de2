// Declares diag::kind::<name> for every kind of kinds_lower.def (L0xxx: lowering to flat form).
#pragma once

#include "diag/kind.h"

namespace hocket::diag::kind {

#define HOCKET_KIND HOCKET_DECLARE_KIND
#include "diag/kinds_lower.def"
#undef HOCKET_KIND

}  // namespace hocket::diag::kind
