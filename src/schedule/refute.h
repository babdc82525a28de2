// The refusals that rest on a run: another order, a race, storage that is shared.
//
// The rule that asks has found no proof that the schedule keeps the result. In: the plan, what it
// was about to do, and the dry run. Out: refuted, with the witness of a run at the smallest sizes
// that show it; or unknown, with the fact that is missing. Called by: draft.cpp, seal.cpp.
#pragma once

#include "diag/diagnostic.h"
#include "schedule/dry_run.h"
#include "schedule/sites.h"

namespace hocket::schedule {

// A stage under a directive, as refusals speak of it.
struct StageRef {
  const Plan& plan;
  const ir::Func& func;
  int stage = 0;
};

// S0108 or S0115: `loops` has the reduction loops `inner` and `outer` in an order that is not the
// written one.
diag::Diagnostic refuse_order(const StageRef& at, const StagePlan& loops, const std::string& inner,
                              const std::string& outer, const support::Place& place,
                              const DryRun& dry);

// S0109 or S0116: `loop` would run its iterations at the same time. The plan is complete.
diag::Diagnostic refuse_race(const StageRef& at, const Loop& loop, const DryRun& dry);

// S0205 or S0210: the storage of `func` is shared by the iterations of `loop`, which run at the
// same time. The plan is complete.
diag::Diagnostic refuse_sharing(const Plan& plan, const FuncPlan& func, const LoopRef& loop,
                                const DryRun& dry);

}  // namespace hocket::schedule
