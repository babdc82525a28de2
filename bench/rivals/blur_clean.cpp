// `clean cpp`: the two-pass blur of Halide's paper of 2012 in plain C++, every stage a vectorised
// loop over preallocated buffers, rows in parallel.
// In: a frame of any u16 values. Out: one contestant. The compiler does the rest.
#include <memory>

#include "harness/contestant.h"
#include "harness/problems.h"

namespace hocket::bench {
namespace {

void two_pass_blur(const BlurFrame& frame, uint16_t* tmp) {
  int width = frame.width, height = frame.height;
#pragma omp parallel num_threads(frame.threads)
  {
#pragma omp for schedule(static)
    for (int y = -1; y < height + 1; y++) {
      const uint16_t* __restrict in = frame.in + y * frame.in_stride;
      uint16_t* __restrict row = tmp + int64_t{y + 1} * width;
      for (int x = 0; x < width; x++) {
        row[x] = static_cast<uint16_t>(in[x - 1] + in[x] + in[x + 1]) / 3;
      }
    }
#pragma omp for schedule(static)
    for (int y = 0; y < height; y++) {
      const uint16_t* __restrict row = tmp + int64_t{y} * width;
      uint16_t* __restrict out = frame.out + y * frame.out_stride;
      for (int x = 0; x < width; x++) {
        out[x] = static_cast<uint16_t>(row[x] + row[x + width] + row[x + 2 * width]) / 3;
      }
    }
  }
}

}  // namespace
}  // namespace hocket::bench

extern "C" void register_rival(hocket::bench::Registry& registry,
                               const hocket::bench::BlurFrame& frame) {
  using namespace hocket::bench;
  auto tmp = std::make_shared<Pages<uint16_t>>(int64_t{frame.width} * (frame.height + 2));
  auto run = [&frame, tmp] { two_pass_blur(frame, tmp->data()); };
  Contestant contestant;
  contestant.name = "clean cpp";
  contestant.version = "two passes, OpenMP, " HOCKET_BENCH_COMPILER " -O3 -march=native";
  contestant.target = "native";
  contestant.run = run;
  contestant.check_error = [&frame, run] { return frame.blur_error(run); };
  contestant.scratch_bytes = int64_t{frame.width} * (frame.height + 2) * 2;
  contestant.places = {{"blur.sse", ""}, {"blur.ceiling", ""}};
  registry.add(contestant);
}
