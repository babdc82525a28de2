#include "lower/loops/region.h"

#include <utility>

#include "analysis/simplify.h"
#include "diag/kinds_schedule.h"
#include "ir/equal.h"
#include "ir/print.h"
#include "lower/loops/hull.h"
#include "lower/loops/relax.h"
#include "lower/loops/values.h"
#include "schedule/sites.h"
#include "schedule/stage_facts.h"

namespace hocket::lower::loops {

using namespace ir;
using analysis::Interval;
using analysis::Ranges;
using diag::Diagnostic;
using diag::Result;
using schedule::Site;

bool starts_later(const FuncNest& n, size_t d) {
  return !n.output && n.slides_on[d] >= 0 && !equal(n.needed[d].min, n.whole[d].min);
}

namespace {

Interval widen(const Interval& iv, const Ranges& ranges, const analysis::Facts& facts) {
  Interval out;
  if (iv.has_min()) out.min = bounds_of(iv.min, ranges, facts).min;
  if (iv.has_max()) out.max = bounds_of(iv.max, ranges, facts).max;
  return out;
}

Expr last(const Expr& hi) {
  return analysis::simplify(hi - make_index(1));
}

Interval substituted(const Interval& iv, const Substitution& map) {
  Interval out = iv;
  if (out.has_min()) out.min = substitute(out.min, map);
  if (out.has_max()) out.max = substitute(out.max, map);
  return out;
}

// Region lets of one Func replaced by their values. Where it slides the first coordinate stays a
// name: only the last one is what it would be if nothing slid.
Interval open_lets(const FuncNest& n, const Interval& iv) {
  const Interval out = substituted(iv, n.named);
  Substitution map;
  for (size_t d = 0; d < n.min.size(); ++d) {
    if (n.output || !n.whole[d].is_bounded()) continue;
    const bool later = starts_later(n, d);
    const Expr first = later ? make_var(n.min[d]) : n.whole[d].min;
    if (!later) map.emplace(n.min[d], first);
    if (const auto* e = n.extent[d].as<VarRef>())
      map.emplace(e->sym, n.whole[d].max - first + make_index(1));
  }
  return substituted(out, map);
}

// Without the first coordinates of one Func that slides: an interval around what it computes in any
// iteration.
Interval over_starts(const FuncNest& n, Interval iv, const analysis::Facts& facts) {
  for (size_t d = 0; d < n.min.size(); ++d) {
    if (!starts_later(n, d)) continue;
    const Interval range{n.whole[d].min, n.whole[d].max + make_index(1)};
    if (iv.has_min()) iv.min = end_over(iv.min, n.min[d], range, false, facts);
    if (iv.has_max()) iv.max = end_over(iv.max, n.min[d], range, true, facts);
  }
  return iv;
}

void add(Box& box, size_t d, const Interval& iv, const analysis::Facts& facts, bool first) {
  box[d] = first ? iv : union_of(box[d], iv, facts);
}

std::string dim_name(const Lowering& l, const Symbol& func, size_t d) {
  if (const Func* f = l.plan.algorithm->find(func)) return f->args[d].name();
  if (const ImageParam* p = l.plan.algorithm->find_input(func)) return p->dims[d];
  return std::to_string(d);
}

// The sealed plan of an algorithm in which `func` is read and written at the coordinate only as far
// as 0 .. 255 goes.
schedule::Plan clamped(const Lowering& l, const Symbol& func, size_t d, const Expr& coordinate) {
  const Type type = coordinate.type();
  auto clamp = [&](const Expr& e) {
    return make_binary(BinaryOp::Max, make_binary(BinaryOp::Min, e, make_int(type, 255)),
                       make_int(type, 0));
  };
  auto change = [&](Expr& e) {
    if (!e.defined()) return;
    e = map_exprs(e, [&](const Expr& n) -> Expr {
      const auto* c = n.as<Call>();
      if (!c || !(c->func == func) || !equal(c->args[d], coordinate)) return n;
      std::vector<Expr> args = c->args;
      args[d] = clamp(args[d]);
      return make_call(c->func, c->type, args, c->value_index);
    });
  };
  auto algorithm = std::make_shared<Algorithm>(*l.sealed->algorithm);
  for (Func& f : algorithm->funcs) {
    for (Definition& u : f.updates)
      if (f.sym == func && equal(u.args[d], coordinate)) u.args[d] = clamp(u.args[d]);
    for (int s = 0; s < f.num_stages(); ++s) {
      Definition& def = s == 0 ? f.pure : f.updates[static_cast<size_t>(s) - 1];
      for (Expr& e : def.args) change(e);
      for (Expr& e : def.values) change(e);
      change(def.domain.where);
    }
  }
  schedule::Plan plan = *l.sealed;
  plan.algorithm = std::move(algorithm);
  return plan;
}

Diagnostic unbounded(const Lowering& l, const Symbol& func, size_t d, const Func& user, int stage,
                     const Expr& coordinate) {
  const auto* cast = coordinate.as<Cast>();  // as the user wrote it
  const Expr index = cast ? cast->a : coordinate;
  Diagnostic e(diag::kind::unbounded_region, user.stage(stage).place);
  e.arg("dim", dim_name(l, func, d))
      .arg("func", func.name())
      .arg("user", schedule::spoken(user.sym, stage))
      .arg("index", to_text(index));
  if (schedule::accepted(*l.dry, clamped(l, func, d, coordinate)))
    e.help("bound the coordinate where it is read: clamp(" + to_text(index) + ", 0, 255)");
  return e;
}

// What is left of an end that went through numbers no coordinate has (bounds of 32 bits times each
// other): it holds, but arithmetic on it would overflow, so that it is no end.
Expr near_end(const Expr& e) {
  constexpr int64_t kFar = int64_t{1} << 61;
  bool far = false;
  for_each(e, [&](const Expr& n) {
    int64_t v = 0;
    far = far || (is_int(n, &v) && n.type().is_index() && (v >= kFar || v <= -kFar));
  });
  return far ? Expr() : e;
}

Interval near(Interval iv) {
  if (iv.has_min()) iv.min = near_end(iv.min);
  if (iv.has_max()) iv.max = near_end(iv.max);
  return iv;
}

}  // namespace

namespace {

// Without quotients by the extents of loops that the Func fuses: there these are at least 1.
Interval relaxed_by(const Lowering& l, const FuncNest& n, const Interval& iv) {
  analysis::Facts facts = l.facts;
  bool fuses = false;
  for (const StageNest& s : n.stages) {
    for (const Expr& e : s.at_least_one) {
      facts.assume(make_binary(BinaryOp::Ge, e, make_index(1)));
      fuses = true;
    }
  }
  return fuses ? relaxed(iv, facts) : iv;
}

}  // namespace

Interval lift(const Lowering& l, Interval iv, const Symbol& func, int stage, const Site& site,
              Ranges values) {
  const FuncNest* n = &l.nest(func);
  size_t inner = n->stages[static_cast<size_t>(stage)]
                     .loops.size();  // loops below this index are still to come
  while (true) {
    const StageNest& s = n->stages[static_cast<size_t>(stage)];
    bool here = site.kind == Site::Kind::At && site.func == n->func->sym && site.stage == stage;
    size_t from = here ? schedule::loop_index(l.plan, site) + 1 : 0;
    Ranges ranges = std::exchange(values, {});
    for (size_t i = from; i < inner; ++i)
      ranges.emplace(s.loops[i].var, Interval{s.loops[i].lo, last(s.loops[i].hi)});
    analysis::Facts facts = l.facts;
    for (const Expr& e : s.at_least_one) facts.assume(make_binary(BinaryOp::Ge, e, make_index(1)));
    iv = widen(iv, ranges, facts);
    if (here || n->plan->compute == site) return near(iv);
    const Site& up = n->plan->compute;
    // Leaving a site: the regions of everything computed there, producers before consumers. What is
    // fused there divides by extents that have names as long as these are not opened.
    for (const FuncNest& m : l.nests) {
      if (m.whole.empty() || !(m.plan->compute == up)) continue;
      if (up.kind == Site::Kind::At) iv = relaxed_by(l, m, iv);
      iv = over_starts(m, open_lets(m, iv), l.facts);
    }
    if (up.kind != Site::Kind::At) return near(iv);
    n = &l.nest(up.func);
    stage = up.stage;
    inner = schedule::loop_index(l.plan, up) + 1;
  }
}

namespace {

// Every call of a stage, also in coordinates that went with what is inlined.
void for_each_read(const Lowering& l, const FuncNest& n, int stage,
                   const std::function<void(const Call&)>& read) {
  for_each_call(n.func->stage(stage), read);
  for (const Unused& u : l.unused) {
    if (!(u.func == n.func->sym) || u.stage != stage) continue;
    for_each(u.coordinate, [&](const Expr& e) {
      if (const auto* c = e.as<Call>()) read(*c);
    });
  }
}

}  // namespace

Result<Box> required(const Lowering& l, const Symbol& func, const Site& site) {
  size_t dims = 0;
  if (const Func* f = l.plan.algorithm->find(func)) dims = f->args.size();
  if (const ImageParam* p = l.plan.algorithm->find_input(func)) dims = p->dims.size();
  Box box(dims);
  bool first = true;
  std::optional<Diagnostic> refusal;
  for (const FuncNest& user : l.nests) {
    if (user.func->sym == func || user.stages.empty())
      continue;  // itself, or a producer, whose nests come later: it does not call `func`
    for (int s = 0; s < user.func->num_stages() && !refusal; ++s) {
      const StageNest& nest = user.stages[static_cast<size_t>(s)];
      const auto read = [&](const Call& c) {
        if (!(c.func == func) || refusal) return;
        for (size_t d = 0; d < dims; ++d) {
          Ranges values;
          const Expr index =
              named_values(l, substitute(bind_fields(l, c.args[d]), nest.bounded), values);
          Interval iv = lift(l, Interval::point(index), user.func->sym, s, site, values);
          if (!iv.is_bounded()) {
            // Seen from `site` the user itself may have no bounds: then who reads it is to blame.
            if (!user.output)
              if (auto own = required(l, user.func->sym, site); !own.ok()) refusal = own.error();
            if (!refusal) refusal = unbounded(l, func, d, *user.func, s, c.args[d]);
            return;
          }
          add(box, d, iv, l.facts, first);
        }
        first = false;
      };
      for_each_read(l, user, s, read);
    }
  }
  if (refusal) return *refusal;
  if (first)
    for (Interval& iv : box) iv = {make_index(0), make_index(-1)};
  return box;
}

namespace {

// Where the loops along an output's own coordinate begin to write: a tile shifted inwards lies
// before an empty output, of which they write nothing.
Expr start_of_output(const Lowering& l, const FuncNest& n, size_t d, const Expr& first) {
  const EntryBuffer::Dim& dim = l.find_buffer(n.buffer)->dims[d];
  if (equal(first, make_var(dim.min))) return first;
  return make_select(make_binary(BinaryOp::Gt, make_var(dim.extent), make_index(0)), first,
                     make_var(dim.min));
}

}  // namespace

Box written(const Lowering& l, const FuncNest& n, const Site& site) {
  const Func& f = *n.func;
  Box box(f.args.size());
  for (int s = 0; s < f.num_stages(); ++s) {
    const StageNest& nest = n.stages[static_cast<size_t>(s)];
    for (size_t d = 0; d < f.args.size(); ++d) {
      Ranges values;
      const Expr index =
          named_values(l, substitute(bind_fields(l, f.stage(s).args[d]), nest.bounded), values);
      Interval iv = lift(l, Interval::point(index), f.sym, s, site, values);
      const bool own = s == 0 || is_pure_dim(f, s, static_cast<int>(d));
      if (n.output && own && iv.has_min()) iv.min = start_of_output(l, n, d, iv.min);
      box[d] = s == 0 ? iv : union_of(box[d], iv, l.facts);
    }
  }
  for (Interval& iv : box) {
    if (iv.has_min()) iv.min = analysis::simplify(iv.min, l.facts);
    if (iv.has_max()) iv.max = analysis::simplify(iv.max, l.facts);
  }
  return box;
}

namespace {

// An update also reads and writes the Func at coordinates of its own.
Result<void> add_updates(const Lowering& l, const FuncNest& n, Box& box) {
  const Func& f = *n.func;
  for (int s = 1; s < f.num_stages(); ++s) {
    const Definition& d = f.stage(s);
    Ranges ranges;
    Box before = box;
    for (size_t p = 0; p < f.args.size(); ++p)
      if (is_pure_dim(f, s, static_cast<int>(p))) ranges.emplace(f.args[p], before[p]);
    for (const RVar& r : d.domain.vars) {
      Expr lo = bind_fields(l, r.min), extent = bind_fields(l, r.extent);
      ranges.emplace(r.sym, Interval{lo, lo + extent - make_index(1)});
    }
    std::optional<Diagnostic> refusal;
    auto touch = [&](const std::vector<Expr>& args) {
      for (size_t p = 0; p < args.size() && !refusal; ++p) {
        if (is_pure_dim(f, s, static_cast<int>(p))) continue;
        Ranges with = ranges;
        const Expr index = named_values(l, bind_fields(l, args[p]), with);
        Interval iv = bounds_of(index, with, l.facts);
        if (!iv.is_bounded()) {
          refusal = unbounded(l, f.sym, p, f, s, args[p]);
          return;
        }
        box[p] = union_of(box[p], iv, l.facts);
      }
    };
    touch(d.args);
    for_each_call(d, [&](const Call& c) {
      if (c.func == f.sym) touch(c.args);
    });
    if (refusal) return *refusal;
  }
  return {};
}

}  // namespace

Expr expand(const Lowering& l, const Expr& e) {
  // Producers' lets name consumers' lets, so opening from the producers up ends after one walk.
  Interval iv = Interval::point(e);
  for (const FuncNest& n : l.nests)
    if (!n.whole.empty()) iv = open_lets(n, iv);
  return analysis::simplify(iv.min, l.facts);
}

analysis::Interval over_starts(const Lowering& l, analysis::Interval iv) {
  for (const FuncNest& n : l.nests)
    if (!n.whole.empty()) iv = over_starts(n, open_lets(n, iv), l.facts);
  return iv;
}

bool varies_with(const Lowering& l, const Expr& e, const Symbol& loop) {
  if (uses(e, loop)) return true;
  for (const FuncNest& n : l.nests)
    for (size_t d = 0; d < n.min.size(); ++d)
      if (starts_later(n, d) && uses(e, n.min[d]) &&
          varies_with(l, expand(l, n.needed[d].min), loop))
        return true;
  return false;
}

namespace {

// Whether another Func reads it.
bool read_by_others(const Lowering& l, const FuncNest& n) {
  bool read = false;
  for (const FuncNest& user : l.nests)
    for (int s = 0; s < user.func->num_stages(); ++s)
      for_each_read(l, user, s, [&](const Call& c) {
        read |= c.func == n.func->sym && !(user.func->sym == c.func);
      });
  return read;
}

}  // namespace

Result<Box> output_region(const Lowering& l, const FuncNest& n) {
  Site root{Site::Kind::Root, {}, 0, "", {}};
  Box box = written(l, n, root);
  HOCKET_CHECK(add_updates(l, n, box));
  if (!read_by_others(l, n)) return box;
  HOCKET_TRY(Box need, required(l, n.func->sym, root));
  for (size_t d = 0; d < box.size(); ++d) box[d] = union_of(box[d], need[d], l.facts);
  return box;
}

Result<Box> needed_region(const Lowering& l, const FuncNest& n) {
  Site root{Site::Kind::Root, {}, 0, "", {}};
  HOCKET_TRY(Box box, required(l, n.func->sym, root));
  HOCKET_CHECK(add_updates(l, n, box));
  return box;
}

Result<void> infer_region(Lowering& l, FuncNest& n) {
  const Func& f = *n.func;
  size_t dims = f.args.size();
  n.slides_on.assign(dims, -1);
  n.returns.assign(dims, 0);
  if (n.output) {
    const EntryBuffer& b = *l.find_buffer(n.buffer);
    for (const auto& d : b.dims) {
      n.min.push_back(d.min);
      n.extent.push_back(make_var(d.extent));
    }
    // A bound that is a number is the extent: the entry checks it.
    for (const schedule::DimBound& bound : n.plan->bounds)
      if (is_int(bound.extent)) n.extent[static_cast<size_t>(bound.dim)] = bound.extent;
    for (size_t d = 0; d < dims; ++d)
      n.needed.push_back(
          {make_var(n.min[d]),
           analysis::simplify(make_var(n.min[d]) + n.extent[d] - make_index(1), l.facts)});
    n.whole = n.needed;
    return {};
  }
  HOCKET_TRY(Box box, required(l, f.sym, n.plan->compute));
  HOCKET_CHECK(add_updates(l, n, box));
  for (const schedule::DimBound& b : n.plan->bounds) {
    Expr lo = bind_fields(l, b.min), extent = bind_fields(l, b.extent);
    box[static_cast<size_t>(b.dim)] = {lo,
                                       analysis::simplify(lo + extent - make_index(1), l.facts)};
  }
  for (size_t d = 0; d < dims; ++d) {
    box[d].min = analysis::simplify(box[d].min, l.facts);
    box[d].max = analysis::simplify(box[d].max, l.facts);
  }
  n.needed = box;
  n.whole = box;
  return {};
}

}  // namespace hocket::lower::loops
