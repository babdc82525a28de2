#include "schedule/trial.h"

#include "schedule/draft.h"
#include "support/assert.h"

namespace hocket::schedule {

Plan all_at_root(ir::AlgorithmRef algorithm) {
  Plan plan = default_plan(std::move(algorithm));
  for (FuncPlan& p : plan.funcs) {
    p.compute = Site{Site::Kind::Root, {}, 0, "", {}};
    p.store = p.compute;
  }
  return plan;
}

void decide_tails(FuncPlan& plan) {
  for (size_t s = 0; s < plan.stages.size(); ++s)
    for (LoopStep& step : plan.stages[s].steps)
      if (step.kind == LoopStep::Kind::Split && step.tail == ir::Tail::Auto) {
        step.tail = s == 0 ? ir::Tail::ShiftInwards : ir::Tail::Guard;
        step.tail_given = false;
      }
}

void run_in_order(Plan& plan) {
  for (FuncPlan& p : plan.funcs)
    for (StagePlan& s : p.stages)
      for (Loop& l : s.loops) l.kind = ir::LoopKind::Seq;
}

Loop& loop_of(Plan& plan, const ir::Symbol& func, int stage, const std::string& name) {
  for (Loop& l : plan.of(func).stages[static_cast<size_t>(stage)].loops)
    if (l.name == name) return l;
  HOCKET_ASSERT(false, "a loop that its stage does not have");
}

}  // namespace hocket::schedule
