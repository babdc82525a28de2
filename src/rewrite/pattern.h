// Patterns: how a step points at a statement.
//
//   ki            a loop named ki            for i in _: _     a loop
//   i j           the loop j inside i        if _: _           a branch
//   C[_] += _     a store                    x: _              an allocation
//   f(_)          a call                     w = _             store, let or window of that name
//   pass          ...; each with ` #n`: the n-th match from the top, counted from 0
//
// In: text. Out: statements in program order, or a diagnostic with names that come close. Index
// expressions and windows of steps are read here as well, in the scope of a statement.
#pragma once

#include <string>
#include <vector>

#include "diag/result.h"
#include "rewrite/edit.h"

namespace hocket::rewrite {

// Every match; ` #n` leaves one. Never empty.
diag::Result<std::vector<ir::Stmt>> find_all(const ir::Proc& proc, const std::string& pattern,
                                             const support::Place& place);
// The first match: what a step works on.
diag::Result<ir::Stmt> find_one(const ir::Proc& proc, const std::string& pattern,
                                const support::Place& place);

// `8 * io + 2`, `min(8, n)`, `i < n`: an expression of type index or bool.
diag::Result<ir::Expr> read_expr(const std::string& text, ir::read::Scope names,
                                 const support::Place& place);
// `A[0:8, k]`: a window; a buffer without dimensions is its name.
diag::Result<ir::Expr> read_window(const std::string& text, ir::read::Scope names,
                                   const support::Place& place);

}  // namespace hocket::rewrite
