// Plans made to be tried: complete, with as little in them as the question needs.
//
// In: an algorithm, or a plan under judgement. Out: plans for a dry run (dry_run.h). Called by:
// refute.cpp, seal.cpp, api/ (order of reductions at the verb).
#pragma once

#include "schedule/plan.h"

namespace hocket::schedule {

// Every Func in one piece, outside of all loops of others; loops in the written order.
Plan all_at_root(ir::AlgorithmRef algorithm);

// What a schedule leaves open: tails become the default of their stage.
void decide_tails(FuncPlan& plan);

// Every loop runs in order, one iteration after the other.
void run_in_order(Plan& plan);

// The loop of this name; the stage has it.
Loop& loop_of(Plan& plan, const ir::Symbol& func, int stage, const std::string& name);

}  // namespace hocket::schedule
