// Who reads a Func, and whether they stand inside a site.
//
// In: a plan, sealed or not. Out: the stages that read a Func once what is inlined is gone. Called
// by: seal.cpp, site_stage.cpp.
#pragma once

#include <vector>

#include "schedule/plan.h"

namespace hocket::schedule {

// A stage that reads a Func.
struct Use {
  ir::Symbol func;
  int stage = 0;
  support::Place place;
};

bool is_inline(const Plan& plan, const ir::Symbol& func);

// The stages of other Funcs that read `func` after inlining, in order.
std::vector<Use> users_of(const Plan& plan, const ir::Symbol& func);

// The use stands inside the loop of the site.
bool sees(const Plan& plan, const Use& use, const Site& site);

}  // namespace hocket::schedule
