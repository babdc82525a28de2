// One run of a pipeline's proc at small sizes, judged by the interpreter.
//
// In: a proc and the algorithm that it was made from, where there is one. Out: what the interpreter
// found, with the sizes that were tried. Called by: agreement.cpp, dry_run.cpp, loop_trials.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "interp/run.h"
#include "ir/algorithm.h"
#include "ir/proc.h"
#include "schedule/plan.h"

namespace hocket::driver {

// What the inputs of a small run hold. One kind of value shows what another one hides: a sum of
// small numbers is the same in any order, a table at random indices is rarely written twice.
// Rough floats are of many magnitudes, so that their sums round.
enum class Fill : uint8_t { Random, Small, Same, Rough };

// What a small run is compared with: every store by its block header, or the outputs alone with
// the evaluator's.
enum class Compare : uint8_t { Blocks, Outputs };

struct Small {
  std::vector<int64_t> extents;  // of the outputs, by dimension; fewer are repeated
  uint64_t seed = 1;
  interp::Order order = interp::Order::Forward;
  Fill fill = Fill::Random;
  Compare compare = Compare::Blocks;
  bool grow = false;  // an output that would be refused as too small is as large as it must be
  int max_findings = 1;
  int64_t step_limit = int64_t{1} << 22;
  int64_t memory_limit = int64_t{1} << 26;  // bytes that the program has allocated at one time
  const schedule::Plan* plan = nullptr;     // outputs that it bounds have those regions
};

// One run of a pipeline's proc: inputs exactly as large as needed, parameters at their defaults or
// the ends of their ranges. Without an algorithm (the printed loops of a pipeline) it is compared
// with nothing.
struct SmallRun {
  interp::Outcome outcome;
  std::string sizes;    // "output 3 x 2, input 5 x 4"
  std::string trouble;  // why there was no run (a region that cannot be computed), else empty
  // Of a run that is not clean: the algorithm itself has no value somewhere (its arithmetic
  // overflows on these data), so that the finding may be its own.
  bool algorithm_poisons = false;
  bool clean() const { return trouble.empty() && outcome.ok(); }
};
SmallRun run_small(const ir::Proc& proc, const ir::Algorithm* algorithm, const Small& how);
inline SmallRun run_small(const ir::Proc& proc, const ir::Algorithm& algorithm, const Small& how) {
  return run_small(proc, &algorithm, how);
}
inline SmallRun run_small(const ir::Proc& proc, const ir::Algorithm& algorithm,
                          const std::vector<int64_t>& extents, uint64_t seed,
                          interp::Order order = interp::Order::Forward) {
  return run_small(proc, algorithm, Small{extents, seed, order});
}

// The witness of a run that went wrong, one line a finding, the sizes first.
std::vector<std::string> witness_of(const SmallRun& run);

}  // namespace hocket::driver
