// The judge of loop programs: everything that has to hold for one to run as it is written.
//
// In: a proc in loop form. Out: how much is proved, and one diagnostic for every claim that is not,
// of the proc and of every proc that it calls: refuted (C0101) where a run of the interpreter shows
// that very claim broken, else unknown (C0102) with the fact that is missing. Then runs on small
// sizes that keep the proc's asserts: what they find that no claim speaks of, such as memory that
// is read before it is written, is refuted as well (C0103).
// Called by: tools/check; the door of run, bench and compile.
#pragma once

#include <string>
#include <vector>

#include "diag/result.h"
#include "ir/proc.h"

namespace hocket::driver {

struct LoopJudgement {
  int proved = 0;       // claims
  int runs = 0;         // on small sizes
  std::string not_run;  // why the program itself did not run; empty where it did
  std::vector<diag::Diagnostic> refuted, unknown;
  bool holds() const { return refuted.empty() && unknown.empty(); }
};
LoopJudgement judge_loop_program(const ir::Proc& proc);

// An unknown claim as a warning (C0104), for those who run the program all the same.
diag::Diagnostic assumed(const diag::Diagnostic& unknown);

}  // namespace hocket::driver
