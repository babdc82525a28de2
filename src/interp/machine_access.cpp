// Loads, stores, windows and calls' views of the machine: each access is checked against its
// buffer, its tags and who touched it before. In: compiled statements, indices. Out: values, or
// findings. Called by: machine.cpp.
#include <algorithm>
#include <numeric>

#include "interp/machine.h"

namespace hocket::interp {

using ir::BinaryOp;

// ---- Loads --------------------------------------------------------------------------------------

Val Machine::leaf(const XNode* n) {
  const Access& a = *n->access;
  switch (a.kind) {
    case kFieldExtent:
      return Val::of(views_[a.target].extent[a.value_index]);
    case kFieldStride:
      return Val::of(views_[a.target].stride[a.value_index]);
    default:
      return load(a, *n);
  }
}

Val Machine::load(const Access& a, const XNode& n) {
  if (tracking_) last_loaded_ = {};
  if (a.predicate) {
    const Val on = eval(*this, a.predicate);
    if (on.poison) {
      Finding f;
      f.kind = FindingKind::PoisonAddress;
      f.buffer = name_of(a.target);
      f.reason = reason(on.poison);
      report(std::move(f), current_);
      return on;
    }
    if (!on.i) return Val::bad(n.reason);
  }
  const View& v = views_[a.target];
  int64_t cell = v.offset;
  if (a.kind == kLoad) {
    for (size_t d = 0; d < a.index.size(); ++d) {
      const Val i = eval(*this, a.index[d]);
      if (i.poison) [[unlikely]]
        return load_at_poison(a, i);
      if (static_cast<uint64_t>(i.i) >= static_cast<uint64_t>(v.extent[d])) [[unlikely]] {
        out_of_bounds(a.target, a.index, current_);
        return Val::bad(n.reason);
      }
      cell += i.i * v.stride[d];
    }
  } else {
    const Val i = eval(*this, a.index[0]);
    if (i.poison) [[unlikely]]
      return load_at_poison(a, i);
    if (__builtin_add_overflow(cell, i.i, &cell) || !cell_in_view(v, cell)) [[unlikely]] {
      out_of_bounds(a.target, a.index, current_);
      return Val::bad(n.reason);
    }
  }
  Memory& m = *v.memory;
  if (m.freed) [[unlikely]] {
    report(at_memory(FindingKind::UseAfterFree, m, cell), current_);
    return Val::bad(n.reason);
  }
  if (a.align != 0 && lane == 0) check_alignment(a.target, m, cell, a.align);
  log_read(m, cell, false);
  if (tracking_) {
    last_loaded_ = m.tags[static_cast<size_t>(cell)];
    if (collecting_) loaded_.push_back(last_loaded_);
  }
  return {m.value[static_cast<size_t>(cell)], m.poison[static_cast<size_t>(cell)]};
}

// Does the cell of its memory belong to a view that is addressed by one index?
bool Machine::cell_in_view(const View& v, int64_t cell) const {
  const Memory& m = *v.memory;
  if (cell < 0 || cell >= m.size || m.poison[static_cast<size_t>(cell)] == kHole) return false;
  if (v.whole) return true;
  int64_t rest = cell - v.offset;
  if (rest < 0) return false;
  std::vector<int> order(static_cast<size_t>(v.rank));
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int x, int y) { return v.stride[x] > v.stride[y]; });
  for (const int d : order) {
    const int64_t i = std::min(rest / std::max<int64_t>(v.stride[d], 1), v.extent[d] - 1);
    if (i < 0) return false;
    rest -= i * v.stride[d];
  }
  return rest == 0;
}

