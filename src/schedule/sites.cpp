#include "schedule/sites.h"

namespace hocket::schedule {

size_t loop_index(const Plan& plan, const Site& site) {
  const auto& loops = plan.of(site.func).stages[static_cast<size_t>(site.stage)].loops;
  for (size_t i = 0; i < loops.size(); ++i)
    if (loops[i].name == site.loop) return i;
  return std::string::npos;
}

std::vector<LoopRef> enclosing_loops(const Plan& plan, const ir::Symbol& func) {
  std::vector<LoopRef> out;
  const Site* site = &plan.of(func).compute;
  // A cycle of placements is refused at the seal; the count keeps this walk finite before that.
  for (size_t steps = 0; site->kind == Site::Kind::At && steps <= plan.funcs.size(); ++steps) {
    const auto& loops = plan.of(site->func).stages[static_cast<size_t>(site->stage)].loops;
    size_t at = loop_index(plan, *site);
    if (at == std::string::npos) break;
    for (size_t i = at + 1; i-- > 0;)
      out.push_back({site->func, site->stage, i, loops[i].name, loops[i].kind});
    site = &plan.of(site->func).compute;
  }
  return out;
}

bool encloses(const Plan& plan, const Site& site, const ir::Symbol& func, size_t* inside) {
  std::vector<LoopRef> loops = enclosing_loops(plan, func);
  if (site.kind == Site::Kind::Root) {
    if (inside) *inside = loops.size();
    return true;
  }
  for (size_t i = 0; i < loops.size(); ++i) {
    if (loops[i].func == site.func && loops[i].stage == site.stage && loops[i].name == site.loop) {
      if (inside) *inside = i;
      return true;
    }
  }
  return false;
}

}  // namespace hocket::schedule
