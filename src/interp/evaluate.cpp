#include "interp/evaluate.h"

#include <algorithm>

#include "diag/kinds_runtime.h"
#include "interp/eval.h"
#include "interp/points.h"
#include "interp/reason.h"
#include "support/strings.h"

namespace hocket::interp {

using diag::Diagnostic;
using ir::Expr;
using ir::Scalar;
using ir::Symbol;

Bindings& Bindings::image(const Symbol& input, Tensor tensor) {
  entries_.push_back({input, {}, std::make_shared<const Tensor>(std::move(tensor)), {}});
  return *this;
}
Bindings& Bindings::image(std::string name, Tensor tensor) {
  entries_.push_back({{}, std::move(name), std::make_shared<const Tensor>(std::move(tensor)), {}});
  return *this;
}
Bindings& Bindings::scalar(const Symbol& param, const Scalar& value) {
  entries_.push_back({param, {}, nullptr, value});
  return *this;
}
Bindings& Bindings::scalar(std::string name, const Scalar& value) {
  entries_.push_back({{}, std::move(name), nullptr, value});
  return *this;
}
const Bindings::Entry* Bindings::find(const Symbol& s, bool image) const {
  for (auto it = entries_.rbegin(); it != entries_.rend(); ++it) {
    if ((it->tensor != nullptr) != image) continue;
    if (it->symbol.defined() ? it->symbol == s : it->name == s.name()) return &*it;
  }
  return nullptr;
}
const Tensor* Bindings::find_image(const Symbol& input) const {
  const Entry* e = find(input, true);
  return e ? e->tensor.get() : nullptr;
}
const Scalar* Bindings::find_scalar(const Symbol& param) const {
  const Entry* e = find(param, false);
  return e ? &e->scalar : nullptr;
}

namespace {

enum LeafKind { kInput, kFunc };

struct RVarCode {
  uint32_t slot;
  const XNode* min;
  const XNode* extent;
};

struct Stage {
  std::vector<const XNode*> args;  // updates: null where the dimension is pure
  std::vector<const XNode*> values;
  std::vector<RVarCode> vars;
  const XNode* where = nullptr;
  bool bounds_known = false;
  std::vector<int64_t> low, extent;  // of the reduction variables
};

struct Box {
  std::vector<int64_t> low, extent;  // empty vectors with `any` false: nothing
  bool any = false;

  bool contains(const int64_t* p) const {
    if (!any) return false;
    for (size_t d = 0; d < low.size(); ++d) {
      if (static_cast<uint64_t>(p[d]) - static_cast<uint64_t>(low[d]) >=
          static_cast<uint64_t>(extent[d]))
        return false;
    }
    return true;
  }
  __int128 volume() const {
    __int128 v = any ? 1 : 0;
    for (const int64_t e : extent) v = std::min<__int128>(v * e, __int128{1} << 100);
    return v;
  }
  size_t cell(const int64_t* p) const {
    size_t at = 0;
    for (size_t d = 0; d < low.size(); ++d)
      at = at * static_cast<size_t>(extent[d]) + static_cast<size_t>(p[d] - low[d]);
    return at;
  }
  // Extends to hold p; says no where a side would not fit 64 bits.
  bool include(const int64_t* p, size_t rank) {
    if (!any) {
      low.assign(p, p + rank);
      extent.assign(rank, 1);
      any = true;
      return true;
    }
    Box grown = *this;
    for (size_t d = 0; d < rank; ++d) {
      const __int128 lo = std::min<__int128>(low[d], p[d]);
      const __int128 hi = std::max<__int128>(__int128{low[d]} + extent[d] - 1, p[d]);
      if (hi - lo + 1 > (int64_t{1} << 62)) return false;
      grown.low[d] = static_cast<int64_t>(lo);
      grown.extent[d] = static_cast<int64_t>(hi - lo + 1);
    }
    *this = std::move(grown);
    return true;
  }
  std::vector<int64_t> last() const {
    std::vector<int64_t> p = low;
    for (size_t d = 0; d < p.size(); ++d) p[d] += extent[d] - 1;
    return p;
  }
};

struct FuncState {
  const ir::Func* func = nullptr;
  uint32_t arg_slot = 0;  // one slot per dimension from here
  size_t rank = 0, values = 1;
  std::vector<Stage> stages;
  // The pure definition, per point.
  PointIndex memo;
  std::vector<std::vector<Val>> memo_value;  // [value][number]
  std::vector<std::vector<uint8_t>> memo_known;
  // Funcs with updates: the box that is realised.
  Box box;
  std::vector<std::vector<Val>> cells;                      // [value][cell]
  std::vector<std::vector<std::vector<UpdateStep>>> steps;  // [stage - 1][cell]
  bool realising = false;
  Box read_outside, touched;
};

struct InputState {
  const ir::ImageParam* param = nullptr;
  const Tensor* tensor = nullptr;
};

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

class Evaluator::Impl : public ExprCompiler {
 public:
  Impl(const ir::Algorithm& algorithm, const EvaluateOptions& options, bool keep_steps)
      : algorithm_(algorithm), options_(options), keep_steps_(keep_steps) {}

