// A pipeline written by hand against docs/abi.md, for tests of hocket_call.
// mix(in: u8(x, y), gain: f32, shift: i32, out: u8(x, y)): out(x, y) = in(x, y) + in(x + 1, y), so
// `in` must reach one column further than `out`. Members may be changed before `call`.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "abi/hocket_abi.h"

namespace hocket::runtime_test {

inline std::string message_of(const hocket_error_t& error) {
  std::string text(hocket_error_message(&error, nullptr, 0), ' ');
  hocket_error_message(&error, text.data(), text.size() + 1);
  return text;
}

struct Grid {
  std::vector<uint8_t> data;
  std::array<hocket_dim_t, 2> dims;
  hocket_buffer_t buffer = {};

  Grid(int64_t width, int64_t height, uint8_t value = 0)
      : data(static_cast<size_t>(width * height), value),
        dims{{{0, width, 1}, {0, height, width}}} {
    buffer.host = data.data();
    buffer.type = hocket_type(HOCKET_TYPE_UINT, 8);
    buffer.dimensions = 2;
    buffer.dim = dims.data();
  }
  Grid(const Grid&) = delete;
};

// Slots: in 0..5, gain 6, shift 7, out 8..13; regions: in 0..3, out 4..7.
inline void mix_regions(const int64_t* scalars, int64_t* regions) {
  const int64_t* out = scalars + 8;
  for (int d = 0; d < 2; ++d) {
    const int64_t min = out[3 * d], max = min + out[3 * d + 1] - 1;
    regions[2 * d] = regions[4 + 2 * d] = min;
    regions[4 + 2 * d + 1] = max;
    regions[2 * d + 1] = d == 0 && max >= min ? max + 1 : max;
  }
}

inline int32_t mix_body(const hocket_context_t*, const int64_t* scalars, void* const* pointers) {
  const uint8_t* in = static_cast<const uint8_t*>(pointers[0]);
  uint8_t* out = static_cast<uint8_t*>(pointers[1]);
  const int64_t* i = scalars;
  const int64_t* o = scalars + 8;
  for (int64_t y = o[3]; y < o[3] + o[4]; ++y) {
    for (int64_t x = o[0]; x < o[0] + o[1]; ++x) {
      const uint8_t* at = in + (x - i[0]) * i[2] + (y - i[3]) * i[5];
      out[(x - o[0]) * o[2] + (y - o[3]) * o[5]] = static_cast<uint8_t>(at[0] + at[i[2]]);
    }
  }
  return 0;
}

class CallTest : public ::testing::Test {
 protected:
  CallTest() : in(9, 4, 3), out(8, 4, 77) {
    for (hocket_argument_t& argument : arguments) argument = {};
    arguments[0] = {"in", HOCKET_ARGUMENT_INPUT, hocket_type(HOCKET_TYPE_UINT, 8), 2, 0, 0, 0, 0};
    arguments[1] = {"gain", HOCKET_ARGUMENT_SCALAR, hocket_type(HOCKET_TYPE_FLOAT, 32), 0, 0, 6, -1,
                    -1};
    arguments[2] = {"shift", HOCKET_ARGUMENT_SCALAR, hocket_type(HOCKET_TYPE_INT, 32), 0, 0, 7, -1,
                    -1};
    arguments[3] = {"out", HOCKET_ARGUMENT_OUTPUT, hocket_type(HOCKET_TYPE_UINT, 8), 2, 0, 8, 1, 4};
    metadata = {HOCKET_ABI_VERSION, 4, "mix", "host", arguments.data(), 14, 2, 8, 0, {}};
    for (hocket_dim_constraint_t& dim : open) dim = {HOCKET_FREE, HOCKET_FREE, HOCKET_FREE, 0, 0};
    hooks.error = [](const hocket_context_t* context, int32_t code, const hocket_error_t* details) {
      CallTest* test = static_cast<CallTest*>(context->user);
      ++test->reports;
      test->error = *details;
      EXPECT_EQ(code, details->code);
    };
    context = {this, &hooks};
  }

  int32_t call() {
    void* args[] = {&in.buffer, &gain, &shift, &out.buffer};
    return hocket_call(&metadata, body, regions, &context, args);
  }

  // The call is refused with this code, reported once, and has written nothing.
  void refused(int32_t code, const std::string& message) {
    const std::vector<uint8_t> before = out.data;
    reports = 0;
    EXPECT_EQ(call(), code);
    EXPECT_EQ(reports, 1);
    EXPECT_EQ(error.code, code);
    EXPECT_EQ(message_of(error), message);
    EXPECT_EQ(out.data, before);
  }

  Grid in, out;
  float gain = 1;
  int32_t shift = 0;
  std::array<hocket_argument_t, 4> arguments;
  std::array<hocket_dim_constraint_t, 2> open;
  hocket_metadata_t metadata;
  hocket_body_fn body = mix_body;
  hocket_regions_fn regions = mix_regions;
  hocket_hooks_t hooks = {};
  hocket_context_t context;
  int reports = 0;
  hocket_error_t error = {};
};

}  // namespace hocket::runtime_test
