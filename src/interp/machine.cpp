#include "interp/machine.h"

#include <algorithm>

namespace hocket::interp {

using ir::LoopKind;
using ir::StmtKind;

Machine::Machine(ProgramCode& program, const RunOptions& options, BlockJudge* judge)
    : program_(program),
      options_(options),
      judge_(judge),
      tracking_(judge != nullptr),
      random_(options.seed) {
  steps_left_ = options.step_limit;
  memory_left_ = options.memory_limit;
}

void Machine::enter(const ProcCode& proc) {
  proc_ = &proc;
  eager = options_.eager_selects.value_or(proc.proc->form == ir::Form::Flat);
  slot_stack_.assign(proc.total_slots + 1, Val{});
  slot_tags_.assign(tracking_ ? proc.total_slots + 1 : 1, Tag{});
  view_stack_.assign(proc.total_views + 1, View{});
  dim_stack_.assign(proc.total_dims + 1, 0);
  cache_cells_.assign(program_.cache_cells, CacheCell{});
  slots = slot_stack_.data();
  tags_ = slot_tags_.data();
  views_ = view_stack_.data();
  dims_ = dim_stack_.data();
  cache = cache_cells_.data();
}

void Machine::execute() {
  list(proc_->body);
}

void Machine::out_of_steps() {
  Finding f;
  f.kind = FindingKind::StepLimit;
  f.number = options_.step_limit;
  report(std::move(f), current_);
  throw Stop{};
}

// A value that decides what happens next.
Val Machine::needed(const Code& c, const XNode* root, FindingKind kind) {
  const Val v = run_root(root);
  if (!v.poison) return v;
  Finding f;
  f.kind = kind;
  f.reason = reason(v.poison);
  report(std::move(f), &c);
  return v;
}

void Machine::list(const CodeList& l) {
  for (const Code& c : l.codes) statement(c);
  for (const uint32_t at : l.allocations) release(l.codes[at]);
}

void Machine::statement(const Code& c) {
  current_ = &c;
  tick();
  switch (c.kind) {
    case StmtKind::Store:
      if (c.lanes == 1) {
        store(c);
      } else {
        store_lanes(c);
      }
      break;
    case StmtKind::For:
      loop(c);
      break;
    case StmtKind::If: {
      const Val cond = needed(c, c.a, FindingKind::PoisonBranch);
      list(!cond.poison && cond.i ? c.body : c.otherwise);
      break;
    }
    case StmtKind::Let:
      let(c);
      break;
    case StmtKind::Alloc:
      allocate(c);
      break;
    case StmtKind::Free:
      free_early(c);
      break;
    case StmtKind::Call:
      call(c);
      break;
    case StmtKind::WindowStmt: {
      View& to = views_[c.buffer];
      to.extent = dims_ + proc_->dims_of_view[c.buffer];
      to.stride = to.extent + std::max<uint32_t>(proc_->rank_of_view[c.buffer], 1);
      window(c, c.window, to);
      break;
    }
    case StmtKind::Check: {
      const Val cond = needed(c, c.a, FindingKind::PoisonCheck);
      if (cond.poison || !cond.i) throw Leave{static_cast<const ir::Check*>(c.source)->code, &c};
      break;
    }
    case StmtKind::Pass:
      break;
  }
}

void Machine::let(const Code& c) {
  for (int k = 0; k < c.lanes; ++k) {
    lane = k;
    const Val v = run_root(c.a);
    slots[c.slot + static_cast<uint32_t>(k)] = v;
    if (tracking_) {
      Tag t;
      if (c.plain_copy) {
        const XOp op = c.a->op;
        t = op == XOp::Leaf ? last_loaded_
            : op == XOp::Slot || op == XOp::LaneSlot
                ? tags_[c.a->slot + (op == XOp::LaneSlot ? static_cast<uint32_t>(k) : 0)]
                : Tag{};
      }
      tags_[c.slot + static_cast<uint32_t>(k)] = t;
    }
  }
  lane = 0;
}

void Machine::loop(const Code& c) {
  const Val lo = needed(c, c.a, FindingKind::PoisonBound);
  const Val hi = needed(c, c.b, FindingKind::PoisonBound);
  if (lo.poison | hi.poison || lo.i >= hi.i) return;
  const bool racy = c.loop == LoopKind::Parallel || c.loop == LoopKind::Vectorized ||
                    c.loop == LoopKind::Unordered;
  const uint64_t count = static_cast<uint64_t>(hi.i) - static_cast<uint64_t>(lo.i);
  // Every iteration of a racy loop is numbered: more of them than could be executed are refused.
  if (racy && (count > uint64_t{1} << 28 ||
               !strands_.enter_loop(c.number, lo.i, static_cast<int64_t>(count)))) {
    out_of_steps();
  }
  around_.push_back({&c, 0});
  const auto once = [&](int64_t i) {
    if (racy) strands_.enter_iteration(i);
    iteration(c, i);
    if (racy) strands_.leave_iteration();
  };
  const bool free_order = c.loop == LoopKind::Parallel || c.loop == LoopKind::Unordered;
  if (!free_order || options_.order == Order::Forward) {
    for (int64_t i = lo.i; i < hi.i; ++i) once(i);
  } else if (options_.order == Order::Reverse || count > uint64_t{1} << 24) {
    for (int64_t i = hi.i; i-- > lo.i;) once(i);
  } else {
    std::vector<int64_t> order(static_cast<size_t>(count));
    for (size_t k = 0; k < order.size(); ++k) order[k] = lo.i + static_cast<int64_t>(k);
    for (size_t k = order.size(); k > 1; --k)
      std::swap(order[k - 1], order[static_cast<size_t>(random_.below(static_cast<int64_t>(k)))]);
    for (const int64_t i : order) once(i);
  }
  around_.pop_back();
  if (racy) strands_.leave_loop();
}

void Machine::iteration(const Code& c, int64_t i) {
  slots[c.slot] = Val::of(i);
  around_.back().value = i;
  list(c.body);
}

void Machine::allocate(const Code& c) {
  View& v = views_[c.buffer];
  v.rank = static_cast<int>(c.index.size());
  v.extent = dims_ + proc_->dims_of_view[c.buffer];
  v.stride = v.extent + std::max(v.rank, 1);
  v.offset = 0;
  v.whole = true;
  Memory& m = *pool_.take();
  const auto& alloc = *static_cast<const ir::Alloc*>(c.source);
  m.buffer = alloc.buffer;
  m.type = alloc.buffer.type().element();
  m.extent.assign(static_cast<size_t>(v.rank), 0);
  m.stride.assign(static_cast<size_t>(v.rank), 0);
  __int128 size = 1;
  for (size_t d = c.index.size(); d-- > 0;) {
    Val n = needed(c, c.index[d], FindingKind::PoisonBound);
    if (n.i < 0) {
      Finding f;
      f.kind = FindingKind::NegativeExtent;
      f.buffer = f.root = m.buffer;
      f.element = {static_cast<int64_t>(d)};
      f.number = n.i;
      report(std::move(f), &c);
      n.i = 0;
    }
    m.extent[d] = v.extent[d] = n.i;
    m.stride[d] = v.stride[d] = static_cast<int64_t>(size);
    size = std::min<__int128>(size * n.i, __int128{1} << 62);
  }
  if (size * m.type.bytes() > memory_left_) {
    Finding f;
    f.kind = FindingKind::MemoryLimit;
    f.buffer = f.root = m.buffer;
    f.number = options_.memory_limit;
    report(std::move(f), &c);
    throw Stop{};
  }
  m.size = static_cast<int64_t>(size);
  memory_left_ -= m.bytes();
  if (m.value.size() < static_cast<size_t>(m.size)) m.value.resize(static_cast<size_t>(m.size));
  m.poison.assign(static_cast<size_t>(m.size), c.reason);
  if (tracking_) m.tags.assign(static_cast<size_t>(m.size), Tag{});
  m.live = true;
  m.freed = false;
  m.argument = false;
  m.born = strands_.current();
  m.first_strand = strands_.next();
  v.memory = &m;
}

void Machine::free_early(const Code& c) {
  Memory& m = *views_[c.buffer].memory;
  if (m.freed) report(at_memory(FindingKind::DoubleFree, m, 0), &c);
  m.freed = true;
}

// The end of the list that allocated it.
void Machine::release(const Code& alloc) {
  Memory& m = *views_[alloc.buffer].memory;
  if (!m.freed && alloc.has_free) report(at_memory(FindingKind::Leak, m, 0), &alloc);
  memory_left_ += m.bytes();
  m.live = false;
  views_[alloc.buffer].memory = nullptr;
  pool_.give_back(&m);
}

void Machine::call(const Code& c) {
  const ProcCode& callee = *c.callee;
  // The callee's frame lies behind ours.
  Val* const old_slots = slots;
  Tag* const old_tags = tags_;
  View* const old_views = views_;
  int64_t* const old_dims = dims_;
  const ProcCode* const old_proc = proc_;
  const bool old_eager = eager;
  Val* const new_slots = slots + proc_->slots;
  View* const new_views = views_ + proc_->views;
  int64_t* const new_dims = dims_ + proc_->dims;
  for (size_t i = 0; i < c.args.size(); ++i) {
    const ParamCode& p = callee.params[i];
    if (c.args[i].scalar) {
      const bool control = p.param->kind != ir::ParamKind::Scalar;
      new_slots[p.slot] = control ? needed(c, c.args[i].scalar, FindingKind::PoisonBound)
                                  : run_root(c.args[i].scalar);
    } else {
      View& to = new_views[p.view];
      to.extent = new_dims + callee.dims_of_view[p.view];
      to.stride = to.extent + std::max<size_t>(p.shape.size(), 1);
      window(c, c.args[i].window, to);
    }
  }
  slots = new_slots;
  views_ = new_views;
  dims_ = new_dims;
  if (tracking_) {
    tags_ += proc_->slots;
    std::fill_n(tags_, callee.slots, Tag{});
  }
  proc_ = &callee;
  eager = options_.eager_selects.value_or(callee.proc->form == ir::Form::Flat);
  for (size_t i = 0; i < callee.params.size(); ++i) check_argument(c, callee, i);
  for (size_t i = 0; i < callee.preconditions.size(); ++i) {
    const Val holds = needed(c, callee.preconditions[i], FindingKind::PoisonCheck);
    if (holds.poison || holds.i) continue;
    Finding f;
    f.kind = FindingKind::PreconditionFailed;
    f.buffer = callee.proc->sym;
    f.condition = callee.proc->preconditions[i];
    report(std::move(f), &c);
  }
  if (options_.check_aliasing) check_aliasing(c, callee);
  list(callee.body);
  slots = old_slots;
  tags_ = old_tags;
  views_ = old_views;
  dims_ = old_dims;
  proc_ = old_proc;
  eager = old_eager;
}

// Size parameters, shapes and density, in the callee's frame.
void Machine::check_argument(const Code& c, const ProcCode& callee, size_t i) {
  const ParamCode& p = callee.params[i];
  Finding f;
  f.buffer = p.param->sym;
  if (p.param->kind == ir::ParamKind::Size && slots[p.slot].i < 1 && !slots[p.slot].poison) {
    f.kind = FindingKind::SizeBelowOne;
    f.number = slots[p.slot].i;
    report(std::move(f), &c);
    return;
  }
  if (p.param->kind != ir::ParamKind::Buffer) return;
  const View& v = views_[p.view];
  f.root = v.memory->buffer;
  bool same = true;
  int64_t dense = 1;
  bool is_dense = true;
  for (size_t d = p.shape.size(); d-- > 0;) {
    const Val n = needed(c, p.shape[d], FindingKind::PoisonBound);
    f.element.insert(f.element.begin(), v.extent[d]);
    f.limits.insert(f.limits.begin(), n.i);
    same = same && (n.poison || n.i == v.extent[d]);
    is_dense = is_dense && (v.extent[d] <= 1 || v.stride[d] == dense);
    dense *= v.extent[d];
  }
  if (!same) {
    f.kind = FindingKind::ShapeMismatch;
    report(std::move(f), &c);
  } else if (!p.param->window && !is_dense && dense > 1) {
    f.kind = FindingKind::NotDense;
    f.element.assign(v.stride, v.stride + v.rank);
    report(std::move(f), &c);
  }
}

// No element that the callee writes through one argument may be seen through another.
void Machine::check_aliasing(const Code& c, const ProcCode& callee) {
  const auto cells = [](const View& v) {
    std::vector<int64_t> out{v.offset};
    for (int d = 0; d < v.rank; ++d) {
      const size_t n = out.size();
      if (v.extent[d] == 0) return std::vector<int64_t>{};
      for (int64_t i = 1; i < v.extent[d]; ++i) {
        for (size_t k = 0; k < n; ++k) out.push_back(out[k] + i * v.stride[d]);
      }
    }
    std::sort(out.begin(), out.end());
    return out;
  };
  for (size_t i = 0; i < callee.params.size(); ++i) {
    if (callee.params[i].param->kind != ir::ParamKind::Buffer) continue;
    for (size_t k = 0; k < i; ++k) {
      if (callee.params[k].param->kind != ir::ParamKind::Buffer) continue;
      if (!callee.params[i].written && !callee.params[k].written) continue;
      const View &a = views_[callee.params[i].view], &b = views_[callee.params[k].view];
      if (a.memory != b.memory) continue;
      const std::vector<int64_t> x = cells(a), y = cells(b);
      std::vector<int64_t> both;
      std::set_intersection(x.begin(), x.end(), y.begin(), y.end(), std::back_inserter(both));
      if (both.empty()) continue;
      Finding f = at_memory(FindingKind::Aliasing, *a.memory, both.front());
      f.buffer = callee.params[i].param->sym;
      f.loop = callee.params[k].param->sym;
      report(std::move(f), &c);
    }
  }
}

}  // namespace hocket::interp
