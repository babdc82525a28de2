// Memories: where a buffer lives, as data. `C: f32[6, 4, 16] @ AVX512` names one.
//
// In: a name. Out: what may be stored there, who may touch it, what it becomes. Read by rewrite/
// (set_memory, replace), lower/flat (placement) and codegen/c.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "diag/result.h"
#include "ir/type.h"
#include "support/source.h"

namespace hocket::target {

enum class Placement : uint8_t {
  Heap,      // run-time size; lower/flat moves small constant ones to the stack
  Stack,     // constant size, in the frame of the task
  Static,    // constant size, allocated once per call of the proc that owns it
  Register,  // the innermost dimension is one register, outer ones name registers
};

struct RegisterElement {
  ir::Type type;
  int lanes;                // exact innermost extent
  std::string_view c_type;  // of one register
};

struct Memory {
  std::string_view name;
  Placement placement;
  bool direct;  // plain loads and stores may touch it; otherwise only instructions
  std::vector<RegisterElement> registers;  // Register placement: the allowed elements
  std::vector<std::string_view> features;  // the target must have them
  std::string_view what;                   // one line for documentation and messages

  // Null where the element type has no register here, or the memory has none.
  const RegisterElement* element(ir::Type type) const;
};

const std::vector<Memory>& all_memories();
// The memory with this name, or null.
const Memory* find_memory(std::string_view name);
// The same with a refusal that suggests near names.
diag::Result<const Memory*> memory(std::string_view name, const support::Place& place = {});
// Whether a buffer of this element type and constant innermost extent (0: a scalar or not known)
// may live in the memory.
diag::Result<void> check_memory(const Memory& m, std::string_view buffer, ir::Type element,
                                int64_t innermost, const support::Place& place = {});

}  // namespace hocket::target