// Bounds of what an integer expression can be when poison in it may be anything.
bool Machine::range_of(const XNode* n, __int128* lo, __int128* hi) {
  const Val v = eval(*this, n);
  if (!v.poison) {
    *lo = *hi = v.i;
    return true;
  }
  while (n->op == XOp::Shared) n = n->a;
  const ir::Type t = n->type;
  if (t.is_float()) return false;
  const bool u64 = t.is_uint() && t.bits == 64;
  const auto whole = [&] {
    *lo = t.min_value();
    *hi = u64 ? (__int128{1} << 64) - 1 : static_cast<__int128>(t.max_value());
    return true;
  };
  __int128 al, ah, bl, bh;
  const auto both = [&] { return range_of(n->a, &al, &ah) && range_of(n->b, &bl, &bh); };
  const auto fits = [&](__int128 low, __int128 high) {
    if (low < t.min_value() || (!u64 && high > t.max_value())) return whole();
    *lo = low;
    *hi = high;
    return true;
  };
  switch (n->op) {
    case XOp::Min:
      if (!both()) return false;
      return fits(std::min(al, bl), std::min(ah, bh));
    case XOp::Max:
      if (!both()) return false;
      return fits(std::max(al, bl), std::max(ah, bh));
    case XOp::Add64:
    case XOp::Add32:
    case XOp::AddWrap:
      if (!both()) return false;
      return fits(al + bl, ah + bh);
    case XOp::Sub64:
    case XOp::Sub32:
    case XOp::SubWrap:
      if (!both()) return false;
      return fits(al - bh, ah - bl);
    case XOp::Mod64:
    case XOp::Binary:
      if (n->op == XOp::Binary && static_cast<BinaryOp>(n->sub) != BinaryOp::Mod) return whole();
      if (!range_of(n->b, &bl, &bh) || bl != bh || bl <= 0) return whole();
      return fits(0, bl - 1);
    case XOp::And:  // a mask that is known bounds the result
      if (!range_of(n->b, &bl, &bh) || bl != bh || bl < 0) return whole();
      return fits(0, bl);
    case XOp::CastInt:
      if (n->from.is_float() || !range_of(n->a, &al, &ah)) return whole();
      return fits(al, ah);
    case XOp::Select:
      if (!range_of(n->b, &al, &ah) || !range_of(n->c, &bl, &bh)) return whole();
      return fits(std::min(al, bl), std::max(ah, bh));
    default:
      return whole();
  }
}

// Harmless where the index is clamped into the buffer: native code reads some element and nobody
// needs the value. Else the address is one that must not be poison.
Val Machine::load_at_poison(const Access& a, Val index) {
  const View& v = views_[a.target];
  bool safe = true;
  for (size_t d = 0; d < a.index.size() && safe; ++d) {
    __int128 lo = 0, hi = 0;
    safe = range_of(a.index[d], &lo, &hi);
    const int64_t limit = a.kind == kLoad ? v.extent[d] : v.memory->size - v.offset;
    safe = safe && lo >= 0 && hi < limit;
  }
  if (!safe) {
    Finding f;
    f.kind = FindingKind::PoisonAddress;
    f.buffer = name_of(a.target);
    f.root = v.memory->buffer;
    f.reason = reason(index.poison);
    report(std::move(f), current_);
  }
  if (tracking_) last_loaded_ = {};
  return index;
}

void Machine::check_alignment(uint32_t view, const Memory& m, int64_t cell, int64_t align) {
  int64_t base = m.argument ? options_.argument_alignment : 128;
  if (base == 0) base = m.type.bytes();
  if (base % align == 0 && cell * m.type.bytes() % align == 0) return;
  Finding f = at_memory(FindingKind::Misaligned, m, cell);
  f.buffer = name_of(view);
  f.number = align;
  report(std::move(f), current_);
}

// ---- Stores -------------------------------------------------------------------------------------

int64_t Machine::target(const Code& c, const View& v) {
  int64_t cell = v.offset;
  for (size_t d = 0; d < c.index.size(); ++d) {
    const Val i = run_root(c.index[d]);
    if (i.poison) [[unlikely]] {
      Finding f;
      f.kind = FindingKind::PoisonAddress;
      f.buffer = name_of(c.buffer);
      f.root = v.memory->buffer;
      f.writes = true;
      f.reason = reason(i.poison);
      report(std::move(f), &c);
      return -1;
    }
    if (c.raw) {
      if (__builtin_add_overflow(cell, i.i, &cell) || !cell_in_view(v, cell)) [[unlikely]]
        cell = -1;
    } else if (static_cast<uint64_t>(i.i) >= static_cast<uint64_t>(v.extent[d])) [[unlikely]] {
      cell = -1;
    } else {
      cell += i.i * v.stride[d];
    }
    if (cell < 0) [[unlikely]] {
      out_of_bounds(c.buffer, c.index, &c);
      return -1;
    }
  }
  Memory& m = *v.memory;
  if (m.freed) [[unlikely]] {
    report(at_memory(FindingKind::UseAfterFree, m, cell), &c);
    return -1;
  }
  if (c.align != 0 && lane == 0) check_alignment(c.buffer, m, cell, c.align);
  return cell;
}

