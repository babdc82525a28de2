// The seal: the rules between Funcs, judged together; nothing changes when it refuses.
//
// In: a draft plan. Out: a plan that lower/loops can carry out: every tail decided, every store
// site at or around its compute site, every Func computed where all its users see it, no race in a
// parallel or vector loop. Warnings are directives without effect.
#pragma once

#include <vector>

#include "diag/result.h"
#include "schedule/dry_run.h"
#include "schedule/plan.h"

namespace hocket::schedule {

struct Sealed {
  Plan plan;
  std::vector<diag::Diagnostic> warnings;
};

// Without a dry run nothing is refuted (what has no witness is unknown) and no repair is offered.
diag::Result<Sealed> seal(const Plan& draft, const DryRun& dry = {});

// draft + seal for a whole schedule.
diag::Result<Sealed> plan_schedule(ir::AlgorithmRef algorithm, const ir::Schedule& schedule,
                                   const DryRun& dry = {});

}  // namespace hocket::schedule
