// How the front door reads `x * y + z` of floats (docs/language.md, Expressions): Contract builds
// an explicit fma node, Strict does not. After building, only the nodes count.
#pragma once

#include <cstdint>

namespace hocket::ir {

enum class NumericMode : uint8_t { Contract, Strict };

}  // namespace hocket::ir
