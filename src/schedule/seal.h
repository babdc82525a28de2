// The seal: the rules between Funcs, judged together; nothing changes when it refuses.
//
// In: a draft plan. Out: a plan that lower/loops can carry out: every tail decided, every store
// site at or around its compute site, every Func computed where all its users see it, no race in a
// parallel or vector loop. Warnings are directives without effect.
#pragma once

#include <optional>
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

// Lanes and copies are counted at compile time. Of a Func that is computed inside loops only its
// region says how many iterations a loop has, so that lower/loops asks again when it is known.
// `count`: where it is constant. S0208 where it is not, S0117 where it is too large.
diag::Result<void> check_lanes(const Plan& plan, const ir::Func& f, int stage, const Loop& loop,
                               const std::optional<int64_t>& count, const DryRun& dry);

}  // namespace hocket::schedule
