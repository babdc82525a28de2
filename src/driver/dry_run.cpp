#include "driver/dry_run.h"

#include <algorithm>

#include "lower/loops/lower.h"
#include "schedule/seal.h"

namespace hocket::driver {

namespace {

constexpr int64_t kLargestSize = 8;
constexpr int64_t kAllSteps = int64_t{1} << 24;  // statements of all runs for one witness
constexpr int kFindings = 32;                    // of one run; the one that matters may come late

using Lines = std::vector<std::string>;

// The witness that this run gives; empty where it shows nothing.
Lines witness_in(const SmallRun& run, const schedule::Judgement& judge, Lines explained) {
  for (const interp::Finding& f : run.outcome.findings) {
    const schedule::Bears bears = judge(f);
    if (bears == schedule::Bears::Not) continue;
    if (bears == schedule::Bears::Shows) {
      Lines lines = {"smallest sizes that show it: " + run.sizes};
      lines.insert(lines.end(), explained.begin(), explained.end());
      lines.push_back(f.text());
      return lines;
    }
    if (explained.empty()) explained.push_back(f.text());
  }
  return {};
}

// Runs of one program, until a number of steps is used up.
class Runs {
 public:
  Runs(const ir::Proc& proc, const schedule::Plan& plan, const schedule::Judgement& judge)
      : proc_(proc), plan_(plan), judge_(judge) {}

  schedule::Replay smallest() {
    std::vector<int64_t> extents;
    for (int64_t size = 1; size <= kLargestSize; ++size) {
      for (const Fill fill : {Fill::Small, Fill::Random, Fill::Same, Fill::Rough}) {
        extents.assign(kDims, size);
        Lines lines = at(extents, fill);
        if (!lines.empty()) return {narrowed(extents, fill, std::move(lines)), ""};
        if (!trouble_.empty()) return {{}, trouble_};
      }
    }
    return {{}, any_ ? "" : "no small sizes are accepted at entry"};
  }

 private:
  static constexpr size_t kDims = 4;

  Lines at(const std::vector<int64_t>& extents, Fill fill) {
    Small how;
    how.extents = extents;
    how.fill = fill;
    how.grow = true;
    how.plan = &plan_;
    how.max_findings = kFindings;
    Lines explained;
    for (const Compare compare : {Compare::Blocks, Compare::Outputs}) {
      if (left_ <= 0) return {};
      how.compare = compare;
      how.step_limit = left_;
      const SmallRun run = run_small(proc_, *plan_.algorithm, how);
      left_ -= std::max<int64_t>(run.outcome.steps, 1);
      trouble_ = run.trouble;
      if (!trouble_.empty()) return {};
      any_ = any_ || !run.outcome.entry;
      Lines lines = witness_in(run, judge_, explained);
      if (!lines.empty()) return lines;
      for (const interp::Finding& f : run.outcome.findings)
        if (explained.empty() && judge_(f) == schedule::Bears::Explains)
          explained.push_back(f.text());
    }
    return {};
  }

  // One dimension after the other as small as still shows it.
  Lines narrowed(std::vector<int64_t> extents, Fill fill, Lines lines) {
    for (int64_t& extent : extents) {
      const int64_t largest = extent;
      for (extent = 1; extent < largest; ++extent) {
        Lines smaller = at(extents, fill);
        if (smaller.empty()) continue;
        lines = std::move(smaller);
        break;
      }
    }
    return lines;
  }

  const ir::Proc& proc_;
  const schedule::Plan& plan_;
  const schedule::Judgement& judge_;
  int64_t left_ = kAllSteps;
  bool any_ = false;  // a run came past the entry
  std::string trouble_;
};

bool has_several_values(const schedule::Plan& plan) {
  return std::any_of(plan.algorithm->funcs.begin(), plan.algorithm->funcs.end(),
                     [](const ir::Func& f) { return f.types.size() != 1; });
}

}  // namespace

schedule::DryRun dry_run() {
  schedule::DryRun dry;
  dry.replay = [](const schedule::Plan& plan,
                  const schedule::Judgement& judge) -> schedule::Replay {
    if (has_several_values(plan)) return {{}, "Funcs with several values cannot be run yet"};
    diag::Result<ir::ProcRef> proc = lower::loops::to_loops(plan, {}, lower::loops::Folds::AsAsked);
    if (!proc) return {{}, "it cannot be run: " + proc.error().message()};
    return Runs(**proc, plan, judge).smallest();
  };
  dry.accepts = [](const schedule::Plan& plan) {
    diag::Result<schedule::Sealed> sealed = schedule::seal(plan);
    return sealed.ok() && lower::loops::to_loops(sealed->plan).ok();
  };
  return dry;
}

}  // namespace hocket::driver
