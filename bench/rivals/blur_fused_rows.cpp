// `hand fused rows`: how fast a blur can be on this machine, for whoever writes a schedule.
// In: a frame of any u16 values. Out: contestants of the row `blur.ceiling`, which has no bar:
//   hand fused rows, hand fused rows nt   full rows in strips through a buffer of two tmp rows
//   hand row block, hand row block nt     four output rows at a time from six input rows, tmp in
//                                         registers
// with plain and non-temporal stores. The strip height is the fastest of a few, by measurement.
#include <omp.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "harness/contestant.h"
#include "harness/measure.h"
#include "harness/problems.h"
#include "rivals/vectors.h"

namespace hocket::bench {
namespace {

U16s tmp_at(const uint16_t* in) {
  return third_of_sum(load(in - 1), load(in), load(in + 1));
}

template <bool kStream>
void put(uint16_t* out, U16s value) {
  kStream ? stream(out, value) : store(out, value);
}

// `lines` holds two rows of tmp for each thread: the newest of the three that an output row needs
// is used from the register and replaces the oldest.
template <bool kStream>
void fused_rows(const BlurFrame& frame, int strip_rows, uint16_t* lines) {
  int width = frame.width;
#pragma omp parallel for num_threads(frame.threads) schedule(static)
  for (int strip = 0; strip < frame.height; strip += strip_rows) {
    int end = strip + strip_rows < frame.height ? strip + strip_rows : frame.height;
    uint16_t* older = lines + int64_t{omp_get_thread_num()} * 2 * width;
    uint16_t* newer = older + width;
    const uint16_t* above = frame.in + (strip - 1) * frame.in_stride;
    for (int x = 0; x < width; x += kLanes) {
      store(older + x, tmp_at(above + x));
      store(newer + x, tmp_at(above + frame.in_stride + x));
    }
    for (int y = strip; y < end; ++y) {
      const uint16_t* in = frame.in + (y + 1) * frame.in_stride;
      uint16_t* out = frame.out + y * frame.out_stride;
      for (int x = 0; x < width; x += kLanes) {
        U16s tmp = tmp_at(in + x);
        put<kStream>(out + x, third_of_sum(load(older + x), load(newer + x), tmp));
        store(older + x, tmp);
      }
      std::swap(older, newer);
    }
    if (kStream) _mm_sfence();
  }
}

template <bool kStream>
void row_block(const BlurFrame& frame, int strip_rows) {
  constexpr int kRows = 4;
  int64_t stride = frame.in_stride;
#pragma omp parallel for num_threads(frame.threads) schedule(static)
  for (int strip = 0; strip < frame.height; strip += strip_rows) {
    int end = strip + strip_rows < frame.height ? strip + strip_rows : frame.height;
    for (int y = strip; y < end; y += kRows) {
      const uint16_t* in = frame.in + (y - 1) * stride;
      uint16_t* out = frame.out + y * frame.out_stride;
      for (int x = 0; x < frame.width; x += kLanes) {
        U16s first = tmp_at(in + x), second = tmp_at(in + stride + x);
#pragma GCC unroll 4
        for (int row = 0; row < kRows; ++row) {
          U16s third = tmp_at(in + (row + 2) * stride + x);
          put<kStream>(out + row * frame.out_stride + x, third_of_sum(first, second, third));
          first = second;
          second = third;
        }
      }
    }
    if (kStream) _mm_sfence();
  }
}

}  // namespace
}  // namespace hocket::bench

extern "C" void register_rival(hocket::bench::Registry& registry,
                               const hocket::bench::BlurFrame& frame) {
  using namespace hocket::bench;
  const std::vector<int> strips = {16, 32, 64, 128, 256, 512};
  auto lines = std::make_shared<Pages<uint16_t>>(int64_t{frame.threads} * 2 * frame.width);

  auto add = [&](const std::string& name, int64_t scratch, auto blur) {
    std::vector<std::function<void()>> forms;
    for (int strip : strips) forms.push_back([&frame, blur, strip] { blur(frame, strip); });
    int best = fastest_of(forms, 5);
    Contestant contestant;
    contestant.name = name;
    contestant.version = "strips of " + std::to_string(strips[best]) + " rows, OpenMP";
    contestant.target = "native";
    contestant.run = forms[best];
    contestant.check_error = [&frame, run = forms[best]] { return frame.blur_error(run); };
    contestant.scratch_bytes = scratch;
    contestant.places = {{"blur.ceiling", ""}};
    registry.add(contestant);
  };
  int64_t line_bytes = int64_t{frame.threads} * 2 * frame.width * 2;
  add("hand fused rows", line_bytes,
      [lines](const BlurFrame& f, int strip) { fused_rows<false>(f, strip, lines->data()); });
  add("hand fused rows nt", line_bytes,
      [lines](const BlurFrame& f, int strip) { fused_rows<true>(f, strip, lines->data()); });
  add("hand row block", 0, [](const BlurFrame& f, int strip) { row_block<false>(f, strip); });
  add("hand row block nt", 0, [](const BlurFrame& f, int strip) { row_block<true>(f, strip); });
}
