// hocket_call with arguments that are right: what the body sees, layouts, aliases, many arguments.
#include "../call_fixture.h"

#include <cstring>

namespace hocket::runtime_test {
namespace {

TEST_F(CallTest, computes_and_reports_nothing) {
  EXPECT_EQ(call(), 0);
  EXPECT_EQ(reports, 0);
  EXPECT_EQ(out.data, std::vector<uint8_t>(32, 6));
}

TEST_F(CallTest, no_context_is_needed) {
  void* args[] = {&in.buffer, &gain, &shift, &out.buffer};
  EXPECT_EQ(hocket_call(&metadata, body, regions, nullptr, args), 0);
  EXPECT_EQ(out.data[0], 6);
}

TEST_F(CallTest, any_min) {
  for (int64_t min : {int64_t{-5}, int64_t{INT32_MIN}, int64_t{INT32_MAX} - 8}) {
    in.dims[0].min = out.dims[0].min = min;
    in.dims[1].min = out.dims[1].min = -7;
    std::fill(out.data.begin(), out.data.end(), 77);
    EXPECT_EQ(call(), 0) << min;
    EXPECT_EQ(out.data, std::vector<uint8_t>(32, 6));
  }
}

TEST_F(CallTest, empty_output_needs_nothing) {
  out.dims[0].extent = 0;
  in.dims[1].extent = 0;
  EXPECT_EQ(call(), 0);
  EXPECT_EQ(out.data, std::vector<uint8_t>(32, 77));
}

TEST_F(CallTest, empty_buffers_may_have_any_stride) {
  out.dims[0] = {0, INT32_MAX, 1};
  out.dims[1] = {INT32_MIN, 0, INT64_MAX};
  in.dims[0] = {0, 0, 1};
  EXPECT_EQ(call(), 0);
}

TEST_F(CallTest, the_result_of_the_body_is_passed_up) {
  body = [](const hocket_context_t*, const int64_t*, void* const*) -> int32_t { return 42; };
  EXPECT_EQ(call(), 42);
  EXPECT_EQ(reports, 0);
}

TEST_F(CallTest, the_body_gets_the_context) {
  static const hocket_context_t* seen;
  body = [](const hocket_context_t* given, const int64_t*, void* const*) -> int32_t {
    seen = given;
    return 0;
  };
  EXPECT_EQ(call(), 0);
  EXPECT_EQ(seen, &context);
}

TEST_F(CallTest, without_regions_boxes_are_taken_as_given) {
  regions = nullptr;
  in.dims[0].extent = 1;
  body = [](const hocket_context_t*, const int64_t*, void* const*) -> int32_t { return 0; };
  EXPECT_EQ(call(), 0);
}

// Every scalar type arrives in its slot as docs/abi.md says.
TEST(call_scalars, slots) {
  const int8_t i8 = -2;
  const uint8_t u8 = 254;
  const int16_t i16 = -3;
  const uint16_t u16 = 65533, half = 0xC000, brain = 0xC000;
  const int32_t i32 = -4;
  const uint32_t u32 = 0xFFFFFFFC;
  const int64_t i64 = INT64_MIN;
  const uint64_t u64 = UINT64_MAX;
  const float f32 = -1.5f;
  const double f64 = -1.5;
  const bool flag = true;
  struct Case {
    hocket_type_code_t code;
    int bits;
    const void* value;
    uint64_t slot;
  };
  const Case cases[] = {
      {HOCKET_TYPE_INT, 8, &i8, uint64_t(-2)},
      {HOCKET_TYPE_UINT, 8, &u8, 254},
      {HOCKET_TYPE_INT, 16, &i16, uint64_t(-3)},
      {HOCKET_TYPE_UINT, 16, &u16, 65533},
      {HOCKET_TYPE_INT, 32, &i32, uint64_t(-4)},
      {HOCKET_TYPE_UINT, 32, &u32, 0xFFFFFFFC},
      {HOCKET_TYPE_INT, 64, &i64, uint64_t(1) << 63},
      {HOCKET_TYPE_UINT, 64, &u64, UINT64_MAX},
      {HOCKET_TYPE_FLOAT, 16, &half, 0xC000},
      {HOCKET_TYPE_BFLOAT, 16, &brain, 0xC000},
      {HOCKET_TYPE_FLOAT, 32, &f32, 0xBFC00000},
      {HOCKET_TYPE_FLOAT, 64, &f64, 0xBFF8000000000000},
      {HOCKET_TYPE_BOOL, 1, &flag, 1},
  };
  constexpr int count = sizeof cases / sizeof cases[0];
  hocket_argument_t arguments[count] = {};
  void* args[count];
  for (int i = 0; i < count; ++i) {
    arguments[i].name = "s";
    arguments[i].type = hocket_type(cases[i].code, cases[i].bits);
    arguments[i].scalar_index = i;
    arguments[i].pointer_index = arguments[i].region_index = -1;
    args[i] = const_cast<void*>(cases[i].value);
  }
  const hocket_metadata_t metadata = {
      HOCKET_ABI_VERSION, count, "p", "", arguments, count, 0, 0, 0, {}};
  static uint64_t seen[count];
  const hocket_body_fn body = [](const hocket_context_t*, const int64_t* scalars,
                                 void* const*) -> int32_t {
    std::memcpy(seen, scalars, sizeof seen);
    return 0;
  };
  ASSERT_EQ(hocket_call(&metadata, body, nullptr, nullptr, args), 0);
  for (int i = 0; i < count; ++i) EXPECT_EQ(seen[i], cases[i].slot) << i;
}

TEST_F(CallTest, halves_of_one_image_do_not_overlap) {
  Grid image(17, 4, 3);
  in.buffer.host = image.data.data();
  out.buffer.host = image.data.data() + 9;
  in.dims[1].stride = out.dims[1].stride = 17;
  EXPECT_EQ(call(), 0);
  out.buffer.host = image.data.data() + 8;  // one column is shared
  EXPECT_EQ(call(), HOCKET_ERROR_ALIAS_OVERLAP);
}

TEST_F(CallTest, alias_checks_can_be_switched_off) {
  in.buffer.host = out.buffer.host;
  in.dims[0].extent = 8;
  regions = nullptr;
  body = [](const hocket_context_t*, const int64_t*, void* const*) -> int32_t { return 0; };
  EXPECT_EQ(call(), HOCKET_ERROR_ALIAS_OVERLAP);
  metadata.flags = HOCKET_METADATA_NO_ALIAS_CHECK;
  EXPECT_EQ(call(), 0);
  metadata.flags = 0;
  arguments[0].flags = HOCKET_ARGUMENT_NO_ALIAS_CHECK;
  EXPECT_EQ(call(), 0);
  arguments[0].flags = 0;
  arguments[3].flags = HOCKET_ARGUMENT_NO_ALIAS_CHECK;
  EXPECT_EQ(call(), 0);
}

TEST_F(CallTest, outputs_may_be_interleaved_or_mirrored) {
  const hocket_dim_constraint_t any = {HOCKET_FREE, HOCKET_FREE, HOCKET_FREE, 0, 0};
  open = {any, any};
  arguments[3].constraints = open.data();
  out.dims = {{{0, 4, 8}, {0, 8, 1}}};  // transposed
  in.dims[1].extent = 8;
  in.data.resize(9 * 8, 3);
  in.buffer.host = in.data.data();
  EXPECT_EQ(call(), 0);
  EXPECT_EQ(out.data, std::vector<uint8_t>(32, 6));
  std::fill(out.data.begin(), out.data.end(), 0);
  out.dims = {{{0, 8, 1}, {0, 4, -8}}};  // bottom up
  out.buffer.host = out.data.data() + 24;
  EXPECT_EQ(call(), 0);
  EXPECT_EQ(out.data, std::vector<uint8_t>(32, 6));
}

// More slots than fit on hocket_call's stack.
TEST(call_large, many_arguments) {
  constexpr int count = 40;
  hocket_argument_t arguments[count] = {};
  std::vector<std::array<hocket_dim_t, 2>> dims(count);
  std::vector<hocket_buffer_t> buffers(count);
  std::vector<uint8_t> memory(count * 4);
  std::vector<void*> args(count);
  for (int i = 0; i < count; ++i) {
    dims[i] = {{{0, 2, 1}, {0, 2, 2}}};
    buffers[i] = {&memory[i * 4], 0, nullptr, hocket_type(HOCKET_TYPE_UINT, 8), 2,
                  dims[i].data(), 0, nullptr};
    arguments[i] = {"b",
                    i < 20 ? HOCKET_ARGUMENT_INPUT : HOCKET_ARGUMENT_OUTPUT,
                    hocket_type(HOCKET_TYPE_UINT, 8),
                    2,
                    0,
                    i * 6,
                    i,
                    i * 4};
    args[i] = &buffers[i];
  }
  const hocket_metadata_t metadata = {HOCKET_ABI_VERSION, count, "large",   "", arguments,
                                      count * 6,          count, count * 4, 0,  {}};
  const hocket_body_fn body = [](const hocket_context_t*, const int64_t* scalars,
                                 void* const* pointers) -> int32_t {
    for (int i = 0; i < count; ++i) {
      if (scalars[6 * i + 5] != 2) return 1;
      if (i >= 20) static_cast<uint8_t*>(pointers[i])[3] = static_cast<uint8_t>(i);
    }
    return 0;
  };
  const hocket_regions_fn regions = [](const int64_t*, int64_t* out) {
    for (int i = 0; i < count * 2; ++i) {
      out[2 * i] = 0;
      out[2 * i + 1] = 1;
    }
  };
  ASSERT_EQ(hocket_call(&metadata, body, regions, nullptr, args.data()), 0);
  EXPECT_EQ(memory[39 * 4 + 3], 39);
  dims[39][1].extent = 1;
  EXPECT_EQ(hocket_call(&metadata, body, regions, nullptr, args.data()),
            HOCKET_ERROR_BUFFER_TOO_SMALL);
}

}  // namespace
}  // namespace hocket::runtime_test
