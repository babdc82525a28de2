// The problems of the rows: data, exact references and error figures, the same for every
// contestant. In: sizes. Out: frames and matrices filled with random values. Used by: rows, rivals,
// contestants. All contestants of a row read the same input and write the same output memory, so
// that none has luckier pages than another.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "memory.h"

namespace hocket::bench {

// A grey u16 frame with one pixel of padding all round, and the frame the blur is written to.
// Pixel (x, y) is in[y * in_stride + x] for x in [-1, width], y in [-1, height]; strides count
// elements; in and out are 64-byte aligned at x = 0 of every row. Width is a multiple of 256 and
// height of 32 (the hand-written SSE asks for that).
//
// The blur, in u16 arithmetic with exact division rounding down:
//   tmp(x, y) = (in(x-1, y) + in(x, y) + in(x+1, y)) / 3
//   out(x, y) = (tmp(x, y-1) + tmp(x, y) + tmp(x, y+1)) / 3
struct BlurFrame {
  BlurFrame(int width, int height, int threads, int max_input = 10922, uint64_t seed = 1);

  int width;
  int height;
  int threads;
  int max_input;
  int64_t in_stride;
  int64_t out_stride;
  const uint16_t* in;
  uint16_t* out;

  // Poisons the output, runs, and returns the largest difference to the exact blur.
  double blur_error(const std::function<void()>& run) const;
  // The same for contestants that only copy.
  double copy_error(const std::function<void()>& run) const;

  Pages<uint16_t> in_memory, out_memory, expected;
};

// C = A * B, row major, dense, A: m x k, B: k x n, values in [-1, 1).
struct SgemmProblem {
  SgemmProblem(int m, int n, int k, int threads, uint64_t seed = 1);

  int m, n, k;
  int threads;
  const float* a;
  const float* b;
  float* c;

  // Poisons C, runs, and returns the largest absolute difference to the product in float64.
  double error(const std::function<void()>& run) const;

  Pages<float> a_memory, b_memory, c_memory;
  Pages<double> expected;
};

}  // namespace hocket::bench
