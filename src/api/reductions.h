// Inline reductions: sum(e), product(e), maximum(e), minimum(e) of an expression over an RDom.
//
// In: an expression that reads one RDom, or the RDom and an expression. Out: an expression, the
// value of a Func made for it, whose arguments are the other Vars and reduction variables of the
// expression in the order in which they appear. sum and product start at 0 and 1, maximum and
// minimum at the least and the greatest value of the type; the type is the expression's own. The
// order is the RDom's, as of any update. A Func without a definition may be given: it becomes that
// Func, and can be scheduled. Used by: users, through hocket.h.
#pragma once

#include <optional>

#include "api/func.h"

namespace hocket {

using AsFunc = std::optional<Func>;

Expr sum(Here e, const AsFunc& as = {});
Expr sum(const RDom& over, Here e, const AsFunc& as = {});
Expr product(Here e, const AsFunc& as = {});
Expr product(const RDom& over, Here e, const AsFunc& as = {});
Expr maximum(Here e, const AsFunc& as = {});
Expr maximum(const RDom& over, Here e, const AsFunc& as = {});
Expr minimum(Here e, const AsFunc& as = {});
Expr minimum(const RDom& over, Here e, const AsFunc& as = {});

}  // namespace hocket
