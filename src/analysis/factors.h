// The factors of a product: (n * m) * k -> n, m, k. Called by: affine.cpp, simplify_quotient.cpp.
#pragma once

#include <vector>

#include "ir/expr.h"

namespace hocket::analysis {

// Appended to `out`, left to right; what is no product is its only factor.
void factors_of(const ir::Expr& atom, std::vector<ir::Expr>& out);

}  // namespace hocket::analysis
