#include "driver/dry_run.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "analysis/evaluate.h"
#include "lower/loops/lower.h"

namespace hocket::driver {

using interp::Tensor;
using ir::EntryArg;
using ir::Scalar;
using ir::Symbol;

namespace {

constexpr int64_t kLargestInput = int64_t{1} << 22;  // elements of one input of a small run

std::optional<int64_t> small(const std::optional<analysis::BigInt>& v) {
  return v ? v->to_int64() : std::nullopt;
}

// A value for a scalar parameter: its default, else one inside its range.
Scalar value_of(const EntryArg& arg) {
  const ir::Type type = arg.sym.type();
  if (arg.default_value) {
    return type.is_float() ? Scalar::of_float(type, *arg.default_value)
                           : Scalar::of_int(type, static_cast<int64_t>(*arg.default_value));
  }
  if (arg.range_min.defined())
    if (auto* i = arg.range_min.as<ir::IntImm>()) return Scalar::of_int(type, i->value);
  if (arg.range_max.defined())
    if (auto* i = arg.range_max.as<ir::IntImm>()) return Scalar::of_int(type, i->value);
  return type.is_float() ? Scalar::of_float(type, 1) : Scalar::of_int(type, 1);
}

void speak(std::string& sizes, const std::string& name, const Tensor& t) {
  if (!sizes.empty()) sizes += ", ";
  sizes += name;
  for (int d = 0; d < t.rank(); ++d) sizes += (d ? " x " : " ") + std::to_string(t.extent(d));
}

}  // namespace

SmallRun run_small(const ir::Proc& proc, const ir::Algorithm& algorithm,
                   const std::vector<int64_t>& extents, uint64_t seed, interp::Order order,
                   bool grow) {
  SmallRun out;
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
      for (size_t d = 0; d < arg.dims.size(); ++d)
        sizes[d] = extents.empty() ? 1 : extents[d % extents.size()];
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
  // Outputs first: what an input has to hold follows from them.
  for (const EntryArg::Kind kind : {EntryArg::Kind::Output, EntryArg::Kind::Input}) {
    for (size_t i = 0; i < entry.args.size(); ++i) {
      const EntryArg& arg = entry.args[i];
      if (arg.kind != kind) continue;
      if (kind == EntryArg::Kind::Input || grow) {
        std::optional<Tensor> box = needed(arg);
        if (!box) return out;
        tensors[i] = *std::move(box);
        bind(arg, tensors[i]);
      }
      if (kind == EntryArg::Kind::Input) tensors[i].fill_random(seed + i);
      speak(out.sizes, arg.sym.name(), tensors[i]);
    }
  }
  interp::Arguments arguments;
  for (size_t i = 0; i < entry.args.size(); ++i) {
    if (entry.args[i].kind == EntryArg::Kind::Scalar)
      arguments.emplace_back(scalars[i]);
    else
      arguments.emplace_back(tensors[i]);
  }
  interp::RunOptions options;
  options.order = order;
  options.seed = seed;
  options.step_limit = int64_t{1} << 24;
  options.blocks.emplace();
  options.blocks->algorithm = &algorithm;
  out.outcome = interp::run_pipeline(proc, arguments, options);
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

schedule::DryRun dry_run_of(ir::AlgorithmRef algorithm) {
  return [algorithm](const schedule::Plan& plan) -> std::vector<std::string> {
    diag::Result<ir::ProcRef> proc = lower::loops::to_loops(plan);
    if (!proc) return {};
    for (int64_t size = 2; size <= 8; ++size) {
      std::vector<std::string> lines =
          witness_of(run_small(**proc, *algorithm, {size, size}, static_cast<uint64_t>(size),
                               interp::Order::Forward, true));
      if (!lines.empty()) return lines;
    }
    return {};
  };
}

}  // namespace hocket::driver
