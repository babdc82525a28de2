#include "schedule/plan.h"

#include "support/assert.h"

namespace hocket::schedule {

const Loop* StagePlan::find(std::string_view name) const {
  for (const Loop& l : loops)
    if (l.name == name) return &l;
  return nullptr;
}

const FuncPlan& Plan::of(const ir::Symbol& func) const {
  for (const FuncPlan& f : funcs)
    if (f.func == func) return f;
  HOCKET_ASSERT(false, "plan of a Func that is not in the algorithm");
}

FuncPlan& Plan::of(const ir::Symbol& func) {
  return const_cast<FuncPlan&>(static_cast<const Plan*>(this)->of(func));
}

std::string spoken(const ir::Symbol& func, int stage) {
  return stage == 0 ? func.name() : func.name() + ".update(" + std::to_string(stage - 1) + ")";
}

std::string spoken(const Site& site) {
  switch (site.kind) {
    case Site::Kind::Inline:
      return "inline";
    case Site::Kind::Root:
      return "root";
    case Site::Kind::At:
      return "loop `" + site.loop + "` of `" + spoken(site.func, site.stage) + "`";
  }
  return "";
}

}  // namespace hocket::schedule
