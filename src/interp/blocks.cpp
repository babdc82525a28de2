#include "interp/blocks.h"

#include <algorithm>
#include <functional>

#include "ir/visit.h"

namespace hocket::interp {

using ir::BinaryOp;
using ir::Expr;
using ir::Symbol;

namespace {

// Structural identity of coordinates; symbols by identity.
bool same_expr(const Expr& a, const Expr& b) {
  if (a.same_as(b)) return true;
  if (a.kind() != b.kind() || a.type() != b.type()) return false;
  if (const auto* x = a.as<ir::IntImm>()) return x->value == b.as<ir::IntImm>()->value;
  if (const auto* x = a.as<ir::FloatImm>()) return x->value == b.as<ir::FloatImm>()->value;
  if (const auto* x = a.as<ir::VarRef>()) return x->sym == b.as<ir::VarRef>()->sym;
  if (const auto* x = a.as<ir::Unary>(); x && x->op != b.as<ir::Unary>()->op) return false;
  if (const auto* x = a.as<ir::Binary>(); x && x->op != b.as<ir::Binary>()->op) return false;
  if (const auto* x = a.as<ir::Call>()) {
    const auto* y = b.as<ir::Call>();
    if (!(x->func == y->func) || x->value_index != y->value_index) return false;
  } else if (const auto* f = a.as<ir::BufferField>()) {
    const auto* g = b.as<ir::BufferField>();
    return f->buffer == g->buffer && f->field == g->field && f->dim == g->dim;
  }
  const auto x = ir::children(a), y = ir::children(b);
  return std::equal(x.begin(), x.end(), y.begin(), y.end(), same_expr);
}

bool calls(const Expr& e, const Symbol& func) {
  bool found = false;
  ir::for_each(e, [&](const Expr& x) {
    if (const auto* c = x.as<ir::Call>()) found = found || c->func == func;
  });
  return found;
}

bool is_self(const Expr& e, const ir::Func& f, const ir::Definition& d) {
  const auto* c = e.as<ir::Call>();
  return c && c->func == f.sym &&
         std::equal(c->args.begin(), c->args.end(), d.args.begin(), d.args.end(), same_expr);
}

// f(p) = f(p) op e op ..., op exact and commuting on this type, e free of f.
bool commutes(const ir::Func& f, const ir::Definition& d) {
  if (d.values.size() != 1 || f.types[0].is_float()) return false;
  for (const Expr& a : d.args) {
    if (calls(a, f.sym)) return false;
  }
  const auto* top = d.values[0].as<ir::Binary>();
  if (!top) return false;
  const BinaryOp op = top->op == BinaryOp::Sub ? BinaryOp::Add : top->op;
  switch (op) {
    case BinaryOp::Add:
    case BinaryOp::Mul:
    case BinaryOp::Min:
    case BinaryOp::Max:
    case BinaryOp::And:
    case BinaryOp::Or:
    case BinaryOp::BitAnd:
    case BinaryOp::BitOr:
    case BinaryOp::BitXor:
      break;
    default:
      return false;
  }
  std::function<bool(const Expr&)> chain = [&](const Expr& e) {
    if (is_self(e, f, d)) return true;
    const auto* b = e.as<ir::Binary>();
    if (!b) return false;
    if (b->op == op) {
      return (chain(b->a) && !calls(b->b, f.sym)) || (chain(b->b) && !calls(b->a, f.sym));
    }
    return op == BinaryOp::Add && b->op == BinaryOp::Sub && chain(b->a) && !calls(b->b, f.sym);
  };
  return chain(d.values[0]);
}

bool reads_itself(const ir::Func& f, const ir::Definition& d) {
  bool found = false;
  for (const Expr& v : d.values) {
    ir::for_each(v, [&](const Expr& e) { found = found || is_self(e, f, d); });
  }
  return found;
}

}  // namespace

BlockJudge::BlockJudge(const BlockCheck& check, Evaluator& evaluator) : evaluator_(evaluator) {
  for (const ir::Func& f : check.algorithm->funcs) {  // producers first
    FuncInfo& info = funcs_.emplace_back();
    info.func = &f;
    info.points = PointIndex(static_cast<int>(f.args.size()));
    const bool loose = std::find(check.reassociated.begin(), check.reassociated.end(), f.sym) !=
                       check.reassociated.end();
    info.compared = !loose;
    for (int k = 0; k < f.num_stages(); ++k) {
      const ir::Definition& d = f.stage(k);
      info.commutes.push_back(k > 0 && (loose || commutes(f, d)));
      info.reads_itself.push_back(k > 0 && reads_itself(f, d));
      for (const Expr& v : d.values) {
        for (const FuncInfo& below : funcs_) {
          if (!below.compared && calls(v, below.func->sym)) info.compared = false;
        }
      }
    }
  }
}

uint32_t BlockJudge::number(uint32_t func, std::span<const int64_t> point) {
  FuncInfo& info = funcs_[func];
  const uint32_t index = info.points.find_or_add(point.data());
  if (index >= info.number.size()) {
    info.number.push_back(static_cast<uint32_t>(points_.size()));
    points_.push_back({func, index});
  }
  return info.number[index];
}

bool BlockJudge::has(uint32_t state, uint32_t step) const {
  if (state < kSets) return step < state;
  const StepSet& s = sets_[state - kSets];
  return step / 64 < s.bits.size() && (s.bits[step / 64] >> (step % 64) & 1) != 0;
}

uint32_t BlockJudge::count(uint32_t state) const {
  return state < kSets ? state : sets_[state - kSets].count;
}

uint32_t BlockJudge::with(uint32_t state, uint32_t step) {
  if (state < kSets && step == state) return state + 1;
  const uint64_t key = uint64_t{state} << 32 | step;
  if (const auto it = after_.find(key); it != after_.end()) return it->second;
  StepSet s;
  if (state < kSets) {
    s.count = state;
    s.bits.resize((std::max(state, step) + 64) / 64);
    for (uint32_t i = 0; i < state; ++i) s.bits[i / 64] |= uint64_t{1} << (i % 64);
  } else {
    s = sets_[state - kSets];
    if (s.bits.size() <= step / 64) s.bits.resize(step / 64 + 1);
  }
  s.bits[step / 64] |= uint64_t{1} << (step % 64);
  ++s.count;
  bool prefix = true;  // one state per set: a prefix is its length
  for (uint32_t i = 0; i < s.count && prefix; ++i) prefix = (s.bits[i / 64] >> (i % 64) & 1) != 0;
  uint32_t result = s.count;
  if (!prefix) {
    sets_.push_back(std::move(s));
    result = kSets + static_cast<uint32_t>(sets_.size() - 1);
  }
  after_.emplace(key, result);
  return result;
}

// Headers do not say which value of a Func with several is stored; any of the type will do.
bool BlockJudge::same_as_any(const ir::Func& f, Val stored,
                             const std::vector<ir::Scalar>& values) const {
  for (size_t v = 0; v < values.size(); ++v) {
    if (values[v].poison || same_bits(f.types[v], stored, to_val(values[v], 1))) return true;
  }
  return false;
}

bool BlockJudge::pure(uint32_t func, std::span<const int64_t> point, Val stored,
                      std::span<const Tag> sources, Tag* tag, Finding* finding) {
  const FuncInfo& info = funcs_[func];
  const std::vector<int64_t> p(point.begin(), point.end());
  *tag = {number(func, point), 0, 0};
  if (!info.compared) inherit_short(sources, tag);
  if (stored.poison || !info.compared) return true;
  std::vector<ir::Scalar> values;
  for (size_t v = 0; v < info.func->types.size(); ++v)
    values.push_back(evaluator_.initial(info.func->sym, static_cast<int>(v), p));
  if (same_as_any(*info.func, stored, values)) return true;
  finding->kind = FindingKind::BlockValue;
  finding->expected = values[0];
  finding->actual = to_scalar(info.func->types[0], stored);
  return false;
}

Tag BlockJudge::short_of(uint32_t point, const Finding& missing) {
  short_of_.push_back(missing);
  return {point, Tag::kShort, static_cast<uint32_t>(short_of_.size() - 1)};
}

// Values that nobody compares carry on what the cells they are made of lack. The first source is
// the cell written, which is none here or is the own point.
void BlockJudge::inherit_short(std::span<const Tag> sources, Tag* tag) const {
  for (const Tag& s : sources.subspan(1)) {
    if (s.stage == Tag::kShort) *tag = {tag->point, s.stage, s.steps};
  }
}

// Is another point of this Func, one that lacks steps of stages before `stage`, read?
bool BlockJudge::from_short(uint32_t func, int stage, std::span<const Tag> sources,
                            Finding* missing) {
  for (const Tag& s : sources.subspan(1)) {
    if (s.point < 2 || points_[s.point].func != func) continue;
    if (s.stage == Tag::kShort) {
      *missing = short_of_[s.steps];
      return true;
    }
    const int64_t* p = funcs_[func].points.point(points_[s.point].index);
    if (!stages_done(func, {p, p + funcs_[func].func->args.size()}, static_cast<int>(s.stage),
                     s.steps, stage, missing))
      return true;
  }
  return false;
}

// All steps of stages from..to-1, where stage `from` has come as far as `state`.
bool BlockJudge::stages_done(uint32_t func, const std::vector<int64_t>& point, int from,
                             uint32_t state, int to, Finding* finding) {
  const ir::Func& f = *funcs_[func].func;
  for (int k = std::max(from, 1); k < to; ++k) {
    const auto& steps = evaluator_.steps_of(f.sym, k, point);
    const uint32_t done = k == from ? state : 0;
    if (count(done) >= steps.size()) continue;
    uint32_t missing = 0;
    while (has(done, missing)) ++missing;
    finding->kind = FindingKind::StepMissing;
    finding->func = f.sym;
    finding->stage = k;
    finding->point = point;
    finding->expected_reduction = evaluator_.reduction_of(f.sym, k, steps[missing].ordinal);
    return false;
  }
  return true;
}

bool BlockJudge::step(uint32_t func, int stage, std::span<const int64_t> point,
                      std::span<const int64_t> reduction, Val stored, std::span<const Tag> sources,
                      Tag* tag, Finding* finding) {
  const FuncInfo& info = funcs_[func];
  const ir::Func& f = *info.func;
  const std::vector<int64_t> p(point.begin(), point.end());
  const std::vector<int64_t> r(reduction.begin(), reduction.end());
  const size_t stage_index = static_cast<size_t>(stage);
  const uint32_t mine = number(func, point);
  *tag = {mine, static_cast<uint32_t>(stage), 0};

  // Where this update starts from: the value read if there is one of this point, else the cell.
  const Tag* source = nullptr;
  bool untracked = false;
  for (size_t i = sources.size(); i-- > 0;) {
    if (sources[i].point == mine) {
      if (!source || sources[i].stage > source->stage ||
          (sources[i].stage == source->stage && count(sources[i].steps) > count(source->steps)))
        source = &sources[i];
    }
    untracked = untracked || sources[i].point == Tag::kComputed;
  }
  if (!source && info.reads_itself[stage_index]) {
    if (untracked || stored.poison) {
      *tag = {Tag::kComputed, 0, 0};
      return true;
    }
    finding->kind = FindingKind::StepSource;
    return false;
  }

  const auto& steps = evaluator_.steps_of(f.sym, stage, p);
  const int64_t ordinal = evaluator_.ordinal_of(f.sym, stage, r);
  const auto it = std::lower_bound(steps.begin(), steps.end(), ordinal,
                                   [](const UpdateStep& s, int64_t o) { return s.ordinal < o; });
  if (it == steps.end() || it->ordinal != ordinal) {
    finding->kind = FindingKind::StepUnknown;
    return false;
  }
  const uint32_t index = static_cast<uint32_t>(it - steps.begin());
  uint32_t state = 0;
  if (source) {
    if (source->stage == Tag::kShort) {
      *tag = *source;
      return true;
    }
    if (static_cast<int>(source->stage) > stage) {
      finding->kind = FindingKind::StageOrder;
      finding->number = source->stage;
      return false;
    }
    if (static_cast<int>(source->stage) == stage) {
      state = source->steps;
    } else if (Finding missing; !stages_done(func, p, static_cast<int>(source->stage),
                                             source->steps, stage, &missing)) {
      *tag = short_of(mine, missing);
      return true;
    }
  }
  if (has(state, index)) {
    finding->kind = FindingKind::StepTwice;
    return false;
  }
  const bool any_order = info.commutes[stage_index];
  if (!any_order && index != count(state)) {
    finding->kind = FindingKind::StepOrder;
    finding->expected_reduction =
        evaluator_.reduction_of(f.sym, stage, steps[count(state)].ordinal);
    return false;
  }
  tag->steps = with(state, index);
  const bool last = count(tag->steps) == steps.size();
  if (!info.compared) inherit_short(sources, tag);
  if (stored.poison || !info.compared || (any_order && !last)) return true;
  const std::vector<ir::Scalar>& values = any_order ? steps.back().values : it->values;
  if (same_as_any(f, stored, values)) return true;
  const ir::Scalar expected = values[0];  // the steps of other points move what `values` refers to
  if (Finding missing; from_short(func, stage, sources, &missing)) {
    *tag = short_of(mine, missing);
    return true;
  }
  finding->kind = FindingKind::BlockValue;
  finding->expected = expected;
  finding->actual = to_scalar(f.types[0], stored);
  return false;
}

bool BlockJudge::compared(const Symbol& func) const {
  for (const FuncInfo& f : funcs_) {
    if (f.func->sym == func) return f.compared;
  }
  return false;
}

bool BlockJudge::complete(const Tag& tag, Finding* finding) {
  if (tag.point < 2) return true;
  const Point at = points_[tag.point];
  const FuncInfo& info = funcs_[at.func];
  if (tag.stage == Tag::kShort) {
    const Finding& missing = short_of_[tag.steps];
    finding->kind = missing.kind;
    finding->func = missing.func;
    finding->stage = missing.stage;
    finding->point = missing.point;
    finding->expected_reduction = missing.expected_reduction;
    return false;
  }
  const int64_t* p = info.points.point(at.index);
  return stages_done(at.func, {p, p + info.func->args.size()}, static_cast<int>(tag.stage),
                     tag.steps, info.func->num_stages(), finding);
}

}  // namespace hocket::interp
