// `vector copy`, `vector copy nt` and `memcpy`: the ceilings of the blur rows.
// In: a frame. Out: three contestants that move the frame's bytes, in the strips a fused blur would
// take; nt writes past the caches. Their answer is checked against the input itself.
#include <cstring>

#include "harness/contestant.h"
#include "harness/problems.h"
#include "rivals/vectors.h"

namespace hocket::bench {
namespace {

constexpr int kStrip = 64;

template <bool kStream>
void vector_copy(const BlurFrame& frame) {
#pragma omp parallel for num_threads(frame.threads) schedule(static)
  for (int strip = 0; strip < frame.height; strip += kStrip) {
    int end = strip + kStrip < frame.height ? strip + kStrip : frame.height;
    for (int y = strip; y < end; ++y) {
      const uint16_t* in = frame.in + y * frame.in_stride;
      uint16_t* out = frame.out + y * frame.out_stride;
      for (int x = 0; x < frame.width; x += kLanes) {
        kStream ? stream(out + x, load(in + x)) : store(out + x, load(in + x));
      }
    }
    if (kStream) _mm_sfence();
  }
}

void memcpy_rows(const BlurFrame& frame) {
#pragma omp parallel for num_threads(frame.threads) schedule(static)
  for (int strip = 0; strip < frame.height; strip += kStrip) {
    int end = strip + kStrip < frame.height ? strip + kStrip : frame.height;
    for (int y = strip; y < end; ++y) {
      std::memcpy(frame.out + y * frame.out_stride, frame.in + y * frame.in_stride,
                  frame.width * sizeof(uint16_t));
    }
  }
}

}  // namespace
}  // namespace hocket::bench

extern "C" void register_rival(hocket::bench::Registry& registry,
                               const hocket::bench::BlurFrame& frame) {
  using namespace hocket::bench;
  auto add = [&](const char* name, const char* version, void (*copy)(const BlurFrame&)) {
    auto run = [&frame, copy] { copy(frame); };
    Contestant contestant;
    contestant.name = name;
    contestant.version = version;
    contestant.target = "native";
    contestant.run = run;
    contestant.check_error = [&frame, run] { return frame.copy_error(run); };
    contestant.scratch_bytes = 0;
    contestant.places = {{"blur.sse", ""}, {"blur.ceiling", ""}};
    registry.add(contestant);
  };
  add("vector copy", "strips of 64 rows, OpenMP", vector_copy<false>);
  add("vector copy nt", "strips of 64 rows, non-temporal stores, OpenMP", vector_copy<true>);
  add("memcpy", "rows, strips of 64, OpenMP", memcpy_rows);
}
