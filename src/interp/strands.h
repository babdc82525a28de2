// Who runs beside whom: the iterations of racy loops (parallel, vectorize) as a tree.
//
// Each iteration of a racy loop is a strand below the strand that started the loop. Two strands may
// run at the same time exactly if the paths to them part at two iterations of one run of a loop;
// one that lies on the path to the other, or in an earlier run of a loop, is over before it.
// Per cell one write and one read are remembered; for programs of this shape that is enough to see
// a race wherever there is one (Feng and Leiserson, "Efficient detection of determinacy races in
// Cilk programs", SPAA 1997).
#pragma once

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
  uint32_t current() const { return path_.back(); }                 // 0 outside all of them
  uint32_t next() const { return next_; }
  uint32_t era() const { return era_; }  // strands below are over

  uint32_t enter_loop() { return ++runs_; }
  void enter_iteration(uint32_t run, uint32_t loop, int64_t value);
  void leave_iteration() { path_.pop_back(); }
  // After the last iteration; outside all racy loops, everything before is over.
  void leave_loop();

  // Does strand s (not current(), not over) run beside the current one?
  bool beside(uint32_t s, Clash* clash) const;

 private:
  struct Strand {
    uint32_t parent, run, loop, depth;
    int64_t value;
  };
  const Strand& strand(uint32_t s) const { return strands_[s - era_]; }

  std::vector<Strand> strands_;  // from number era_
  std::vector<uint32_t> path_{0};
  uint32_t next_ = 1, era_ = 1, runs_ = 0;
};

}  // namespace hocket::interp
