#include "lower/loops/slide.h"

#include <algorithm>

#include "analysis/monotone.h"
#include "analysis/prove.h"
#include "analysis/simplify.h"
#include "diag/kinds_schedule.h"
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

// Neither end falls when v grows. The last coordinate is known for every iteration: it does not
// depend on where a consumer that slides along v starts. The first one may, and rises with it.
bool ends_rise(const Lowering& l, const analysis::Interval& box, const Symbol& v) {
  if (!rises(box.max, v, l.facts)) return false;
  Expr first = box.min;
  for (const FuncNest& m : l.nests)
    for (size_t d = 0; d < m.min.size(); ++d) {
      const Symbol& s = m.min[d];
      const bool moves = starts_later(m, d) && varies_with(l, make_var(s), v);
      if (moves && (uses(box.max, s) || !rises(box.min, s, l.facts))) return false;
      if (moves && uses(box.min, s)) first = over_starts(l, {box.min, {}}).min;
    }
  return first.defined() && rises(first, v, l.facts);
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

// Does an iteration of v need, along a dimension, what the one before has computed?
bool reaches_back(const Lowering& l, const analysis::Interval& box, const NestLoop& v) {
  const Expr before = substitute(box.max, v.var, make_var(v.var) - make_index(1));
  return !analysis::can_prove(make_binary(BinaryOp::Lt, before, box.min), l.facts);
}

void warn_not_sliding(Lowering& l, const FuncNest& n, size_t d, const NestLoop& v, int stage) {
  diag::Diagnostic e(diag::kind::computed_anew, n.plan->store.place);
  e.arg("func", n.func->name())
      .arg("loop", v.name)
      .arg("update", schedule::spoken(n.func->sym, stage))
      .arg("dim", n.func->args[d].name())
      .label(n.func->stage(stage).place, "this update");
  schedule::Plan fixed = *l.sealed;
  schedule::FuncPlan& p = fixed.of(n.func->sym);
  p.compute = p.store = schedule::Site{schedule::Site::Kind::Root, {}, 0, "", {}};
  if (schedule::accepted(*l.dry, fixed)) e.help(n.func->name() + ".compute_root()");
  l.warnings.push_back(std::move(e));
}

}  // namespace

int mixing_update(const Func& f, size_t d) {
  for (int s = 1; s < f.num_stages(); ++s)
    if (!is_pure_dim(f, s, static_cast<int>(d))) return s;
  return -1;
}

void slide(Lowering& l, FuncNest& n) {
  if (n.output || n.plan->store == n.plan->compute) return;
  for (const schedule::StagePlan& stage : n.plan->stages)
    if (splits_outer_again(stage)) return;
  size_t inside = 0;
  bool around = schedule::encloses(l.plan, n.plan->store, n.func->sym, &inside);
  HOCKET_ASSERT(around, "a sealed store site encloses the compute site");
  std::vector<schedule::LoopRef> loops = schedule::enclosing_loops(l.plan, n.func->sym);

  size_t dims = n.func->args.size();
  // Over loops, parameters and the first coordinates of consumers that slide.
  Box whole(dims);
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
      if (!varies_with(l, whole[d].min, v.var) && !varies_with(l, whole[d].max, v.var)) continue;
      moving = static_cast<int>(d);
      ++count;
    }
    if (count != 1 || n.slides_on[static_cast<size_t>(moving)] >= 0) continue;
    size_t d = static_cast<size_t>(moving);
    if (!ends_rise(l, whole[d], v.var)) continue;
    // The loops inside v run over the same range in every iteration of v.
    bool steady = true;
    for (size_t j = 0; j < i; ++j)
      steady = steady && !varies_with(l, expand(l, between[j]->lo), v.var) &&
               !varies_with(l, expand(l, between[j]->hi), v.var);
    if (!steady) continue;
    if (const int stage = mixing_update(*n.func, d); stage > 0) {
      if (reaches_back(l, whole[d], v)) warn_not_sliding(l, n, d, v, stage);
      continue;
    }

    Expr before = substitute(whole[d].max, v.var, make_var(v.var) - make_index(1));
    Expr fresh = make_binary(BinaryOp::Max, n.needed[d].min, before + make_index(1));
    Expr first = make_binary(BinaryOp::Gt, make_var(v.var), v.lo);
    n.needed[d].min = analysis::simplify(
        make_select(first, analysis::simplify(fresh, l.facts), n.needed[d].min), l.facts);
    n.slides_on[d] = static_cast<int>(i);
    for (size_t j = 0; j < i; ++j)
      if (varies_with(l, whole[d].min, between[j]->var) ||
          varies_with(l, whole[d].max, between[j]->var))
        n.returns[d] = 1;
  }
}

}  // namespace hocket::lower::loops
