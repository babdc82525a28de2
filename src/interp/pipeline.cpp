// The door of a pipeline's proc in the interpreter: what hocket_call checks of compiled code, asked
// of tensors. In: a proc with an entry, arguments in the entry's order. Out: an entry error as the
// ABI names it, or the outcome of the run. Called by: run_pipeline (run.h).
#include <unordered_map>

#include "abi/hocket_abi.h"
#include "interp/session.h"

namespace hocket::interp {

using ir::EntryArg;
using ir::Scalar;

namespace {

using Refusal = std::optional<EntryError>;

EntryError refusal(int code, const EntryArg& a, int dimension = -1) {
  EntryError e;
  e.code = code;
  e.argument = a.sym.name();
  e.dimension = dimension;
  return e;
}

bool is_buffer(const EntryArg& a) {
  return a.kind != EntryArg::Kind::Scalar;
}

// Rank, type and coordinates of a tensor; type of a scalar.
Refusal check_argument(const EntryArg& a, const Argument& given) {
  if (is_buffer(a) != (given.tensor != nullptr)) return refusal(HOCKET_ERROR_BUFFER_NULL, a);
  if (!is_buffer(a)) {
    if (given.scalar.type != a.sym.type()) return refusal(HOCKET_ERROR_WRONG_TYPE, a);
    return std::nullopt;
  }
  const Tensor& t = *given.tensor;
  if (t.rank() != static_cast<int>(a.dims.size())) return refusal(HOCKET_ERROR_WRONG_RANK, a);
  if (t.type() != a.sym.type().element()) return refusal(HOCKET_ERROR_WRONG_TYPE, a);
  for (int d = 0; d < t.rank(); ++d) {
    const __int128 first = t.min(d), last = first + std::max<int64_t>(t.extent(d), 1) - 1;
    if (first >= INT32_MIN && last <= INT32_MAX && t.extent(d) <= INT32_MAX) continue;
    EntryError e = refusal(HOCKET_ERROR_EXTENT_OVERFLOW, a, d);
    e.constraint = HOCKET_CONSTRAINT_COORDINATES;
    e.given_min = t.min(d);
    e.given_max = static_cast<int64_t>(last);
    return e;
  }
  return std::nullopt;
}

class PipelineRun {
 public:
  PipelineRun(const ir::Proc& proc, const Arguments& arguments, const RunOptions& options)
      : entry_(*proc.entry), arguments_(arguments), options_(options), session_(proc, options) {}

  Outcome go() {
    if (!session_.ready()) return session_.take_outcome();
    for (size_t i = 0; i < entry_.args.size(); ++i) {
      if (auto r = check_argument(entry_.args[i], arguments_[i]))
        return session_.refuse(std::move(*r));
    }
    bind();
    if (auto r = check_values()) return session_.refuse(std::move(*r));
    session_.execute([&] { check_outputs(); });
    for (size_t i = 0; i < entry_.args.size(); ++i) {
      if (entry_.args[i].kind == EntryArg::Kind::Output)
        session_.machine->write_back(*memory_[i], *arguments_[i].tensor);
    }
    return session_.take_outcome();
  }

 private:
  Val over_params(const ir::Expr& e) {
    return session_.machine->value(session_.program->over_params(*session_.code, e));
  }

  void bind() {
    Machine& m = *session_.machine;
    std::unordered_map<ir::Symbol, const ParamCode*> param;
    for (const ParamCode& p : session_.code->params) param.emplace(p.param->sym, &p);
    const auto find = [&](const ir::Symbol& s) {
      const auto it = param.find(s);
      HOCKET_ASSERT(it != param.end(),
                    "`" + s.name() + "` of the entry is no parameter of the proc");
      return it->second;
    };
    memory_.resize(entry_.args.size());
    for (size_t i = 0; i < entry_.args.size(); ++i) {
      const EntryArg& a = entry_.args[i];
      if (!is_buffer(a)) {
        m.bind_scalar(*find(a.sym), arguments_[i].scalar);
        continue;
      }
      const Tensor& t = *arguments_[i].tensor;
      const ParamCode& p = *find(a.sym);
      Memory* memory = memory_[i] = m.import(t, a.sym, p.reason);
      if (a.kind == EntryArg::Kind::Output) {  // what was there before is no result
        for (uint32_t& poison : memory->poison) {
          if (poison != kHole) poison = p.reason;
        }
      }
      const auto index = [](int64_t v) { return Scalar::of_int(ir::Type::index(), v); };
      for (int d = 0; d < t.rank(); ++d) {
        const ir::EntryDim& dim = a.dims[static_cast<size_t>(d)];
        m.bind_scalar(*find(dim.min), index(t.min(d)));
        m.bind_scalar(*find(dim.extent), index(t.extent(d)));
        m.bind_scalar(*find(dim.stride), index(t.stride(d)));
      }
      if (session_.code->proc->form == ir::Form::Flat && p.shape.size() == 1 && t.rank() != 1) {
        m.bind_tensor(p, memory, {t.cells()}, {1});
      } else {  // outermost first
        m.bind_tensor(p, memory, {t.extents().rbegin(), t.extents().rend()},
                      {t.strides().rbegin(), t.strides().rend()});
      }
    }
  }

