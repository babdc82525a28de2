// Memory for arguments: how many bytes, and whether they are there.
// In: extents that a user or an image gave. Out: their bytes, or D0112 where the product overflows
// or the machine has not so much free. Called by: run, bench, loop_run.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "diag/result.h"

namespace hocket::tools {

diag::Result<size_t> room_for(const std::string& what, std::span<const int64_t> extents,
                              int64_t element_bytes);

}  // namespace hocket::tools
