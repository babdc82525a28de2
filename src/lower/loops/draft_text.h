// What a step of the lowering has left of a Func, as text, for `hocket show --after STEP`.
//
// In: the step's name and the nest that it worked on. Out: one line per dimension, loop or let.
// Called by: lower.cpp, only where somebody watches.
#pragma once

#include <string>

#include "lower/loops/lowering.h"

namespace hocket::lower::loops {

enum class Step : uint8_t { InlineFuncs, InferRegion, Slide, BindRegion, MakeNests, PlaceStorage };
const char* spelling(Step step);

std::string draft_text(Step step, const FuncNest& n);

}  // namespace hocket::lower::loops
