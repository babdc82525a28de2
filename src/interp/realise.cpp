// Funcs with updates: each slice is realised over a box, update by update, and again over a larger
// one where an update reads or writes outside.
#include <algorithm>

#include "diag/kinds_runtime.h"
#include "interp/evaluator.h"
#include "interp/reason.h"
#include "support/strings.h"

namespace hocket::interp {

using diag::Diagnostic;

namespace {

// `needed`, and where it reaches beyond `old`, as far again as `old` is long, so that a walk over n
// points costs log n runs; less of that, or nothing, where it would hold more than `room` points.
Box widened(const Box& needed, const Box& old, int64_t room) {
  if (!old.any) return needed;
  for (int64_t part = 1; part <= int64_t{1} << 30; part *= 2) {
    Box grown = needed;
    for (size_t d = 0; d < old.low.size(); ++d) {
      const int64_t more = old.extent[d] / part;
      const __int128 low = needed.low[d], end = low + needed.extent[d];
      if (low < old.low[d] && low - more >= INT64_MIN) {
        grown.low[d] -= more;
        grown.extent[d] += more;
      }
      if (end > __int128{old.low[d]} + old.extent[d] && end + more <= INT64_MAX)
        grown.extent[d] += more;
    }
    if (grown.volume() <= room) return grown;
  }
  return needed;
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

Slice& Evaluator::Impl::realise_point(FuncState& s, const int64_t* p) {
  const uint32_t number = s.slice_of.find_or_add(s.along(s.free, p));
  if (number == s.slices.size()) s.slices.emplace_back();
  Slice& slice = s.slices[number];
  const int64_t* held = s.along(s.held, p);
  if (slice.box.contains(held)) return slice;
  Box needed = slice.box.any ? slice.box : s.first;
  if (!needed.include(held, s.held.size())) too_large(s);
  realise(s, slice, p, widened(needed, slice.box, room(s, slice)));
  return slice;
}

// How many points a slice may hold.
int64_t Evaluator::Impl::room(const FuncState& s, const Slice& slice) const {
  return options_.cell_limit - (s.cells_kept - static_cast<int64_t>(slice.box.volume()));
}

void Evaluator::Impl::too_large(FuncState& s) {
  stop(Diagnostic(diag::kind::evaluation_limit, s.func->place)
           .arg("func", s.func->name())
           .arg("what", std::to_string(options_.cell_limit) + " points at once"));
}

// Computes the box of the slice that p lies in, enlarged until it holds everything that its points
// are made from.
void Evaluator::Impl::realise(FuncState& s, Slice& slice, const int64_t* p, Box want) {
  const std::vector<int64_t> at(p, p + s.rank);
  const size_t rank = s.held.size();
  for (int attempt = 0;; ++attempt) {
    const int64_t limit = room(s, slice);
    if (want.volume() > limit || attempt == 100) too_large(s);
    s.cells_kept += static_cast<int64_t>(want.volume() - slice.box.volume());
    slice.box = want;
    s.read_outside = {};
    s.touched = {};
    const bool complete = pass(s, slice, at);
    Box grown = want;
    if (!complete) {
      if (!grown.include(s.read_outside.low.data(), rank) ||
          !grown.include(s.read_outside.last().data(), rank)) {
        too_large(s);
      }
      grown = widened(grown, want, limit);
    }
    // What the updates write will be asked for sooner or later.
    if (Box wide = grown; attempt == 0 && s.touched.any) {
      if (wide.include(s.touched.low.data(), rank) && wide.include(s.touched.last().data(), rank) &&
          wide.volume() <= std::min<int64_t>(limit, int64_t{1} << 22)) {
        grown = wide;
      }
    }
    if (complete && grown.low == want.low && grown.extent == want.extent) return;
    want = grown;
  }
}

// Realises the box; false where an update read outside it.
bool Evaluator::Impl::pass(FuncState& s, Slice& slice, const std::vector<int64_t>& at) {
  const int64_t n = static_cast<int64_t>(slice.box.volume());
  s.steps_kept -= slice.steps_kept;
  slice.steps_kept = 0;
  slice.steps.clear();
  if (keep_steps_) slice.steps.resize(static_cast<size_t>(n) * s.func->updates.size());
  slice.cells.assign(static_cast<size_t>(n) * s.values, Val{});
  std::vector<int64_t> held = slice.box.low, p = at;
  do {
    for (size_t i = 0; i < held.size(); ++i) p[s.held[i]] = held[i];
    const size_t cell = slice.box.cell(held.data());
    for (size_t v = 0; v < s.values; ++v)
      slice.cells[cell * s.values + v] = initial(s, v, p.data());
  } while (advance(held, slice.box.low, slice.box.extent));
  for (const size_t d : s.free) slots[s.arg_slot + d] = Val::of(at[d]);
  s.realising = &slice;
  struct Done {
    Slice*& realising;
    ~Done() { realising = nullptr; }
  } done{s.realising};
  for (size_t k = 1; k < s.stages.size(); ++k) update(s, slice, k);
  return !s.read_outside.any;
}

void Evaluator::Impl::update(FuncState& s, Slice& slice, size_t stage_number) {
  Stage& stage = s.stages[stage_number];
  know_bounds(s, stage);
  for (const int64_t e : stage.extent) {
    if (e == 0) return;
  }
  // Held dimensions that this update goes along: every coordinate of the box.
  std::vector<int64_t> low, extent;
  std::vector<uint32_t> slot;
  for (size_t i = 0; i < s.held.size(); ++i) {
    if (stage.args[s.held[i]]) continue;
    low.push_back(slice.box.low[i]);
    extent.push_back(slice.box.extent[i]);
    slot.push_back(s.arg_slot + static_cast<uint32_t>(s.held[i]));
  }
  std::vector<int64_t> r = stage.low, pure;
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
      pure = low;
      do {
        for (size_t i = 0; i < pure.size(); ++i) slots[slot[i]] = Val::of(pure[i]);
        apply(s, slice, stage_number, ordinal);
      } while (advance(pure, low, extent));
    }
    ++ordinal;
  } while (advance(r, stage.low, stage.extent));
}

// One step: the slots hold the reduction variables and the pure coordinates.
void Evaluator::Impl::apply(FuncState& s, Slice& slice, size_t stage_number, int64_t ordinal) {
  const Stage& stage = s.stages[stage_number];
  const size_t rank = s.held.size();
  tick(s);
  std::vector<int64_t> p(rank);  // along the held dimensions
  uint32_t unknown = 0;
  for (size_t i = 0; i < rank; ++i) {
    const size_t d = s.held[i];
    const Val c = stage.args[d] ? execute(stage.args[d]) : slots[s.arg_slot + d];
    if (c.poison) unknown = c.poison;
    p[i] = c.i;
  }
  if (unknown) {  // it may have been any point with these pure coordinates
    std::vector<int64_t> q = slice.box.low;
    do {
      bool same = true;
      for (size_t i = 0; i < rank; ++i) same = same && (stage.args[s.held[i]] || q[i] == p[i]);
      if (!same) continue;
      const size_t cell = slice.box.cell(q.data());
      for (size_t v = 0; v < s.values; ++v) slice.cells[cell * s.values + v] = Val::bad(unknown);
    } while (advance(q, slice.box.low, slice.box.extent));
    return;
  }
  s.touched.include(p.data(), rank);
  if (!slice.box.contains(p.data())) return;
  const size_t cell = slice.box.cell(p.data());
  Val values[4];
  std::vector<Val> many;
  Val* v = values;
  if (s.values > 4) {
    many.resize(s.values);
    v = many.data();
  }
  for (size_t i = 0; i < s.values; ++i) v[i] = execute(stage.values[i]);
  for (size_t i = 0; i < s.values; ++i) slice.cells[cell * s.values + i] = v[i];
  if (!keep_steps_) return;
  if (s.steps_kept >= options_.steps_kept_limit) {
    stop(Diagnostic(diag::kind::evaluation_limit, s.func->place)
             .arg("func", s.func->name())
             .arg("what", std::to_string(options_.steps_kept_limit) + " update steps at once"));
  }
  ++s.steps_kept;
  ++slice.steps_kept;
  UpdateStep step{ordinal, {}};
  for (size_t i = 0; i < s.values; ++i) step.values.push_back(to_scalar(s.func->types[i], v[i]));
  slice.steps[cell * s.func->updates.size() + stage_number - 1].push_back(std::move(step));
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
