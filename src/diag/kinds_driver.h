// Declares diag::kind::<name> for every kind of kinds_driver.def (D0xxx: options, artifacts and the
// command line).
#pragma once

#include "diag/kind.h"

namespace hocket::diag::kind {

#define HOCKET_KIND HOCKET_DECLARE_KIND
#include "diag/kinds_driver.def"
#undef HOCKET_KIND

}  // namespace hocket::diag::kind
