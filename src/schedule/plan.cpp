#include "schedule/plan.h"

#include "support/assert.h"

namespace hocket::schedule {

const Loop* StagePlan::find(std::string_view name) const {
  for (const Loop& l : loops)
    if (l.name == name) return &l;
  return nullptr;
}

std::vector<std::string> StagePlan::roots(const std::string& name) const {
  std::vector<std::string> now = {name};
  for (auto s = steps.rbegin(); s != steps.rend(); ++s) {
    const bool split = s->kind == LoopStep::Kind::Split;
    std::vector<std::string> before;
    for (const std::string& n : now) {
      if (split ? n != s->outer && n != s->inner : n != s->made) {
        before.push_back(n);
      } else if (s->kind == LoopStep::Kind::Fuse) {
        before.push_back(s->outer);
        before.push_back(s->inner);
      } else {
        before.push_back(s->old);
      }
    }
    now = std::move(before);
  }
  return now;
}

const LoopStep* StagePlan::end_of(std::string_view name) const {
  for (auto s = steps.rbegin(); s != steps.rend(); ++s) {
    const bool fused = s->kind == LoopStep::Kind::Fuse;
    if (fused ? s->outer == name || s->inner == name : s->old == name) return &*s;
  }
  return nullptr;
}

void label_end(diag::Diagnostic& e, const StagePlan& stage, const std::string& loop) {
  const LoopStep* s = stage.end_of(loop);
  if (!s) return;
  switch (s->kind) {
    case LoopStep::Kind::Split:
      e.label(s->place, "`" + loop + "` became `" + s->outer + "` and `" + s->inner + "` here");
      return;
    case LoopStep::Kind::Fuse:
      e.label(s->place, "`" + loop + "` became a part of `" + s->made + "` here");
      return;
    case LoopStep::Kind::Rename:
      e.label(s->place, "`" + loop + "` became `" + s->made + "` here");
      return;
  }
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
