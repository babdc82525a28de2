// One pipeline under one schedule at one size, judged: the evaluator against the interpreter on
// loop form (blocks compared) and flat form, native code from LLVM and from C.
//
// In: a case. Out: agreement, a refusal (with its kind), a case without meaning (poison reaches the
// output by the algorithm's own definition), or a failure in words. Used by: street_fuzz, tests.
#pragma once

#include <string>

#include "ir/algorithm.h"
#include "ir/schedule.h"

namespace hocket::street {

struct Case {
  ir::AlgorithmRef algorithm;
  ir::Schedule schedule;
  std::vector<std::vector<std::pair<int64_t, int64_t>>> outputs;  // min, extent per dimension
  uint64_t data = 1;                                              // seed of inputs and parameters
};

struct Verdict {
  enum class Kind { Agree, Refused, Meaningless, Fail } kind = Kind::Agree;
  std::string text;  // Refused: the code; Fail: who disagrees and how
};

struct JudgeOptions {
  bool flat = true, llvm = true, c = false;
};

Verdict judge(const Case& c, const JudgeOptions& options = {});

// A smaller case that fails as well: fewer directives, smaller boxes, simpler definitions.
Case reduce(Case c, const JudgeOptions& options = {});

std::string describe(const Case& c);

}  // namespace hocket::street