  // As hocket_call: ranges of scalars, constraints, regions, aliases, then the program's own
  // checks.
  Refusal check_values() {
    for (size_t i = 0; i < entry_.args.size(); ++i) {
      const EntryArg& a = entry_.args[i];
      if (is_buffer(a)) continue;
      const Scalar& v = arguments_[i].scalar;
      const auto below = [&](const ir::Expr& low, bool swap) {
        const Scalar bound = to_scalar(low.type(), over_params(low));
        const Scalar holds = swap ? ir::eval_binary(ir::BinaryOp::Le, v, bound)
                                  : ir::eval_binary(ir::BinaryOp::Le, bound, v);
        return holds.poison || !holds.truth();  // a NaN is in no range
      };
      // Ends that are no constants are checks of their own (below).
      const auto constant = [](const ir::Expr& e) {
        return e.defined() && (ir::is_int(e) || e.as<ir::FloatImm>());
      };
      if ((constant(a.range_min) && below(a.range_min, false)) ||
          (constant(a.range_max) && below(a.range_max, true))) {
        EntryError e = refusal(HOCKET_ERROR_PARAM_OUT_OF_RANGE, a);
        e.given_min = e.given_max = v.i;
        return e;
      }
    }
    for (size_t i = 0; i < entry_.args.size(); ++i) {
      const EntryArg& a = entry_.args[i];
      if (!is_buffer(a) || a.dims.empty() || arguments_[i].tensor->stride(0) == 1) continue;
      EntryError e = refusal(HOCKET_ERROR_CONSTRAINT_VIOLATED, a, 0);
      e.constraint = HOCKET_CONSTRAINT_STRIDE;
      e.needed_min = 1;
      e.given_min = arguments_[i].tensor->stride(0);
      return e;
    }
    for (size_t i = 0; i < entry_.args.size(); ++i) {
      if (!is_buffer(entry_.args[i])) continue;
      if (auto r = check_region(entry_.args[i], *arguments_[i].tensor)) return r;
    }
    for (size_t i = 0; i < entry_.args.size(); ++i) {
      if (entry_.args[i].kind != EntryArg::Kind::Output) continue;
      for (size_t k = 0; k < entry_.args.size(); ++k) {
        if (k != i && arguments_[k].tensor == arguments_[i].tensor)
          return refusal(HOCKET_ERROR_ALIAS_OVERLAP, entry_.args[i]);
      }
    }
    for (const ir::EntryCheck& c : entry_.checks) {
      const Val holds = over_params(c.cond);
      if (!holds.poison && holds.i) continue;
      EntryError e;
      e.code = c.code;
      e.text = c.message;
      if (c.argument.defined()) {
        e.argument = c.argument.name();
        e.dimension = c.dimension;
      }
      return e;
    }
    return std::nullopt;
  }

  Refusal check_region(const EntryArg& a, const Tensor& t) {
    struct Range {
      Val low, high;
    };
    std::vector<Range> needed;
    for (const ir::EntryDim& d : a.dims) {
      needed.push_back({d.required_min.defined() ? over_params(d.required_min) : Val::of(0),
                        d.required_max.defined() ? over_params(d.required_max) : Val::of(-1)});
      if (!(needed.back().low.poison | needed.back().high.poison) &&
          needed.back().low.i > needed.back().high.i)
        return std::nullopt;  // nothing is touched
    }
    for (int d = 0; d < t.rank(); ++d) {
      const auto [low, high] = needed[static_cast<size_t>(d)];
      if (!(low.poison | high.poison) && low.i >= t.min(d) && high.i < t.min(d) + t.extent(d))
        continue;
      EntryError e = refusal(HOCKET_ERROR_BUFFER_TOO_SMALL, a, d);
      e.needed_min = low.i;
      e.needed_max = high.i;
      e.given_min = t.min(d);
      e.given_max = t.min(d) + t.extent(d) - 1;
      return e;
    }
    return std::nullopt;
  }