// The new value of a cell, from the stored one and the old one.
Val Machine::combined(const Code& c, Memory& m, int64_t cell, Val value, Val factor) {
  if (c.op == ir::StoreOp::Assign) return value;
  log_read(m, cell, true);
  const Val old{m.value[static_cast<size_t>(cell)], m.poison[static_cast<size_t>(cell)]};
  if (old.poison) return old;
  if (value.poison) return value;
  if (!c.b) return apply_binary(c.reduce, old, value);
  if (factor.poison) return factor;
  const ir::Type t = c.reduce.type;
  return to_val(ir::eval_fma(to_scalar(t, value), to_scalar(t, factor), to_scalar(t, old)), 1);
}

// A lane that is off stores nothing, but native code computes its value and its address all the
// same: what they read must be there.
void Machine::execute_unused(const Code& c) {
  if (!eager) return;
  for (const XNode* i : c.index) run_root(i);
  run_root(c.a);
  if (c.b) run_root(c.b);
}

void Machine::store(const Code& c) {
  const View& v = views_[c.buffer];
  if (c.predicate) {
    const Val on = needed(c, c.predicate, FindingKind::PoisonAddress);
    if (on.poison || !on.i) {
      execute_unused(c);
      return;
    }
  }
  const int64_t cell = target(c, v);
  if (cell < 0) return;
  Memory& m = *v.memory;
  if (!tracking_) {
    const Val value = run_root(c.a);
    const Val factor = c.b ? run_root(c.b) : Val{};
    const Val result = combined(c, m, cell, value, factor);
    log_write(m, cell, result);
    m.value[static_cast<size_t>(cell)] = result.i;
    m.poison[static_cast<size_t>(cell)] = result.poison;
    return;
  }
  start_tracking(c, m, cell);
  const Val value = run_root(c.a);
  const Val factor = c.b ? run_root(c.b) : Val{};
  const Val result = combined(c, m, cell, value, factor);
  const Tag tag = tag_of(c, result);
  log_write(m, cell, result);
  m.value[static_cast<size_t>(cell)] = result.i;
  m.poison[static_cast<size_t>(cell)] = result.poison;
  m.tags[static_cast<size_t>(cell)] = tag;
}

// All lanes are computed before any is written.
void Machine::store_lanes(const Code& c) {
  const View& v = views_[c.buffer];
  Memory& m = *v.memory;
  lane_buffer_.clear();
  for (int k = 0; k < c.lanes; ++k) {
    lane = k;
    if (c.predicate) {
      const Val on = needed(c, c.predicate, FindingKind::PoisonAddress);
      if (on.poison || !on.i) {
        execute_unused(c);
        continue;
      }
    }
    const int64_t cell = target(c, v);
    if (cell < 0) continue;
    if (tracking_) start_tracking(c, m, cell);
    const Val value = run_root(c.a);
    const Val factor = c.b ? run_root(c.b) : Val{};
    const Val result = combined(c, m, cell, value, factor);
    lane_buffer_.push_back({cell, result, tracking_ ? tag_of(c, result) : Tag{}, k});
  }
  lane = 0;
  bool rising = true;
  for (size_t k = 1; k < lane_buffer_.size(); ++k)
    rising = rising && lane_buffer_[k - 1].cell < lane_buffer_[k].cell;
  if (!rising) find_lane_conflict(c, m);
  for (const Lane& l : lane_buffer_) {
    const size_t cell = static_cast<size_t>(l.cell);
    log_write(m, l.cell, l.value);
    m.value[cell] = l.value.i;
    m.poison[cell] = l.value.poison;
    if (tracking_) m.tags[cell] = l.tag;
  }
}

void Machine::find_lane_conflict(const Code& c, const Memory& m) {
  std::vector<Lane> sorted = lane_buffer_;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Lane& x, const Lane& y) { return x.cell < y.cell; });
  for (size_t k = 1; k < sorted.size(); ++k) {
    if (sorted[k - 1].cell != sorted[k].cell) continue;
    // As in computes_again: lanes of a shifted tail store one point's value twice.
    const Val &x = sorted[k - 1].value, &y = sorted[k].value;
    const auto* store = static_cast<const ir::Store*>(c.source);
    if (proc_->proc->entry && proc_->proc->form == ir::Form::Flat &&
        store->op == ir::StoreOp::Assign && !x.poison && !y.poison && x.i == y.i) {
      continue;
    }
    Finding f = at_memory(FindingKind::LaneConflict, m, sorted[k].cell);
    f.buffer = name_of(c.buffer);
    f.iteration = sorted[k].lane;
    f.other_iteration = sorted[k - 1].lane;
    f.writes = f.other_writes = true;
    report(std::move(f), &c);
    return;
  }
}

