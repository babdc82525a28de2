// The primitive rewrites, one file each: the only functions that construct a changed proc.
//
// In: a Context. Out: a Change that the judge accepted, or a diagnostic. The head of each file
// shows before -> after, the side conditions, the name in other systems. Called by: registry.cpp.
#pragma once

#include "rewrite/kernel/context.h"

namespace hocket::rewrite {

using Outcome = diag::Result<Change>;

#define ALSO(...)
#define HOCKET_OPERATOR(name, method, run, also, doc, ...) Outcome run(Context& c);
#include "rewrite/operators.def"
#undef HOCKET_OPERATOR
#undef ALSO

}  // namespace hocket::rewrite
