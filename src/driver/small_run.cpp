#include "driver/small_run.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>

#include "abi/hocket_abi.h"
#include "analysis/equalities.h"
#include "analysis/evaluate.h"
#include "diag/kinds_runtime.h"
#include "ir/visit.h"

namespace hocket::driver {

using interp::Tensor;
using ir::EntryArg;
using ir::Scalar;
using ir::Symbol;

namespace {

constexpr int64_t kLargestInput = int64_t{1} << 22;  // elements of one input of a small run

constexpr int kMostRounds = 256;

std::optional<int64_t> small(const std::optional<analysis::BigInt>& v) {
  return v ? v->to_int64() : std::nullopt;
}

// A value for a scalar parameter: its default, else one inside its range.
Scalar value_of(const EntryArg& arg) {
  const ir::Type type = arg.sym.type();
  if (arg.default_value) {
    if (type.is_float()) return Scalar::of_float(type, *arg.default_value);
    // Those of u64 go beyond what int64_t holds.
    const double v = *arg.default_value;
    return Scalar::of_int(type, v >= 0x1p63 ? static_cast<int64_t>(static_cast<uint64_t>(v))
                                            : static_cast<int64_t>(v));
  }
  for (const ir::Expr& end : {arg.range_min, arg.range_max}) {
    if (!end.defined()) continue;
    if (const auto* i = end.as<ir::IntImm>()) return Scalar::of_int(type, i->value);
    if (const auto* f = end.as<ir::FloatImm>()) return Scalar::of_float(type, f->value);
  }
  return type.is_float() ? Scalar::of_float(type, 1) : Scalar::of_int(type, 1);
}

void roughen(Tensor& t, uint64_t seed) {
  interp::Random random(seed);
  t.for_each_point([&](std::span<const int64_t> p) {
    const double digits = static_cast<double>(random.between(-1000, 1000)) / 3;
    t.set(p, Scalar::of_float(t.type(), std::ldexp(digits, static_cast<int>(random.below(12)))));
  });
}

void fill(Tensor& t, Fill fill, uint64_t seed) {
  const ir::Type type = t.type();
  switch (fill) {
    case Fill::Random:
      t.fill_random(seed);
      break;
    case Fill::Small:
      t.fill_random(seed, 0, 7);
      break;
    case Fill::Same:
      t.fill(type.is_float() ? Scalar::of_float(type, 1) : Scalar::of_int(type, 1));
      break;
    case Fill::Rough:
      t.fill_random(seed);
      if (type.is_float()) roughen(t, seed);
      break;
  }
}

// What the evaluator makes of the same arguments, poison left in it; an error where it cannot.
struct Evaluated {
  std::vector<const Tensor*> outputs;  // of the program
  std::vector<const ir::Func*> owner;  // of every output tensor
  diag::Result<std::vector<Tensor>> wanted = std::vector<Tensor>{};
};

Evaluated evaluated(const ir::Algorithm& algorithm, const ir::PipelineEntry& entry,
                    const std::vector<Tensor>& tensors, const std::vector<Scalar>& scalars,
                    const Small& how) {
  Evaluated out;
  interp::Bindings bindings;
  for (size_t i = 0; i < entry.args.size(); ++i) {
    const EntryArg& a = entry.args[i];
    if (a.kind == EntryArg::Kind::Scalar) bindings.scalar(a.sym.name(), scalars[i]);
    if (a.kind == EntryArg::Kind::Input) bindings.image(a.sym.name(), tensors[i]);
    if (a.kind == EntryArg::Kind::Output) out.outputs.push_back(&tensors[i]);
  }
  std::vector<interp::Region> regions;
  for (const ir::Symbol& o : algorithm.outputs) {
    const ir::Func* f = algorithm.find(o);
    const Tensor& t = *out.outputs[out.owner.size()];
    regions.push_back({t.mins(), t.extents()});
    out.owner.insert(out.owner.end(), f->types.size(), f);
  }
  interp::EvaluateOptions options;
  options.poison_is_error = false;
  options.step_limit = how.step_limit;
  out.wanted = interp::evaluate(algorithm, bindings, regions, options);
  return out;
}

bool holds_poison(const std::vector<Tensor>& tensors) {
  bool found = false;
  for (const Tensor& t : tensors)
    t.for_each_point([&](std::span<const int64_t> p) { found = found || t.at(p).poison; });
  return found;
}

// The first point of an output where the program's value is not the evaluator's.
void compare_outputs(const Evaluated& evaluated, SmallRun& out) {
  const auto& [outputs, owner, wanted] = evaluated;
  if (!wanted) return;
  for (size_t k = 0; k < wanted->size(); ++k) {
    Tensor got = *outputs[k];
    const Tensor& right = (*wanted)[k];
    right.for_each_point([&](std::span<const int64_t> p) {  // poison may be anything
      if (right.at(p).poison) got.set(p, right.at(p));
    });
    const auto at = interp::first_difference(right, got);
    if (!at) continue;
    interp::Finding f;
    f.kind = interp::FindingKind::OutputValue;
    f.func = owner[k]->sym;
    f.point = f.element = *at;
    f.expected = right.at(*at);
    f.actual = got.at(*at);
    out.outcome.findings.push_back(std::move(f));
    return;
  }
}

// Where the algorithm has no value itself, the program owes none.
void forgive(const Evaluated& own, const ir::PipelineEntry& entry, SmallRun& out) {
  std::vector<Symbol> outputs;
  for (const EntryArg& a : entry.args)
    if (a.kind == EntryArg::Kind::Output) outputs.push_back(a.sym);
  const auto owes_none = [&](const interp::Finding& f) {
    if (f.kind != interp::FindingKind::PoisonOutput) return false;
    const auto at = std::find(outputs.begin(), outputs.end(), f.buffer);
    if (at == outputs.end()) return false;
    return (*own.wanted)[static_cast<size_t>(at - outputs.begin())].at(f.point).poison;
  };
  if (std::erase_if(out.outcome.findings, owes_none) > 0 && out.outcome.ok())
    compare_outputs(own, out);
}

void speak(std::string& sizes, const std::string& name, const Tensor& t) {
  if (!sizes.empty()) sizes += ", ";
  sizes += name;
  for (int d = 0; d < t.rank(); ++d) sizes += (d ? " x " : " ") + std::to_string(t.extent(d));
}

}  // namespace

SmallRun run_small(const ir::Proc& proc, const ir::Algorithm* algorithm, const Small& how) {
  SmallRun out;
  const std::vector<int64_t>& extents = how.extents;
  const ir::PipelineEntry& entry = *proc.entry;
  std::unordered_map<Symbol, int64_t> values;
  std::vector<Tensor> tensors(entry.args.size());
  std::vector<Scalar> scalars(entry.args.size());
  auto bind = [&](const EntryArg& arg, const Tensor& t) {
    for (int d = 0; d < t.rank(); ++d) {
      const ir::EntryDim& e = arg.dims[static_cast<size_t>(d)];
      if (e.min.defined()) values[e.min] = t.min(d);
      if (e.extent.defined()) values[e.extent] = t.extent(d);
      if (e.stride.defined()) values[e.stride] = t.stride(d);
    }
  };
  for (size_t i = 0; i < entry.args.size(); ++i) {
    const EntryArg& arg = entry.args[i];
    if (arg.kind == EntryArg::Kind::Scalar) {
      scalars[i] = value_of(arg);
      if (!arg.sym.type().is_float()) values[arg.sym] = scalars[i].i;
    } else if (arg.kind == EntryArg::Kind::Output) {
      std::vector<int64_t> mins(arg.dims.size(), 0), sizes(arg.dims.size(), 1);
      int64_t count = 1;
      for (size_t d = 0; d < arg.dims.size(); ++d) {
        sizes[d] = extents.empty() ? 1 : extents[d % extents.size()];
        count *= std::max<int64_t>(sizes[d], 1);
        if (count <= kLargestInput) continue;
        out.trouble = "`" + arg.sym.name() + "` is too large to try";
        return out;
      }
      tensors[i] = Tensor::of_box(arg.sym.type(), mins, sizes);
      bind(arg, tensors[i]);
    } else {
      // Sizes that an input's own region asks about start as the outputs' (a histogram reads its
      // whole input, however large that is).
      std::vector<int64_t> sizes(arg.dims.size(), 1);
      for (size_t d = 0; d < sizes.size(); ++d)
        sizes[d] = extents.empty() ? 1 : extents[d % extents.size()];
      bind(arg, Tensor::of_box(arg.sym.type(), std::vector<int64_t>(sizes.size(), 0), sizes));
    }
  }
  const analysis::TermValue term = [&](const ir::Expr& e) -> std::optional<analysis::BigInt> {
    if (auto* v = e.as<ir::VarRef>())
      if (auto found = values.find(v->sym); found != values.end())
        return analysis::BigInt(found->second);
    return std::nullopt;
  };
  // The region that the plan gives an output.
  const auto bound_by_plan = [&](const EntryArg& arg, Tensor& t) {
    std::vector<int64_t> mins = t.mins(), sizes = t.extents();
    for (const schedule::DimBound& b : how.plan->of(arg.sym.parent()).bounds) {
      const std::optional<int64_t> lo = small(analysis::evaluate(b.min, term));
      const std::optional<int64_t> extent = small(analysis::evaluate(b.extent, term));
      if (!lo || !extent || *extent < 0 || *extent > kLargestInput) continue;
      if (*lo < INT32_MIN || *lo > INT32_MAX - *extent) continue;  // refused at entry
      mins[static_cast<size_t>(b.dim)] = *lo;
      sizes[static_cast<size_t>(b.dim)] = *extent;
    }
    t = Tensor::of_box(arg.sym.type(), mins, sizes);
    bind(arg, t);
  };
  if (how.plan != nullptr)
    for (size_t i = 0; i < entry.args.size(); ++i)
      if (entry.args[i].kind == EntryArg::Kind::Output) bound_by_plan(entry.args[i], tensors[i]);
  // The box that the entry asks of an argument.
  const auto needed = [&](const EntryArg& arg) -> std::optional<Tensor> {
    std::vector<int64_t> mins, sizes;
    int64_t count = 1;
    for (const ir::EntryDim& d : arg.dims) {
      std::optional<int64_t> lo = small(analysis::evaluate(d.required_min, term));
      std::optional<int64_t> hi = small(analysis::evaluate(d.required_max, term));
      if (!lo || !hi) {
        out.trouble = "the region of `" + arg.sym.name() + "` cannot be computed";
        return std::nullopt;
      }
      if (*lo < INT32_MIN || *lo > INT32_MAX || *hi < INT32_MIN || *hi > INT32_MAX) {
        out.trouble = "`" + arg.sym.name() + "` would reach from " + std::to_string(*lo) + " to " +
                      std::to_string(*hi) + ", and coordinates have 32 bits";
        return std::nullopt;
      }
      mins.push_back(*lo);
      sizes.push_back(std::max<int64_t>(*hi - *lo + 1, 0));
      count *= std::max<int64_t>(sizes.back(), 1);
      if (count > kLargestInput || sizes.back() > kLargestInput) {
        out.trouble = "`" + arg.sym.name() + "` is too large to try";
        return std::nullopt;
      }
    }
    return Tensor::of_box(arg.sym.type(), mins, sizes);
  };
  // An output of which the entry fixes a region has that one. Others that read it move, and shrink,
  // until they ask for no more of it.
  const auto fixed_by_entry = [&] {
    bool moved = false;
    for (const ir::EntryCheck& c : entry.checks) {
      if (!c.argument.defined() || c.code != HOCKET_ERROR_CONSTRAINT_VIOLATED) continue;
      const size_t i = entry.position(c.argument);
      const auto d = static_cast<size_t>(c.dimension);
      const ir::EntryDim& dim = entry.args[i].dims[d];
      std::vector<int64_t> mins = tensors[i].mins(), sizes = tensors[i].extents();
      analysis::for_each_equality(c.cond, [&](const ir::Expr& side, const ir::Expr& value) {
        const auto* v = side.as<ir::VarRef>();
        const std::optional<int64_t> n =
            v != nullptr ? small(analysis::evaluate(value, term)) : std::nullopt;
        if (!n || *n < INT32_MIN || *n > INT32_MAX) return;
        if (v->sym == dim.min) mins[d] = *n;
        if (v->sym == dim.extent && *n >= 0 && *n <= kLargestInput) sizes[d] = *n;
      });
      if (mins == tensors[i].mins() && sizes == tensors[i].extents()) continue;
      moved = true;
      tensors[i] = Tensor::of_box(entry.args[i].sym.type(), mins, sizes);
      bind(entry.args[i], tensors[i]);
    }
    return moved;
  };
  // Moves every other output whose place `end` speaks of; `shrink` takes points from its extent.
  const auto yield_to = [&](const ir::Expr& end, const EntryArg& fixed, int64_t move,
                            int64_t shrink) {
    for (size_t i = 0; i < entry.args.size(); ++i) {
      const EntryArg& other = entry.args[i];
      if (other.kind != EntryArg::Kind::Output || other.sym == fixed.sym) continue;
      std::vector<int64_t> mins = tensors[i].mins(), sizes = tensors[i].extents();
      for (size_t d = 0; d < other.dims.size(); ++d) {
        if (!ir::uses(end, other.dims[d].min)) continue;
        mins[d] = std::clamp<int64_t>(mins[d] + move, INT32_MIN, INT32_MAX - sizes[d]);
        sizes[d] = std::max<int64_t>(sizes[d] - shrink, 1);
      }
      tensors[i] = Tensor::of_box(other.sym.type(), mins, sizes);
      bind(other, tensors[i]);
    }
  };
  const auto fit_to_fixed = [&] {
    for (const ir::EntryCheck& c : entry.checks) {
      if (!c.argument.defined() || c.code != HOCKET_ERROR_CONSTRAINT_VIOLATED) continue;
      const size_t i = entry.position(c.argument);
      const int d = c.dimension;
      const ir::EntryDim& dim = entry.args[i].dims[static_cast<size_t>(d)];
      const int64_t first = tensors[i].min(d), last = first + tensors[i].extent(d) - 1;
      for (const bool shrink : {false, true}) {
        const auto lo = small(analysis::evaluate(dim.required_min, term));
        const int64_t before = lo ? std::max<int64_t>(first - *lo, 0) : 0;
        if (before > 0) yield_to(dim.required_min, entry.args[i], before, shrink ? before : 0);
        const auto hi = small(analysis::evaluate(dim.required_max, term));
        const int64_t behind = hi ? std::max<int64_t>(*hi - last, 0) : 0;
        if (behind > 0)
          yield_to(dim.required_max, entry.args[i], shrink ? 0 : -behind, shrink ? behind : 0);
      }
    }
  };
  if (how.grow && fixed_by_entry()) fit_to_fixed();
  // Outputs first: what an input has to hold follows from them. One that grows may make another
  // one grow that it reads, as in a bounds query.
  bool rests = !how.grow;
  for (int round = 0; !rests && round < kMostRounds; ++round) {
    rests = true;
    for (size_t i = 0; i < entry.args.size(); ++i) {
      if (entry.args[i].kind != EntryArg::Kind::Output) continue;
      std::optional<Tensor> box = needed(entry.args[i]);
      if (!box) return out;
      if (box->mins() == tensors[i].mins() && box->extents() == tensors[i].extents()) continue;
      rests = false;
      tensors[i] = *std::move(box);
      bind(entry.args[i], tensors[i]);
    }
  }
  for (size_t i = 0; i < entry.args.size(); ++i) {
    const EntryArg& arg = entry.args[i];
    if (arg.kind == EntryArg::Kind::Output) speak(out.sizes, arg.sym.name(), tensors[i]);
  }
  for (size_t i = 0; i < entry.args.size(); ++i) {
    const EntryArg& arg = entry.args[i];
    if (arg.kind != EntryArg::Kind::Input) continue;
    std::optional<Tensor> box = needed(arg);
    if (!box) return out;
    tensors[i] = *std::move(box);
    bind(arg, tensors[i]);
    fill(tensors[i], how.fill, how.seed + i);
    speak(out.sizes, arg.sym.name(), tensors[i]);
  }
  interp::Arguments arguments;
  for (size_t i = 0; i < entry.args.size(); ++i) {
    if (entry.args[i].kind == EntryArg::Kind::Scalar)
      arguments.emplace_back(scalars[i]);
    else
      arguments.emplace_back(tensors[i]);
  }
  interp::RunOptions options;
  options.order = how.order;
  options.seed = how.seed;
  options.step_limit = how.step_limit;
  options.max_findings = how.max_findings;
  if (how.compare == Compare::Blocks && algorithm != nullptr) {
    options.blocks.emplace();
    options.blocks->algorithm = algorithm;
  }
  out.outcome = interp::run_pipeline(proc, arguments, options);
  if (algorithm == nullptr) return out;
  if (how.compare == Compare::Outputs && out.outcome.ok())
    compare_outputs(evaluated(*algorithm, entry, tensors, scalars, how), out);
  if (!out.outcome.ok() && !out.outcome.entry) {
    const Evaluated own = evaluated(*algorithm, entry, tensors, scalars, how);
    // A condition of a domain that is poison ends the evaluation.
    out.algorithm_poisons = own.wanted.ok()
                                ? holds_poison(*own.wanted)
                                : own.wanted.error().kind == diag::Kind(diag::kind::poison_domain);
    if (out.algorithm_poisons && own.wanted.ok()) forgive(own, entry, out);
  }
  return out;
}

std::vector<std::string> witness_of(const SmallRun& run) {
  std::vector<std::string> lines;
  if (!run.trouble.empty()) return lines;
  for (const interp::Finding& f : run.outcome.findings) {
    if (lines.empty()) lines.push_back("smallest sizes that show it: " + run.sizes);
    lines.push_back(f.text());
  }
  return lines;
}

}  // namespace hocket::driver
