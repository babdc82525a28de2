// Declares diag::kind::<name> for every kind of kinds_image.def (I0xxx: images and arrays from and
// to files).
#pragma once

#include "diag/kind.h"

namespace hocket::diag::kind {

#define HOCKET_KIND HOCKET_DECLARE_KIND
#include "diag/kinds_image.def"
#undef HOCKET_KIND

}  // namespace hocket::diag::kind
