// Refutations of loop programs, shown by runs.
//
// In: programs and the sizes that the prover found (by symbol; others are tried small). They are
// run at those sizes, then at small ones, on random data with every guard on. Out: what the run
// showed, in words, the sizes first; nothing where no run shows anything. Called by: judge.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "ir/proc.h"

namespace hocket::rewrite {

using Sizes = std::vector<std::pair<ir::Symbol, int64_t>>;

struct Difference {
  std::vector<std::string> lines;
  bool at_given_sizes = false;
};
// How two programs with the same parameters differ; runs that are wrong before are no witness.
Difference replay_difference(const ir::Proc& before, const ir::Proc& after, const Sizes& given);

}  // namespace hocket::rewrite
