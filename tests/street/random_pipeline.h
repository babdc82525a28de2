// Random small pipelines and random schedules for them, the same for the same seed on any machine.
//
// In: a seed. Out: an Algorithm whose values mostly stay clear of signed overflow, and directives
// of which any number may be refused. Used by: street_fuzz and the tests that compare schedules.
#pragma once

#include "interp/value.h"
#include "ir/algorithm.h"
#include "ir/schedule.h"

namespace hocket::street {

struct PipelineOptions {
  int max_funcs = 4;
  bool updates = true;
  bool floats = true;
};

ir::AlgorithmRef random_pipeline(uint64_t seed, const PipelineOptions& options = {});

// Directives in the order of a schedule; each is well formed on its own, many do not fit together.
ir::Schedule random_schedule(const ir::AlgorithmRef& algorithm, uint64_t seed);

// A `bound` holds for one region alone: most are said of the boxes that the case asks for, and the
// boxes of outputs that are bounded become what was said.
void keep_bounds(ir::Schedule& schedule, const ir::Algorithm& algorithm,
                 std::vector<std::vector<std::pair<int64_t, int64_t>>>& outputs,
                 interp::Random& random);

// Extents that hit 0, 1, tails and primes, and mins around 0.
int64_t random_extent(interp::Random& random);
int64_t random_min(interp::Random& random);

// The value of an input at a point: a hash of its coordinates, so that larger boxes extend smaller.
ir::Scalar input_value(ir::Type type, uint64_t seed, std::span<const int64_t> point);

}  // namespace hocket::street
