// The allocator: alignment, padding, reuse, its bound, replacement.
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <thread>
#include <vector>

#include "abi/hocket_abi.h"

extern "C" const char* __asan_default_options() {
  return "allocator_may_return_null=1";
}

namespace {

class MemoryTest : public ::testing::Test {
 protected:
  MemoryTest() { hocket_release_cache(); }
  ~MemoryTest() override { hocket_release_cache(); }
};

TEST_F(MemoryTest, aligned_and_padded_at_every_size) {
  for (size_t bytes = 0; bytes < 5000; ++bytes) {
    uint8_t* memory = static_cast<uint8_t*>(hocket_malloc(nullptr, bytes));
    ASSERT_NE(memory, nullptr);
    ASSERT_EQ(reinterpret_cast<uintptr_t>(memory) % HOCKET_MALLOC_ALIGNMENT, 0u);
    std::memset(memory, 1, bytes + HOCKET_MALLOC_PADDING);
    volatile uint8_t before = memory[-HOCKET_MALLOC_PADDING];  // may be read
    (void)before;
    hocket_free(nullptr, memory);
  }
}

TEST_F(MemoryTest, large_blocks) {
  for (size_t bytes : {size_t{1} << 20, (size_t{4} << 20) + 1, size_t{100} << 20}) {
    uint8_t* memory = static_cast<uint8_t*>(hocket_malloc(nullptr, bytes));
    ASSERT_NE(memory, nullptr);
    memory[0] = memory[bytes + HOCKET_MALLOC_PADDING - 1] = 1;
    hocket_free(nullptr, memory);
  }
}

TEST_F(MemoryTest, too_much_is_null) {
  for (size_t bytes : {SIZE_MAX, SIZE_MAX / 2, SIZE_MAX / 4 + 2, size_t{1} << 60}) {
    EXPECT_EQ(hocket_malloc(nullptr, bytes), nullptr);
  }
}

TEST_F(MemoryTest, a_freed_block_is_used_again) {
  for (size_t bytes : {size_t{1}, size_t{1000}, size_t{30} << 20}) {
    void* first = hocket_malloc(nullptr, bytes);
    hocket_free(nullptr, first);
    EXPECT_GT(hocket_cached_bytes(), 0);
    void* second = hocket_malloc(nullptr, bytes);
    EXPECT_EQ(first, second);
    EXPECT_EQ(hocket_cached_bytes(), 0);
    hocket_free(nullptr, second);
    hocket_release_cache();
  }
}

TEST_F(MemoryTest, blocks_in_use_are_distinct) {
  std::vector<uint8_t*> blocks;
  for (int i = 0; i < 200; ++i) {
    blocks.push_back(static_cast<uint8_t*>(hocket_malloc(nullptr, 500)));
    std::memset(blocks.back(), i, 500);
  }
  for (int i = 0; i < 200; ++i) {
    for (int b = 0; b < 500; ++b) ASSERT_EQ(blocks[i][b], static_cast<uint8_t>(i));
    hocket_free(nullptr, blocks[i]);
  }
}

TEST_F(MemoryTest, the_cache_is_bounded) {
  const int64_t previous = hocket_set_cache_limit(1 << 20);
  std::vector<void*> blocks;
  for (int i = 0; i < 100; ++i) blocks.push_back(hocket_malloc(nullptr, 100000));
  for (void* block : blocks) hocket_free(nullptr, block);
  EXPECT_LE(hocket_cached_bytes(), 1 << 20);
  EXPECT_GT(hocket_cached_bytes(), 1 << 19);
  EXPECT_EQ(hocket_set_cache_limit(0), 1 << 20);
  EXPECT_EQ(hocket_cached_bytes(), 0);
  hocket_free(nullptr, hocket_malloc(nullptr, 10));
  EXPECT_EQ(hocket_cached_bytes(), 0);
  EXPECT_EQ(hocket_set_cache_limit(previous), 0);
  EXPECT_EQ(previous, int64_t{512} << 20);
}

TEST_F(MemoryTest, many_threads) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([t] {
      std::mt19937 random(static_cast<unsigned>(t));
      for (int round = 0; round < 2000; ++round) {
        const size_t bytes = random() % 3000 + 1;
        uint8_t* memory = static_cast<uint8_t*>(hocket_malloc(nullptr, bytes));
        memory[0] = static_cast<uint8_t>(t);
        memory[bytes - 1] = static_cast<uint8_t>(t);
        std::this_thread::yield();
        EXPECT_EQ(memory[0], t);
        EXPECT_EQ(memory[bytes - 1], t);
        hocket_free(nullptr, memory);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_F(MemoryTest, replaced_for_one_call) {
  alignas(128) static uint8_t block[256];
  static int frees;
  frees = 0;
  hocket_hooks_t hooks = {};
  hooks.malloc = [](const hocket_context_t*, size_t bytes) -> void* {
    return bytes <= 100 ? block : nullptr;
  };
  hooks.free = [](const hocket_context_t*, void* memory) { frees += memory == block; };
  const hocket_context_t context = {nullptr, &hooks};
  EXPECT_EQ(hocket_malloc(&context, 100), block);
  EXPECT_EQ(hocket_malloc(&context, 101), nullptr);
  hocket_free(&context, block);
  hocket_free(&context, nullptr);
  EXPECT_EQ(frees, 1);
  hocket_set_malloc(hooks.malloc, hooks.free);
  EXPECT_EQ(hocket_malloc(nullptr, 1), block);
  hocket_free(nullptr, block);
  hocket_set_malloc(nullptr, nullptr);
  EXPECT_EQ(frees, 2);
  void* own = hocket_malloc(nullptr, 1);
  EXPECT_NE(own, block);
  hocket_free(nullptr, own);
}

}  // namespace
