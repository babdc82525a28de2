#include "driver/agreement.h"

#include "diag/kinds_driver.h"
#include "driver/small_run.h"

namespace hocket::driver {

namespace {

// A schedule with tiles refuses outputs smaller than one: then a few sizes just above it count.
struct Least {
  std::vector<int64_t> extents = {3, 0};
  bool grown = false;

  SmallRun run(const ir::Proc& proc, const ir::Algorithm& algorithm, int64_t size,
               interp::Order order) {
    SmallRun run;
    for (int tries = 0; tries < 5; ++tries) {
      run = run_small(proc, algorithm, {extents[0] + size, extents[1] + size},
                      static_cast<uint64_t>(size), order);
      if (!run.outcome.entry || run.outcome.entry->dimension < 0) break;
      const interp::EntryError& e = *run.outcome.entry;
      int64_t& extent = extents[static_cast<size_t>(e.dimension) % 2];
      if (e.needed_max - e.needed_min + 1 <= extent) break;
      extent = e.needed_max - e.needed_min + 1;
      grown = true;
    }
    return run;
  }
};

}  // namespace

diag::Result<void> check_agreement(const ir::Proc& proc, const ir::Algorithm& algorithm,
                                   const std::string& schedule, int64_t largest, Agreement& runs) {
  Least least;
  for (int64_t size = 1; size <= (least.grown ? 3 : largest); size += size < 5 ? 1 : 4) {
    for (const interp::Order order : {interp::Order::Forward, interp::Order::Random}) {
      const SmallRun run = least.run(proc, algorithm, size, order);
      if (!run.trouble.empty()) {
        runs.skipped = run.trouble;
        return {};
      }
      if (run.outcome.entry) {
        runs.skipped = "sizes are refused at entry";
        continue;
      }
      ++runs.count;
      if (run.clean()) continue;
      diag::Diagnostic e(diag::kind::check_failed);
      e.arg("program", algorithm.name).arg("schedule", schedule.empty() ? "(default)" : schedule);
      for (const std::string& line : witness_of(run)) e.witnessed(line);
      return e;
    }
  }
  return {};
}

}  // namespace hocket::driver
