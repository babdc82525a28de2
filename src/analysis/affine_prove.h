// The affine prover: conditions as linear constraints, their opposite refuted by elimination.
//
// Divisions and remainders by numbers become variables with their defining inequalities, mins,
// maxs and selects are split into cases, products of symbols are bounded by the bounds of their
// factors. In: a bool expression and facts. Out: true only for what holds. Called by: prove.cpp.
#pragma once

#include "analysis/facts.h"

namespace hocket::analysis {

struct AffineEffort {
  size_t max_rows = 80;  // of one elimination
  int max_cases = 16;    // splits of mins, maxs, selects and inequalities
  int max_disjuncts = 16;
};

bool affine_prove(const ir::Expr& condition, const Facts& facts, const AffineEffort& effort);

}  // namespace hocket::analysis
