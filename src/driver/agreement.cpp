#include "driver/agreement.h"

#include <algorithm>
#include <vector>

#include "diag/kinds_driver.h"
#include "driver/small_run.h"
#include "ir/visit.h"

namespace hocket::driver {

namespace {

// A schedule with tiles refuses outputs smaller than one: then a few sizes just above it count.
// What is refused all the same (rounded up, bounded) runs at the size that the entry asks for.
class Least {
 public:
  // By dimension; what a size is added to, as far as that stays small.
  std::vector<int64_t> extents = {3, 0, 3, 0};
  bool grown = false;
  Fill fill = Fill::Random;

  // Data on which the algorithm itself overflows say nothing about a schedule: small ones then.
  SmallRun run(const ir::Proc& proc, const ir::Algorithm& algorithm, int64_t size,
               interp::Order order) {
    SmallRun first = run_at(proc, algorithm, size, order);
    if (!first.algorithm_poisons || fill == Fill::Small) return first;
    fill = Fill::Small;
    return run_at(proc, algorithm, size, order);
  }

 private:
  SmallRun run_at(const ir::Proc& proc, const ir::Algorithm& algorithm, int64_t size,
                  interp::Order order) {
    Small how;
    how.seed = static_cast<uint64_t>(size);
    how.order = order;
    how.fill = fill;
    constexpr size_t kGrowing = 4, kMostDimensions = 32;
    extents.resize(kMostDimensions);
    std::vector<bool> learned(extents.size());
    while (true) {
      how.extents.clear();
      for (size_t d = 0; d < extents.size(); ++d)
        how.extents.push_back(extents[d] + (d < kGrowing ? size : d == kGrowing ? 2 : 1));
      SmallRun run = run_small(proc, algorithm, how);
      if (!run.outcome.entry) return run;
      const interp::EntryError& e = *run.outcome.entry;
      const size_t d = e.dimension < 0 ? 0 : static_cast<size_t>(e.dimension) % extents.size();
      const int64_t wanted = e.needed_max - e.needed_min + 1;
      if (e.dimension < 0 || learned[d] || wanted <= extents[d]) break;
      learned[d] = true;
      extents[d] = wanted;
      grown = true;
    }
    grown = true;
    how.grow = true;
    return run_small(proc, algorithm, how);
  }
};

// The longest loop of a constant length that stays small: of the tiles, and of the lanes.
int64_t longest_tile(const ir::Proc& proc) {
  constexpr int64_t kMost = 64;
  int64_t longest = 0;
  ir::for_each_stmt(proc.body, [&](const ir::Stmt& s) {
    const auto* f = s.as<ir::For>();
    int64_t lo = 0, hi = 0;
    if (f && ir::is_int(f->lo, &lo) && ir::is_int(f->hi, &hi) && hi - lo <= kMost)
      longest = std::max(longest, hi - lo);
    return true;
  });
  return longest;
}

std::string refusal(const interp::EntryError& e) {
  if (!e.text.empty()) return "sizes are refused at entry: " + e.text;
  std::string text = "sizes are refused at entry";
  if (e.dimension >= 0 && e.needed_min <= e.needed_max)
    text += ": `" + e.argument + "` needs " + std::to_string(e.needed_min) + " to " +
            std::to_string(e.needed_max) + " in dimension " + std::to_string(e.dimension);
  return text;
}

}  // namespace

diag::Result<void> check_agreement(const ir::Proc& proc, const ir::Algorithm& algorithm,
                                   const std::string& schedule, int64_t largest, Agreement& runs) {
  constexpr int64_t kStepsOfAll = int64_t{1} << 23;
  int64_t steps = 0;
  Least least;
  struct Run {
    int64_t size;
    int wide = -1;  // the dimension that is as long as `extent`
    int64_t extent = 0;
  };
  // What one tile leaves for the next shows where there are two of them and a little more, along
  // one dimension after the other.
  const int64_t tile = longest_tile(proc);
  std::vector<Run> all;
  for (int64_t size = 1; size <= largest; size += size < 5 ? 1 : 4) all.push_back({size});
  for (int d = 0; d < 2 && 2 * tile > largest; ++d)
    for (const int64_t extent : {2 * tile, 2 * tile + 1}) all.push_back({1, d, extent});
  for (const Run& at : all) {
    if (at.wide < 0 && least.grown && at.size > 3) continue;
    Least here = least;
    if (at.wide >= 0)
      here.extents[static_cast<size_t>(at.wide)] =
          std::max(here.extents[static_cast<size_t>(at.wide)], at.extent - at.size);
    Least& as = at.wide < 0 ? least : here;
    for (const interp::Order order : {interp::Order::Forward, interp::Order::Random}) {
      const SmallRun run = as.run(proc, algorithm, at.size, order);
      if (!run.trouble.empty()) {
        runs.skipped = run.trouble;
        return {};
      }
      if (run.outcome.entry) {
        runs.skipped = refusal(*run.outcome.entry);
        continue;
      }
      if (!run.outcome.findings.empty() && interp::is_budget(run.outcome.findings[0])) {
        runs.skipped = "a run with " + run.sizes + " takes more steps or memory than one may";
        return {};
      }
      ++runs.count;
      steps += run.outcome.steps;
      if (run.clean()) continue;
      diag::Diagnostic e(diag::kind::check_failed);
      e.arg("program", algorithm.name).arg("schedule", schedule.empty() ? "(default)" : schedule);
      for (const std::string& line : witness_of(run)) e.witnessed(line);
      return e;
    }
    if (steps > kStepsOfAll) break;
  }
  return {};
}

}  // namespace hocket::driver
