// What a text may hold at most, so that none can exhaust stack or memory. Used by: lexer, parser.
#pragma once

#include <cstddef>

namespace hocket::ir::read {

inline constexpr std::size_t kMaxBytes = std::size_t{8} << 20;
inline constexpr int kMaxNesting = 200;  // brackets and unary operators around one another
inline constexpr int kMaxHeight = 2000;  // operators on the longest way through an expression
inline constexpr int kMaxBlocks = 100;   // indented blocks inside one another
inline constexpr int kMaxLanes = 65535;

}  // namespace hocket::ir::read
