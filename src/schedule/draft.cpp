#include "schedule/draft.h"

#include <algorithm>
#include <optional>

#include "diag/kinds_schedule.h"
#include "schedule/refute.h"
#include "schedule/stage_facts.h"
#include "support/edit_distance.h"
#include "support/strings.h"

namespace hocket::schedule {

using namespace ir;
using diag::Diagnostic;
using diag::Result;
namespace kind = diag::kind;

namespace {

// A name that nothing has, and what there is: for a suggestion, which is tried before it is made.
struct Unknown {
  std::string name;
  std::vector<std::string> known;
};

// One directive on its way into the plan.
struct Attempt {
  const Plan& plan;
  const Directive& d;
  const DryRun& dry;
  std::optional<Unknown> unknown;
};

// A working copy of the stage, committed only when the whole directive is accepted.
struct Editor {
  Attempt& attempt;
  const Func& func;
  const Directive& d;
  StagePlan plan;

  std::string stage_name() const { return spoken(func.sym, d.stage); }

  Result<size_t> loop(const std::string& name) {
    for (size_t i = 0; i < plan.loops.size(); ++i)
      if (plan.loops[i].name == name) return i;
    Diagnostic e(kind::unknown_loop, d.place);
    e.arg("func", stage_name()).arg("loop", name);
    label_end(e, plan, name);
    std::vector<std::string> names;
    for (const Loop& l : plan.loops) names.push_back(l.name);
    std::string list;
    for (const std::string& n : names) list += (list.empty() ? "" : ", ") + n;
    e.note("loops of `" + stage_name() + "`, outermost first: " + list);
    attempt.unknown = {name, std::move(names)};
    return e;
  }

  Result<void> free_name(const std::string& name, const std::string& except) const {
    if (name != except && plan.find(name))
      return Diagnostic(kind::loop_name_taken, d.place).arg("func", stage_name()).arg("loop", name);
    return {};
  }

  Result<void> split(const std::string& old, const std::string& outer, const std::string& inner,
                     int64_t factor, Tail tail) {
    HOCKET_TRY(size_t at, loop(old));
    if (factor < 1)
      return Diagnostic(kind::factor_not_positive, d.place)
          .arg("factor", factor)
          .arg("verb", spelling(d.verb))
          .arg("what", "loop")
          .arg("loop", old);
    if (factor > kMostIterations)
      return Diagnostic(kind::factor_too_large, d.place)
          .arg("factor", factor)
          .arg("what", "iterations of loop")
          .arg("loop", old)
          .arg("verb", spelling(d.verb))
          .arg("limit", kMostIterations);
    if (outer == inner)
      return Diagnostic(kind::loop_listed_twice, d.place)
          .arg("what", "loop")
          .arg("loop", inner)
          .arg("verb", spelling(d.verb));
    HOCKET_CHECK(free_name(outer, old));
    HOCKET_CHECK(free_name(inner, old));
    if (plan.loops[at].kind != LoopKind::Seq) return kind_taken(at);
    if (d.stage > 0 && (tail == Tail::RoundUp || tail == Tail::ShiftInwards)) {
      bool repeats = tail == Tail::ShiftInwards || plan.loops[at].reduction || !runs_on(old);
      if (repeats)
        return Diagnostic(kind::tail_repeats_update, d.place)
            .arg("tail", spelling(tail))
            .arg("loop", old)
            .arg("func", stage_name());
    }
    Loop o = plan.loops[at], i = plan.loops[at];
    o.name = outer;
    i.name = inner;
    o.place = i.place = d.place;
    plan.loops[at] = o;
    plan.loops.insert(plan.loops.begin() + static_cast<std::ptrdiff_t>(at) + 1, i);
    LoopStep s;
    s.kind = LoopStep::Kind::Split;
    s.old = old;
    s.outer = outer;
    s.inner = inner;
    s.factor = factor;
    s.tail = tail;
    s.place = d.place;
    plan.steps.push_back(s);
    return {};
  }

  // Going past the end of this loop reaches new points, and not those of the next outer iteration:
  // it is a variable of the stage, an outer half of one, or made of such a one and an inner loop.
  bool runs_on(const std::string& name) const { return runs_on_before(name, plan.steps.rbegin()); }
  bool runs_on_before(const std::string& name,
                      std::vector<LoopStep>::const_reverse_iterator from) const {
    for (auto s = from; s != plan.steps.rend(); ++s) {
      if (s->kind == LoopStep::Kind::Split && s->inner == name) return false;
      if (s->kind == LoopStep::Kind::Fuse && s->made == name)
        return runs_on_before(s->outer, s + 1);
      if (s->kind != LoopStep::Kind::Fuse &&
          (s->kind == LoopStep::Kind::Split ? s->outer : s->made) == name)
        return runs_on_before(s->old, s + 1);
    }
    return true;
  }

