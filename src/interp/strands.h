// Who runs beside whom: the iterations of racy loops (parallel, vectorize, par) as a tree.
//
// Each iteration of a racy loop is a strand below the strand that started the loop. Two strands may
// run at the same time exactly if the paths to them part at two iterations of one run of a loop;
// one that lies on the path to the other, or in an earlier run of a loop, is over before it.
// Per cell one write and one read are remembered; for programs of this shape that is enough to see
// a race wherever there is one (Feng and Leiserson, "Efficient detection of determinacy races in
// Cilk programs", SPAA 1997).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hocket::interp {

struct Clash {
  uint32_t loop = 0;  // number of the loop statement
  int64_t iteration = 0, other_iteration = 0;
};

class Strands {
 public:
  int depth() const { return static_cast<int>(path_.size()) - 1; }  // racy loops we are in
  uint32_t current() const { return path_.back().strand; }          // 0 outside all of them
  uint32_t next() const { return next_; }
  uint32_t era() const { return era_; }  // strands below are over

  // A run of the loop statement `loop` over lo .. lo + count - 1, in any order. False where the
  // numbers of strands do not reach so far.
  bool enter_loop(uint32_t loop, int64_t lo, int64_t count);
  void enter_iteration(int64_t value) {
    const uint32_t run = open_.back();
    path_.push_back({runs_[run].first + static_cast<uint32_t>(value - runs_[run].lo), run});
  }
  void leave_iteration() { path_.pop_back(); }
  // After the last iteration; outside all racy loops, everything before is over.
  void leave_loop();

  // Does strand s (not current(), not over) run beside the current one?
  bool beside(uint32_t s, Clash* clash) const {
    if (run_of(s) != path_.back().run) return beside_elsewhere(s, clash);
    *clash = {runs_[path_.back().run].loop, value(path_.back().strand), value(s)};
    return true;
  }

 private:
  struct Run {
    uint32_t parent;  // strand that started it
    uint32_t loop, depth;
    uint32_t first;  // strand of iteration lo
    int64_t lo;
  };
  struct Step {
    uint32_t strand, run;
  };
  uint32_t run_of(uint32_t s) const { return run_of_[s - era_]; }
  int64_t value(uint32_t s) const { return runs_[run_of(s)].lo + (s - runs_[run_of(s)].first); }
  bool beside_elsewhere(uint32_t s, Clash* clash) const;

  std::vector<Run> runs_{{}};       // number 0 is none
  std::vector<uint32_t> run_of_;    // of the strands from number era_
  std::vector<uint32_t> open_;      // runs that we are in
  std::vector<Step> path_{{0, 0}};  // by depth
  uint32_t next_ = 1, era_ = 1;
};

}  // namespace hocket::interp
