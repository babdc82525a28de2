// Directives that change nothing, found in the list as it was written.
//
// In: the plan that the directives made. Out: one warning (S0501) for every placement that a later
// one overrides, and one for every Func whose directives are all in vain: no output reads it, or it
// is inlined. Called by: plan_schedule.
#pragma once

#include <vector>

#include "diag/diagnostic.h"
#include "schedule/dry_run.h"
#include "schedule/plan.h"

namespace hocket::schedule {

void warn_no_effect(const Plan& plan, const ir::Schedule& schedule, const DryRun& dry,
                    std::vector<diag::Diagnostic>& warnings);

}  // namespace hocket::schedule
