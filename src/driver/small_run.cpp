#include "driver/small_run.h"

#include <algorithm>
#include <cmath>

#include "diag/kinds_runtime.h"
#include "driver/small_arguments.h"

namespace hocket::driver {

using interp::Tensor;
using ir::EntryArg;
using ir::Scalar;
using ir::Symbol;

namespace {

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
  options.step_limit = 4 * how.step_limit;  // a step of the program is a few of the algorithm
  out.wanted = interp::evaluate(algorithm, bindings, regions, options);
  return out;
}

bool holds_poison(const std::vector<Tensor>& tensors) {
  bool found = false;
  for (const Tensor& t : tensors)
    t.for_each_point([&](std::span<const int64_t> p) { found = found || t.at(p).poison; });
  return found;
}

// Whether the evaluator was stopped for its steps or its memory: then nothing is known.
bool give_up(const Evaluated& evaluated, SmallRun& out) {
  if (evaluated.wanted.ok()) return false;
  interp::Finding f;
  f.kind = interp::FindingKind::EvaluatorStopped;
  f.diagnostic = evaluated.wanted.error();
  if (!interp::is_budget(f)) return false;
  out.outcome.findings = {std::move(f)};
  return true;
}

// The first point of an output where the program's value is not the evaluator's.
void compare_outputs(const Evaluated& evaluated, SmallRun& out) {
  const auto& [outputs, owner, wanted] = evaluated;
  if (give_up(evaluated, out) || !wanted) return;
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
  const ir::PipelineEntry& entry = *proc.entry;
  SmallArguments made(entry);
  out.trouble = made.outputs(how.extents, how.plan, how.grow);
  if (!out.trouble.empty()) return out;
  std::vector<Tensor>& tensors = made.tensors();
  for (size_t i = 0; i < entry.args.size(); ++i)
    if (entry.args[i].kind == EntryArg::Kind::Output)
      speak(out.sizes, entry.args[i].sym.name(), tensors[i]);
  out.trouble = made.inputs();
  if (!out.trouble.empty()) return out;
  for (size_t i = 0; i < entry.args.size(); ++i) {
    if (entry.args[i].kind != EntryArg::Kind::Input) continue;
    fill(tensors[i], how.fill, how.seed + i);
    speak(out.sizes, entry.args[i].sym.name(), tensors[i]);
  }
  interp::Arguments arguments;
  for (size_t i = 0; i < entry.args.size(); ++i) {
    if (entry.args[i].kind == EntryArg::Kind::Scalar)
      arguments.emplace_back(made.scalars()[i]);
    else
      arguments.emplace_back(tensors[i]);
  }
  interp::RunOptions options;
  options.order = how.order;
  options.seed = how.seed;
  options.step_limit = how.step_limit;
  options.memory_limit = how.memory_limit;
  options.max_findings = how.max_findings;
  if (how.compare == Compare::Blocks && algorithm != nullptr) {
    options.blocks.emplace();
    options.blocks->algorithm = algorithm;
  }
  out.outcome = interp::run_pipeline(proc, arguments, options);
  if (algorithm == nullptr) return out;
  if (how.compare == Compare::Outputs && out.outcome.ok())
    compare_outputs(evaluated(*algorithm, entry, tensors, made.scalars(), how), out);
  const bool given_up = !out.outcome.findings.empty() && interp::is_budget(out.outcome.findings[0]);
  if (!out.outcome.ok() && !out.outcome.entry && !given_up) {
    const Evaluated own = evaluated(*algorithm, entry, tensors, made.scalars(), how);
    if (give_up(own, out)) return out;
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
