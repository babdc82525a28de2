// Walking outwards from where a Func is computed: the loops that enclose a site.
#pragma once

#include <vector>

#include "schedule/plan.h"

namespace hocket::schedule {

// A loop of the sealed nests, named by whose it is.
struct LoopRef {
  ir::Symbol func;
  int stage = 0;
  size_t index = 0;  // in the stage's loops, outermost first
  std::string name;
  ir::LoopKind kind = ir::LoopKind::Seq;
};

// Position of the site's loop in its stage; npos where the stage has no such loop.
size_t loop_index(const Plan& plan, const Site& site);

// Every loop around the place where `func` is computed, innermost first, to the root.
std::vector<LoopRef> enclosing_loops(const Plan& plan, const ir::Symbol& func);

// `site` stands at or around the place where `func` is computed; how many of enclosing_loops() lie
// strictly inside it goes to `inside`.
bool encloses(const Plan& plan, const Site& site, const ir::Symbol& func, size_t* inside = nullptr);

}  // namespace hocket::schedule
