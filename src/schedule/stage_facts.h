// What a definition itself says about order: which reduction variables may run in parallel,
// whether the order of the reduction matters.
#pragma once

#include "ir/algorithm.h"

namespace hocket::schedule {

// The Funcs and input images called by the expressions of a definition (indices, values, where).
std::vector<ir::Symbol> callees(const ir::Definition& d);

// Whether the expression calls any Func or image.
bool holds_call(const ir::Expr& e);

// Iterations that differ in this reduction variable touch different elements of the Func: some
// written coordinate is the variable times a constant plus terms free of other reduction
// variables, and every call of the Func to itself has the same coordinate there; or it is proved as
// of a loop program (race.h).
bool is_race_free(const ir::Func& f, int stage, const ir::Symbol& rvar);

// The update is value = value op e, with e free of the Func itself and op exact in any order
// (integer +, *, bit operations; min and max of integers).
bool is_order_free(const ir::Func& f, int stage);

}  // namespace hocket::schedule
