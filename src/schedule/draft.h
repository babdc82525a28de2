// The verb: one directive at a time, checked against the stage's own loops.
//
// In: directives as data. Out: a draft plan, changed only where the directive is accepted (all or
// nothing). Names, factors and the stage's own loops are judged here; the rules between Funcs are
// the seal's (seal.h). Called by driver/ for a whole schedule and by api/ at every verb.
#pragma once

#include "diag/result.h"
#include "schedule/dry_run.h"
#include "schedule/plan.h"

namespace hocket::schedule {

// The default plan: outputs and Funcs with updates at root, pure Funcs inline; loops in the order
// of the arguments, first argument innermost, reduction variables innermost of all.
Plan default_plan(ir::AlgorithmRef algorithm);

// Applies one directive. Refusals: unknown Func, stage or loop (with the nearest name), a loop name
// that is taken, a factor below 1, a loop listed twice, a kind the loop cannot have, an order of
// reduction variables that changes the result, shown by a dry run.
diag::Result<void> apply(Plan& plan, const ir::Directive& directive, const DryRun& dry = {});

}  // namespace hocket::schedule
