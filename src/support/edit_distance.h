// Did you mean: names close to one that is not known.
// In: the name as written and the names that exist. Out: the close ones, nearest first, ties in
// the order given. Used by: every message about an unknown name.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hocket::support {

// Insertions, deletions, replacements and swaps of neighbours that turn one into the other.
std::size_t edit_distance(std::string_view a, std::string_view b);

// At most `limit` candidates at a distance of at most a third of the longer name's length (at
// least one); letter case counts half.
std::vector<std::string> close_names(std::string_view name, std::span<const std::string> candidates,
                                     std::size_t limit = 3);

}  // namespace hocket::support
