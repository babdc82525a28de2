// Interleaved timing with an A/A pair, warm and cold; see measure.h.
// In: checked contestants. Out: Measurement. Called by: row_main.cpp.
#include "measure.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

#include "memory.h"

namespace hocket::bench {
namespace {

// Other libraries' workers spin for a moment after their last task (pin_environment() keeps that to
// a millisecond); and a real-time process that never sleeps is throttled by the kernel.
void settle(double busy_ms) {
  auto pause = std::chrono::microseconds(1500 + static_cast<int64_t>(busy_ms * 80));
  std::this_thread::sleep_for(pause);
}

class CacheSweeper {
 public:
  CacheSweeper() : memory_(kBytes) {}
  void sweep() {
    for (int64_t i = 0; i < kBytes; i += 64) memory_[i] = static_cast<char>(memory_[i] + 1);
  }

 private:
  static constexpr int64_t kBytes = int64_t{160} << 20;
  Pages<char> memory_;
};

void measure_once(std::vector<Contestant>& contestants, const MeasureOptions& options,
                  Measurement& result) {
  size_t count = contestants.size();
  result.samples.assign(count, {});
  result.twin_ms.clear();

  auto timed = [&](Contestant& contestant) {
    if (options.warm_before_each) contestant.run();
    double ms = time_once(contestant.run);
    settle(ms);
    return ms / contestant.calls_per_run;
  };
  // One round that is not kept tells how long a round takes.
  double slowest = 0;
  double round_ms = time_once([&] {
    for (Contestant& contestant : contestants) {
      slowest = std::max(slowest, timed(contestant) * contestant.calls_per_run);
    }
    timed(contestants[0]);
  });
  int fitting = static_cast<int>(options.budget_s * 1e3 / round_ms);
  int rounds =
      std::clamp(fitting, options.least_rounds, std::max(options.rounds, options.least_rounds));
  if (slowest > options.slow_ms) rounds = options.slow_rounds;

  for (int round = 0; round < rounds; ++round) {
    for (size_t i = 0; i < count; ++i) {
      result.samples[i].warm_ms.push_back(timed(contestants[i]));
    }
    result.twin_ms.push_back(timed(contestants[0]));
  }

  std::vector<double> ratios;
  for (int round = 0; round < rounds; ++round) {
    ratios.push_back(result.twin_ms[round] / result.samples[0].warm_ms[round]);
  }
  result.aa_ratio = median(ratios);
}

void measure_cold(std::vector<Contestant>& contestants, int rounds, Measurement& result) {
  if (rounds == 0) return;
  CacheSweeper sweeper;
  for (int round = 0; round < rounds; ++round) {
    for (size_t i = 0; i < contestants.size(); ++i) {
      sweeper.sweep();
      settle(10);
      double ms = time_once(contestants[i].run) / contestants[i].calls_per_run;
      result.samples[i].cold_ms.push_back(ms);
    }
  }
}

}  // namespace

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  size_t half = values.size() / 2;
  return values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
}

double time_once(const std::function<void()>& run) {
  auto start = std::chrono::steady_clock::now();
  run();
  std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
  return took.count();
}

Measurement measure(std::vector<Contestant>& contestants, const MeasureOptions& options,
                    const std::function<bool()>& machine_is_well) {
  Measurement result;
  if (contestants.empty()) return result;
  while (!result.valid && result.attempts < options.attempts) {
    ++result.attempts;
    if (!machine_is_well()) {
      std::this_thread::sleep_for(std::chrono::seconds(2));
      // The last attempt is taken and written all the same, as void.
      if (result.attempts < options.attempts) continue;
      measure_once(contestants, options, result);
      break;
    }
    measure_once(contestants, options, result);
    result.valid = std::abs(result.aa_ratio - 1) <= options.aa_limit && machine_is_well();
  }
  measure_cold(contestants, options.cold_rounds, result);
  return result;
}

int fastest_of(const std::vector<std::function<void()>>& candidates, int runs) {
  std::vector<std::vector<double>> times(candidates.size());
  for (int run = 0; run < runs; ++run) {
    for (size_t i = 0; i < candidates.size(); ++i) {
      candidates[i]();
      times[i].push_back(time_once(candidates[i]));
      settle(times[i].back());
    }
  }
  int best = 0;
  for (size_t i = 1; i < candidates.size(); ++i) {
    if (median(times[i]) < median(times[best])) best = static_cast<int>(i);
  }
  return best;
}

}  // namespace hocket::bench
