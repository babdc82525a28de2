#include "schedule/site_stage.h"

#include <algorithm>
#include <functional>

#include "schedule/sites.h"
#include "schedule/users.h"

namespace hocket::schedule {

namespace {

void settle(const Plan& plan, Site& site, const std::function<bool(const Site&)>& fits) {
  if (site.kind != Site::Kind::At || site.stage != 0 || is_inline(plan, site.func)) return;
  const int stages = static_cast<int>(plan.of(site.func).stages.size());
  int first = -1;
  for (int s = 0; s < stages; ++s) {
    Site here = site;
    here.stage = s;
    if (loop_index(plan, here) == std::string::npos) continue;
    if (first < 0) first = s;
    if (!fits(here)) continue;
    site = here;
    return;
  }
  if (first > 0) site.stage = first;
}

}  // namespace

void settle_site_stages(Plan& plan) {
  // Consumers first: whether a user stands inside a loop follows from where its own users stand.
  for (auto p = plan.funcs.rbegin(); p != plan.funcs.rend(); ++p) {
    const std::vector<Use> users =
        p->compute.kind == Site::Kind::At ? users_of(plan, p->func) : std::vector<Use>();
    settle(plan, p->compute, [&](const Site& here) {
      return std::all_of(users.begin(), users.end(),
                         [&](const Use& u) { return sees(plan, u, here); });
    });
  }
  for (FuncPlan& p : plan.funcs)
    if (p.store_given)
      settle(plan, p.store, [&](const Site& here) { return encloses(plan, here, p.func); });
}

}  // namespace hocket::schedule
