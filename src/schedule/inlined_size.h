// How large definitions become where Funcs are inlined, counted before anything is inlined.
//
// In: a plan whose sites are known. Out: a refusal where a value would have more nodes than
// kMostNodes, with the Funcs to compute at root instead. Called by: seal.cpp.
#pragma once

#include "diag/result.h"
#include "schedule/dry_run.h"
#include "schedule/plan.h"

namespace hocket::schedule {

inline constexpr double kMostNodes = 100'000;

diag::Result<void> check_inlined_size(const Plan& plan, const DryRun& dry);

}  // namespace hocket::schedule
