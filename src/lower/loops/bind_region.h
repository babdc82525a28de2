// Names for the region that a Func is needed in, once sliding has had its say.
//
// In: a nest with its needed region over what is in scope at its compute site. Out: min and extent
// as symbols with lets (an extent that is a number stays one), known as facts from here on. Outputs
// have theirs: the entry's parameters. Called by: lower.cpp.
#pragma once

#include "lower/loops/lowering.h"

namespace hocket::lower::loops {

void bind_region(Lowering& l, FuncNest& nest);

}  // namespace hocket::lower::loops
