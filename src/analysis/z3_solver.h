// Z3 behind a wall: the only other file that sees its headers is z3_solver.cpp.
//
// In: facts and a condition. Out: whether facts and not condition have a common model, and it. The
// context is made when the first question comes (20 ms once a process, 5 ms after) and kept.
// Called by: prove.cpp.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "analysis/facts.h"

namespace hocket::analysis {

class Z3Solver {
 public:
  enum class Outcome { NoModel, Model, Unknown };
  struct Answer {
    Outcome outcome = Outcome::Unknown;
    std::vector<std::pair<ir::Expr, BigInt>> values;  // of every free term
    std::vector<ir::Expr> opaque;  // terms that Z3 took for any value of their type: loads, calls
    std::string reason;            // Unknown: why
  };

  Z3Solver();
  ~Z3Solver();
  Answer refute(const ir::Expr& condition, const Facts& facts, int timeout_ms, bool small_model);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace hocket::analysis
