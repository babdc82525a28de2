// The overlap of two strided boxes against a count of the bytes they touch.
#include <gtest/gtest.h>

#include <random>
#include <set>
#include <vector>

#include "../internal.h"

namespace {

struct Box {
  std::vector<hocket_dim_t> dims;
  hocket_buffer_t buffer = {};
};

std::set<int64_t> bytes_of(const hocket_buffer_t& buffer, int64_t host, bool* twice = nullptr) {
  std::set<int64_t> starts;
  std::vector<int64_t> at(buffer.dimensions, 0);
  std::set<int64_t> bytes;
  const int64_t size = hocket_type_bytes(buffer.type);
  for (int d = 0; d < buffer.dimensions; ++d) {
    if (buffer.dim[d].extent == 0) return bytes;
  }
  for (;;) {
    int64_t start = host;
    for (int d = 0; d < buffer.dimensions; ++d) start += at[d] * buffer.dim[d].stride * size;
    if (!starts.insert(start).second && twice) *twice = true;
    for (int64_t b = 0; b < size; ++b) bytes.insert(start + b);
    int d = 0;
    while (d < buffer.dimensions && ++at[d] == buffer.dim[d].extent) at[d++] = 0;
    if (d == buffer.dimensions) return bytes;
  }
}

Box random_box(std::mt19937& random) {
  Box box;
  const int rank = static_cast<int>(random() % 4);
  for (int d = 0; d < rank; ++d) {
    box.dims.push_back({0, static_cast<int64_t>(random() % 4 + (random() % 8 != 0)),
                        static_cast<int64_t>(random() % 41) - 12});
  }
  static const int bits[] = {8, 16, 32, 64};
  box.buffer.type = hocket_type(HOCKET_TYPE_UINT, bits[random() % 4]);
  box.buffer.dimensions = rank;
  return box;
}

TEST(overlap, boxes_agree_with_a_count_of_bytes) {
  std::mt19937 random(7);
  int overlapping = 0;
  for (int round = 0; round < 20000; ++round) {
    Box a = random_box(random), b = random_box(random);
    const int64_t host_a = 4096, host_b = 4096 + static_cast<int64_t>(random() % 200) - 100;
    a.buffer.dim = a.dims.data();
    b.buffer.dim = b.dims.data();
    a.buffer.host = reinterpret_cast<void*>(host_a);
    b.buffer.host = reinterpret_cast<void*>(host_b);
    const std::set<int64_t> in_a = bytes_of(a.buffer, host_a);
    bool shared = false;
    for (int64_t byte : bytes_of(b.buffer, host_b)) shared |= in_a.count(byte) != 0;
    ASSERT_EQ(hocket_boxes_overlap(&a.buffer, &b.buffer), shared) << round;
    ASSERT_EQ(hocket_boxes_overlap(&b.buffer, &a.buffer), shared) << round;
    overlapping += shared;
  }
  EXPECT_GT(overlapping, 2000);
  EXPECT_LT(overlapping, 18000);
}

// Cautious: an answer of "no two at one address" is always right, and nested layouts get it.
TEST(overlap, itself) {
  std::mt19937 random(8);
  int clean = 0;
  for (int round = 0; round < 20000; ++round) {
    Box box = random_box(random);
    box.buffer.dim = box.dims.data();
    bool twice = false;
    bytes_of(box.buffer, 0, &twice);
    const bool answer = hocket_overlaps_itself(&box.buffer);
    ASSERT_TRUE(answer || !twice) << round;
    clean += !answer;
  }
  EXPECT_GT(clean, 2000);
  Box nested;
  nested.dims = {{0, 3, 1}, {0, 5, -12}, {0, 4, 3}};
  nested.buffer = {nullptr, 0, nullptr, hocket_type(HOCKET_TYPE_UINT, 8), 3, nested.dims.data(), 0,
                   nullptr};
  EXPECT_EQ(hocket_overlaps_itself(&nested.buffer), 0);
  nested.dims[1].stride = 11;
  EXPECT_EQ(hocket_overlaps_itself(&nested.buffer), 1);
}

TEST(overlap, a_search_without_end_is_cut_short) {
  Box a, b;
  for (int d = 0; d < 12; ++d) {
    a.dims.push_back({0, 1000, 2 * (1000 + 37 * d)});
    b.dims.push_back({0, 1000, 2 * (1013 + 41 * d)});
  }
  a.buffer = {reinterpret_cast<void*>(4096),
              0,
              nullptr,
              hocket_type(HOCKET_TYPE_UINT, 8),
              12,
              a.dims.data(),
              0,
              nullptr};
  b.buffer = a.buffer;
  b.buffer.dim = b.dims.data();
  b.buffer.host = reinterpret_cast<void*>(4097);  // odd against even: nothing shared, hard to see
  EXPECT_EQ(hocket_boxes_overlap(&a.buffer, &b.buffer), 1);
}

TEST(overlap, huge_strides_do_not_overflow) {
  hocket_dim_t da[] = {{0, 2, INT64_MAX / 16}}, db[] = {{0, 2, INT64_MIN / 16}};
  hocket_buffer_t a = {reinterpret_cast<void*>(4096),
                       0,
                       nullptr,
                       hocket_type(HOCKET_TYPE_UINT, 64),
                       1,
                       da,
                       0,
                       nullptr};
  hocket_buffer_t b = a;
  b.dim = db;
  EXPECT_EQ(hocket_boxes_overlap(&a, &b), 1);
  b.host = reinterpret_cast<void*>(8192);
  EXPECT_EQ(hocket_boxes_overlap(&a, &b), 0);
}

}  // namespace
