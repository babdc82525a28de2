// Interleaved timing: A B C A B C, with a twin of A at the end of every round as the A/A pair.
// In: contestants whose answers were checked. Out: raw samples in order, index i of every
// contestant taken in the same round. Called by: bench/rows through row_main.h.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "contestant.h"

namespace hocket::bench {

struct MeasureOptions {
  int rounds = 80;  // as many as fit into budget_s, never fewer than least_rounds
  int least_rounds = 20;
  double budget_s = 25;
  int slow_rounds = 3;  // where one run takes longer than slow_ms
  double slow_ms = 2000;
  bool warm_before_each = true;  // one untimed run right before each timed one: caches and worker
                                 // threads are in the contestant's own state, not its neighbour's
  int cold_rounds = 20;    // after writing through a buffer far larger than the caches; 0: none
  int attempts = 5;        // a void measurement is repeated so often
  double aa_limit = 0.02;  // 0.03 on two threads
};

struct Samples {
  std::vector<double> warm_ms, cold_ms;
};

struct Measurement {
  std::vector<Samples> samples;  // one each, in the order of the contestants
  std::vector<double> twin_ms;   // the second run of contestant 0 in every round
  double aa_ratio = 0;           // median of the paired ratios twin / first
  bool valid = false;            // A/A within the limit and the calibration's check passed
  int attempts = 0;
};

// `machine_is_well` is asked before every attempt (a quick look at the FMA roof).
Measurement measure(std::vector<Contestant>& contestants, const MeasureOptions& options,
                    const std::function<bool()>& machine_is_well);

double median(std::vector<double> values);

// Milliseconds of one run.
double time_once(const std::function<void()>& run);

// Index of the candidate with the smallest median of `runs` interleaved timings; for rivals whose
// best form is found by measuring.
int fastest_of(const std::vector<std::function<void()>>& candidates, int runs);

}  // namespace hocket::bench
