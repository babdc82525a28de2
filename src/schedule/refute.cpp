#include "schedule/refute.h"

#include "diag/kinds_schedule.h"
#include "schedule/trial.h"

namespace hocket::schedule {

using namespace ir;
using diag::Diagnostic;
using interp::Finding;
using interp::FindingKind;
namespace kind = diag::kind;

namespace {

// The refusal as far as the run carries it: the witness, or what is missing.
Diagnostic judged(const Replay& seen, Diagnostic refuted, Diagnostic unknown,
                  const std::string& fact, const std::string& not_seen) {
  if (seen.witness.empty())
    return unknown.arg("missing", "it is not known that " + fact + ", and " +
                                      (seen.trouble.empty() ? not_seen : seen.trouble));
  for (const std::string& line : seen.witness) refuted.witnessed(line);
  return refuted;
}

// Two iterations that touch one element of the Func's storage.
Judgement race_on(const Symbol& func) {
  return [func](const Finding& f) {
    const bool clash = f.kind == FindingKind::Race || f.kind == FindingKind::LaneConflict;
    const Symbol& memory = f.root.defined() ? f.root : f.buffer;
    const bool own = memory.defined() && (memory == func || memory.parent() == func);
    return clash && own ? Bears::Shows : Bears::Not;
  };
}

std::string concurrent(LoopKind k) {
  return k == LoopKind::Parallel ? "parallel" : "a vector";
}

}  // namespace

Diagnostic refuse_order(const StageRef& at, const StagePlan& loops, const std::string& inner,
                        const std::string& outer, const support::Place& place, const DryRun& dry) {
  // The other Funcs may not have been scheduled yet; here they are in one piece.
  Plan trial = all_at_root(at.plan.algorithm);
  for (size_t i = 0; i < trial.funcs.size(); ++i) trial.funcs[i].bounds = at.plan.funcs[i].bounds;
  FuncPlan& mine = trial.of(at.func.sym);
  mine.stages[static_cast<size_t>(at.stage)] = loops;
  run_in_order(trial);
  decide_tails(mine);
  const Replay seen = replayed(dry, trial, [](const Finding& f) {
    if (f.kind == FindingKind::StepOrder) return Bears::Explains;
    return f.kind == FindingKind::OutputValue ? Bears::Shows : Bears::Not;
  });
  auto refusal = [&](diag::Kind k) {
    return Diagnostic(k, place)
        .arg("inner", inner)
        .arg("outer", outer)
        .arg("func", spoken(at.func.sym, at.stage))
        .label(at.func.stage(at.stage).place, "the update");
  };
  return judged(seen, refusal(kind::reduction_order), refusal(kind::reduction_order_not_proved),
                "the update gives the same result in any order",
                "no run at small sizes shows another one");
}

Diagnostic refuse_race(const StageRef& at, const Loop& loop, const DryRun& dry) {
  Plan trial = at.plan;
  run_in_order(trial);
  for (FuncPlan& p : trial.funcs) p.folds.clear();
  loop_of(trial, at.func.sym, at.stage, loop.name).kind = loop.kind;
  const Replay seen = replayed(dry, trial, race_on(at.func.sym));
  auto refusal = [&](diag::Kind k) {
    return Diagnostic(k, loop.place)
        .arg("loop", loop.name)
        .arg("func", spoken(at.func.sym, at.stage))
        .arg("kind", concurrent(loop.kind))
        .label(at.func.stage(at.stage).place, "the update");
  };
  return judged(seen, refusal(kind::race), refusal(kind::race_not_excluded),
                "its iterations touch different elements of `" + at.func.name() + "`",
                "no run at small sizes shows two that meet");
}

Diagnostic refuse_sharing(const Plan& plan, const FuncPlan& func, const LoopRef& loop,
                          const DryRun& dry) {
  // Only this storage is shared, only this loop runs at once.
  Plan trial = plan;
  run_in_order(trial);
  loop_of(trial, loop.func, loop.stage, loop.name).kind = loop.kind;
  for (FuncPlan& p : trial.funcs) {
    p.folds.clear();
    if (!(p.func == func.func)) p.store = p.compute;
  }
  const Replay seen = replayed(dry, trial, race_on(func.func));
  auto refusal = [&](diag::Kind k) {
    return Diagnostic(k, func.store.place)
        .arg("func", func.func.name())
        .arg("store", spoken(func.store))
        .arg("kind", spelling(loop.kind))
        .arg("loop", loop.name)
        .arg("at", spoken(loop.func, loop.stage));
  };
  Diagnostic e =
      judged(seen, refusal(kind::store_across_parallel), refusal(kind::sharing_not_excluded),
             "they use different elements of it", "no run at small sizes shows two that meet");
  Plan fixed = plan;
  FuncPlan& moved = fixed.of(func.func);
  moved.store = Site{Site::Kind::At, loop.func, loop.stage, loop.name, {}};
  moved.store_given = true;
  if (accepted(dry, fixed))
    e.help(func.func.name() + ".store_at(" + spoken(loop.func, loop.stage) + ", " + loop.name +
           ")");
  return e;
}

}  // namespace hocket::schedule
