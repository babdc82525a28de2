// A plan tried out: what the interpreter finds when it runs on small sizes.
//
// In: an algorithm, or a proc made from it. Out: for the seal, lines of a witness; for `hocket
// check`, the same with the sizes that were tried. Called by: compile.cpp (handed to schedule/),
// tools/check.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "interp/run.h"
#include "ir/algorithm.h"
#include "ir/proc.h"
#include "schedule/seal.h"

namespace hocket::driver {

// Lowers a plan as it stands, without the rule that refused it, and looks for the smallest sizes
// at which a run goes wrong.
schedule::DryRun dry_run_of(ir::AlgorithmRef algorithm);

// One run of a pipeline's proc: outputs of the given extents, inputs exactly as large as needed
// and full of random values, parameters in the middle of their ranges, blocks compared with the
// algorithm. With `grow` an output that would be refused as too small is as large as it must be.
struct SmallRun {
  interp::Outcome outcome;
  std::string sizes;    // "output 3 x 2, input 5 x 4"
  std::string trouble;  // why there was no run (a region that cannot be computed), else empty
  bool clean() const { return trouble.empty() && outcome.ok(); }
};
SmallRun run_small(const ir::Proc& proc, const ir::Algorithm& algorithm,
                   const std::vector<int64_t>& extents, uint64_t seed,
                   interp::Order order = interp::Order::Forward, bool grow = false);

// The witness of a run that went wrong, one line a finding, the sizes first.
std::vector<std::string> witness_of(const SmallRun& run);

}  // namespace hocket::driver
