// Memory of a run: one value per cell, why it is poison, which point it holds, who touched it.
//
// A Memory is one allocation or one argument; a View is how a buffer symbol sees it (the whole, or
// a window of a window of it). Memories are reused, since allocations inside loops are many.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "interp/code.h"

namespace hocket::interp {

// Which point of which stage a cell holds, and which reduction steps have been applied to it.
struct Tag {
  static constexpr uint32_t kNone = 0;             // nothing known
  static constexpr uint32_t kComputed = 1;         // the result of a store without a block header
  static constexpr uint32_t kShort = 0xffffffffu;  // a stage: steps of an earlier one were left out
  uint32_t point = kNone;                          // a number of blocks.h from 2
  uint32_t stage = 0;
  uint32_t steps = 0;  // a state of blocks.h, 0 is none; where short, what is missing
};

// The last write and a read of a cell, as far as later accesses may race with them (strands.h).
struct CellLog {
  uint32_t write_strand = 0, write_stmt = 0;
  uint32_t read_strand = 0, read_stmt = 0;
  bool own_read = false;  // the read is the one by which a store reduces into the cell
};

// Poison of a cell that lies between the elements of a strided argument: it does not exist.
constexpr uint32_t kHole = 0xffffffffu;

struct Memory {
  ir::Symbol buffer;  // allocation or parameter
  ir::Type type;
  int64_t size = 0;                     // cells
  std::vector<int64_t> extent, stride;  // to speak of elements
  std::vector<int64_t> value;           // as Val
  std::vector<uint32_t> poison;
  std::vector<CellLog> log;  // empty until something is logged
  std::vector<Tag> tags;     // empty unless blocks are compared
  bool live = false;
  bool argument = false;
  bool freed = false;         // by a Free statement
  uint32_t born = 0;          // strand that allocated it
  uint32_t first_strand = 0;  // older entries of the log belong to an earlier use

  int64_t bytes() const { return size * type.bytes(); }
  // Indices of a cell, along extent and stride.
  std::vector<int64_t> element(int64_t cell) const;
};

struct View {
  Memory* memory = nullptr;
  int64_t offset = 0;
  int rank = 0;
  bool whole = true;          // every cell of the memory that exists
  int64_t* extent = nullptr;  // `rank` of each, in the frame
  int64_t* stride = nullptr;
};

class MemoryPool {
 public:
  Memory* take() {
    if (free_.empty()) {
      all_.push_back(std::make_unique<Memory>());
      return all_.back().get();
    }
    Memory* m = free_.back();
    free_.pop_back();
    return m;
  }
  void give_back(Memory* m) { free_.push_back(m); }

 private:
  std::vector<std::unique_ptr<Memory>> all_;
  std::vector<Memory*> free_;
};

}  // namespace hocket::interp
