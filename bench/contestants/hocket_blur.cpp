// Hocket's blurs: the tiles of Halide's paper, and the fastest of a list of schedules on this
// frame.
// In: a frame. Out: contestants compiled in process before anything is timed.
#include <algorithm>
#include <chrono>
#include <memory>
#include <stdexcept>

#include "contestants/contestants.h"
#include "contestants/hocket_blur_common.h"

namespace hocket::bench {

namespace {

struct Schedule {
  std::string name;
  std::function<void(HocketBlur&)> say;
};

// Rows in strips, one strip a task; three rows of bh go round in each.
Schedule strips(int64_t rows, int64_t lanes, bool stream, bool fold) {
  std::string name = "strips of " + std::to_string(rows) + ", " + std::to_string(lanes) + " lanes";
  if (stream) name += ", streamed";
  if (!fold) name += ", whole strip of bh kept";
  return {name, [=](HocketBlur& b) {
            b.bv.split(b.y, b.yo, b.yi, rows).parallel(b.yo).vectorize(b.x, lanes);
            if (stream) b.bv.stream_stores();
            b.bh.store_at(b.bv, b.yo).compute_at(b.bv, fold ? Loop(b.yi) : Loop(b.yo));
            b.bh.vectorize(b.x, lanes);
          }};
}

// Columns of a few rows: bh of one column in registers or the first cache.
Schedule columns(int64_t rows, int64_t lanes, int64_t block, bool stream) {
  std::string name = "columns of " + std::to_string(lanes) + " x " + std::to_string(block) +
                     " in strips of " + std::to_string(rows);
  if (stream) name += ", streamed";
  return {name, [=](HocketBlur& b) {
            Var yb("yb"), yt("yt");
            b.bv.split(b.y, b.yo, yt, rows)
                .split(yt, yb, b.yi, block)
                .split(b.x, b.xo, b.xi, lanes)
                .reorder(b.xi, b.yi, b.xo, yb, b.yo)
                .vectorize(b.xi)
                .unroll(b.yi)
                .parallel(b.yo);
            if (stream) b.bv.stream_stores();
            b.bh.compute_at(b.bv, b.xo).vectorize(b.x, lanes).unroll(b.y, block + 2);
          }};
}

struct Compiled {
  Callable code;
  FrameViews views;
  double schedule_ms = 0, compile_ms = 0;
  int64_t object_bytes = 0;

  Compiled(Callable c, const BlurFrame& frame) : code(std::move(c)), views(frame) {}
  void run() const {
    void* args[] = {const_cast<hocket_buffer_t*>(&views.in.buffer),
                    const_cast<hocket_buffer_t*>(&views.out.buffer)};
    if (code.call(args) != 0) throw std::runtime_error("the pipeline failed");
  }
};

double ms_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

std::shared_ptr<Compiled> compile(const Schedule& schedule, const BlurFrame& frame) {
  const auto start = std::chrono::steady_clock::now();
  HocketBlur blur;
  schedule.say(blur);
  const double stated = ms_since(start);
  Callable code = blur.bv.compile_to_callable();
  auto out = std::make_shared<Compiled>(std::move(code), frame);
  out->schedule_ms = stated;
  out->compile_ms = ms_since(start) - stated;
  out->object_bytes = static_cast<int64_t>(out->code.artifact().code->object().size());
  return out;
}

// The median: streamed half lines are now and then five times as slow as at their best.
double median_ms(const Compiled& c, int runs) {
  std::vector<double> times;
  for (int i = 0; i < runs; ++i) {
    const auto start = std::chrono::steady_clock::now();
    c.run();
    times.push_back(ms_since(start));
  }
  std::nth_element(times.begin(), times.begin() + runs / 2, times.end());
  return times[static_cast<size_t>(runs / 2)];
}

void add(Registry& registry, const BlurFrame& frame, const std::string& name,
         const std::string& schedule, std::shared_ptr<Compiled> code, std::vector<Place> places) {
  Contestant c;
  c.name = name;
  c.version = schedule;
  c.target = target::host().to_string();
  c.ours = true;
  c.run = [code] { code->run(); };
  c.check_error = [code, &frame] { return frame.blur_error([&] { code->run(); }); };
  c.places = std::move(places);
  c.schedule_ms = code->schedule_ms;
  c.compile_ms = code->compile_ms;
  c.object_bytes = code->object_bytes;
  registry.add(std::move(c));
}

}  // namespace

void register_hocket_blur(Registry& registry, const BlurFrame& frame) {
  hocket_set_num_threads(frame.threads);
  const Schedule tiled{"tiles of 256 x 32, 8 lanes", [](HocketBlur& b) { b.tiled(); }};
  add(registry, frame, "hocket tiled", tiled.name, compile(tiled, frame),
      {{"blur.seed", ""}, {"blur.halide", "tiled"}});

  std::vector<Schedule> candidates = {
      {"tiles of 256 x 32, 16 lanes", [](HocketBlur& b) { b.tiled(16); }}};
  for (const bool stream : {false, true}) {
    for (const int64_t rows : {16, 32, 64, 128})
      for (const int64_t lanes : {16, 32}) candidates.push_back(strips(rows, lanes, stream, true));
    for (const int64_t block : {2, 4, 8})
      for (const int64_t lanes : {16, 32}) candidates.push_back(columns(64, lanes, block, stream));
  }
  std::shared_ptr<Compiled> best;
  std::string chosen;
  double least = 1e30;
  for (const Schedule& s : candidates) {
    std::shared_ptr<Compiled> code = compile(s, frame);
    const double ms = median_ms(*code, 9);
    if (ms >= least) continue;
    least = ms;
    best = std::move(code);
    chosen = s.name;
  }
  add(registry, frame, "hocket best", chosen, best, {{"blur.sse", ""}, {"blur.halide", "best"}});
}

}  // namespace hocket::bench