  diag::Result<void> bind(const Bindings& bindings, const std::vector<Region>& regions);
  diag::Result<std::vector<Tensor>> outputs(const std::vector<Region>& regions);

  Val call(FuncState& s, size_t value, const int64_t* p);
  Val initial(FuncState& s, size_t value, const int64_t* p);
  void know_bounds(FuncState& s, Stage& stage);
  FuncState& state(const Symbol& func);
  void realise_point(FuncState& s, const int64_t* p);
  Reason reason(uint32_t number) const { return reasons[number]; }

  // Env of eval():
  Val leaf(const XNode* n);
  uint64_t new_epoch() { return ++last_epoch_; }
  Val* slots = nullptr;
  int lane = 0;
  uint64_t epoch = 0;
  CacheCell* cache = nullptr;
  static constexpr bool eager = false;

 protected:
  void leaf(const Expr& e, XNode& n) override;

 private:
  Val execute(const XNode* root);
  bool pass(FuncState& s);
  void realise(FuncState& s, Box want);
  [[noreturn]] void too_large(FuncState& s);
  void update(FuncState& s, size_t stage_number);
  void apply(FuncState& s, size_t stage_number, int64_t ordinal);
  void tick(FuncState& s);
  Diagnostic poison_at(const FuncState& s, std::span<const int64_t> point, const Reason& r) const;
  [[noreturn]] void stop(Diagnostic d) { throw EvaluationStop{std::move(d)}; }
  uint32_t outside(const XNode* n, const InputState& in, const std::vector<int64_t>& at);

  const ir::Algorithm& algorithm_;
  EvaluateOptions options_;
  bool keep_steps_;
  std::deque<FuncState> funcs_;
  std::vector<InputState> inputs_;
  std::unordered_map<Symbol, uint32_t> func_number_, input_number_;
  std::unordered_map<Symbol, uint32_t> slot_;  // of the Func whose stages are being compiled
  std::unordered_map<Symbol, Scalar> param_;
  std::unordered_map<Symbol, Region> output_region_;
  std::vector<Val> slot_values_;
  std::vector<CacheCell> cache_cells_;
  uint64_t last_epoch_ = 0;
  int64_t steps_left_ = 0;
  size_t dynamic_reasons_ = 0;
};

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
    s.cells.resize(s.values);
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
      if (s.box.contains(p)) return s.cells[static_cast<size_t>(a.value_index)][s.box.cell(p)];
      s.read_outside.include(p, rank);
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
  realise_point(s, p);
  return s.cells[value][s.box.cell(p)];
}

// ---- Updates ------------------------------------------------------------------------------------

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

diag::Result<std::vector<Tensor>> Evaluator::Impl::outputs(const std::vector<Region>& regions) {
  std::vector<Tensor> out;
  for (size_t o = 0; o < algorithm_.outputs.size(); ++o) {
    FuncState& s = state(algorithm_.outputs[o]);
    const Region& region = regions[o];
    for (size_t v = 0; v < s.values; ++v) {
      Tensor& t = out.emplace_back(Tensor::of_box(s.func->types[v], region.mins, region.extents));
      if (t.count() == 0) continue;
      if (!s.func->is_pure() && v == 0) {  // the whole box at once
        Box whole = s.box;
        const Box asked{region.mins, region.extents, true};
        if (!whole.include(asked.low.data(), s.rank) || !whole.include(asked.last().data(), s.rank))
          too_large(s);
        if (!(s.box.contains(asked.low.data()) && s.box.contains(asked.last().data())))
          realise(s, whole);
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
  impl_->realise_point(s, point.data());
  return s.steps[static_cast<size_t>(stage - 1)][s.box.cell(point.data())];
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