// ---- Tags ---------------------------------------------------------------------------------------

void Machine::start_tracking(const Code& c, const Memory& m, int64_t cell) {
  last_loaded_ = {};
  loaded_.clear();
  if (!c.block) return;
  loaded_.push_back(m.tags[static_cast<size_t>(cell)]);
  collecting_ = true;
}

// What the cell holds after the store; the block header is judged here.
Tag Machine::tag_of(const Code& c, Val result) {
  collecting_ = false;
  if (!c.block) {
    if (!c.plain_copy) return {Tag::kComputed, 0, 0};
    if (c.a->op == XOp::Leaf) return last_loaded_;
    const uint32_t slot = c.a->slot + (c.a->op == XOp::LaneSlot ? static_cast<uint32_t>(lane) : 0);
    return c.a->op == XOp::Const ? Tag{Tag::kComputed, 0, 0} : tags_[slot];
  }
  const BlockCode& b = *c.block;
  point_buffer_.clear();
  reduction_buffer_.clear();
  for (const XNode* x : b.point)
    point_buffer_.push_back(needed(c, x, FindingKind::PoisonAddress).i);
  for (const XNode* x : b.reduction)
    reduction_buffer_.push_back(needed(c, x, FindingKind::PoisonAddress).i);
  Tag tag;
  Finding f;
  bool right = false;
  for (const uint32_t slot : c.let_slots) loaded_.push_back(tags_[slot]);
  try {
    if (b.header->stage == 0) {
      right = judge_->pure(b.func, point_buffer_, result, loaded_, &tag, &f);
    } else {
      right = judge_->step(b.func, b.header->stage, point_buffer_, reduction_buffer_, result,
                           loaded_, &tag, &f);
    }
  } catch (EvaluationStop& stop) {
    f.kind = FindingKind::EvaluatorStopped;
    f.diagnostic = std::move(stop.diagnostic);
  }
  if (!right) {
    f.buffer = name_of(c.buffer);
    f.root = views_[c.buffer].memory->buffer;
    f.func = b.header->func;
    f.stage = b.header->stage;
    f.point = point_buffer_;
    f.reduction = reduction_buffer_;
    report(std::move(f), &c);
  }
  return tag;
}

// ---- Windows ------------------------------------------------------------------------------------

void Machine::window(const Code& c, const WindowCode& w, View& to) {
  const View& from = views_[w.source];
  to.memory = from.memory;
  to.offset = from.offset;
  to.whole = from.whole;
  if (from.memory->freed) report(at_memory(FindingKind::UseAfterFree, *from.memory, 0), &c);
  if (w.whole) {
    to.rank = from.rank;
    std::copy_n(from.extent, from.rank, to.extent);
    std::copy_n(from.stride, from.rank, to.stride);
    return;
  }
  to.whole = false;
  to.rank = 0;
  for (size_t d = 0; d < w.dims.size(); ++d) {
    const Val lo = needed(c, w.dims[d].lo, FindingKind::PoisonAddress);
    const Val hi =
        w.dims[d].hi ? needed(c, w.dims[d].hi, FindingKind::PoisonAddress) : Val::of(lo.i + 1);
    int64_t low = lo.i, extent = w.dims[d].hi ? hi.i - lo.i : 1;
    if (lo.poison | hi.poison || extent < 0 || low < 0 || low > from.extent[d] ||
        extent > from.extent[d] - low) {
      Finding f;
      f.kind = !(lo.poison | hi.poison) && extent < 0 ? FindingKind::NegativeExtent
                                                      : FindingKind::OutOfBounds;
      f.buffer = name_of(w.source);
      f.root = from.memory->buffer;
      f.number = extent;
      f.element = w.dims[d].hi ? std::vector<int64_t>{lo.i, hi.i} : std::vector<int64_t>{lo.i};
      f.limits = {from.extent[d]};
      f.window_dim = static_cast<int>(d);
      if (!(lo.poison | hi.poison)) report(std::move(f), &c);
      low = extent = 0;
    }
    to.offset += low * from.stride[d];
    if (w.dims[d].hi) {
      to.extent[to.rank] = extent;
      to.stride[to.rank] = from.stride[d];
      ++to.rank;
    }
  }
}

