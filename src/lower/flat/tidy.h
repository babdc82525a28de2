// Small forms of index arithmetic for the passes of this folder.
//
// In: expressions of any type, facts. Out: equal ones in which scalar index and bool parts are in
// normal form (analysis/simplify.h). Data are never touched: their arithmetic is the user's, and a
// fused product has to stay a product. Called by every pass here.
#pragma once

#include <cstdint>
#include <optional>

#include "analysis/facts.h"
#include "ir/expr.h"

namespace hocket::lower {

ir::Expr tidy(const ir::Expr& e, const analysis::Facts& facts = {});
// The number that an index expression is, where it is one.
std::optional<int64_t> constant(const ir::Expr& e, const analysis::Facts& facts = {});

}  // namespace hocket::lower
