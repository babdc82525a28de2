// Funcs with updates: realised over a box, update by update, and again over a larger one where an
// update reads or writes outside.
#include <algorithm>

#include "diag/kinds_runtime.h"
#include "interp/evaluator.h"
#include "interp/reason.h"
#include "support/strings.h"

namespace hocket::interp {

using diag::Diagnostic;

namespace {

// Where `grown` reaches beyond `old`, as far again as `old` is long.
void widen(Box& grown, const Box& old) {
  if (!old.any) return;
  for (size_t d = 0; d < old.low.size(); ++d) {
    const int64_t end = old.low[d] + old.extent[d], grown_end = grown.low[d] + grown.extent[d];
    const bool below = grown.low[d]<old.low[d], above = grown_end> end;
    if (below) {
      grown.low[d] -= old.extent[d];
      grown.extent[d] += old.extent[d];
    }
    if (above) grown.extent[d] += old.extent[d];
  }
}

// Advances an odometer, first coordinate fastest; false when it is over.
bool advance(std::vector<int64_t>& p, const std::vector<int64_t>& low,
             const std::vector<int64_t>& extent) {
  for (size_t d = 0; d < p.size(); ++d) {
    if (++p[d] < low[d] + extent[d]) return true;
    p[d] = low[d];
  }
  return false;
}

}  // namespace

void Evaluator::Impl::know_bounds(FuncState& s, Stage& stage) {
  if (stage.bounds_known) return;
  __int128 volume = 1;
  for (const RVarCode& r : stage.vars) {
    const Val lo = execute(r.min), n = execute(r.extent);
    if (lo.poison | n.poison) {
      stop(Diagnostic(diag::kind::poison_domain, s.func->place)
               .arg("func", s.func->name())
               .arg("reason", describe(reasons[lo.poison ? lo.poison : n.poison])));
    }
    stage.low.push_back(lo.i);
    stage.extent.push_back(std::max<int64_t>(n.i, 0));
    volume *= stage.extent.back();
    if (volume > options_.step_limit) steps_left_ = 0;
  }
  stage.bounds_known = true;
}

// Twice as far as needed, so that a walk over n points costs log n runs.
void Evaluator::Impl::realise_point(FuncState& s, const int64_t* p) {
  if (s.box.contains(p)) return;
  Box want = s.box;
  if (!want.include(p, s.rank)) too_large(s);
  const Box exact = want;
  widen(want, s.box);
  realise(s, want.volume() > options_.cell_limit ? exact : want);
}

void Evaluator::Impl::too_large(FuncState& s) {
  stop(Diagnostic(diag::kind::evaluation_limit, s.func->place)
           .arg("func", s.func->name())
           .arg("what", std::to_string(options_.cell_limit) + " points at once"));
}

// Computes the box, enlarged until it holds everything that its points are made from.
void Evaluator::Impl::realise(FuncState& s, Box want) {
  for (int attempt = 0;; ++attempt) {
    if (want.volume() > options_.cell_limit || attempt == 100) too_large(s);
    s.box = want;
    s.read_outside = {};
    s.touched = {};
    const bool complete = pass(s);
    Box grown = want;
    if (!complete) {
      if (!grown.include(s.read_outside.low.data(), s.rank) ||
          !grown.include(s.read_outside.last().data(), s.rank)) {
        too_large(s);
      }
      widen(grown, want);
    }
    // What the updates write will be asked for sooner or later.
    if (Box wide = grown; attempt == 0 && s.touched.any) {
      if (wide.include(s.touched.low.data(), s.rank) &&
          wide.include(s.touched.last().data(), s.rank) &&
          wide.volume() <= std::min<int64_t>(options_.cell_limit, int64_t{1} << 22)) {
        grown = wide;
      }
    }
    if (complete && grown.low == want.low && grown.extent == want.extent) return;
    want = grown;
  }
}

// Realises the box; false where an update read outside it.
bool Evaluator::Impl::pass(FuncState& s) {
  const size_t n = static_cast<size_t>(s.box.volume());
  std::vector<int64_t> p = s.box.low;
  for (size_t v = 0; v < s.values; ++v) s.cells[v].assign(n, Val{});
  if (keep_steps_) {
    s.steps.assign(s.func->updates.size(), {});
    for (auto& stage : s.steps) stage.resize(n);
  }
  do {
    const size_t cell = s.box.cell(p.data());
    for (size_t v = 0; v < s.values; ++v) s.cells[v][cell] = initial(s, v, p.data());
  } while (advance(p, s.box.low, s.box.extent));
  s.realising = true;
  struct Done {
    bool& flag;
    ~Done() { flag = false; }
  } done{s.realising};
  for (size_t k = 1; k < s.stages.size(); ++k) update(s, k);
  return !s.read_outside.any;
}

void Evaluator::Impl::update(FuncState& s, size_t stage_number) {
  Stage& stage = s.stages[stage_number];
  know_bounds(s, stage);
  for (const int64_t e : stage.extent) {
    if (e == 0) return;
  }
  std::vector<int64_t> r = stage.low;
  int64_t ordinal = 0;
  do {
    for (size_t i = 0; i < r.size(); ++i) slots[stage.vars[i].slot] = Val::of(r[i]);
    tick(s);
    Val holds = Val::of(1);
    if (stage.where) holds = execute(stage.where);
    if (holds.poison) {
      if (s.read_outside.any) return;  // asked again when the box is larger
      stop(Diagnostic(diag::kind::poison_domain, s.func->place)
               .arg("func", s.func->name())
               .arg("reason", describe(reasons[holds.poison])));
    }
    if (holds.i) {
      // Pure dimensions: every coordinate of the box.
      std::vector<int64_t> low, extent;
      std::vector<uint32_t> slot;
      for (size_t d = 0; d < s.rank; ++d) {
        if (stage.args[d]) continue;
        low.push_back(s.box.low[d]);
        extent.push_back(s.box.extent[d]);
        slot.push_back(s.arg_slot + static_cast<uint32_t>(d));
      }
      std::vector<int64_t> pure = low;
      do {
        for (size_t i = 0; i < pure.size(); ++i) slots[slot[i]] = Val::of(pure[i]);
        apply(s, stage_number, ordinal);
      } while (advance(pure, low, extent));
    }
    ++ordinal;
  } while (advance(r, stage.low, stage.extent));
}

// One step: the slots hold the reduction variables and the pure coordinates.
void Evaluator::Impl::apply(FuncState& s, size_t stage_number, int64_t ordinal) {
  Stage& stage = s.stages[stage_number];
  tick(s);
  std::vector<int64_t> p(s.rank);
  uint32_t unknown = 0;
  for (size_t d = 0; d < s.rank; ++d) {
    const Val c = stage.args[d] ? execute(stage.args[d]) : slots[s.arg_slot + d];
    if (c.poison) unknown = c.poison;
    p[d] = c.i;
  }
  if (unknown) {  // it may have been any point with these pure coordinates
    Reason blamed = reasons[unknown];
    std::vector<int64_t> q = s.box.low;
    do {
      bool same = true;
      for (size_t d = 0; d < s.rank; ++d) same = same && (stage.args[d] || q[d] == p[d]);
      if (!same) continue;
      for (size_t v = 0; v < s.values; ++v) s.cells[v][s.box.cell(q.data())] = Val::bad(unknown);
    } while (advance(q, s.box.low, s.box.extent));
    return;
  }
  s.touched.include(p.data(), s.rank);
  if (!s.box.contains(p.data())) return;
  const size_t cell = s.box.cell(p.data());
  Val values[4];
  std::vector<Val> many;
  Val* v = values;
  if (s.values > 4) {
    many.resize(s.values);
    v = many.data();
  }
  for (size_t i = 0; i < s.values; ++i) v[i] = execute(stage.values[i]);
  for (size_t i = 0; i < s.values; ++i) s.cells[i][cell] = v[i];
  if (keep_steps_) {
    UpdateStep step{ordinal, {}};
    for (size_t i = 0; i < s.values; ++i) step.values.push_back(to_scalar(s.func->types[i], v[i]));
    s.steps[stage_number - 1][cell].push_back(std::move(step));
  }
}

// ---- Doors --------------------------------------------------------------------------------------

// A wanted point without a value.
Diagnostic Evaluator::Impl::poison_at(const FuncState& s, std::span<const int64_t> point,
                                      const Reason& r) const {
  const std::string at = spoken(point);
  const auto in = r.buffer.defined() ? input_number_.find(r.buffer) : input_number_.end();
  if (r.kind == Reason::Kind::OutsideInput && in != input_number_.end()) {
    const Tensor& t = *inputs_[in->second].tensor;
    const ir::ImageParam& param = *inputs_[in->second].param;
    std::string region;
    for (int d = 0; d < t.rank(); ++d) {
      if (d > 0) region += ", ";
      region += param.dims[static_cast<size_t>(d)] + " in [" + std::to_string(t.min(d)) + ", " +
                std::to_string(t.min(d) + t.extent(d)) + ")";
    }
    return Diagnostic(diag::kind::input_out_of_range, s.func->place)
        .arg("func", s.func->name())
        .arg("point", at)
        .arg("input", param.sym.name())
        .arg("at", spoken(r.at))
        .arg("region", region)
        .label(param.place, support::quoted(param.sym.name()) + " declared here");
  }
  return Diagnostic(diag::kind::poison_output, s.func->place)
      .arg("func", s.func->name())
      .arg("point", at)
      .arg("reason", describe(r));
}

}  // namespace hocket::interp
