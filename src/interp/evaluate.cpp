#include "interp/evaluate.h"

#include <algorithm>

#include "diag/kinds_runtime.h"
#include "interp/evaluator.h"
#include "interp/reason.h"
#include "ir/visit.h"
#include "support/strings.h"

namespace hocket::interp {

using diag::Diagnostic;
using ir::Expr;
using ir::Scalar;
using ir::Symbol;

namespace {

// Does an update write, or read of its own Func, another coordinate along a dimension than the one
// at which it stands?
bool moves_along(const ir::Func& f, size_t d) {
  for (int s = 1; s < f.num_stages(); ++s)
    if (!ir::is_pure_dim(f, s, static_cast<int>(d))) return true;
  return false;
}

}  // namespace

// ---- Setting up ---------------------------------------------------------------------------------

diag::Result<void> Evaluator::Impl::bind(const Bindings& bindings,
                                         const std::vector<Region>& regions) {
  steps_left_ = options_.step_limit;
  for (const ir::ImageParam& p : algorithm_.inputs) {
    const Tensor* t = bindings.find_image(p.sym);
    if (t == nullptr)
      return Diagnostic(diag::kind::missing_argument, p.place).arg("name", p.sym.name());
    if (t->type() != p.sym.type().element() || t->rank() != static_cast<int>(p.dims.size())) {
      return Diagnostic(diag::kind::argument_mismatch, p.place)
          .arg("name", p.sym.name())
          .arg("needed", p.sym.type().name() + " of rank " + std::to_string(p.dims.size()))
          .arg("given", t->type().name() + " of rank " + std::to_string(t->rank()));
    }
    input_number_.emplace(p.sym, static_cast<uint32_t>(inputs_.size()));
    inputs_.push_back({&p, t});
  }
  for (const ir::ScalarParam& p : algorithm_.params) {
    const Scalar* given = bindings.find_scalar(p.sym);
    const ir::Type type = p.sym.type();
    if (given == nullptr && !p.default_value) {
      return Diagnostic(diag::kind::missing_argument, p.place).arg("name", p.sym.name());
    }
    if (given != nullptr && given->type != type) {
      return Diagnostic(diag::kind::argument_mismatch, p.place)
          .arg("name", p.sym.name())
          .arg("needed", type.name())
          .arg("given", given->type.name());
    }
    param_.emplace(p.sym,
                   given ? *given
                   : type.is_float()
                       ? Scalar::of_float(type, *p.default_value)
                       : ir::eval_cast(type, Scalar::of_float(ir::Type::f(64), *p.default_value)));
  }
  for (size_t o = 0; o < std::min(regions.size(), algorithm_.outputs.size()); ++o) {
    output_region_.emplace(algorithm_.outputs[o], regions[o]);
  }
  for (const ir::Func& f : algorithm_.funcs) {
    func_number_.emplace(f.sym, static_cast<uint32_t>(funcs_.size()));
    FuncState& s = funcs_.emplace_back();
    s.func = &f;
    s.rank = f.args.size();
    s.values = f.types.size();
    s.memo = PointIndex(static_cast<int>(s.rank));
    s.memo_value.resize(s.values);
    s.memo_known.resize(s.values);
    s.scratch.resize(s.rank);
    for (size_t d = 0; d < s.rank; ++d) (moves_along(f, d) ? s.held : s.free).push_back(d);
    s.slice_of = PointIndex(static_cast<int>(s.free.size()));
  }
  // Funcs may share Vars and reduction variables; each has slots of its own, since one Func may be
  // computed in the middle of another.
  const auto new_slot = [&](const Symbol& v) {
    if (slot_.emplace(v, static_cast<uint32_t>(slot_values_.size())).second)
      slot_values_.emplace_back();
  };
  for (FuncState& s : funcs_) {
    slot_.clear();
    s.arg_slot = static_cast<uint32_t>(slot_values_.size());
    for (const Symbol& a : s.func->args) new_slot(a);
    for (const ir::Definition& u : s.func->updates) {
      for (const ir::RVar& r : u.domain.vars) new_slot(r.sym);
    }
    for (int k = 0; k < s.func->num_stages(); ++k) {
      const ir::Definition& d = s.func->stage(k);
      Stage& stage = s.stages.emplace_back();
      for (const Expr& v : d.values) stage.values.push_back(root(v));
      if (k == 0) continue;
      for (size_t i = 0; i < d.args.size(); ++i) {
        const auto* var = d.args[i].as<ir::VarRef>();
        stage.args.push_back(var && var->sym == s.func->args[i] ? nullptr : root(d.args[i]));
      }
      for (const ir::RVar& r : d.domain.vars) {
        stage.vars.push_back({slot_.at(r.sym), root(r.min), root(r.extent)});
      }
      if (d.domain.where.defined()) stage.where = root(d.domain.where);
    }
  }
  cache_cells_.resize(cache_cells);
  slots = slot_values_.data();
  cache = cache_cells_.data();
  return {};
}

void Evaluator::Impl::leaf(const Expr& e, XNode& n) {
  if (const auto* v = e.as<ir::VarRef>()) {
    if (const auto p = param_.find(v->sym); p != param_.end()) {
      n.op = XOp::Const;
      n.imm = to_val(p->second, 0);
      return;
    }
    const auto it = slot_.find(v->sym);
    HOCKET_ASSERT(it != slot_.end(), "variable `" + v->sym.name() + "` is not bound by its Func");
    n.op = XOp::Slot;
    n.slot = it->second;
    return;
  }
  if (const auto* f = e.as<ir::BufferField>()) {
    int64_t value = 0;
    const size_t dim = static_cast<size_t>(f->dim);
    if (const auto it = input_number_.find(f->buffer); it != input_number_.end()) {
      const Tensor& t = *inputs_[it->second].tensor;
      value = f->field == ir::BufferFieldKind::Min      ? t.min(f->dim)
              : f->field == ir::BufferFieldKind::Extent ? t.extent(f->dim)
                                                        : t.stride(f->dim);
    } else {
      const auto out = output_region_.find(f->buffer);
      HOCKET_ASSERT(out != output_region_.end(),
                    "field of `" + f->buffer.name() + "`, which is no argument");
      const Region& r = out->second;
      if (f->field == ir::BufferFieldKind::Min) value = r.mins[dim];
      if (f->field == ir::BufferFieldKind::Extent) value = r.extents[dim];
      if (f->field == ir::BufferFieldKind::Stride) {
        value = 1;
        for (size_t d = 0; d < dim; ++d) value *= r.extents[d];
      }
    }
    n.op = XOp::Const;
    n.imm = Val::of(value);
    return;
  }
  const auto* c = e.as<ir::Call>();
  HOCKET_ASSERT(c != nullptr, "a load in an algorithm");
  Access& a = accesses.emplace_back();
  a.source = e;
  for (const Expr& x : c->args) a.index.push_back(compile(x));
  a.value_index = c->value_index;
  if (const auto it = input_number_.find(c->func); it != input_number_.end()) {
    a.kind = kInput;
    a.target = it->second;
    n.reason = new_reason(Reason::Kind::OutsideInput, e, c->func);
  } else {
    const auto f = func_number_.find(c->func);
    HOCKET_ASSERT(f != func_number_.end(),
                  "call of `" + c->func.name() + "`, which the algorithm does not define");
    a.kind = kFunc;
    a.target = f->second;
    n.reason = new_reason(Reason::Kind::Address, e, c->func);
  }
  n.op = XOp::Leaf;
  n.access = &a;
}

// ---- Values -------------------------------------------------------------------------------------

Val Evaluator::Impl::execute(const XNode* root) {
  const uint64_t old = epoch;
  epoch = new_epoch();
  const Val v = eval(*this, root);
  epoch = old;
  return v;
}

void Evaluator::Impl::tick(FuncState& s) {
  if (--steps_left_ < 0) {
    stop(Diagnostic(diag::kind::evaluation_limit, s.func->place)
             .arg("func", s.func->name())
             .arg("what", std::to_string(options_.step_limit) + " steps"));
  }
}

uint32_t Evaluator::Impl::outside(const XNode* n, const InputState& in,
                                  const std::vector<int64_t>& at) {
  if (dynamic_reasons_ >= (1u << 16)) return n->reason;
  ++dynamic_reasons_;
  reasons.push_back(Reason{Reason::Kind::OutsideInput, n->access->source, in.param->sym, at});
  return static_cast<uint32_t>(reasons.size() - 1);
}

Val Evaluator::Impl::leaf(const XNode* n) {
  const Access& a = *n->access;
  const size_t rank = a.index.size();
  int64_t small[8];
  std::vector<int64_t> large;
  int64_t* p = small;
  if (rank > 8) {
    large.resize(rank);
    p = large.data();
  }
  for (size_t d = 0; d < rank; ++d) {
    const Val c = eval(*this, a.index[d]);
    if (c.poison) return c;
    p[d] = c.i;
  }
  if (a.kind == kFunc) {
    FuncState& s = funcs_[a.target];
    if (s.realising) {
      const Slice& slice = *s.realising;
      const int64_t* held = s.along(s.held, p);
      if (slice.box.contains(held))
        return slice.cells[slice.box.cell(held) * s.values + static_cast<size_t>(a.value_index)];
      s.read_outside.include(held, s.held.size());
      return Val::bad(n->reason);
    }
    return call(s, static_cast<size_t>(a.value_index), p);
  }
  const InputState& in = inputs_[a.target];
  const Tensor& t = *in.tensor;
  const std::span<const int64_t> at(p, rank);
  if (!t.contains(at)) return Val::bad(outside(n, in, {at.begin(), at.end()}));
  const int64_t cell = t.cell_of(at);
  if (t.is_poison(cell)) {
    const uint32_t r = outside(n, in, {at.begin(), at.end()});
    reasons[r].kind = Reason::Kind::Given;
    return Val::bad(r);
  }
  return load_val(t.type(), t.data() + cell * t.type().bytes());
}

FuncState& Evaluator::Impl::state(const Symbol& func) {
  const auto it = func_number_.find(func);
  HOCKET_ASSERT(it != func_number_.end(), "`" + func.name() + "` is no Func of the algorithm");
  return funcs_[it->second];
}

Val Evaluator::Impl::initial(FuncState& s, size_t value, const int64_t* p) {
  const uint32_t number = s.memo.find_or_add(p);
  std::vector<Val>& values = s.memo_value[value];
  std::vector<uint8_t>& known = s.memo_known[value];
  if (number >= known.size()) {
    known.resize(number + 1, 0);
    values.resize(number + 1);
  }
  if (known[number]) return values[number];
  tick(s);
  for (size_t d = 0; d < s.rank; ++d) slots[s.arg_slot + d] = Val::of(p[d]);
  const Val v = execute(s.stages[0].values[value]);
  s.memo_known[value][number] = 1;
  s.memo_value[value][number] = v;
  return v;
}

Val Evaluator::Impl::call(FuncState& s, size_t value, const int64_t* p) {
  if (s.func->is_pure()) return initial(s, value, p);
  const Slice& slice = realise_point(s, p);
  return slice.cells[slice.box.cell(s.along(s.held, p)) * s.values + value];
}

// ---- Updates ------------------------------------------------------------------------------------

diag::Result<std::vector<Tensor>> Evaluator::Impl::outputs(const std::vector<Region>& regions) {
  std::vector<Tensor> out;
  for (size_t o = 0; o < algorithm_.outputs.size(); ++o) {
    FuncState& s = state(algorithm_.outputs[o]);
    const Region& region = regions[o];
    for (size_t v = 0; v < s.values; ++v) {
      Tensor& t = out.emplace_back(Tensor::of_box(s.func->types[v], region.mins, region.extents));
      if (t.count() == 0) continue;
      if (!s.func->is_pure() && v == 0) {  // what is wanted of a slice, at once
        s.first = {};
        const Box whole{region.mins, region.extents, true};
        const std::vector<int64_t> last = whole.last();
        if (!s.first.include(s.along(s.held, whole.low.data()), s.held.size()) ||
            !s.first.include(s.along(s.held, last.data()), s.held.size()))
          too_large(s);
      }
      t.for_each_point([&](std::span<const int64_t> p) {
        const Val value = call(s, v, p.data());
        if (value.poison && options_.poison_is_error) stop(poison_at(s, p, reasons[value.poison]));
        t.set(p, to_scalar(s.func->types[v], value));
      });
    }
  }
  return out;
}

Evaluator::Evaluator(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Evaluator::~Evaluator() = default;

diag::Result<std::unique_ptr<Evaluator>> Evaluator::make(const ir::Algorithm& algorithm,
                                                         const Bindings& bindings,
                                                         const std::vector<Region>& regions,
                                                         const EvaluateOptions& options,
                                                         bool keep_steps) {
  auto impl = std::make_unique<Impl>(algorithm, options, keep_steps);
  HOCKET_CHECK(impl->bind(bindings, regions));
  return std::unique_ptr<Evaluator>(new Evaluator(std::move(impl)));
}

diag::Result<std::vector<Tensor>> evaluate(const ir::Algorithm& algorithm, const Bindings& bindings,
                                           const std::vector<Region>& regions,
                                           const EvaluateOptions& options) {
  HOCKET_ASSERT(regions.size() == algorithm.outputs.size(), "one region per output");
  HOCKET_TRY(auto evaluator, Evaluator::make(algorithm, bindings, regions, options, false));
  try {
    return evaluator->impl_->outputs(regions);
  } catch (EvaluationStop& stop) {
    return std::move(stop.diagnostic);
  }
}

Scalar Evaluator::value(const Symbol& func, int value_index, const std::vector<int64_t>& point) {
  FuncState& s = impl_->state(func);
  const Val v = impl_->call(s, static_cast<size_t>(value_index), point.data());
  return to_scalar(s.func->types[static_cast<size_t>(value_index)], v);
}

Scalar Evaluator::initial(const Symbol& func, int value_index, const std::vector<int64_t>& point) {
  FuncState& s = impl_->state(func);
  const Val v = impl_->initial(s, static_cast<size_t>(value_index), point.data());
  return to_scalar(s.func->types[static_cast<size_t>(value_index)], v);
}

const std::vector<UpdateStep>& Evaluator::steps_of(const Symbol& func, int stage,
                                                   const std::vector<int64_t>& point) {
  FuncState& s = impl_->state(func);
  const Slice& slice = impl_->realise_point(s, point.data());
  const size_t cell = slice.box.cell(s.along(s.held, point.data()));
  return slice.steps[cell * s.func->updates.size() + static_cast<size_t>(stage - 1)];
}

int64_t Evaluator::ordinal_of(const Symbol& func, int stage,
                              const std::vector<int64_t>& reduction) {
  FuncState& s = impl_->state(func);
  Stage& st = s.stages[static_cast<size_t>(stage)];
  impl_->know_bounds(s, st);
  HOCKET_ASSERT(reduction.size() == st.low.size(), "reduction coordinates of another rank");
  int64_t ordinal = 0;
  for (size_t i = st.low.size(); i-- > 0;) {
    const int64_t c = reduction[i] - st.low[i];
    if (c < 0 || c >= st.extent[i]) return -1;
    ordinal = ordinal * st.extent[i] + c;
  }
  return ordinal;
}

std::vector<int64_t> Evaluator::reduction_of(const Symbol& func, int stage, int64_t ordinal) {
  FuncState& s = impl_->state(func);
  Stage& st = s.stages[static_cast<size_t>(stage)];
  impl_->know_bounds(s, st);
  std::vector<int64_t> r = st.low;
  for (size_t i = 0; i < r.size(); ++i) {
    r[i] += ordinal % st.extent[i];
    ordinal /= st.extent[i];
  }
  return r;
}

}  // namespace hocket::interp