// ---- Findings -----------------------------------------------------------------------------------

Finding Machine::at_memory(FindingKind kind, const Memory& m, int64_t cell) const {
  Finding f;
  f.kind = kind;
  f.buffer = f.root = m.buffer;
  if (cell >= 0 && cell < m.size) f.element = m.element(cell);
  return f;
}

void Machine::out_of_bounds(uint32_t view, const std::vector<const XNode*>& index, const Code* c) {
  const View& v = views_[view];
  Finding f;
  f.kind = FindingKind::OutOfBounds;
  f.buffer = name_of(view);
  f.root = v.memory->buffer;
  f.writes = c && c->kind == ir::StmtKind::Store && &index == &c->index;
  for (const XNode* i : index) f.element.push_back(eval(*this, i).i);
  if (index.size() == static_cast<size_t>(v.rank)) {
    f.limits.assign(v.extent, v.extent + v.rank);
  } else {
    f.limits = {v.memory->size};
  }
  report(std::move(f), c);
}

void Machine::report(Finding f, const Code* c) {
  if (c) {
    f.stmt = ir::Stmt(support::Ref<const ir::StmtNode>(c->source));
    f.proc = c->proc->proc->sym;
    if (c->lanes > 1 && f.lane < 0) f.lane = lane;
  } else if (proc_) {
    f.proc = proc_->proc->sym;
  }
  for (const Around& a : around_) {
    const auto& loop = *static_cast<const ir::For*>(a.loop->source);
    f.iterations.push_back({loop.var, loop.loop, a.value});
  }
  findings.push_back(std::move(f));
  if (static_cast<int>(findings.size()) >= options_.max_findings) throw Stop{};
}

// ---- Arguments ----------------------------------------------------------------------------------

void Machine::bind_scalar(const ParamCode& p, const ir::Scalar& value) {
  slots[p.slot] = to_val(value, p.reason);
}

Memory* Machine::import(const Tensor& t, const ir::Symbol& buffer, uint32_t reason) {
  Memory& m = *pool_.take();
  m.buffer = buffer;
  m.type = t.type();
  m.size = t.cells();
  m.extent = t.extents();
  m.stride = t.strides();
  const size_t n = static_cast<size_t>(m.size);
  m.value.resize(n);
  m.poison.assign(n, t.count() == m.size ? 0 : kHole);
  if (tracking_) m.tags.assign(n, Tag{});
  t.for_each_point([&](std::span<const int64_t> p) {
    const size_t cell = static_cast<size_t>(t.cell_of(p));
    m.poison[cell] = t.is_poison(static_cast<int64_t>(cell)) ? reason : 0;
    m.value[cell] = load_val(m.type, t.data() + cell * static_cast<size_t>(m.type.bytes())).i;
  });
  m.live = m.argument = true;
  return &m;
}

void Machine::write_back(const Memory& m, Tensor& t) const {
  for (int64_t cell = 0; cell < m.size; ++cell) {
    const uint32_t poison = m.poison[static_cast<size_t>(cell)];
    if (poison == kHole) continue;
    t.set_cell(cell, to_scalar(m.type, {m.value[static_cast<size_t>(cell)], poison}));
  }
}

void Machine::bind_tensor(const ParamCode& p, Memory* memory, const std::vector<int64_t>& extents,
                          const std::vector<int64_t>& strides) {
  View& v = views_[p.view];
  v.memory = memory;
  v.offset = 0;
  v.whole = true;
  v.rank = static_cast<int>(extents.size());
  v.extent = dims_ + proc_->dims_of_view[p.view];
  v.stride = v.extent + std::max<size_t>(p.shape.size(), 1);
  HOCKET_ASSERT(extents.size() <= std::max<size_t>(p.shape.size(), 1),
                "no room for the dimensions");
  std::copy(extents.begin(), extents.end(), v.extent);
  std::copy(strides.begin(), strides.end(), v.stride);
}

Val Machine::value(const XNode* root) {
  if (cache_cells_.size() < program_.cache_cells) {
    cache_cells_.resize(program_.cache_cells);
    cache = cache_cells_.data();
  }
  return run_root(root);
}

}  // namespace hocket::interp
