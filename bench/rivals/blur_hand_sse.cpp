// `hand sse`: the hand-written tiled SSE blur of Halide's paper of 2012 (`fast_blur`), the rival of
// `blur.sse`.
// In: a frame with inputs up to 10922 (sums stay below 2^15, where the signed high multiply divides
// by three exactly), width a multiple of 256, height of 32. Out: one contestant.
// Mended for today's compilers only: pointers carry the row stride, and the scratch tile is private
// to each iteration as it was. The instructions and their order are the paper's.
#include <emmintrin.h>

#include "harness/contestant.h"
#include "harness/problems.h"

namespace hocket::bench {
namespace {

void fast_blur(const BlurFrame& frame) {
  const __m128i one_third = _mm_set1_epi16(21846);
#pragma omp parallel for num_threads(frame.threads)
  for (int y_tile = 0; y_tile < frame.height; y_tile += 32) {
    __m128i a, b, c, sum, avg;
    __m128i tmp[(256 / 8) * (32 + 2)];
    for (int x_tile = 0; x_tile < frame.width; x_tile += 256) {
      __m128i* tmp_ptr = tmp;
      for (int y = -1; y < 32 + 1; y++) {
        const uint16_t* in_ptr = frame.in + (y_tile + y) * frame.in_stride + x_tile;
        for (int x = 0; x < 256; x += 8) {
          a = _mm_loadu_si128((const __m128i*)(in_ptr - 1));
          b = _mm_loadu_si128((const __m128i*)(in_ptr + 1));
          c = _mm_load_si128((const __m128i*)(in_ptr));
          sum = _mm_add_epi16(_mm_add_epi16(a, b), c);
          avg = _mm_mulhi_epi16(sum, one_third);
          _mm_store_si128(tmp_ptr++, avg);
          in_ptr += 8;
        }
      }
      tmp_ptr = tmp;
      for (int y = 0; y < 32; y++) {
        __m128i* out_ptr = (__m128i*)(frame.out + (y_tile + y) * frame.out_stride + x_tile);
        for (int x = 0; x < 256; x += 8) {
          a = _mm_load_si128(tmp_ptr + (2 * 256) / 8);
          b = _mm_load_si128(tmp_ptr + 256 / 8);
          c = _mm_load_si128(tmp_ptr++);
          sum = _mm_add_epi16(_mm_add_epi16(a, b), c);
          avg = _mm_mulhi_epi16(sum, one_third);
          _mm_store_si128(out_ptr++, avg);
        }
      }
    }
  }
}

}  // namespace
}  // namespace hocket::bench

extern "C" void register_rival(hocket::bench::Registry& registry,
                               const hocket::bench::BlurFrame& frame) {
  using namespace hocket::bench;
  Contestant contestant;
  contestant.name = "hand sse";
  contestant.version = "tiles 256x32, OpenMP, " HOCKET_BENCH_COMPILER " -O3 -march=native";
  contestant.target = "sse2";
  contestant.run = [&frame] { fast_blur(frame); };
  contestant.check_error = [&frame] { return frame.blur_error([&frame] { fast_blur(frame); }); };
  contestant.scratch_bytes = int64_t{frame.threads} * 256 * 34 * 2;
  contestant.places = {{"blur.sse", ""}, {"blur.seed", ""}, {"blur.ceiling", ""}};
  registry.add(contestant);
}
