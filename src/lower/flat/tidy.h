// Small forms of index arithmetic for the passes of this folder.
//
// In: scalar expressions of type index or bool. Out: equal ones in affine normal form, constants
// folded. Data are never touched: their arithmetic is the user's. Called by every pass here.
#pragma once

#include <cstdint>
#include <optional>

#include "ir/expr.h"

namespace hocket::lower {

// Of any type: index sub-expressions (bounds, coordinates, conditions on them) become tidy.
ir::Expr tidy(const ir::Expr& e);
// The number that an index expression is, where it is one.
std::optional<int64_t> constant(const ir::Expr& e);

}  // namespace hocket::lower
