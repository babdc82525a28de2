// Declares diag::kind::<name> for every kind of kinds_parse.def (P0xxx: text that does not parse or
// does not name what it means).
#pragma once

#include "diag/kind.h"

namespace hocket::diag::kind {

#define HOCKET_KIND HOCKET_DECLARE_KIND
#include "diag/kinds_parse.def"
#undef HOCKET_KIND

}  // namespace hocket::diag::kind
