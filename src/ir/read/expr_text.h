// Expressions and windows of a loop program from text, in the scope of a statement.
//
// In: text such as `8 * io + 2`, `i < n`, `A[0:8, k]`, and the names that are visible. Out: an
// expression, or a diagnostic whose place is in the text given, named by `what`. Called by:
// rewrite (arguments of steps), api (loop builder).
#pragma once

#include <string>
#include <string_view>

#include "diag/result.h"
#include "ir/read/scope.h"

namespace hocket::ir::read {

diag::Result<Expr> read_expr(std::string_view text, Scope& scope, const std::string& what,
                             NumericMode mode = NumericMode::Contract);
// The expression as a value of this type: numbers take it, integers become coordinates of index.
diag::Result<Expr> read_value(std::string_view text, Type type, Scope& scope,
                              const std::string& what, NumericMode mode = NumericMode::Contract);
diag::Result<Expr> read_window(std::string_view text, Scope& scope, const std::string& what);

}  // namespace hocket::ir::read
