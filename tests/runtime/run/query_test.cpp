// Bounds queries: what hocket_call writes into buffers without memory, and what it leaves alone.
#include "../call_fixture.h"

namespace hocket::runtime_test {
namespace {

class QueryTest : public CallTest {
 protected:
  QueryTest() {
    body = [](const hocket_context_t*, const int64_t*, void* const*) -> int32_t { return 99; };
  }
  void ask(Grid& grid) {
    grid.buffer.host = nullptr;
    grid.buffer.type = {};
    for (hocket_dim_t& dim : grid.dims) dim = {0, 0, 0};
  }
};

void expect_dim(const hocket_dim_t& dim, int64_t min, int64_t extent, int64_t stride) {
  EXPECT_EQ(dim.min, min);
  EXPECT_EQ(dim.extent, extent);
  EXPECT_EQ(dim.stride, stride);
}

TEST_F(QueryTest, input) {
  ask(in);
  out.dims[0].min = -2;
  EXPECT_EQ(call(), 0);
  EXPECT_EQ(in.buffer.host, nullptr);
  EXPECT_EQ(in.buffer.type.bits, 8);
  expect_dim(in.dims[0], -2, 9, 1);
  expect_dim(in.dims[1], 0, 4, 9);
  expect_dim(out.dims[0], -2, 8, 1);
}

TEST_F(QueryTest, output_that_rounds_up_widens_the_input) {
  ask(in);
  ask(out);
  out.dims = {{{3, 10, 0}, {1, 5, 0}}};
  open[0].extent_multiple = 8;
  arguments[3].constraints = open.data();
  EXPECT_EQ(call(), 0);
  expect_dim(out.dims[0], 3, 16, 1);
  expect_dim(out.dims[1], 1, 5, 16);
  expect_dim(in.dims[0], 3, 17, 1);
  expect_dim(in.dims[1], 1, 5, 17);
}

TEST_F(QueryTest, min_multiples_and_fixed_values) {
  ask(in);
  open[0].min_multiple = 4;
  open[1].extent = 7;
  open[1].min = -1;
  arguments[0].constraints = open.data();
  out.dims[0].min = -3;
  EXPECT_EQ(call(), 0);
  expect_dim(in.dims[0], -4, 10, 1);
  expect_dim(in.dims[1], -1, 7, 10);
}

TEST_F(QueryTest, strides_go_around_fixed_ones) {
  ask(in);
  open[0].stride = 3;
  arguments[0].constraints = open.data();
  EXPECT_EQ(call(), 0);
  expect_dim(in.dims[0], 0, 9, 3);
  expect_dim(in.dims[1], 0, 4, 27);
}

TEST_F(QueryTest, an_empty_output_asks_for_nothing) {
  ask(in);
  out.dims[0].extent = 0;
  EXPECT_EQ(call(), 0);
  EXPECT_EQ(in.dims[0].extent, 0);
  EXPECT_EQ(in.dims[1].extent, 0);
}

TEST_F(QueryTest, a_buffer_with_memory_is_not_compared) {
  ask(out);
  out.dims = {{{0, 100, 0}, {0, 100, 0}}};
  EXPECT_EQ(call(), 0);
  expect_dim(in.dims[0], 0, 9, 1);
}

TEST_F(QueryTest, without_regions_the_box_stays) {
  regions = nullptr;
  ask(in);
  in.dims[0] = {5, 6, 0};
  EXPECT_EQ(call(), 0);
  expect_dim(in.dims[0], 5, 6, 1);
}

TEST_F(QueryTest, region_beyond_32_bits_is_refused_and_nothing_is_written) {
  ask(in);
  ask(out);
  out.dims[0] = {INT32_MAX, 1, 0};
  out.dims[1] = {0, 1, 0};
  refused(HOCKET_ERROR_EXTENT_OVERFLOW,
          "`mix`: `in` dimension 0 has coordinates 2147483647 to 2147483648, beyond 32 bits");
  expect_dim(in.dims[0], 0, 0, 0);
  EXPECT_EQ(out.dims[0].stride, 0);
  EXPECT_EQ(in.buffer.type.bits, 0);
}

// Coordinates that all fit, and more of them than a signed number of 32 bits says.
TEST_F(QueryTest, an_extent_beyond_31_bits_is_refused) {
  ask(in);
  ask(out);
  out.dims[0] = {INT32_MIN, INT64_C(1) << 31, 0};
  out.dims[1] = {0, 1, 0};
  refused(HOCKET_ERROR_EXTENT_OVERFLOW,
          "`mix`: `out` dimension 0 spans -2147483648 to -1, more than 2^31 - 1 coordinates");
}

TEST_F(QueryTest, region_too_large_for_memory_is_refused) {
  arguments[0].type = hocket_type(HOCKET_TYPE_FLOAT, 64);
  ask(in);
  ask(out);
  out.dims[0] = {INT32_MIN, INT32_MAX - 1, 0};
  out.dims[1] = {INT32_MIN, INT32_MAX - 1, 0};
  EXPECT_EQ(call(), HOCKET_ERROR_EXTENT_OVERFLOW);
  EXPECT_EQ(error.constraint, HOCKET_CONSTRAINT_BYTE_OFFSET);
  expect_dim(in.dims[0], 0, 0, 0);
}

TEST_F(QueryTest, rank_is_still_checked) {
  ask(in);
  in.buffer.dimensions = 1;
  refused(HOCKET_ERROR_WRONG_RANK, "`mix`: `in` has 1 dimensions, needs 2");
}

TEST_F(QueryTest, bounds_that_never_rest_are_a_bug) {
  out.buffer.host = nullptr;
  regions = [](const int64_t* scalars, int64_t* out) {
    mix_regions(scalars, out);
    ++out[5];
  };
  refused(HOCKET_ERROR_INTERNAL, "`mix`: bug in Hocket: the outputs' bounds do not come to rest");
}

}  // namespace
}  // namespace hocket::runtime_test
