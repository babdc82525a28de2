// Where a Func is stored, by the names that Halide has for it.
// In: store_in(MemoryType::Stack). Out: a memory of target/memory.h, or none for Auto. Used by:
// Func::store_in, which takes every memory by its own name as well.
#pragma once

#include <cstdint>

namespace hocket {

enum class MemoryType : uint8_t {
  Auto,   // chosen by size: what an earlier store_in said is forgotten
  Heap,   // DRAM
  Stack,  // DRAM_STACK: constant size
};

}  // namespace hocket
