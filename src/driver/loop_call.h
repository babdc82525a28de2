// The arguments of one call of a loop program, checked before anything is written.
//
// In: a proc in loop form and, per parameter, a number or memory. Out: the addresses that compiled
// code takes (docs/abi.md), or a refusal (D0201) that names argument, dimension, what is needed and
// what is given. The same arguments run through the interpreter with every guard on. Called by:
// api/proc.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "diag/result.h"
#include "ir/proc.h"
#include "ir/semantics.h"

namespace hocket::driver {

// A number for a size, index or scalar; or memory for a buffer.
struct LoopArgument {
  ir::Scalar number;
  bool is_memory = false;
  bool read_only = false;
  void* data = nullptr;  // of the element [0, ...]
  ir::Type type;         // of the elements
  // Extents, and strides in elements, outermost first. Without a layout (a bare pointer) the memory
  // is taken to be as large and as dense as the parameter says.
  bool has_layout = false;
  std::vector<int64_t> extents, strides;
};

class LoopCall {
 public:
  // Refuses: a wrong count, kind, type or rank, extents that are not the parameter's, a dense
  // parameter over memory with gaps, null, read-only memory that is written, two arguments that
  // share bytes of which one is written.
  static diag::Result<LoopCall> make(const ir::Proc& proc, std::span<const LoopArgument> arguments);

  // args[i] belongs to parameter i; valid as long as this object is.
  std::span<void* const> addresses() const { return args_; }
  // Runs the proc in the interpreter: bounds, poison, races, asserts. The memory holds the results
  // afterwards; it is left as it was where the run goes wrong.
  diag::Result<void> run_guarded(const ir::Proc& proc) const;

 private:
  std::vector<LoopArgument> arguments_;  // every memory with its layout
  std::deque<uint64_t> numbers_;
  std::deque<std::vector<int64_t>> windows_;  // data, strides
  std::vector<void*> args_;
};

}  // namespace hocket::driver
