// What is measured: one contestant, and the registry in which those of a row family meet.
// In: what rivals (bench/rivals, loaded as modules) and Hocket's own entries (bench/contestants,
// linked in) register. Out: the list that measure.h times and report.h writes.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace hocket::bench {

// A contestant's place in a row: the row's id and, where one id holds several comparisons of the
// same problem (`blur.halide`: `tiled` and `best`), which of them.
struct Place {
  std::string id;
  std::string variant;
};

struct Contestant {
  std::string name;     // holds the usual word in lower case: `hand sse`, `halide tiled`, ...
  std::string version;  // library version, and the schedule or kernel it chose
  std::string target;   // the features it was compiled for
  bool ours = false;
  std::function<void()> run;            // exactly what is timed; no compiling, no allocating
  std::function<double()> check_error;  // runs once and returns the error against the reference
  std::vector<Place> places;

  // How many calls one run() makes, where a single call is too short to be timed.
  int64_t calls_per_run = 1;

  // Columns beside the run time. Negative: not known, printed as a dash and written as null.
  double schedule_ms = -1;     // stating the algorithm and its schedule, proofs included
  double compile_ms = -1;      // from there to running code
  int64_t object_bytes = -1;   // machine code of the kernel alone
  int64_t scratch_bytes = -1;  // memory beyond input and output at its peak
};

struct Absent {
  std::string name;
  bool ours = false;
  std::string why;
  std::vector<Place> places;
};

class Registry {
 public:
  void add(Contestant contestant) { contestants_.push_back(std::move(contestant)); }
  void add_absent(Absent absent) { absent_.push_back(std::move(absent)); }

  std::vector<Contestant>& contestants() { return contestants_; }
  const std::vector<Absent>& absent() const { return absent_; }

 private:
  std::vector<Contestant> contestants_;
  std::vector<Absent> absent_;
};

}  // namespace hocket::bench
