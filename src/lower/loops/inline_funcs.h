// Inlined Funcs disappear: every call of one becomes its value at the call's coordinates.
//
// In: a sealed plan. Out: a plan of an algorithm with the remaining Funcs only; same outputs, same
// values at every point. An algorithm to an algorithm: the evaluator can check it.
#pragma once

#include "schedule/plan.h"

namespace hocket::lower::loops {

schedule::Plan inline_funcs(const schedule::Plan& plan);

}  // namespace hocket::lower::loops
