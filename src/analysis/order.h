// Sameness and a fixed order of expressions, for normal forms.
// `same` goes by identity of symbols; `compare` goes by spoken names and never by ids, so that what
// is printed does not depend on the order in which symbols were made: two symbols that are spelled
// alike compare equal without being the same. Called by every file of this room.
#pragma once

#include "ir/expr.h"

namespace hocket::analysis {

bool same(const ir::Expr& a, const ir::Expr& b);
int compare(const ir::Expr& a, const ir::Expr& b);  // negative, 0 or positive

}  // namespace hocket::analysis
