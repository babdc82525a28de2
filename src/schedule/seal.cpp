#include "schedule/seal.h"

#include <algorithm>
#include <optional>
#include <set>

#include "diag/kinds_schedule.h"
#include "schedule/draft.h"
#include "schedule/inlined_size.h"
#include "schedule/no_effect.h"
#include "schedule/refute.h"
#include "schedule/site_stage.h"
#include "schedule/sites.h"
#include "schedule/stage_facts.h"
#include "schedule/trial.h"
#include "schedule/users.h"
#include "support/edit_distance.h"

namespace hocket::schedule {

using namespace ir;
using diag::Diagnostic;
using diag::Result;
namespace kind = diag::kind;

namespace {

// Constant number of iterations of each loop of a stage, where it is constant.
std::optional<int64_t> constant_extent(const Plan& plan, const Func& f, int stage,
                                       const std::string& name) {
  const FuncPlan& p = plan.of(f.sym);
  const StagePlan& sp = p.stages[static_cast<size_t>(stage)];
  std::vector<std::pair<std::string, std::optional<int64_t>>> known;
  auto find = [&](const std::string& n) -> std::optional<int64_t> {
    for (auto it = known.rbegin(); it != known.rend(); ++it)
      if (it->first == n) return it->second;
    return std::nullopt;
  };
  for (size_t i = 0; i < f.args.size(); ++i) {
    std::optional<int64_t> e;
    for (const DimBound& b : p.bounds) {
      int64_t v = 0;
      if (b.dim == static_cast<int>(i) && is_int(b.extent, &v)) e = v;
    }
    known.emplace_back(f.args[i].name(), e);
  }
  if (stage > 0)
    for (const RVar& r : f.stage(stage).domain.vars) {
      int64_t v = 0;
      known.emplace_back(r.sym.name(),
                         is_int(r.extent, &v) ? std::optional<int64_t>(v) : std::nullopt);
    }
  for (const LoopStep& s : sp.steps) {
    if (s.kind == LoopStep::Kind::Split) {
      std::optional<int64_t> e = find(s.old);
      known.emplace_back(
          s.outer,
          e ? std::optional<int64_t>(*e / s.factor + (*e % s.factor ? 1 : 0)) : std::nullopt);
      known.emplace_back(s.inner, s.factor);
    } else if (s.kind == LoopStep::Kind::Fuse) {
      std::optional<int64_t> a = find(s.inner), b = find(s.outer);
      int64_t both = 0;
      const bool fits = a && b && !__builtin_mul_overflow(*a, *b, &both);
      known.emplace_back(s.made, fits ? std::optional<int64_t>(both) : std::nullopt);
    } else {
      known.emplace_back(s.made, find(s.old));
    }
  }
  return find(name);
}

// Sites: the consumer has loops, and one of the name. `which` of the Func's sites it is.
Result<void> check_site(const Plan& plan, const Symbol& func, Site FuncPlan::* which,
                        const DryRun& dry) {
  const Site& site = plan.of(func).*which;
  if (site.kind != Site::Kind::At) return {};
  if (is_inline(plan, site.func))
    return Diagnostic(kind::site_not_computed, site.place)
        .arg("func", func.name())
        .arg("loop", site.loop)
        .arg("at", site.func.name());
  if (loop_index(plan, site) == std::string::npos) {
    Diagnostic e(kind::unknown_loop, site.place);
    e.arg("func", spoken(site.func, site.stage)).arg("loop", site.loop);
    const std::vector<StagePlan>& stages = plan.of(site.func).stages;
    label_end(e, stages[static_cast<size_t>(site.stage)], site.loop);
    std::vector<std::string> names;
    for (size_t s = 0; s < stages.size(); ++s) {
      std::string list;
      for (const Loop& l : stages[s].loops) {
        list += (list.empty() ? "" : ", ") + l.name;
        if (std::find(names.begin(), names.end(), l.name) == names.end()) names.push_back(l.name);
      }
      e.note("loops of `" + spoken(site.func, static_cast<int>(s)) + "`, outermost first: " + list);
    }
    for (const std::string& near : support::close_names(site.loop, names, 1)) {
      Plan fixed = plan;
      (fixed.of(func).*which).loop = near;
      if (accepted(dry, fixed)) e.help("did you mean `" + near + "`?");
    }
    return e;
  }
  if (site.func == func)
    return Diagnostic(kind::placed_in_itself, site.place)
        .arg("func", func.name())
        .arg("site", spoken(site));
  return {};
}

// No Func's chain of placements comes back to itself.
Result<void> check_no_cycle(const Plan& plan, const FuncPlan& p) {
  const Site* site = &p.compute;
  for (size_t steps = 0; site->kind == Site::Kind::At; ++steps) {
    if (site->func == p.func || steps > plan.funcs.size())
      return Diagnostic(kind::placed_in_itself, p.compute.place)
          .arg("func", p.func.name())
          .arg("site", spoken(p.compute));
    site = &plan.of(site->func).compute;
  }
  return {};
}

// The nest as text, cut to the Funcs that matter, for messages.
std::vector<std::string> draw(const Plan& plan, const Site& site, const Use& culprit,
                              const Symbol& func, int* caret) {
  std::vector<std::string> lines;
  auto nest = [&](const Symbol& f, int stage, const std::string& note, const std::string& mark) {
    const auto& loops = plan.of(f).stages[static_cast<size_t>(stage)].loops;
    std::string indent;
    for (const Loop& l : loops) {
      lines.push_back(indent + "for " + l.name + " in " + spoken(f, stage) + ":");
      if (l.name == mark) {
        *caret = static_cast<int>(lines.size()) - 1;
        lines.back() += "   " + func.name() + " would live here";
      }
      indent += "  ";
    }
    lines.push_back(indent + note);
  };
  nest(culprit.func, culprit.stage,
       spoken(culprit.func, culprit.stage) + " reads " + func.name() + "   <- not inside", "");
  nest(site.func, site.stage, spoken(site.func, site.stage), site.loop);
  if (lines.size() > 15) lines.resize(15);
  return lines;
}

Plan placed(const Plan& plan, const Symbol& func, const Site& site) {
  Plan fixed = plan;
  fixed.of(func).compute = site;
  return fixed;
}

std::string at_text(const Symbol& func, const LoopRef& l, const char* verb) {
  return func.name() + "." + verb + "(" + spoken(l.func, l.stage) + ", " + l.name + ")";
}

// The loops that a user stands in: its own, innermost first, and those around them.
std::vector<LoopRef> loops_around(const Plan& plan, const Use& use) {
  const auto& own = plan.of(use.func).stages[static_cast<size_t>(use.stage)].loops;
  std::vector<LoopRef> out;
  for (size_t i = own.size(); i-- > 0;)
    out.push_back({use.func, use.stage, i, own[i].name, own[i].kind});
  for (LoopRef& l : enclosing_loops(plan, use.func)) out.push_back(std::move(l));
  return out;
}

Result<void> check_visible(const Plan& plan, const FuncPlan& p, const DryRun& dry) {
  if (p.compute.kind != Site::Kind::At) return {};
  std::vector<Use> uses = users_of(plan, p.func);
  for (const Use& u : uses) {
    if (sees(plan, u, p.compute)) continue;
    Diagnostic e(kind::compute_at_outside_user, p.compute.place);
    e.arg("func", p.func.name())
        .arg("loop", p.compute.loop)
        .arg("at", spoken(p.compute.func, p.compute.stage))
        .arg("user", spoken(u.func, u.stage));
    int caret = -1;
    std::vector<std::string> lines = draw(plan, p.compute, u, p.func, &caret);
    int column = caret >= 0 ? static_cast<int>(lines[static_cast<size_t>(caret)].find("for")) : 0;
    e.show_nest(lines, caret, column, 3);
    if (u.place.known())
      e.label(u.place, "`" + spoken(u.func, u.stage) + "` reads `" + p.func.name() + "` here");
    // Fixes: the user inside as well, where nobody has placed it, as a Func that a `sum` made ...
    if (!plan.algorithm->is_output(u.func) && !plan.of(u.func).compute.place.known() &&
        accepted(dry, placed(plan, u.func, p.compute)))
      e.help("compute `" + u.func.name() + "` there as well: " + u.func.name() + ".compute_at(" +
             spoken(p.compute.func, p.compute.stage) + ", " + p.compute.loop + ")");
    // ... loops that all users see, innermost first, tried before they are offered.
    int offered = 0;
    std::set<std::string> seen;
    for (const Use& v : uses) {
      for (const LoopRef& l : loops_around(plan, v)) {
        Site s{Site::Kind::At, l.func, l.stage, l.name, {}};
        if (!std::all_of(uses.begin(), uses.end(), [&](const Use& w) { return sees(plan, w, s); }))
          continue;
        if (l.func == p.func || !seen.insert(at_text(p.func, l, "compute_at")).second) continue;
        if (offered == 4 || !accepted(dry, placed(plan, p.func, s))) continue;
        ++offered;
        e.help("place `" + p.func.name() +
               "` where all users see it: " + at_text(p.func, l, "compute_at"));
      }
    }
    if (accepted(dry, placed(plan, p.func, Site{Site::Kind::Root, {}, 0, "", {}})))
      e.help((offered > 0 ? "or outside of all loops: " : "place it outside of all loops: ") +
             p.func.name() + ".compute_root()");
    return e;
  }
  return {};
}

Result<void> check_storage(const Plan& plan, FuncPlan& p, std::vector<Diagnostic>& warnings,
                           const DryRun& dry) {
  if (p.compute.kind == Site::Kind::Inline) {
    if (p.store_given)
      warnings.push_back(
          Diagnostic(kind::no_effect, p.store.place)
              .arg("func", p.func.name())
              .arg("reason", "`" + p.func.name() + "` is inlined and stores nothing"));
    p.store = p.compute;
    return {};
  }
  if (!p.store_given) {
    p.store = p.compute;
    return {};
  }
  if (!encloses(plan, p.store, p.func)) {
    Diagnostic e(kind::store_inside_compute, p.store.place);
    e.arg("func", p.func.name())
        .arg("store", spoken(p.store))
        .arg("compute", spoken(p.compute))
        .label(p.compute.place, "computed here");
    std::vector<LoopRef> loops = enclosing_loops(plan, p.func);
    for (size_t i = 0; i < loops.size() && i < 3; ++i) {
      Plan fixed = plan;
      fixed.of(p.func).store =
          Site{Site::Kind::At, loops[i].func, loops[i].stage, loops[i].name, {}};
      if (accepted(dry, fixed)) e.help(at_text(p.func, loops[i], "store_at"));
    }
    return e;
  }
  return {};
}

// No storage is shared by iterations that run at the same time.
Result<void> check_shared(const Plan& plan, const FuncPlan& p, const DryRun& dry) {
  if (p.compute.kind == Site::Kind::Inline || !p.store_given) return {};
  size_t inside = 0;
  encloses(plan, p.store, p.func, &inside);
  const std::vector<LoopRef> loops = enclosing_loops(plan, p.func);
  for (size_t i = 0; i < inside; ++i)
    if (loops[i].kind == LoopKind::Parallel || loops[i].kind == LoopKind::Vectorized)
      return refuse_sharing(plan, p, loops[i], dry);
  return {};
}

Result<void> check_vector_sites(const Plan& plan, const FuncPlan& p) {
  for (const LoopRef& l : enclosing_loops(plan, p.func)) {
    if (l.kind != LoopKind::Vectorized) continue;
    return Diagnostic(kind::inside_vector_loop, p.compute.place)
        .arg("func", p.func.name())
        .arg("kind", "vector")
        .arg("loop", l.name)
        .arg("at", spoken(l.func, l.stage));
  }
  return {};
}

// The plan in which this loop is split first: `f.vectorize(x, 8)` in place of `f.vectorize(x)`.
bool splitting_helps(const Plan& plan, const Func& f, int stage, const Loop& loop,
                     const DryRun& dry) {
  Plan fixed = plan;
  loop_of(fixed, f.sym, stage, loop.name).kind = LoopKind::Seq;
  Directive d;
  d.func = f.name();
  d.stage = stage;
  d.verb = loop.kind == LoopKind::Vectorized ? Verb::Vectorize : Verb::Unroll;
  d.names = {loop.name};
  d.factors = {8};
  return apply(fixed, d).ok() && accepted(dry, fixed);
}

// Lanes and copies are written out one by one, so that there is an end to them.
Result<void> check_count(const StagePlan& stage, const Loop& l, int64_t count) {
  const bool lanes = l.kind == LoopKind::Vectorized;
  const int64_t limit = lanes ? kMostLanes : kMostCopies;
  if (count <= limit) return {};
  // The inner half that `vectorize(x, 8)` makes has a name that no user wrote.
  std::string name = l.name;
  for (const LoopStep& s : stage.steps)
    if (s.kind == LoopStep::Kind::Split && s.inner == name && s.outer == s.old) name = s.old;
  return Diagnostic(kind::factor_too_large, l.place)
      .arg("factor", count)
      .arg("what", lanes ? "lanes of loop" : "copies of loop")
      .arg("loop", name)
      .arg("verb", lanes ? "vectorize" : "unroll")
      .arg("limit", limit);
}

}  // namespace

Result<void> check_lanes(const Plan& plan, const Func& f, int stage, const Loop& loop,
                         const std::optional<int64_t>& count, const DryRun& dry) {
  if (count) return check_count(plan.of(f.sym).stages[static_cast<size_t>(stage)], loop, *count);
  const std::string verb = loop.kind == LoopKind::Vectorized ? "vectorize" : "unroll";
  Diagnostic e(kind::extent_not_constant, loop.place);
  e.arg("verb", verb).arg("loop", loop.name).arg("func", spoken(f.sym, stage));
  if (splitting_helps(plan, f, stage, loop, dry))
    e.help(spoken(f.sym, stage) + "." + verb + "(" + loop.name + ", 8)");
  return e;
}

namespace {

// A fused loop whose number of iterations does not fit 64 bits would run a few of them.
Result<void> check_fused(const Plan& plan, const Func& f, int stage, const StagePlan& sp) {
  for (const LoopStep& s : sp.steps) {
    if (s.kind != LoopStep::Kind::Fuse) continue;
    const std::optional<int64_t> a = constant_extent(plan, f, stage, s.inner);
    const std::optional<int64_t> b = constant_extent(plan, f, stage, s.outer);
    int64_t both = 0;
    if (!a || !b || (!__builtin_mul_overflow(*a, *b, &both) && both <= kMostFused)) continue;
    return Diagnostic(kind::cannot_fuse, s.place)
        .arg("inner", s.inner)
        .arg("outer", s.outer)
        .arg("func", spoken(f.sym, stage))
        .arg("reason", "together they have more than 2^62 iterations");
  }
  return {};
}

Result<void> check_loops(const Plan& plan, const FuncPlan& p, const Func& f, const DryRun& dry) {
  for (int s = 0; s < f.num_stages(); ++s) {
    const StagePlan& sp = p.stages[static_cast<size_t>(s)];
    HOCKET_CHECK(check_fused(plan, f, s, sp));
    for (size_t i = 0; i < sp.loops.size(); ++i) {
      const Loop& l = sp.loops[i];
      if (l.kind == LoopKind::Seq) continue;
      if (l.kind != LoopKind::Parallel) {
        const std::optional<int64_t> count = constant_extent(plan, f, s, l.name);
        if (count || p.compute.kind != Site::Kind::At)
          HOCKET_CHECK(check_lanes(plan, f, s, l, count, dry));
      }
      if (l.kind == LoopKind::Vectorized) {
        for (size_t j = i + 1; j < sp.loops.size(); ++j)
          if (sp.loops[j].kind == LoopKind::Parallel)
            return Diagnostic(kind::nested_vector_loops, l.place)
                .arg("loop", l.name)
                .arg("func", spoken(f.sym, s))
                .arg("other", sp.loops[j].name)
                .arg("kind", spelling(sp.loops[j].kind));
      }
      if (!l.reduction || l.kind == LoopKind::Unrolled) continue;
      for (const std::string& root : sp.roots(l.name)) {
        for (const RVar& r : f.stage(s).domain.vars) {
          if (r.sym.name() != root || is_race_free(f, s, r.sym)) continue;
          return refuse_race({plan, f, s}, l, dry);
        }
      }
    }
  }
  return {};
}

constexpr size_t kMostDimensions = 32;

// More dimensions than anybody means are refused before anything takes its time over them.
Result<void> check_ranks(const Algorithm& algorithm) {
  const auto refuse = [](const std::string& name, size_t rank, const support::Place& place) {
    return Diagnostic(kind::too_many_dimensions, place)
        .arg("func", name)
        .arg("rank", static_cast<int64_t>(rank))
        .arg("limit", static_cast<int64_t>(kMostDimensions));
  };
  for (const ImageParam& i : algorithm.inputs)
    if (i.dims.size() > kMostDimensions)
      return refuse(i.sym.name(), i.dims.size(), i.place.known() ? i.place : algorithm.place);
  for (const Func& f : algorithm.funcs)
    if (f.args.size() > kMostDimensions) return refuse(f.name(), f.args.size(), f.place);
  return {};
}

}  // namespace

Result<Sealed> seal(const Plan& draft, const DryRun& dry) {
  Sealed out{draft, {}};
  Plan& plan = out.plan;
  HOCKET_CHECK(check_ranks(*plan.algorithm));
  HOCKET_CHECK(check_inlined_size(plan, dry));
  settle_site_stages(plan);
  for (const FuncPlan& p : plan.funcs) {
    HOCKET_CHECK(check_site(plan, p.func, &FuncPlan::compute, dry));
    if (p.store_given) HOCKET_CHECK(check_site(plan, p.func, &FuncPlan::store, dry));
  }
  for (const FuncPlan& p : plan.funcs) HOCKET_CHECK(check_no_cycle(plan, p));
  for (FuncPlan& p : plan.funcs) {
    const Func& f = *plan.algorithm->find(p.func);
    HOCKET_CHECK(check_visible(plan, p, dry));
    HOCKET_CHECK(check_vector_sites(plan, p));
    HOCKET_CHECK(check_storage(plan, p, out.warnings, dry));
    decide_tails(p);
    if (p.compute.kind == Site::Kind::Inline) continue;
    if (f.types.size() != 1)
      return Diagnostic(kind::several_values, f.place)
          .arg("func", f.name())
          .arg("count", static_cast<int64_t>(f.types.size()));
  }
  // From here on the plan is complete and can be run.
  for (const FuncPlan& p : plan.funcs) HOCKET_CHECK(check_shared(plan, p, dry));
  for (const FuncPlan& p : plan.funcs) {
    if (p.compute.kind == Site::Kind::Inline) continue;
    HOCKET_CHECK(check_loops(plan, p, *plan.algorithm->find(p.func), dry));
  }
  return out;
}

Result<Sealed> plan_schedule(AlgorithmRef algorithm, const Schedule& schedule, const DryRun& dry) {
  HOCKET_CHECK(check_ranks(*algorithm));
  Plan draft = default_plan(std::move(algorithm));
  draft.schedule_name = schedule.name;
  for (const Directive& d : schedule.directives) HOCKET_CHECK(apply(draft, d, dry));
  HOCKET_TRY(Sealed sealed, seal(draft, dry));
  warn_no_effect(draft, schedule, dry, sealed.warnings);
  return sealed;
}

}  // namespace hocket::schedule