  // Every element of every output is there and, with blocks, what the algorithm says.
  void check_outputs() {
    std::vector<std::pair<const ir::Func*, int>> meaning;  // of the outputs, in order
    if (options_.blocks) {
      for (const ir::Symbol& o : options_.blocks->algorithm->outputs) {
        const ir::Func* f = options_.blocks->algorithm->find(o);
        for (size_t v = 0; v < f->types.size(); ++v) meaning.emplace_back(f, static_cast<int>(v));
      }
    }
    size_t output = 0;
    for (size_t i = 0; i < entry_.args.size(); ++i) {
      if (entry_.args[i].kind != EntryArg::Kind::Output) continue;
      const auto [func, value] =
          output < meaning.size() ? meaning[output] : std::pair<const ir::Func*, int>{};
      ++output;
      const Tensor& t = *arguments_[i].tensor;
      t.for_each_point([&](std::span<const int64_t> p) { check_output(i, t, p, func, value); });
    }
  }

  void check_output(size_t i, const Tensor& t, std::span<const int64_t> p, const ir::Func* func,
                    int value) {
    Machine& machine = *session_.machine;
    const Memory& m = *memory_[i];
    const size_t cell = static_cast<size_t>(t.cell_of(p));
    const Val got{m.value[cell], m.poison[cell]};
    Finding f;
    f.buffer = f.root = entry_.args[i].sym;
    f.element.assign(p.begin(), p.end());
    f.point = f.element;
    if (got.poison) {
      if (!options_.check_outputs) return;
      f.kind = FindingKind::PoisonOutput;
      f.reason = machine.reason(got.poison);
      machine.report(std::move(f), nullptr);
      return;
    }
    if (!func) return;
    if (!session_.judge->complete(m.tags[cell], &f)) {
      machine.report(std::move(f), nullptr);
      return;
    }
    if (!session_.judge->compared(func->sym)) return;
    const Scalar expected = session_.evaluator->value(func->sym, value, f.point);
    if (expected.poison || same_bits(m.type, got, to_val(expected, 1))) return;
    f.kind = FindingKind::OutputValue;
    f.func = func->sym;
    f.expected = expected;
    f.actual = to_scalar(m.type, got);
    machine.report(std::move(f), nullptr);
  }

  const ir::PipelineEntry& entry_;
  const Arguments& arguments_;
  const RunOptions& options_;
  Session session_;
  std::vector<Memory*> memory_;
};

}  // namespace

Outcome run_pipeline(const ir::Proc& proc, const Arguments& arguments, const RunOptions& options) {
  HOCKET_ASSERT(proc.entry != nullptr, "`" + proc.name() + "` is no pipeline");
  HOCKET_ASSERT(arguments.size() == proc.entry->args.size(),
                "one argument per argument of the entry");
  if (!options.blocks) return PipelineRun(proc, arguments, options).go();
  // The evaluator sees the same arguments and the regions that the outputs have.
  RunOptions with = options;
  Bindings bindings;
  with.blocks->regions.clear();
  const ir::Algorithm& algorithm = *options.blocks->algorithm;
  std::vector<const Tensor*> outputs;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const EntryArg& a = proc.entry->args[i];
    if (a.kind == EntryArg::Kind::Scalar) bindings.scalar(a.sym.name(), arguments[i].scalar);
    if (a.kind == EntryArg::Kind::Input && arguments[i].tensor)
      bindings.image(a.sym.name(), *arguments[i].tensor);
    if (a.kind == EntryArg::Kind::Output) outputs.push_back(arguments[i].tensor);
  }
  size_t at = 0;
  for (const ir::Symbol& o : algorithm.outputs) {
    if (at < outputs.size() && outputs[at])
      with.blocks->regions.push_back({outputs[at]->mins(), outputs[at]->extents()});
    at += algorithm.find(o)->types.size();
  }
  if (!with.blocks->bindings) with.blocks->bindings = &bindings;
  return PipelineRun(proc, arguments, with).go();
}

}  // namespace hocket::interp
