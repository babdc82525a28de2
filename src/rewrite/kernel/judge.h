// The one place where a rewritten proc is accepted.
//
// In: the proc before, the candidate after, and claims: the side conditions of the operator with
// the prover's answers. Out: a Change, the only thing that apply() turns into a new state; or a
// refusal. A claim that is refuted, or the only one not proved, is shown as refuted only after the
// interpreter ran both programs at the sizes found and saw them differ (witness lines); where it
// did not, the step counts as not proved. Called by: the operators of this folder.
#pragma once

#include <string>
#include <vector>

#include "analysis/dependence.h"
#include "diag/result.h"
#include "ir/proc.h"
#include "ir/trace.h"

namespace hocket::rewrite {

struct Claim {
  std::string what;  // "the iterations of `i` are independent"
  analysis::Answer answer;
};

class Change {
 public:
  const ir::ProcRef& proc() const { return proc_; }

 private:
  friend class Judge;
  explicit Change(ir::ProcRef p) : proc_(std::move(p)) {}
  ir::ProcRef proc_;
};

class Judge {
 public:
  explicit Judge(const ir::TraceStep& step) : step_(step) {}

  analysis::Dependence& dependence() { return dependence_; }
  // `comparable`: both have the same parameters, so that they can be run side by side.
  diag::Result<Change> accept(const ir::ProcRef& before, const ir::ProcRef& after,
                              std::vector<Claim> claims = {}, bool comparable = true);
  // What the accepted claims were proved with: "affine", "z3", "by construction".
  std::string how() const;

 private:
  const ir::TraceStep& step_;
  analysis::Dependence dependence_;
  std::vector<std::string> how_;
};

}  // namespace hocket::rewrite
