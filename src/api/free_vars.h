// The variables of an expression, in the order in which they appear.
// In: an expression. Out: symbols; a reduction variable has its domain as payload, a Var has none,
// parameters are left out. Called by: Func(Expr), reductions.cpp.
#pragma once

#include <vector>

#include "ir/expr.h"

namespace hocket::api {

std::vector<ir::Symbol> free_variables(const ir::Expr& e);

}  // namespace hocket::api
