// Declares diag::kind::<name> for every kind of kinds_codegen.def (G0xxx: code generation).
#pragma once

#include "diag/kind.h"

namespace hocket::diag::kind {

#define HOCKET_KIND HOCKET_DECLARE_KIND
#include "diag/kinds_codegen.def"
#undef HOCKET_KIND

}  // namespace hocket::diag::kind
