#include "lower/loops/slide.h"

#include <algorithm>

#include "analysis/monotone.h"
#include "analysis/simplify.h"
#include "lower/loops/region.h"
#include "schedule/sites.h"

namespace hocket::lower::loops {

using namespace ir;
using analysis::Monotone;

namespace {

bool rises(const Expr& e, const Symbol& v, const analysis::Facts& facts) {
  Monotone m = analysis::monotone_in(e, v, facts);
  return m == Monotone::Constant || m == Monotone::Increasing;
}

// Is the outer half of a split of this dimension split again? Where nothing new is needed, the
// region of such loops under their guards lies a tile before the storage.
bool splits_outer_again(const schedule::StagePlan& stage) {
  std::vector<std::string> outer;
  for (const schedule::LoopStep& s : stage.steps) {
    if (s.kind != schedule::LoopStep::Kind::Split) continue;
    if (std::find(outer.begin(), outer.end(), s.old) != outer.end()) return true;
    outer.push_back(s.outer);
  }
  return false;
}

}  // namespace

void slide(Lowering& l, FuncNest& n) {
  if (n.output || !n.func->is_pure() || n.plan->store == n.plan->compute) return;
  if (splits_outer_again(n.plan->stages[0])) return;
  size_t inside = 0;
  bool around = schedule::encloses(l.plan, n.plan->store, n.func->sym, &inside);
  HOCKET_ASSERT(around, "a sealed store site encloses the compute site");
  std::vector<schedule::LoopRef> loops = schedule::enclosing_loops(l.plan, n.func->sym);

  size_t dims = n.func->args.size();
  Box whole(dims);  // over loops and parameters alone
  for (size_t d = 0; d < dims; ++d)
    whole[d] = {expand(l, n.whole[d].min), expand(l, n.whole[d].max)};

  std::vector<const NestLoop*> between;
  for (size_t i = 0; i < inside; ++i)
    between.push_back(
        &l.nest(loops[i].func).stages[static_cast<size_t>(loops[i].stage)].loops[loops[i].index]);

  for (size_t i = 0; i < inside; ++i) {  // innermost first
    const NestLoop& v = *between[i];
    int moving = -1, count = 0;
    for (size_t d = 0; d < dims; ++d) {
      if (!uses(whole[d].min, v.var) && !uses(whole[d].max, v.var)) continue;
      moving = static_cast<int>(d);
      ++count;
    }
    if (count != 1 || n.slides_on[static_cast<size_t>(moving)] >= 0) continue;
    size_t d = static_cast<size_t>(moving);
    if (!rises(whole[d].min, v.var, l.facts) || !rises(whole[d].max, v.var, l.facts)) continue;
    // The loops inside v run over the same range in every iteration of v.
    bool steady = true;
    for (size_t j = 0; j < i; ++j)
      steady = steady && !uses(expand(l, between[j]->lo), v.var) &&
               !uses(expand(l, between[j]->hi), v.var);
    if (!steady) continue;

    Expr before = substitute(whole[d].max, v.var, make_var(v.var) - make_index(1));
    Expr fresh = make_binary(BinaryOp::Max, n.needed[d].min, before + make_index(1));
    Expr first = make_binary(BinaryOp::Gt, make_var(v.var), v.lo);
    n.needed[d].min = analysis::simplify(
        make_select(first, analysis::simplify(fresh, l.facts), n.needed[d].min), l.facts);
    n.slides_on[d] = static_cast<int>(i);
    for (size_t j = 0; j < i; ++j)
      if (uses(whole[d].min, between[j]->var) || uses(whole[d].max, between[j]->var))
        n.returns[d] = 1;
  }
}

}  // namespace hocket::lower::loops
