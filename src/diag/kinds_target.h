// Declares diag::kind::<name> for every kind of kinds_target.def (T0xxx: targets and memories).
#pragma once

#include "diag/kind.h"

namespace hocket::diag::kind {

#define HOCKET_KIND HOCKET_DECLARE_KIND
#include "diag/kinds_target.def"
#undef HOCKET_KIND

}  // namespace hocket::diag::kind
