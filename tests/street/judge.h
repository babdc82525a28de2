// One pipeline under one schedule at one size, judged: the evaluator against the interpreter on
// loop form (blocks compared) and flat form, native code from LLVM and from C.
//
// In: a case. Out: agreement, a refusal (with its kind), a case without meaning (poison reaches the
// output by the algorithm's own definition), or a failure in words. Used by: street_fuzz, which
// compiles the C of many cases at once, and street_kept.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "c_library.h"
#include "ir/algorithm.h"
#include "ir/proc.h"
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
  std::string text;    // Refused: the code (`: ` and words); Fail: who disagrees and how
  int directive = -1;  // Refused at the verb: which one
};

struct JudgeOptions {
  bool flat = true, llvm = true, c = true;
};

// All witnesses; C is compiled by both compilers.
Verdict judge(const Case& c, const JudgeOptions& options = {});

// The same in two halves, so that the C of many cases is one file: everything but C, then, where
// it agreed, the entry of that name in a library made of `c_proc`s.
struct Run;
struct Prepared {
  Verdict verdict;
  std::shared_ptr<Run> run;
};
Prepared prepare(const Case& c, const JudgeOptions& options = {});
ir::ProcRef c_proc(const Prepared& p, const std::string& name);
Verdict judge_c(const Case& c, const Prepared& p, const CLibrary& library, const std::string& name);

// Says of a case what comes out: `judge` with its options, or another one.
template <class C>
using JudgeOf = std::function<Verdict(const C&)>;

// A smaller case that fails as well: fewer directives, smaller boxes, simpler definitions. Asks at
// most `budget` times.
Case reduce(Case c, const JudgeOf<Case>& judge, int budget);

// Text that street_kept reads back: pipeline, schedule, a comment with the sizes.
std::string describe(const Case& c);

}  // namespace hocket::street
