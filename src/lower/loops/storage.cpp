#include "lower/loops/storage.h"

#include <algorithm>
#include <limits>

#include "analysis/bound_search.h"
#include "analysis/prove.h"
#include "analysis/simplify.h"
#include "diag/kinds_schedule.h"
#include "ir/print.h"
#include "lower/loops/region.h"
#include "lower/loops/slide.h"
#include "schedule/sites.h"

namespace hocket::lower::loops {

using namespace ir;
using diag::Diagnostic;
using diag::Result;

namespace {

// The span of dimension d that must stay apart in one iteration: what is needed, and what tails
// that run past it write along the way.
Expr live_span(const Lowering& l, const FuncNest& n, size_t d) {
  using analysis::can_prove;
  Expr lo = expand(l, n.whole[d].min), hi = expand(l, n.whole[d].max);
  const analysis::Interval box = written(l, n, n.plan->compute)[d];
  if (!box.is_bounded()) return {};
  const Expr first = expand(l, box.min), last = expand(l, box.max);
  if (!can_prove(make_binary(BinaryOp::Le, lo, first), l.facts))
    lo = make_binary(BinaryOp::Min, lo, first);
  if (!can_prove(make_binary(BinaryOp::Le, last, hi), l.facts))
    hi = make_binary(BinaryOp::Max, hi, last);
  return analysis::simplify(hi - lo + make_index(1), l.facts);
}

// The greatest number of values of dimension d that are live at once; nothing where no constant was
// found.
std::optional<int64_t> live(const Lowering& l, const FuncNest& n, size_t d) {
  const Expr span = live_span(l, n, d);
  if (!span.defined()) return std::nullopt;
  // What starts later elsewhere is bounded as the name that it is, or by where it may start.
  std::optional<int64_t> least;
  for (const Expr& e : {span, over_starts(l, {{}, span}).max}) {
    if (!e.defined()) continue;
    const auto bound =
        analysis::upper_bound(analysis::affine_of(e, l.facts), l.facts, analysis::kPatientSteps);
    const std::optional<int64_t> count = bound ? bound->to_int64() : std::nullopt;
    if (count && (!least || *count < *least)) least = count;
  }
  if (!least || *least > 1'000'000'000) return std::nullopt;
  return std::max<int64_t>(1, *least);
}

// The dimension that slides on the outermost loop that anything slides on; -1 where none does.
int foldable(const FuncNest& n) {
  int best = -1;
  for (size_t d = 0; d < n.slides_on.size(); ++d)
    if (n.slides_on[d] >= 0 &&
        (best < 0 || n.slides_on[d] > n.slides_on[static_cast<size_t>(best)]))
      best = static_cast<int>(d);
  return best;
}

// The sealed plan with another extent of this fold.
schedule::Plan refolded(const Lowering& l, const FuncNest& n, int dim, int64_t extent) {
  schedule::Plan plan = *l.sealed;
  for (schedule::DimFold& f : plan.of(n.func->sym).folds)
    if (f.dim == dim) f.extent = extent;
  return plan;
}

// Store sites further out where the fold is accepted, as code to paste.
void suggest_sites(const Lowering& l, const FuncNest& n, Diagnostic& e) {
  auto try_site = [&](const schedule::Site& store, const std::string& words) {
    schedule::Plan fixed = *l.sealed;
    schedule::FuncPlan& p = fixed.of(n.func->sym);
    p.store = store;
    p.store_given = true;
    if (schedule::accepted(*l.dry, fixed)) e.help(n.func->name() + words);
  };
  for (const schedule::LoopRef& loop : schedule::enclosing_loops(*l.sealed, n.func->sym))
    try_site({schedule::Site::Kind::At, loop.func, loop.stage, loop.name, {}},
             ".store_at(" + schedule::spoken(loop.func, loop.stage) + ", " + loop.name + ")");
  try_site({schedule::Site::Kind::Root, {}, 0, "", {}}, ".store_root()");
}

// More values may be live at once than the fold holds: a run shows that one is lost, or nobody
// knows.
Diagnostic refuse_fold(const Lowering& l, const FuncNest& n, const schedule::DimFold& want,
                       int64_t needed) {
  const std::string &func = n.func->name(),
                    &dim = n.func->args[static_cast<size_t>(want.dim)].name();
  schedule::Plan trial = *l.sealed;  // nothing else is folded
  for (schedule::FuncPlan& p : trial.funcs) p.folds.clear();
  trial.of(n.func->sym).folds = {want};
  const schedule::Replay seen = schedule::replayed(*l.dry, trial, [](const interp::Finding& f) {
    return f.kind == interp::FindingKind::BlockValue || f.kind == interp::FindingKind::OutputValue
               ? schedule::Bears::Shows
               : schedule::Bears::Not;
  });
  const bool refuted = !seen.witness.empty();
  Diagnostic e(refuted ? diag::kind::fold_too_small : diag::kind::fold_not_proved, want.place);
  e.arg("dim", dim).arg("func", func).arg("extent", want.extent);
  if (refuted) {
    e.arg("needed", needed);
    for (const std::string& line : seen.witness) e.witnessed(line);
    e.note("coordinates of `" + dim + "` that are " + std::to_string(want.extent) +
           " apart share one element");
  } else {
    e.arg("missing", "it is not known that at most " + std::to_string(want.extent) + " of up to " +
                         std::to_string(needed) + " values are needed at once, and " +
                         (seen.trouble.empty() ? "no run at small sizes loses one" : seen.trouble));
  }
  // A larger number comes from coordinates having 32 bits, and is no storage that anybody wants.
  constexpr int64_t kMostOffered = int64_t{1} << 20;
  if (needed <= kMostOffered && schedule::accepted(*l.dry, refolded(l, n, want.dim, needed)))
    e.help(func + ".fold_storage(" + dim + ", " + std::to_string(needed) + ")");
  return e;
}

Result<void> choose_folds(const Lowering& l, FuncNest& n) {
  int slides = foldable(n);
  for (const schedule::DimFold& want : n.plan->folds) {
    size_t d = static_cast<size_t>(want.dim);
    auto refuse = [&](const diag::Kind& k) {
      return Diagnostic(k, want.place)
          .arg("dim", n.func->args[d].name())
          .arg("func", n.func->name())
          .arg("extent", want.extent);
    };
    bool in_one_piece = n.plan->store == n.plan->compute;
    if (!in_one_piece && (want.dim != slides || n.returns[d])) {
      const int mixing = mixing_update(*n.func, d);
      Diagnostic e = refuse(diag::kind::fold_not_proved);
      e.arg("missing",
            "`" + n.func->name() + "` " +
                (want.dim == slides ? "goes back and forth along it inside the loop it slides on"
                 : n.slides_on[d] >= 0
                     ? "slides along `" + n.func->args[static_cast<size_t>(slides)].name() +
                           "` on a loop further out, and each of its iterations begins anew"
                 : mixing > 0
                     ? "does not slide along it, since `" + schedule::spoken(n.func->sym, mixing) +
                           "` takes other coordinates of it than `" + n.func->args[d].name() +
                           "` itself"
                     : "does not slide along it"));
      suggest_sites(l, n, e);
      return e;
    }
    std::optional<int64_t> needed = live(l, n, d);
    if (!needed)
      return refuse(diag::kind::fold_not_proved)
          .arg("missing", "no constant bounds how many values are live at once")
          .note("live at once: " + to_text(analysis::simplify(
                                       n.whole[d].max - n.whole[d].min + make_index(1), l.facts)));
    if (want.extent < *needed && !l.folds_as_asked) return refuse_fold(l, n, want, *needed);
    n.fold[d] = want.extent;
  }
  // On our own: never the dimension that vectors run along.
  if (slides < 0 || n.returns[static_cast<size_t>(slides)] ||
      n.fold[static_cast<size_t>(slides)] > 0 || slides == n.plan->storage_order[0])
    return {};
  if (auto needed = live(l, n, static_cast<size_t>(slides)); needed && *needed <= 4096)
    n.fold[static_cast<size_t>(slides)] = *needed;
  return {};
}

}  // namespace

Result<void> place_storage(Lowering& l, FuncNest& n) {
  const Func& f = *n.func;
  size_t dims = f.args.size();
  n.fold.assign(dims, 0);
  if (n.output) {
    for (size_t d = 0; d < dims; ++d) {
      n.store_min.push_back(make_var(n.min[d]));
      n.store_extent.push_back(n.extent[d]);
    }
    return {};
  }
  HOCKET_CHECK(choose_folds(l, n));
  Box box = written(l, n, n.plan->store);
  for (size_t d = 0; d < dims; ++d) {
    if (n.fold[d] > 0) {
      n.store_min.push_back(make_index(0));
      n.store_extent.push_back(make_index(n.fold[d]));
      continue;
    }
    if (!box[d].is_bounded())
      return Diagnostic(diag::kind::unbounded_region, f.place)
          .arg("dim", f.args[d].name())
          .arg("func", f.name())
          .arg("user", f.name())
          .arg("index", to_text(f.pure.args[d]));
    Expr extent = analysis::simplify(
        make_binary(BinaryOp::Max, box[d].max - box[d].min + make_index(1), make_index(0)),
        l.facts);
    bool same =
        n.plan->store == n.plan->compute &&
        analysis::can_prove(make_binary(BinaryOp::Eq, box[d].min, make_var(n.min[d])), l.facts);
    if (same) {
      n.store_min.push_back(make_var(n.min[d]));
    } else {
      Symbol s = Symbol::derived(f.name() + "_" + f.args[d].name() + "_store", Type::index(), f.sym,
                                 "first stored coordinate of");
      n.store_lets.push_back(make_let(s, box[d].min));
      l.facts.define(s, box[d].min);
      n.store_min.push_back(make_var(s));
    }
    n.store_extent.push_back(extent);
  }
  return {};
}

std::vector<Expr> storage_index(const Lowering& l, const FuncNest& n,
                                const std::vector<Expr>& point) {
  std::vector<Expr> out;
  for (auto it = n.plan->storage_order.rbegin(); it != n.plan->storage_order.rend(); ++it) {
    size_t d = static_cast<size_t>(*it);
    Expr e = n.fold[d] > 0 ? point[d] % make_index(n.fold[d]) : point[d] - n.store_min[d];
    out.push_back(analysis::simplify(e, l.facts));
  }
  return out;
}

}  // namespace hocket::lower::loops
