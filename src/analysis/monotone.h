// Does an expression rise or fall with a symbol?
// In: an integral expression, a symbol, facts that give signs of factors. Out: how the value moves
// when the symbol grows and everything else stays. Called by: storage folding, sliding windows.
#pragma once

#include "analysis/facts.h"

namespace hocket::analysis {

enum class Monotone : uint8_t {
  Constant,    // does not depend on it
  Increasing,  // never falls
  Decreasing,  // never rises
  Unknown,
};

Monotone monotone_in(const ir::Expr& e, const ir::Symbol& s, const Facts& facts = {});

}  // namespace hocket::analysis
