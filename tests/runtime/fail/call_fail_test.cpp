// Every refusal of hocket_call: code, details, words; reported once, nothing written.
#include "../call_fixture.h"

#include <cmath>
#include <cstring>
#include <limits>

namespace hocket::runtime_test {
namespace {

TEST_F(CallTest, null_argument) {
  for (int i = 0; i < 4; ++i) {
    void* args[] = {&in.buffer, &gain, &shift, &out.buffer};
    args[i] = nullptr;
    EXPECT_EQ(hocket_call(&metadata, body, regions, &context, args), HOCKET_ERROR_BUFFER_NULL);
    EXPECT_EQ(message_of(error), "`mix`: `" + std::string(arguments[i].name) + "` is null");
  }
}

TEST_F(CallTest, null_dimensions) {
  in.buffer.dim = nullptr;
  refused(HOCKET_ERROR_BUFFER_NULL, "`mix`: `in` is null");
}

TEST_F(CallTest, arguments_are_judged_in_order) {
  in.buffer.dimensions = 3;
  out.buffer.dim = nullptr;
  refused(HOCKET_ERROR_WRONG_RANK, "`mix`: `in` has 3 dimensions, needs 2");
  in.buffer.dimensions = 2;
  in.dims[0].stride = 2;  // a layout, which is looked at after all shapes
  refused(HOCKET_ERROR_BUFFER_NULL, "`mix`: `out` is null");
}

TEST_F(CallTest, wrong_rank) {
  in.buffer.dimensions = 3;
  refused(HOCKET_ERROR_WRONG_RANK, "`mix`: `in` has 3 dimensions, needs 2");
  EXPECT_EQ(error.needed_rank, 2);
  EXPECT_EQ(error.given_rank, 3);
  EXPECT_EQ(error.dimension, -1);
}

TEST_F(CallTest, wrong_type) {
  out.buffer.type = hocket_type(HOCKET_TYPE_BFLOAT, 16);
  refused(HOCKET_ERROR_WRONG_TYPE, "`mix`: `out` has elements of type bf16, needs u8");
  EXPECT_EQ(error.given_type.code, HOCKET_TYPE_BFLOAT);
  EXPECT_EQ(error.needed_type.bits, 8);
  out.buffer.type = hocket_type(HOCKET_TYPE_UINT, 8);
  out.buffer.type.lanes = 4;
  refused(HOCKET_ERROR_WRONG_TYPE, "`mix`: `out` has elements of type u8 in 4 lanes, needs u8");
}

TEST_F(CallTest, negative_extent) {
  out.dims[1].extent = -1;
  refused(HOCKET_ERROR_EXTENT_NEGATIVE, "`mix`: `out` dimension 1 has the negative extent -1");
  EXPECT_EQ(error.dimension, 1);
  EXPECT_EQ(error.given_min, -1);
}

TEST_F(CallTest, coordinates_beyond_32_bits) {
  out.dims[0].min = INT64_C(1) << 31;
  refused(HOCKET_ERROR_EXTENT_OVERFLOW,
          "`mix`: `out` dimension 0 has coordinates 2147483648 to 2147483655, beyond 32 bits");
  EXPECT_EQ(error.constraint, HOCKET_CONSTRAINT_COORDINATES);
  out.dims[0].min = INT32_MAX - 6;
  refused(HOCKET_ERROR_EXTENT_OVERFLOW,
          "`mix`: `out` dimension 0 has coordinates 2147483641 to 2147483648, beyond 32 bits");
  out.dims[0] = {0, INT64_MAX, 1};
  refused(HOCKET_ERROR_EXTENT_OVERFLOW,
          "`mix`: `out` dimension 0 has coordinates 0 to 9223372036854775806, beyond 32 bits");
  out.dims[0] = {INT64_MAX, INT64_MAX, 1};
  refused(HOCKET_ERROR_EXTENT_OVERFLOW,
          "`mix`: `out` dimension 0 has coordinates 9223372036854775807 to 9223372036854775807, "
          "beyond 32 bits");
}

TEST_F(CallTest, bytes_beyond_63_bits) {
  for (int64_t stride : {INT64_MAX / 3 + 1, INT64_MIN / 2, INT64_MIN, INT64_MAX}) {
    in.dims[1].stride = stride;
    refused(HOCKET_ERROR_EXTENT_OVERFLOW, "`mix`: `in` spans more than 2^63 bytes");
    EXPECT_EQ(error.constraint, HOCKET_CONSTRAINT_BYTE_OFFSET);
  }
}

TEST_F(CallTest, integer_parameter_out_of_range) {
  arguments[2].flags = HOCKET_ARGUMENT_HAS_MIN | HOCKET_ARGUMENT_HAS_MAX;
  arguments[2].min = -3;
  arguments[2].max = 5;
  for (shift = -3; shift <= 5; ++shift) EXPECT_EQ(call(), 0);
  refused(HOCKET_ERROR_PARAM_OUT_OF_RANGE, "`mix`: `shift` must be from -3 to 5, is 6");
  EXPECT_EQ(error.constraint, HOCKET_CONSTRAINT_SCALAR_INT);
  shift = -4;
  refused(HOCKET_ERROR_PARAM_OUT_OF_RANGE, "`mix`: `shift` must be from -3 to 5, is -4");
  arguments[2].flags = HOCKET_ARGUMENT_HAS_MIN;
  refused(HOCKET_ERROR_PARAM_OUT_OF_RANGE,
          "`mix`: `shift` must be from -3 to 9223372036854775807, is -4");
}

TEST_F(CallTest, unsigned_parameter_out_of_range) {
  arguments[2].type = hocket_type(HOCKET_TYPE_UINT, 32);
  arguments[2].flags = HOCKET_ARGUMENT_HAS_MAX;
  arguments[2].max = 9;
  shift = -1;
  refused(HOCKET_ERROR_PARAM_OUT_OF_RANGE, "`mix`: `shift` must be from 0 to 9, is 4294967295");
  EXPECT_EQ(error.constraint, HOCKET_CONSTRAINT_SCALAR_UINT);
  shift = 9;
  EXPECT_EQ(call(), 0);
}

TEST_F(CallTest, float_parameter_out_of_range) {
  arguments[1].flags = HOCKET_ARGUMENT_HAS_MIN | HOCKET_ARGUMENT_HAS_MAX;
  arguments[1].fmin = 0;
  arguments[1].fmax = 1.5;
  for (float good : {0.0f, -0.0f, 1.5f}) {
    gain = good;
    EXPECT_EQ(call(), 0);
  }
  gain = -0.5f;
  refused(HOCKET_ERROR_PARAM_OUT_OF_RANGE, "`mix`: `gain` must be from 0 to 1.5, is -0.5");
  EXPECT_EQ(error.given_float, -0.5);
  gain = std::numeric_limits<float>::infinity();
  refused(HOCKET_ERROR_PARAM_OUT_OF_RANGE, "`mix`: `gain` must be from 0 to 1.5, is inf");
  gain = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(call(), HOCKET_ERROR_PARAM_OUT_OF_RANGE);
  EXPECT_TRUE(std::isnan(error.given_float));
}

TEST_F(CallTest, every_float16_is_read_exactly) {
  arguments[1].type = hocket_type(HOCKET_TYPE_FLOAT, 16);
  arguments[1].flags = HOCKET_ARGUMENT_HAS_MIN;
  arguments[1].fmin = std::numeric_limits<double>::infinity();
  for (uint32_t bits = 0; bits < 65536; ++bits) {
    const int exponent = bits >> 10 & 31;
    if (bits == 0x7C00) continue;  // +infinity is in the range
    const uint16_t half = static_cast<uint16_t>(bits);
    std::memcpy(&gain, &half, 2);
    ASSERT_EQ(call(), HOCKET_ERROR_PARAM_OUT_OF_RANGE);
    double wanted =
        exponent ? std::ldexp(1024 + (bits & 1023), exponent - 25) : std::ldexp(bits & 1023, -24);
    if (bits >> 15) wanted = -wanted;
    if (exponent == 31 && (bits & 1023)) {
      ASSERT_TRUE(std::isnan(error.given_float)) << bits;
    } else if (exponent < 31) {
      ASSERT_EQ(error.given_float, wanted) << bits;
    }
  }
}

TEST_F(CallTest, bfloat16_parameter_out_of_range) {
  arguments[1].type = hocket_type(HOCKET_TYPE_BFLOAT, 16);
  arguments[1].flags = HOCKET_ARGUMENT_HAS_MAX;
  arguments[1].fmax = 1;
  const uint16_t three = 0x4040;
  std::memcpy(&gain, &three, 2);
  refused(HOCKET_ERROR_PARAM_OUT_OF_RANGE, "`mix`: `gain` must be from -inf to 1, is 3");
}

TEST_F(CallTest, size_too_small) {
  arguments[2].flags = HOCKET_ARGUMENT_IS_SIZE;
  refused(HOCKET_ERROR_SIZE_TOO_SMALL, "`mix`: `shift` is a size and must be at least 1, is 0");
  shift = -2;
  refused(HOCKET_ERROR_SIZE_TOO_SMALL, "`mix`: `shift` is a size and must be at least 1, is -2");
  shift = 1;
  EXPECT_EQ(call(), 0);
}

TEST_F(CallTest, first_stride_is_one_by_default) {
  in.dims[0] = {0, 9, 2};
  refused(HOCKET_ERROR_CONSTRAINT_VIOLATED, "`mix`: `in` stride of dimension 0 must be 1, is 2");
  EXPECT_EQ(error.constraint, HOCKET_CONSTRAINT_STRIDE);
  EXPECT_EQ(error.dimension, 0);
  EXPECT_EQ(error.needed_min, 1);
  EXPECT_EQ(error.given_min, 2);
}

TEST_F(CallTest, constraints) {
  arguments[3].constraints = open.data();
  struct Case {
    int64_t hocket_dim_constraint_t::* field;
    int64_t value, good;
    const char* message;
  };
  const Case cases[] = {
      {&hocket_dim_constraint_t::min, 1, 0, "`mix`: `out` min of dimension 1 must be 1, is 0"},
      {&hocket_dim_constraint_t::extent, 3, 4,
       "`mix`: `out` extent of dimension 1 must be 3, is 4"},
      {&hocket_dim_constraint_t::stride, 16, 8,
       "`mix`: `out` stride of dimension 1 must be 16, is 8"},
      {&hocket_dim_constraint_t::extent_multiple, 8, 2,
       "`mix`: `out` extent of dimension 1 must be a multiple of 8, is 4"},
  };
  for (const Case& c : cases) {
    open[1].*c.field = c.good;
    EXPECT_EQ(call(), 0) << c.message;
    open[1].*c.field = c.value;
    refused(HOCKET_ERROR_CONSTRAINT_VIOLATED, c.message);
    open[1] = open[0];
  }
  open[1].min_multiple = 2;
  EXPECT_EQ(call(), 0);
  out.dims[1].min = in.dims[1].min = -1;
  refused(HOCKET_ERROR_CONSTRAINT_VIOLATED,
          "`mix`: `out` min of dimension 1 must be a multiple of 2, is -1");
}

TEST_F(CallTest, misaligned) {
  arguments[3].alignment = 64;
  alignas(64) static uint8_t memory[128];
  out.buffer.host = memory + 3;
  EXPECT_EQ(call(), HOCKET_ERROR_MISALIGNED);
  EXPECT_EQ(message_of(error),
            "`mix`: `out` must start at a multiple of 64 bytes, starts at 3 bytes past one");
  out.buffer.host = memory + 64;
  EXPECT_EQ(call(), 0);
}

TEST_F(CallTest, elements_are_aligned_to_their_size_by_default) {
  arguments[3].type = out.buffer.type = hocket_type(HOCKET_TYPE_UINT, 16);
  alignas(64) static uint8_t memory[128];
  body = [](const hocket_context_t*, const int64_t*, void* const*) -> int32_t { return 0; };
  out.buffer.host = memory + 1;
  EXPECT_EQ(call(), HOCKET_ERROR_MISALIGNED);
  out.buffer.host = memory + 2;
  EXPECT_EQ(call(), 0);
}

TEST_F(CallTest, input_too_small) {
  in.dims[0].extent = 8;
  refused(HOCKET_ERROR_BUFFER_TOO_SMALL, "`mix`: `in` needs 0 to 8 in dimension 0, has 0 to 7");
  EXPECT_EQ(error.dimension, 0);
  EXPECT_EQ(error.needed_min, 0);
  EXPECT_EQ(error.needed_max, 8);
  EXPECT_EQ(error.given_max, 7);
  in.dims[0] = {1, 8, 1};
  refused(HOCKET_ERROR_BUFFER_TOO_SMALL, "`mix`: `in` needs 0 to 8 in dimension 0, has 1 to 8");
  in.dims[0] = {0, 9, 1};
  in.dims[1].extent = 0;
  refused(HOCKET_ERROR_BUFFER_TOO_SMALL, "`mix`: `in` needs 0 to 3 in dimension 1, has nothing");
}

TEST_F(CallTest, output_too_small) {
  regions = [](const int64_t* scalars, int64_t* out) {
    mix_regions(scalars, out);
    out[5] = 15;  // a tail that rounds up to 16 columns
  };
  refused(HOCKET_ERROR_BUFFER_TOO_SMALL, "`mix`: `out` needs 0 to 15 in dimension 0, has 0 to 7");
}

TEST_F(CallTest, the_same_buffer_as_input_and_output) {
  void* args[] = {&out.buffer, &gain, &shift, &out.buffer};
  regions = nullptr;
  EXPECT_EQ(hocket_call(&metadata, body, regions, &context, args), HOCKET_ERROR_ALIAS_OVERLAP);
  EXPECT_EQ(message_of(error), "`mix`: `out` shares memory with `in`");
  EXPECT_EQ(out.data, std::vector<uint8_t>(32, 77));
}

TEST_F(CallTest, memory_shared_by_input_and_output) {
  in.data.resize(100, 3);
  in.buffer.host = in.data.data();
  for (int64_t at : {0, 1, 8, 35}) {
    out.buffer.host = in.data.data() + at;
    refused(HOCKET_ERROR_ALIAS_OVERLAP, "`mix`: `out` shares memory with `in`");
    EXPECT_STREQ(error.other, "in");
  }
  out.buffer.host = in.data.data() + 36;
  EXPECT_EQ(call(), 0);
}

TEST_F(CallTest, two_outputs_share_memory) {
  arguments[0].kind = HOCKET_ARGUMENT_OUTPUT;
  in.buffer.host = out.buffer.host;
  in.dims[0].extent = 8;
  regions = nullptr;
  refused(HOCKET_ERROR_ALIAS_OVERLAP, "`mix`: `in` shares memory with `out`");
}

TEST_F(CallTest, output_with_coordinates_at_one_address) {
  for (int64_t stride : {0, 1, 7}) {
    out.dims[1].stride = stride;
    refused(HOCKET_ERROR_ALIAS_OVERLAP, "`mix`: `out` has several coordinates at one address");
  }
  out.dims[1] = {0, 1, 0};  // one coordinate may have any stride
  EXPECT_EQ(call(), 0);
}

TEST_F(CallTest, inputs_may_have_stride_zero) {
  in.dims[1].stride = 0;
  EXPECT_EQ(call(), 0);
}

TEST_F(CallTest, data_on_a_device) {
  in.buffer.host = nullptr;
  in.buffer.device = 5;
  const char* message = "`mix`: `in` holds its data on a device that this code cannot reach";
  refused(HOCKET_ERROR_DEVICE, message);
  in.buffer.host = in.data.data();
  in.buffer.flags = HOCKET_BUFFER_DEVICE_DIRTY;
  refused(HOCKET_ERROR_DEVICE, message);
  in.buffer.flags = HOCKET_BUFFER_HOST_DIRTY;
  EXPECT_EQ(call(), 0);
}

TEST_F(CallTest, version) {
  metadata.version = 99;
  refused(HOCKET_ERROR_VERSION,
          "compiled for version 99 of the binary contract, this runtime has 1");
}

TEST_F(CallTest, no_memory_for_many_arguments) {
  metadata.num_scalars = 65;
  hooks.malloc = [](const hocket_context_t*, size_t) -> void* { return nullptr; };
  hooks.free = [](const hocket_context_t*, void*) {};
  EXPECT_EQ(call(), HOCKET_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(reports, 1);
  EXPECT_EQ(out.data, std::vector<uint8_t>(32, 77));
}

}  // namespace
}  // namespace hocket::runtime_test
