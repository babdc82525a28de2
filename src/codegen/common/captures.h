// The symbols that the body of a parallel loop takes from around it: what its closure carries.
// In: a body. Out: symbols in order of first use, values and buffers, each once. Called by the back
// ends where they turn a parallel loop into a task function.
#pragma once

#include <vector>

#include "ir/stmt.h"

namespace hocket::codegen {

struct Captures {
  std::vector<ir::Symbol> values;         // VarRefs bound outside
  std::vector<ir::Symbol> buffers;        // loaded from, stored to, or asked for a field
  std::vector<ir::Symbol> stride_owners;  // those of the buffers whose strides are read
};

// `var` is the loop variable, which counts as bound.
Captures captures_of(const ir::Body& body, const ir::Symbol& var);

// Whether an address depends on data that were loaded (look-up tables, histograms, gathers).
bool has_data_dependent_address(const ir::Body& body);

}  // namespace hocket::codegen
