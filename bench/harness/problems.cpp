// Random inputs, exact references and error figures of the rows' problems.
// In: sizes and a seed. Out: BlurFrame and SgemmProblem. Called by: bench/rows.
// References are plain loops in wider arithmetic, written without looking at any contestant.
#include "problems.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>

namespace hocket::bench {
namespace {

constexpr int64_t kPad = 32;  // elements left and right of a row: keeps rows 64-byte aligned

uint16_t wrapped_third(int a, int b, int c) {
  return static_cast<uint16_t>(static_cast<uint16_t>(a + b + c) / 3);
}

double largest_difference(const BlurFrame& frame, const uint16_t* expected, int64_t stride) {
  int largest = 0;
  for (int y = 0; y < frame.height; ++y) {
    for (int x = 0; x < frame.width; ++x) {
      int got = frame.out[y * frame.out_stride + x];
      largest = std::max(largest, std::abs(got - static_cast<int>(expected[y * stride + x])));
    }
  }
  return largest;
}

}  // namespace

BlurFrame::BlurFrame(int width, int height, int threads, int max_input, uint64_t seed)
    : width(width),
      height(height),
      threads(threads),
      max_input(max_input),
      in_stride(width + 2 * kPad),
      out_stride(width),
      in_memory(in_stride * (height + 2)),
      out_memory(out_stride * height),
      expected(int64_t{width} * height) {
  std::mt19937_64 random(seed);
  for (int64_t i = 0; i < in_stride * (height + 2); ++i) {
    in_memory[i] = static_cast<uint16_t>(random() % (max_input + 1));
  }
  in = in_memory.data() + in_stride + kPad;
  out = out_memory.data();

  // Three rows of tmp, indexed by y modulo 3.
  std::vector<uint16_t> rows[3];
  for (std::vector<uint16_t>& row : rows) row.resize(width);
  for (int y = -1; y <= height; ++y) {
    const uint16_t* row = in + y * in_stride;
    std::vector<uint16_t>& tmp = rows[(y + 3) % 3];
    for (int x = 0; x < width; ++x) tmp[x] = wrapped_third(row[x - 1], row[x], row[x + 1]);
    if (y < 1) continue;
    for (int x = 0; x < width; ++x) {
      expected[int64_t{y - 1} * width + x] = wrapped_third(rows[0][x], rows[1][x], rows[2][x]);
    }
  }
}

double BlurFrame::blur_error(const std::function<void()>& run) const {
  std::fill_n(out, out_stride * height, uint16_t{0xA5A5});
  run();
  return largest_difference(*this, expected.data(), width);
}

double BlurFrame::copy_error(const std::function<void()>& run) const {
  std::fill_n(out, out_stride * height, uint16_t{0xA5A5});
  run();
  return largest_difference(*this, in, in_stride);
}

SgemmProblem::SgemmProblem(int m, int n, int k, int threads, uint64_t seed)
    : m(m),
      n(n),
      k(k),
      threads(threads),
      a_memory(int64_t{m} * k),
      b_memory(int64_t{k} * n),
      c_memory(int64_t{m} * n),
      expected(int64_t{m} * n) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<float> value(-1.0f, 1.0f);
  for (int64_t i = 0; i < int64_t{m} * k; ++i) a_memory[i] = value(random);
  for (int64_t i = 0; i < int64_t{k} * n; ++i) b_memory[i] = value(random);
  for (int i = 0; i < m; ++i) {
    double* row = expected.data() + int64_t{i} * n;
    for (int p = 0; p < k; ++p) {
      double factor = a_memory[int64_t{i} * k + p];
      const float* b_row = b_memory.data() + int64_t{p} * n;
      for (int j = 0; j < n; ++j) row[j] += factor * b_row[j];
    }
  }
  a = a_memory.data();
  b = b_memory.data();
  c = c_memory.data();
}

double SgemmProblem::error(const std::function<void()>& run) const {
  std::fill_n(c, int64_t{m} * n, std::numeric_limits<float>::quiet_NaN());
  run();
  double largest = 0;
  for (int64_t i = 0; i < int64_t{m} * n; ++i) {
    double difference = std::abs(c[i] - expected[i]);
    if (!(difference <= largest)) largest = difference;  // a NaN is kept, not skipped
    if (std::isnan(largest)) return std::numeric_limits<double>::infinity();
  }
  return largest;
}

}  // namespace hocket::bench
