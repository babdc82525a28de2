// Declares diag::kind::<name> for every kind of kinds_schedule.def (S0xxx: algorithms and
// directives).
#pragma once

#include "diag/kind.h"

namespace hocket::diag::kind {

#define HOCKET_KIND HOCKET_DECLARE_KIND
#include "diag/kinds_schedule.def"
#undef HOCKET_KIND

}  // namespace hocket::diag::kind