  Diagnostic kind_taken(size_t at) const {
    return Diagnostic(kind::loop_kind_taken, d.place)
        .arg("loop", plan.loops[at].name)
        .arg("func", stage_name())
        .arg("kind", spelling(plan.loops[at].kind))
        .label(plan.loops[at].place, "made so here");
  }

  // Relative order of reduction loops after a permutation: refused unless the update allows it.
  Result<void> check_order(const std::vector<Loop>& before) const {
    if (d.stage == 0 || is_order_free(func, d.stage)) return {};
    for (size_t i = 0; i < plan.loops.size(); ++i) {
      for (size_t j = i + 1; j < plan.loops.size(); ++j) {
        const Loop &o = plan.loops[i], &n = plan.loops[j];
        if (!o.reduction || !n.reduction) continue;
        auto position = [&](const std::string& name) {
          return std::find_if(before.begin(), before.end(),
                              [&](const Loop& l) { return l.name == name; }) -
                 before.begin();
        };
        if (position(o.name) > position(n.name) && !commute(o.name, n.name))
          return refuse_order({attempt.plan, func, d.stage}, plan, n.name, o.name, d.place,
                              attempt.dry);
      }
    }
    return {};
  }

  // Loops made from reduction variables of which one is race-free commute with each other.
  bool commute(const std::string& a, const std::string& b) const {
    const std::vector<std::string> ra = plan.roots(a), rb = plan.roots(b);
    auto free = [&](const std::vector<std::string>& r) {
      return std::all_of(r.begin(), r.end(), [&](const std::string& name) {
        for (const RVar& v : func.stage(d.stage).domain.vars)
          if (v.sym.name() == name) return is_race_free(func, d.stage, v.sym);
        return true;
      });
    };
    return free(ra) || free(rb);
  }

  Result<void> reorder(const std::vector<std::string>& innermost_first) {
    std::vector<size_t> slots;
    for (const std::string& n : innermost_first) {
      HOCKET_TRY(size_t at, loop(n));
      if (std::find(slots.begin(), slots.end(), at) != slots.end())
        return Diagnostic(kind::loop_listed_twice, d.place)
            .arg("what", "loop")
            .arg("loop", n)
            .arg("verb", spelling(d.verb));
      slots.push_back(at);
    }
    std::vector<Loop> before = plan.loops;
    std::vector<Loop> wanted;  // outermost first
    for (auto it = slots.rbegin(); it != slots.rend(); ++it) wanted.push_back(before[*it]);
    std::vector<size_t> sorted = slots;
    std::sort(sorted.begin(), sorted.end());
    for (size_t i = 0; i < sorted.size(); ++i) plan.loops[sorted[i]] = wanted[i];
    return check_order(before);
  }

  Result<void> set_kind(const std::string& name, LoopKind k) {
    HOCKET_TRY(size_t at, loop(name));
    if (plan.loops[at].kind != LoopKind::Seq) return kind_taken(at);
    plan.loops[at].kind = k;
    plan.loops[at].place = d.place;
    return {};
  }

  Result<void> fuse(const std::string& inner, const std::string& outer, const std::string& made) {
    HOCKET_TRY(size_t i, loop(inner));
    HOCKET_TRY(size_t o, loop(outer));
    auto refuse = [&](std::string why) {
      return Diagnostic(kind::cannot_fuse, d.place)
          .arg("inner", inner)
          .arg("outer", outer)
          .arg("func", stage_name())
          .arg("reason", std::move(why));
    };
    if (i == o)
      return Diagnostic(kind::loop_listed_twice, d.place)
          .arg("what", "loop")
          .arg("loop", inner)
          .arg("verb", "fuse");
    if (made != inner && made != outer) HOCKET_CHECK(free_name(made, ""));
    if (plan.loops[i].reduction != plan.loops[o].reduction)
      return refuse("one is a reduction variable, the other is not");
    if (i != o + 1) return refuse("`" + inner + "` does not stand directly inside `" + outer + "`");
    if (plan.loops[i].kind != LoopKind::Seq) return kind_taken(i);
    if (plan.loops[o].kind != LoopKind::Seq) return kind_taken(o);
    plan.loops[o].name = made;
    plan.loops[o].place = d.place;
    plan.loops.erase(plan.loops.begin() + static_cast<std::ptrdiff_t>(i));
    LoopStep s;
    s.kind = LoopStep::Kind::Fuse;
    s.inner = inner;
    s.outer = outer;
    s.made = made;
    s.place = d.place;
    plan.steps.push_back(s);
    return {};
  }

