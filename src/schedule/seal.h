// The seal: the rules between Funcs, judged together; nothing changes when it refuses.
//
// In: a draft plan. Out: a plan that lower/loops can carry out: every tail decided, every store
// site at or around its compute site, every Func computed where all its users see it, no race in a
// parallel or vector loop. Warnings are directives without effect.
#pragma once

#include <functional>

#include "diag/result.h"
#include "schedule/plan.h"

namespace hocket::schedule {

struct Sealed {
  Plan plan;
  std::vector<diag::Diagnostic> warnings;
};

// Runs the plan on small sizes as it stands and says what goes wrong, as lines of a witness
// (empty: nothing went wrong). Given by driver/, which can lower and interpret.
using DryRun = std::function<std::vector<std::string>(const Plan&)>;

diag::Result<Sealed> seal(const Plan& draft, const DryRun& dry_run = {});

// draft + seal for a whole schedule.
diag::Result<Sealed> plan_schedule(ir::AlgorithmRef algorithm, const ir::Schedule& schedule,
                                   const DryRun& dry_run = {});

// The stages that read `func` after inlining, in order.
struct Use {
  ir::Symbol func;
  int stage = 0;
  support::Place place;
};
std::vector<Use> users_of(const Plan& plan, const ir::Symbol& func);

}  // namespace hocket::schedule
