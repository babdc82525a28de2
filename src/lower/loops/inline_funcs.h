// Inlined Funcs disappear: every call of one becomes its value at the call's coordinates.
//
// In: a sealed plan. Out: a plan of an algorithm with the remaining Funcs only; same outputs, same
// values at every point. An algorithm to an algorithm: the evaluator can check it. And the
// coordinates that no value uses, f(2, g(x)) of f(x, y) = h(x): the algorithm reads g there all the
// same, so that what is asked of inputs does not depend on what is inlined.
#pragma once

#include <vector>

#include "schedule/plan.h"

namespace hocket::lower::loops {

// A coordinate that disappeared from a stage, over the stage's variables; it holds calls.
struct Unused {
  ir::Symbol func;
  int stage = 0;
  ir::Expr coordinate;
};

schedule::Plan inline_funcs(const schedule::Plan& plan, std::vector<Unused>& unused);

}  // namespace hocket::lower::loops
