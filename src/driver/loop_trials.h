// Runs of a loop program at small sizes, every guard on: what they find.
//
// In: a proc, and numbers for its parameters that somebody wants tried first. Out: the findings,
// each with the sizes at which it was made. Sizes at which the proc's asserts do not hold, or at
// which the entry of a pipeline refuses, are no run. Called by: loop_check.cpp.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "interp/finding.h"
#include "interp/run.h"
#include "ir/proc.h"

namespace hocket::driver {

using Numbers = std::unordered_map<ir::Symbol, int64_t>;

struct Shown {
  std::string sizes;  // "sizes n = 1", "one run"
  interp::Finding finding;
};

class LoopTrials {
 public:
  explicit LoopTrials(const ir::Proc& proc);
  // One run with these numbers; parameters without one are small.
  std::vector<Shown> at(const Numbers& given);
  // Runs at small sizes, among them 1 and primes; `kept` are numbers that keep the asserts, tried
  // too where the small ones break them all. Made once.
  const std::vector<Shown>& small(const Numbers& kept);
  // Dimension `dim` of a parameter where these numbers make it negative; parameters without one are
  // small.
  std::optional<Shown> negative_extent(const ir::Symbol& parameter, size_t dim,
                                       const Numbers& given) const;
  int runs() const { return runs_; }
  // Why nothing ran; empty where something did.
  std::string not_run() const { return runs_ > 0 ? "" : not_run_; }

 private:
  Numbers filled(const Numbers& given) const;
  std::vector<Shown> run(const Numbers& numbers, uint64_t seed);
  std::vector<Shown> run_pipeline(const std::vector<int64_t>& extents);
  std::vector<Shown> counted(const interp::Outcome& outcome, const std::string& sizes);
  const ir::Proc& proc_;
  ir::ProcRef asking_;  // the same, with asserts of what its entry makes sure of
  std::vector<Shown> shown_;
  bool made_ = false;
  int runs_ = 0;
  std::string not_run_ = "no data that were tried keep the asserts";
  int64_t steps_ = 0;  // of all runs
};

}  // namespace hocket::driver