  Result<void> rename(const std::string& old, const std::string& made) {
    HOCKET_TRY(size_t at, loop(old));
    HOCKET_CHECK(free_name(made, old));
    plan.loops[at].name = made;
    LoopStep s;
    s.kind = LoopStep::Kind::Rename;
    s.old = old;
    s.made = made;
    s.place = d.place;
    plan.steps.push_back(s);
    return {};
  }
};

Result<int> dimension(Attempt& attempt, const Func& f, const std::string& name) {
  for (size_t i = 0; i < f.args.size(); ++i)
    if (f.args[i].name() == name) return static_cast<int>(i);
  std::vector<std::string> names;
  for (const Symbol& a : f.args) names.push_back(a.name());
  attempt.unknown = {name, std::move(names)};
  return Diagnostic(kind::unknown_dimension, attempt.d.place)
      .arg("func", f.name())
      .arg("dim", name);
}

Result<void> arguments(const Directive& d, bool ok, const char* expected) {
  if (ok) return {};
  return Diagnostic(kind::directive_arguments, d.place)
      .arg("verb", spelling(d.verb))
      .arg("expected", expected);
}

Result<const Func*> find_func(Attempt& attempt, const std::string& name) {
  const Algorithm& algorithm = *attempt.plan.algorithm;
  if (const Func* f = algorithm.find(name)) return f;
  std::vector<std::string> names;
  for (const Func& f : algorithm.funcs) names.push_back(f.name());
  attempt.unknown = {name, std::move(names)};
  return Diagnostic(kind::unknown_func, attempt.d.place)
      .arg("func", name)
      .arg("pipeline", algorithm.name);
}

Result<Site> site_at(Attempt& attempt) {
  const Directive& d = attempt.d;
  HOCKET_CHECK(arguments(d, d.names.size() == 2, "a consumer Func and one of its loops"));
  HOCKET_TRY(const Func* at, find_func(attempt, d.names[0]));
  if (d.site_stage < 0 || d.site_stage >= at->num_stages())
    return Diagnostic(kind::unknown_stage, d.place)
        .arg("func", at->name())
        .arg("index", int64_t{d.site_stage} - 1)
        .arg("count", support::counted(at->updates.size(), "update"));
  Site s;
  s.kind = Site::Kind::At;
  s.func = at->sym;
  s.stage = d.site_stage;
  s.loop = d.names[1];
  s.place = d.place;
  return s;  // the loop's name is judged at the seal: it may be made by a later directive
}

Result<void> refuse_output(const Plan& plan, const Func& f, const Directive& d,
                           const std::string& verb) {
  if (!plan.algorithm->is_output(f.sym)) return {};
  return Diagnostic(kind::output_not_root, d.place).arg("verb", verb).arg("func", f.name());
}

Result<void> apply_placement(Attempt& attempt, const Func& f, FuncPlan& p) {
  const Plan& plan = attempt.plan;
  const Directive& d = attempt.d;
  switch (d.verb) {
    case Verb::ComputeRoot:
      p.compute = Site{Site::Kind::Root, {}, 0, "", d.place};
      return {};
    case Verb::ComputeInline:
      HOCKET_CHECK(refuse_output(plan, f, d, "inline"));
      if (!f.is_pure())
        return Diagnostic(kind::inline_with_updates, d.place)
            .arg("func", f.name())
            .label(f.updates[0].place, "updated here");
      p.compute = Site{Site::Kind::Inline, {}, 0, "", d.place};
      return {};
    case Verb::ComputeAt: {
      HOCKET_CHECK(refuse_output(plan, f, d, "compute inside another Func"));
      HOCKET_TRY(Site s, site_at(attempt));
      p.compute = s;
      return {};
    }
    case Verb::StoreRoot:
      p.store = Site{Site::Kind::Root, {}, 0, "", d.place};
      p.store_given = true;
      return {};
    default: {
      HOCKET_CHECK(refuse_output(plan, f, d, "store inside another Func"));
      HOCKET_TRY(Site s, site_at(attempt));
      p.store = s;
      p.store_given = true;
      return {};
    }
  }
}

Result<void> apply_storage(Attempt& attempt, const Func& f, FuncPlan& p) {
  const Directive& d = attempt.d;
  if (d.verb != Verb::Bound)
    HOCKET_CHECK(refuse_output(attempt.plan, f, d, "change the storage of"));
  if (d.verb == Verb::StoreIn) {
    HOCKET_CHECK(arguments(d, d.names.size() == 1, "a memory"));
    p.memory = d.names[0];
    p.memory_place = d.place;
    return {};
  }
  if (d.verb == Verb::Bound) {
    HOCKET_CHECK(arguments(d, d.names.size() == 1 && d.exprs.size() == 2,
                           "a dimension, its min and its extent"));
    int64_t extent = 0;
    const bool negative = is_int(d.exprs[1], &extent) && extent < 0;
    HOCKET_CHECK(
        arguments(d, !negative, "a dimension, its min and an extent that is not negative"));
    HOCKET_TRY(int dim, dimension(attempt, f, d.names[0]));
    for (const DimBound& b : p.bounds)
      if (b.dim == dim)
        return Diagnostic(kind::duplicate_directive, d.place)
            .arg("func", f.name())
            .arg("verb", "bound")
            .arg("dim", d.names[0])
            .label(b.place, "first here");
    p.bounds.push_back({dim, d.exprs[0], d.exprs[1], d.place});
    return {};
  }
  if (d.verb == Verb::FoldStorage) {
    HOCKET_CHECK(
        arguments(d, d.names.size() == 1 && d.factors.size() == 1, "a dimension and an extent"));
    HOCKET_TRY(int dim, dimension(attempt, f, d.names[0]));
    if (d.factors[0] < 1)
      return Diagnostic(kind::factor_not_positive, d.place)
          .arg("factor", d.factors[0])
          .arg("verb", "fold_storage")
          .arg("what", "dimension")
          .arg("loop", d.names[0]);
    if (d.factors[0] > kMostIterations)
      return Diagnostic(kind::factor_too_large, d.place)
          .arg("factor", d.factors[0])
          .arg("what", "values of dimension")
          .arg("loop", d.names[0])
          .arg("verb", "fold_storage")
          .arg("limit", kMostIterations);
    for (const DimFold& b : p.folds)
      if (b.dim == dim)
        return Diagnostic(kind::duplicate_directive, d.place)
            .arg("func", f.name())
            .arg("verb", "fold_storage")
            .arg("dim", d.names[0])
            .label(b.place, "first here");
    p.folds.push_back({dim, d.factors[0], d.place});
    return {};
  }
  std::vector<int> order;
  for (const std::string& n : d.names) {
    HOCKET_TRY(int dim, dimension(attempt, f, n));
    if (std::find(order.begin(), order.end(), dim) != order.end())
      return Diagnostic(kind::loop_listed_twice, d.place)
          .arg("what", "dimension")
          .arg("loop", n)
          .arg("verb", "reorder_storage");
    order.push_back(dim);
  }
  HOCKET_CHECK(arguments(d, order.size() == f.args.size(), "every dimension once, fastest first"));
  p.storage_order = order;
  return {};
}

Result<void> apply_loops(Editor& e, const Directive& d) {
  const auto& n = d.names;
  switch (d.verb) {
    case Verb::Split:
      HOCKET_CHECK(
          arguments(d, n.size() == 3 && d.factors.size() == 1,
                    "a loop, the names of its outer and inner half, a factor and maybe a tail"));
      return e.split(n[0], n[1], n[2], d.factors[0], d.tail);
    case Verb::Tile: {
      HOCKET_CHECK(arguments(d, (n.size() == 4 || n.size() == 6) && d.factors.size() == 2,
                             "two loops, maybe the names of their outer halves, the names of their "
                             "inner halves, two factors and maybe a tail"));
      bool named = n.size() == 6;
      const std::string &xo = named ? n[2] : n[0], &yo = named ? n[3] : n[1];
      const std::string &xi = named ? n[4] : n[2], &yi = named ? n[5] : n[3];
      HOCKET_CHECK(e.split(n[0], xo, xi, d.factors[0], d.tail));
      HOCKET_CHECK(e.split(n[1], yo, yi, d.factors[1], d.tail));
      return e.reorder({xi, yi, xo, yo});
    }
    case Verb::Fuse:
      HOCKET_CHECK(arguments(d, n.size() == 3,
                             "the inner loop, the outer loop and the name of the fused one"));
      return e.fuse(n[0], n[1], n[2]);
    case Verb::Reorder:
      HOCKET_CHECK(arguments(d, !n.empty(), "loops, innermost first"));
      return e.reorder(n);
    case Verb::Rename:
      HOCKET_CHECK(arguments(d, n.size() == 2, "a loop and its new name"));
      return e.rename(n[0], n[1]);
    case Verb::Serial:
      HOCKET_CHECK(arguments(d, n.size() == 1, "a loop"));
      return e.set_kind(n[0], LoopKind::Seq);
    case Verb::Parallel:
    case Verb::Vectorize:
    case Verb::Unroll: {
      HOCKET_CHECK(arguments(d, n.size() == 1 && d.factors.size() <= 1,
                             "a loop and maybe a factor and a tail"));
      LoopKind k = d.verb == Verb::Parallel    ? LoopKind::Parallel
                   : d.verb == Verb::Vectorize ? LoopKind::Vectorized
                                               : LoopKind::Unrolled;
      if (d.factors.empty()) return e.set_kind(n[0], k);
      // The inner half needs a name that no user can write.
      std::string inner = n[0] + "." + spelling(d.verb);
      HOCKET_CHECK(e.split(n[0], n[0], inner, d.factors[0], d.tail));
      return e.set_kind(k == LoopKind::Parallel ? n[0] : inner, k);
    }
    default:
      HOCKET_CHECK(arguments(d, n.empty(), "no arguments"));
      e.plan.stream = true;
      return {};
  }
}

}  // namespace

Plan default_plan(AlgorithmRef algorithm) {
  Plan plan;
  plan.algorithm = std::move(algorithm);
  for (const Func& f : plan.algorithm->funcs) {
    FuncPlan p;
    p.func = f.sym;
    bool root = plan.algorithm->is_output(f.sym) || !f.is_pure();
    p.compute.kind = root ? Site::Kind::Root : Site::Kind::Inline;
    p.store = p.compute;
    for (int s = 0; s < f.num_stages(); ++s) {
      StagePlan sp;
      for (size_t i = f.args.size(); i-- > 0;) {
        if (s > 0 && !is_pure_dim(f, s, static_cast<int>(i))) continue;
        Loop l;
        l.name = f.args[i].name();
        sp.loops.push_back(l);
      }
      if (s > 0) {
        const auto& vars = f.stage(s).domain.vars;
        for (size_t i = vars.size(); i-- > 0;) {
          Loop l;
          l.name = vars[i].sym.name();
          l.reduction = true;
          sp.loops.push_back(l);
        }
      }
      p.stages.push_back(std::move(sp));
    }
    for (size_t i = 0; i < f.args.size(); ++i) p.storage_order.push_back(static_cast<int>(i));
    plan.funcs.push_back(std::move(p));
  }
  return plan;
}

namespace {

// Changes the plan only where it succeeds.
Result<void> attempt_directive(Plan& plan, Attempt& attempt) {
  const Directive& d = attempt.d;
  HOCKET_TRY(const Func* f, find_func(attempt, d.func));
  if (d.stage < 0 || d.stage >= f->num_stages())
    return Diagnostic(kind::unknown_stage, d.place)
        .arg("func", f->name())
        .arg("index", int64_t{d.stage} - 1)
        .arg("count", support::counted(f->updates.size(), "update"));
  FuncPlan& p = plan.of(f->sym);
  switch (d.verb) {
    case Verb::ComputeRoot:
    case Verb::ComputeAt:
    case Verb::ComputeInline:
    case Verb::StoreRoot:
    case Verb::StoreAt:
      return apply_placement(attempt, *f, p);
    case Verb::Bound:
    case Verb::FoldStorage:
    case Verb::ReorderStorage:
    case Verb::StoreIn:
      return apply_storage(attempt, *f, p);
    default:
      break;
  }
  Editor e{attempt, *f, d, p.stages[static_cast<size_t>(d.stage)]};
  HOCKET_CHECK(apply_loops(e, d));
  p.stages[static_cast<size_t>(d.stage)] = std::move(e.plan);
  return {};
}

// The same directive, with another name for what is not known.
Directive with_name(Directive d, const std::string& wrong, const std::string& right) {
  if (d.func == wrong) {
    d.func = right;
    return d;
  }
  std::replace(d.names.begin(), d.names.end(), wrong, right);
  return d;
}

}  // namespace

Result<void> apply(Plan& plan, const Directive& d, const DryRun& dry) {
  Attempt attempt{plan, d, dry, {}};
  Result<void> done = attempt_directive(plan, attempt);
  if (done.ok() || !attempt.unknown) return done;
  for (const std::string& near :
       support::close_names(attempt.unknown->name, attempt.unknown->known, 1)) {
    const Directive fixed = with_name(d, attempt.unknown->name, near);
    Plan copy = plan;
    Attempt again{copy, fixed, dry, {}};
    if (attempt_directive(copy, again).ok()) done.error().help("did you mean `" + near + "`?");
  }
  return done;
}

}  // namespace hocket::schedule
