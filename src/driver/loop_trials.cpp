#include "driver/loop_trials.h"

#include <algorithm>
#include <optional>

#include "analysis/equalities.h"
#include "analysis/evaluate.h"
#include "analysis/facts.h"
#include "driver/small_run.h"
#include "interp/run.h"
#include "support/strings.h"

namespace hocket::driver {

using ir::ParamKind;

namespace {

constexpr int64_t kMostElements = 1 << 22;  // of all arguments together
constexpr int64_t kElementsOfAStep = 8;     // that are made in the time of a step
constexpr int64_t kStepsOfARun = 1 << 22;
constexpr int64_t kStepsOfAll = 1 << 24;
constexpr int kMostFindings = 32;
constexpr int64_t kSmallSizes[] = {1, 2, 3, 4, 5, 7, 8, 13};

struct Data {
  std::vector<interp::Tensor> tensors;
  interp::Arguments arguments;
};

// The strides that the asserts ask of a window; nothing where they ask for none, or for elements
// that share memory.
std::optional<std::vector<int64_t>> asked_strides(const ir::Proc& proc, const ir::Param& p,
                                                  const std::vector<int64_t>& extents,
                                                  const Numbers& numbers) {
  std::vector<std::optional<int64_t>> asked(extents.size());
  const auto ask = [&](const ir::Expr& field, const ir::Expr& value) {
    const auto* f = field.as<ir::BufferField>();
    if (f == nullptr || f->field != ir::BufferFieldKind::Stride || f->buffer != p.sym) return;
    if (const auto v = analysis::evaluate(value, numbers)) asked[static_cast<size_t>(f->dim)] = v;
  };
  for (const ir::Expr& c : proc.preconditions) analysis::for_each_equality(c, ask);
  bool any = false;
  int64_t span = 1;  // of the dimensions further in
  std::vector<int64_t> out(extents.size());
  for (size_t d = extents.size(); d-- > 0;) {
    any = any || asked[d].has_value();
    out[d] = asked[d].value_or(span);
    if (out[d] < span || out[d] > kMostElements) return std::nullopt;
    span = out[d] * std::max<int64_t>(extents[d], 1);
    if (span > kMostElements) return std::nullopt;
  }
  return any ? std::optional(out) : std::nullopt;
}

std::string too_large(const ir::Param& p) {
  return "with argument " + support::quoted(p.sym.name()) + " there would be more than " +
         std::to_string(kMostElements) + " elements";
}

// Arguments of the proc with these numbers, or why there are none; empty: a shape is not known.
std::optional<std::string> make_data(const ir::Proc& proc, const Numbers& numbers, uint64_t seed,
                                     Data& out) {
  out.tensors.reserve(proc.params.size());
  int64_t left = kMostElements;
  interp::Random random(seed);
  for (const ir::Param& p : proc.params) {
    const ir::Type type = p.type();
    if (p.kind == ParamKind::Size || p.kind == ParamKind::Index) {
      out.arguments.emplace_back(numbers.at(p.sym));
      continue;
    }
    if (p.kind == ParamKind::Scalar) {
      const auto wish = numbers.find(p.sym);
      const int64_t small = type.is_bool() ? random.below(2) : random.between(0, 3);
      if (type.is_float())
        out.arguments.emplace_back(random.value(type));
      else
        out.arguments.emplace_back(
            ir::Scalar::of_int(type, wish != numbers.end() ? wish->second : small));
      continue;
    }
    std::vector<int64_t> extents;
    int64_t count = 1;
    for (const ir::Expr& e : p.shape) {
      const std::optional<int64_t> n = analysis::evaluate(e, numbers);
      if (!n || *n < 0) return "";
      if (*n > left) return too_large(p);
      extents.push_back(*n);
      count *= std::max<int64_t>(*n, 1);
      if (count > left) return too_large(p);
    }
    left -= count;
    // Small whole numbers: what overflows with them overflows with almost anything.
    const auto strides =
        p.window ? asked_strides(proc, p, extents, numbers) : std::optional<std::vector<int64_t>>();
    interp::Tensor t = strides ? interp::Tensor::with_strides(
                                     type, std::vector<int64_t>(extents.size()), extents, *strides)
                               : interp::Tensor::row_major(type, extents);
    const uint64_t own = seed + out.tensors.size();
    if (type.is_integral())
      t.fill_random(own, 0, 3);
    else
      t.fill_random(own);
    out.tensors.push_back(std::move(t));
    out.arguments.emplace_back(out.tensors.back());
  }
  return std::nullopt;
}

std::string sizes_text(const ir::Proc& proc, const Numbers& numbers) {
  std::string text;
  for (const ir::Param& p : proc.params)
    if (p.kind == ParamKind::Size || p.kind == ParamKind::Index)
      text += (text.empty() ? "" : ", ") + p.sym.name() + " = " + std::to_string(numbers.at(p.sym));
  return text.empty() ? "one run" : "sizes " + text;
}

// Whether a finding says that the program is wrong: budgets say nothing, and a value that overflows
// depends on the data.
bool counts(const interp::Finding& f) {
  using Kind = interp::FindingKind;
  if (interp::is_budget(f)) return false;
  switch (f.kind) {
    case Kind::PoisonAddress:
    case Kind::PoisonBranch:
    case Kind::PoisonBound:
    case Kind::PoisonCheck:
    case Kind::PoisonOutput:
      return f.reason.kind == interp::Reason::Kind::Unwritten;
    default:
      return true;
  }
}

}  // namespace

namespace {

// Whether arguments can be made by the entry: all of a dimension is carried, and its region known.
bool runs_by_entry(const ir::Proc& proc) {
  if (!proc.entry) return false;
  for (const ir::EntryArg& arg : proc.entry->args)
    for (const ir::EntryDim& d : arg.dims)
      if (!d.carried() || !d.known()) return false;
  return true;
}

}  // namespace

LoopTrials::LoopTrials(const ir::Proc& proc) : proc_(proc) {
  if (!proc.entry) return;
  const auto asking = support::Ref<ir::Proc>(new ir::Proc(proc));
  for (ir::Expr& c : analysis::entry_conditions(proc))
    asking->preconditions.push_back(std::move(c));
  asking_ = ir::ProcRef(asking.get());
}

std::vector<Shown> LoopTrials::counted(const interp::Outcome& outcome, const std::string& sizes) {
  std::vector<Shown> out;
  steps_ += outcome.steps;
  if (outcome.entry) return out;
  const bool given_up = std::any_of(outcome.findings.begin(), outcome.findings.end(),
                                    [](const interp::Finding& f) { return interp::is_budget(f); });
  if (given_up)
    not_run_ = "a run takes more steps or memory than one may";
  else
    ++runs_;
  for (const interp::Finding& f : outcome.findings)
    if (counts(f)) out.push_back({sizes, f});
  return out;
}

std::vector<Shown> LoopTrials::run(const Numbers& numbers, uint64_t seed) {
  std::vector<Shown> out;
  Data data;
  if (steps_ > kStepsOfAll) return out;
  if (const std::optional<std::string> why = make_data(proc_, numbers, seed, data)) {
    if (!why->empty()) not_run_ = *why;
    return out;
  }
  for (const interp::Tensor& t : data.tensors) steps_ += t.count() / kElementsOfAStep;
  interp::RunOptions options;
  options.step_limit = kStepsOfARun;
  options.order = interp::Order::Reverse;
  options.max_findings = kMostFindings;
  const ir::Proc& asking = asking_ ? *asking_ : proc_;
  return counted(interp::run(asking, data.arguments, options), sizes_text(proc_, numbers));
}

// By its entry: outputs of these sizes, inputs as large as is needed.
std::vector<Shown> LoopTrials::run_pipeline(const std::vector<int64_t>& extents) {
  Small how;
  how.extents = extents;
  how.order = interp::Order::Reverse;
  how.fill = Fill::Small;
  how.max_findings = kMostFindings;
  how.step_limit = kStepsOfARun;
  SmallRun made;
  for (const bool grow : {false, true}) {
    if (steps_ > kStepsOfAll) return {};
    how.grow = grow;
    made = run_small(proc_, nullptr, how);
    if (!made.trouble.empty()) return {};
    if (!made.outcome.entry) break;
  }
  return counted(made.outcome, "sizes " + made.sizes);
}

Numbers LoopTrials::filled(const Numbers& given) const {
  Numbers numbers = given;
  for (const ir::Param& p : proc_.params)
    if (p.kind == ParamKind::Size || p.kind == ParamKind::Index) numbers.emplace(p.sym, 3);
  return numbers;
}

std::optional<Shown> LoopTrials::negative_extent(const ir::Symbol& parameter, size_t dim,
                                                 const Numbers& given) const {
  const Numbers numbers = filled(given);
  for (const ir::Param& p : proc_.params) {
    if (p.sym != parameter || dim >= p.shape.size()) continue;
    const std::optional<int64_t> n = analysis::evaluate(p.shape[dim], numbers);
    if (!n || *n >= 0) continue;
    Shown shown{sizes_text(proc_, numbers), {}};
    shown.finding.kind = interp::FindingKind::NegativeExtent;
    shown.finding.buffer = shown.finding.root = parameter;
    shown.finding.number = *n;
    return shown;
  }
  return std::nullopt;
}

std::vector<Shown> LoopTrials::at(const Numbers& given) {
  const Numbers numbers = filled(given);
  for (const uint64_t seed : {1, 2}) {
    std::vector<Shown> out = run(numbers, seed);
    if (!out.empty()) return out;
  }
  return {};
}

const std::vector<Shown>& LoopTrials::small(const Numbers& kept) {
  if (made_) return shown_;
  made_ = true;
  const auto keep = [&](std::vector<Shown> shown) {
    for (Shown& s : shown) shown_.push_back(std::move(s));
  };
  const auto add = [&](const Numbers& numbers) { keep(run(numbers, 1)); };
  const int before = runs_;
  const size_t kinds = std::size(kSmallSizes);
  if (runs_by_entry(proc_)) {
    for (size_t k = 0; k < kinds; ++k) {
      keep(run_pipeline({kSmallSizes[k]}));
      keep(run_pipeline({kSmallSizes[k], kSmallSizes[(k + 2) % kinds]}));
    }
    if (runs_ != before) return shown_;
  }
  const auto whole = [](const ir::Param& p) {
    return p.kind == ParamKind::Size || p.kind == ParamKind::Index;
  };
  const bool any = std::any_of(proc_.params.begin(), proc_.params.end(), whole);
  for (size_t k = 0; k < (any ? kinds : 1); ++k) {
    for (const bool mixed : {false, true}) {
      Numbers numbers;
      size_t at = k;
      for (const ir::Param& p : proc_.params) {
        if (!whole(p)) continue;
        const int64_t n = kSmallSizes[at % kinds];
        numbers[p.sym] = p.kind == ParamKind::Index ? n - 1 : n;
        if (mixed) at += 2;
      }
      if (!mixed || numbers.size() > 1) add(numbers);
    }
  }
  if (runs_ == before) {
    Numbers numbers = kept;
    for (const ir::Param& p : proc_.params)
      if (whole(p)) numbers.emplace(p.sym, 1);
    add(numbers);
  }
  return shown_;
}

}  // namespace hocket::driver
