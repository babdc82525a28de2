// What the rules may ask before they speak: a run of a plan, a try of a repair.
//
// The rules see plans, not programs; who can lower and interpret lends them these functions. In: a
// plan. Out: what the interpreter found at the smallest sizes that show it, as lines of a witness;
// whether a repaired plan is accepted. A rule that cannot be shown broken by a run is not refuted,
// and a repair that was not accepted is not offered. Made by: driver/dry_run.cpp, and api/func.cpp
// for a Func whose consumers are not known yet. Read by: refute.cpp, seal.cpp, lower/loops/storage.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "interp/finding.h"
#include "schedule/plan.h"

namespace hocket::schedule {

// What one finding of a run is to the rule that asked.
enum class Bears : uint8_t {
  Not,       // on something else
  Explains,  // how it comes about; shown before what shows it
  Shows,     // that the rule is right
};
using Judgement = std::function<Bears(const interp::Finding&)>;

struct Replay {
  std::vector<std::string> witness;  // the sizes, then what was found; empty: no run shows it
  std::string trouble;               // why nothing could be run, else empty
};

struct DryRun {
  // Carries the plan out as it stands, without the rule that refuses it. The plan is complete:
  // every tail decided, every storage at or around its compute site.
  std::function<Replay(const Plan&, const Judgement&)> replay;
  // Every rule accepts this plan, those that need regions as well.
  std::function<bool(const Plan&)> accepts;
};

// Nothing where nobody can try.
inline Replay replayed(const DryRun& dry, const Plan& plan, const Judgement& judge) {
  return dry.replay ? dry.replay(plan, judge) : Replay{{}, "no run was made"};
}
inline bool accepted(const DryRun& dry, const Plan& plan) {
  return dry.accepts && dry.accepts(plan);
}

}  // namespace hocket::schedule
