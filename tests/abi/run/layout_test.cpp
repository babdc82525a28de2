// The layouts that docs/abi.md states: generated code writes these structs byte by byte.
#include <gtest/gtest.h>

#include <cstddef>

#include "abi/hocket_abi.h"

namespace {

TEST(abi_layout, buffer) {
  EXPECT_EQ(sizeof(hocket_type_t), 4u);
  EXPECT_EQ(offsetof(hocket_type_t, bits), 1u);
  EXPECT_EQ(offsetof(hocket_type_t, lanes), 2u);
  EXPECT_EQ(sizeof(hocket_dim_t), 24u);
  EXPECT_EQ(offsetof(hocket_dim_t, extent), 8u);
  EXPECT_EQ(offsetof(hocket_dim_t, stride), 16u);
  EXPECT_EQ(sizeof(hocket_buffer_t), 56u);
  EXPECT_EQ(offsetof(hocket_buffer_t, host), 0u);
  EXPECT_EQ(offsetof(hocket_buffer_t, device), 8u);
  EXPECT_EQ(offsetof(hocket_buffer_t, device_interface), 16u);
  EXPECT_EQ(offsetof(hocket_buffer_t, type), 24u);
  EXPECT_EQ(offsetof(hocket_buffer_t, dimensions), 28u);
  EXPECT_EQ(offsetof(hocket_buffer_t, dim), 32u);
  EXPECT_EQ(offsetof(hocket_buffer_t, flags), 40u);
  EXPECT_EQ(offsetof(hocket_buffer_t, user), 48u);
}

TEST(abi_layout, metadata) {
  EXPECT_EQ(sizeof(hocket_metadata_t), 64u);
  EXPECT_EQ(offsetof(hocket_metadata_t, num_arguments), 4u);
  EXPECT_EQ(offsetof(hocket_metadata_t, name), 8u);
  EXPECT_EQ(offsetof(hocket_metadata_t, target), 16u);
  EXPECT_EQ(offsetof(hocket_metadata_t, arguments), 24u);
  EXPECT_EQ(offsetof(hocket_metadata_t, num_scalars), 32u);
  EXPECT_EQ(offsetof(hocket_metadata_t, num_pointers), 36u);
  EXPECT_EQ(offsetof(hocket_metadata_t, num_regions), 40u);
  EXPECT_EQ(offsetof(hocket_metadata_t, flags), 44u);
  EXPECT_EQ(offsetof(hocket_metadata_t, reserved), 48u);
}

TEST(abi_layout, argument) {
  EXPECT_EQ(sizeof(hocket_argument_t), 88u);
  EXPECT_EQ(offsetof(hocket_argument_t, kind), 8u);
  EXPECT_EQ(offsetof(hocket_argument_t, type), 12u);
  EXPECT_EQ(offsetof(hocket_argument_t, dimensions), 16u);
  EXPECT_EQ(offsetof(hocket_argument_t, flags), 20u);
  EXPECT_EQ(offsetof(hocket_argument_t, scalar_index), 24u);
  EXPECT_EQ(offsetof(hocket_argument_t, pointer_index), 28u);
  EXPECT_EQ(offsetof(hocket_argument_t, region_index), 32u);
  EXPECT_EQ(offsetof(hocket_argument_t, alignment), 36u);
  EXPECT_EQ(offsetof(hocket_argument_t, min), 40u);
  EXPECT_EQ(offsetof(hocket_argument_t, max), 48u);
  EXPECT_EQ(offsetof(hocket_argument_t, fmin), 56u);
  EXPECT_EQ(offsetof(hocket_argument_t, fmax), 64u);
  EXPECT_EQ(offsetof(hocket_argument_t, constraints), 72u);
  EXPECT_EQ(offsetof(hocket_argument_t, reserved), 80u);
  EXPECT_EQ(sizeof(hocket_dim_constraint_t), 40u);
  EXPECT_EQ(offsetof(hocket_dim_constraint_t, min_multiple), 24u);
  EXPECT_EQ(offsetof(hocket_dim_constraint_t, extent_multiple), 32u);
}

TEST(abi_layout, tasks_and_contexts) {
  EXPECT_EQ(sizeof(hocket_context_t), 16u);
  EXPECT_EQ(sizeof(hocket_hooks_t), 64u);
  EXPECT_EQ(sizeof(hocket_semaphore_t), 64u);
  EXPECT_EQ(sizeof(hocket_acquire_t), 16u);
  EXPECT_EQ(sizeof(hocket_parallel_task_t), 48u);
  EXPECT_EQ(offsetof(hocket_parallel_task_t, acquires), 32u);
}

TEST(abi_types, bytes_of_an_element) {
  EXPECT_EQ(hocket_type_bytes(hocket_type(HOCKET_TYPE_BOOL, 1)), 1);
  EXPECT_EQ(hocket_type_bytes(hocket_type(HOCKET_TYPE_UINT, 8)), 1);
  EXPECT_EQ(hocket_type_bytes(hocket_type(HOCKET_TYPE_BFLOAT, 16)), 2);
  EXPECT_EQ(hocket_type_bytes(hocket_type(HOCKET_TYPE_FLOAT, 64)), 8);
  hocket_type_t vector = hocket_type(HOCKET_TYPE_INT, 32);
  vector.lanes = 8;
  EXPECT_EQ(hocket_type_bytes(vector), 32);
}

TEST(abi_buffers, a_query_has_neither_host_nor_device) {
  hocket_buffer_t buffer = {};
  EXPECT_TRUE(hocket_buffer_is_query(&buffer));
  buffer.device = 7;
  EXPECT_FALSE(hocket_buffer_is_query(&buffer));
  buffer.device = 0;
  buffer.host = &buffer;
  EXPECT_FALSE(hocket_buffer_is_query(&buffer));
}

}  // namespace
