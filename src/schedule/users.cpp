#include "schedule/users.h"

#include <algorithm>

#include "schedule/sites.h"
#include "schedule/stage_facts.h"

namespace hocket::schedule {

using namespace ir;

namespace {

void add_use(std::vector<Use>& out, Use use) {
  for (const Use& u : out)
    if (u.func == use.func && u.stage == use.stage) return;
  out.push_back(std::move(use));
}

}  // namespace

bool is_inline(const Plan& plan, const Symbol& func) {
  return plan.of(func).compute.kind == Site::Kind::Inline;
}

std::vector<Use> users_of(const Plan& plan, const Symbol& func) {
  std::vector<Use> out;
  for (const Func& g : plan.algorithm->funcs) {
    for (int s = 0; s < g.num_stages(); ++s) {
      if (g.sym == func) continue;
      std::vector<Symbol> called = callees(g.stage(s));
      if (std::find(called.begin(), called.end(), func) == called.end()) continue;
      if (is_inline(plan, g.sym)) {
        for (const Use& u : users_of(plan, g.sym)) add_use(out, u);
      } else {
        add_use(out, {g.sym, s, g.stage(s).place});
      }
    }
  }
  return out;
}

bool sees(const Plan& plan, const Use& use, const Site& site) {
  if (use.func == site.func && use.stage == site.stage) return true;
  return encloses(plan, site, use.func);
}

}  // namespace hocket::schedule
