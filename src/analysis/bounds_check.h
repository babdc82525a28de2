// The bounds check of a whole loop proc: everything that has to hold for it to run without poison.
//
// In: a proc in loop form. Out: one obligation after the other with its answer, in program order:
// accesses inside their buffers, extents of allocations not negative, windows inside what they
// show, arguments of the callee's shape, its sizes at least 1 and its preconditions true, arguments
// that do not overlap where one is written, and loops marked parallel or vectorized free of races,
// at every depth. Called by: driver/loop_check.
#pragma once

#include <string>
#include <vector>

#include "analysis/dependence.h"

namespace hocket::analysis {

struct Obligation {
  enum class Kind : uint8_t {
    Access,         // 0 <= index < extent
    Extent,         // an allocation's extent is at least 0
    Window,         // 0 <= lo <= hi <= extent
    Argument,       // size at least 1, window of the declared shape
    Precondition,   // an assert of the callee
    Alias,          // two arguments of one call overlap
    Race,           // iterations of a parallel or vectorized loop
    Contradiction,  // the proc's own preconditions cannot hold
  };
  Kind kind = Kind::Access;
  ir::Stmt stmt;       // undefined for the proc's head
  ir::Expr condition;  // what had to hold, in the words of the program; undefined for races
  ir::Symbol buffer;   // the buffer, or the callee's parameter
  int dim = -1;        // of that buffer
  std::vector<ir::Symbol> loops;  // around the statement, outermost first (for the witness)
  Answer answer;
  bool proved() const { return answer.proved(); }
};

struct BoundsOptions {
  bool keep_proved = false;  // proved obligations are left out otherwise
  size_t max_failures = 20;  // then it stops
  bool races = true;
  ProveOptions prove;
};

// Two views of one buffer have no element in common.
ir::Expr apart(const View& x, const View& y);

std::vector<Obligation> check_bounds(const ir::Proc& proc, const BoundsOptions& options = {});

}  // namespace hocket::analysis
