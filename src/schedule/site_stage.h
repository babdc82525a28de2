// Which stage of a Func a placement means: f.compute_at(h, y) may be inside an update of `h`.
//
// In: a plan whose sites name a Func and a loop. Where the site is said of the Func and not of an
// update, it is the stage that has a loop of that name and in which every user stands (compute), or
// the place where the Func is computed (store); at most one stage is that. Where there is none it
// is the first stage that has such a loop, and the seal refuses it (S0412, S0204); or the pure
// definition (S0103). Out: the plan, every site with its stage. Called by: seal.cpp.
#pragma once

#include "schedule/plan.h"

namespace hocket::schedule {

void settle_site_stages(Plan& plan);

}  // namespace hocket::schedule
