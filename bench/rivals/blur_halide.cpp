// `halide tiled` and `halide best`: the blur by Halide 21, under the schedule of its paper of 2012
// and under the fastest of some sixty schedules, found by measuring them on this frame.
// In: a frame. Out: two contestants. Compiled in process, before anything is timed.
#include "halide_blur.h"

#include <chrono>
#include <cstdio>
#include <fstream>
#include <functional>
#include <memory>

#include "harness/contestant.h"
#include "harness/measure.h"
#include "harness/problems.h"

namespace hocket::bench {
namespace {

struct Compiled {
  BlurSchedule schedule;
  std::unique_ptr<HalideBlur> blur;
  Halide::Callable callable;
  double compile_ms = 0;
};

std::shared_ptr<Compiled> compile(const BlurSchedule& schedule, const Halide::Target& target) {
  auto compiled = std::make_shared<Compiled>();
  compiled->schedule = schedule;
  auto start = std::chrono::steady_clock::now();
  compiled->blur = std::make_unique<HalideBlur>(schedule);
  compiled->callable = compiled->blur->blurred.compile_to_callable({compiled->blur->in}, target);
  std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
  compiled->compile_ms = took.count();
  return compiled;
}

std::function<void()> runner(std::shared_ptr<Compiled> compiled, const BlurFrame& frame) {
  auto in = halide_input(frame.in, frame.in_stride, frame.width, frame.height);
  auto out = halide_output(frame.out, frame.out_stride, frame.width, frame.height);
  return [compiled, in, out]() mutable {
    if (compiled->callable(in, out) != 0) throw std::runtime_error("the pipeline failed");
  };
}

int64_t object_size(const BlurSchedule& schedule, const Halide::Target& target) {
  HalideBlur blur(schedule);
  std::string path = std::string(std::tmpnam(nullptr)) + ".o";
  blur.blurred.compile_to_object(path, {blur.in}, "blur",
                                 target.with_feature(Halide::Target::NoRuntime));
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  int64_t size = file.tellg();
  std::remove(path.c_str());
  return size;
}

}  // namespace
}  // namespace hocket::bench

extern "C" void register_rival(hocket::bench::Registry& registry,
                               const hocket::bench::BlurFrame& frame) {
  using namespace hocket::bench;
  Halide::Target target = Halide::get_jit_target_from_environment();
  Halide::Internal::JITSharedRuntime::set_num_threads(frame.threads);

  auto add = [&](const std::string& name, std::shared_ptr<Compiled> compiled, Place place) {
    std::function<void()> run = runner(compiled, frame);
    Contestant contestant;
    contestant.name = name;
    contestant.version = "21.0.0, " + name_of(compiled->schedule);
    contestant.target = target.to_string();
    contestant.run = run;
    contestant.check_error = [&frame, run] { return frame.blur_error(run); };
    contestant.compile_ms = compiled->compile_ms;
    contestant.object_bytes = object_size(compiled->schedule, target);
    contestant.places = {place, {"blur.ceiling", ""}};
    registry.add(contestant);
  };

  std::vector<std::shared_ptr<Compiled>> compiled;
  std::vector<std::function<void()>> runs;
  for (const BlurSchedule& schedule : tried_schedules(target)) {
    compiled.push_back(compile(schedule, target));
    runs.push_back(runner(compiled.back(), frame));
  }
  // Two rounds of selection: all of them briefly, then the leaders with care.
  std::vector<double> quick(runs.size());
  std::vector<size_t> order(runs.size());
  for (size_t i = 0; i < runs.size(); ++i) {
    order[i] = i;
    runs[i]();
    quick[i] = std::min({time_once(runs[i]), time_once(runs[i]), time_once(runs[i])});
    if (std::getenv("HOCKET_BENCH_VERBOSE")) {
      std::fprintf(stderr, "%8.3f ms  %s\n", quick[i], name_of(compiled[i]->schedule).c_str());
    }
  }
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return quick[a] < quick[b]; });
  std::vector<std::function<void()>> leaders;
  for (size_t i = 0; i < 6; ++i) leaders.push_back(runs[order[i]]);
  size_t best = order[fastest_of(leaders, 9)];

  add("halide tiled", compile(seeds_schedule(), target), {"blur.halide", "tiled"});
  add("halide best", compiled[best], {"blur.halide", "best"});
}
