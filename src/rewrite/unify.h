// Unification: which arguments make a callee's body these statements?
//
// In: the body of a callee over its parameters, statements of a caller, what holds there. Out: a
// binding of every parameter (loops pair up, windows are where the indices differ by something that
// is fixed in the block, sizes and scalars are what stands in their place), or the reason why there
// is none. Nothing here is trusted: replace puts the arguments back in and compares.
#pragma once

#include <string>
#include <vector>

#include "analysis/facts.h"
#include "ir/proc.h"

namespace hocket::rewrite {

struct Unified {
  std::vector<ir::Expr> args;  // one per parameter
  std::string reason;          // why not; empty where they match
  int matched = 0;             // parts looked at until then: more is nearer
};

Unified unify(const ir::Proc& callee, const ir::Body& block, const analysis::Facts& facts);

}  // namespace hocket::rewrite
