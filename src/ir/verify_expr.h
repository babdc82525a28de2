// The part of the verifier that procs and algorithms share: the types inside one expression.
//
// V0001  operands have the types that the operation is defined for (arith.h: is_defined)
// V0002  vectors, predicates and alignments only in flat form; lanes agree
// V0003  immediates are values of their type
// Called by: verify_proc.cpp, verify_algorithm.cpp.
#pragma once

#include "diag/result.h"
#include "ir/expr.h"

namespace hocket::ir {

// Checks the node itself, not what is below it.
diag::Result<void> verify_types(const Expr& e, bool flat, const support::Place& place);

// The expression as a message shows it, cut where it is long.
std::string shown(const Expr& e);

}  // namespace hocket::ir
