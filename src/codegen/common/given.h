// What the caller gave where a check at the entry of a pipeline fails.
// In: a check that `bound` or a tile shifted inwards made. Out: the dimension of an output that it
// asks about; none where it asks about a Func inside or was written by the user. Called by the back
// ends (reports of compiled code) and the driver (Callable).
#pragma once

#include <optional>

#include "ir/proc.h"

namespace hocket::codegen {

struct GivenDim {
  size_t argument = 0;  // index in the entry's arguments
  size_t dimension = 0;
};

std::optional<GivenDim> given_dim(const ir::PipelineEntry& entry, const ir::EntryCheck& check);

}  // namespace hocket::codegen
