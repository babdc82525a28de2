// How a pipeline's arguments lie in the arrays of docs/abi.md: slots of scalars, pointers, regions.
// In: a proc with a PipelineEntry. Out: its arguments in metadata order with their slots. Called by
// every back end (wrappers, metadata, headers) and by the driver (Callable).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/proc.h"

namespace hocket::codegen {

struct ArgumentLayout {
  const ir::EntryArg* entry = nullptr;  // points into the proc's PipelineEntry
  std::string name;
  ir::Type type;
  bool is_size = false;
  int dimensions = 0;
  int scalar_index = 0;    // first slot: one for a scalar, 3 * dimensions for a buffer
  int pointer_index = -1;  // -1 for scalars
  int region_index = -1;   // first slot: 2 * dimensions; -1 for scalars

  bool is_buffer() const { return pointer_index >= 0; }
};

struct PipelineLayout {
  std::vector<ArgumentLayout> arguments;
  int num_scalars = 0;
  int num_pointers = 0;
  int num_regions = 0;
};

// `proc` has an entry and outlives the layout.
PipelineLayout layout_of(const ir::Proc& proc);

// hocket_type_code_t of an element type; index counts as a 64-bit integer.
int abi_type_code(ir::Type type);

// The range of a scalar argument where it is constant, in the fields of hocket_argument_t.
struct ArgumentRange {
  bool has_min = false, has_max = false;
  int64_t min = 0, max = 0;
  double fmin = 0, fmax = 0;
};
ArgumentRange constant_range(const ir::EntryArg& argument, ir::Type type);

}  // namespace hocket::codegen
