#include "support/edit_distance.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace hocket::support {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // Three rows of the table are enough; `before` is needed for swaps.
  std::vector<std::size_t> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(before, above);
    std::swap(above, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
  }
  return row[b.size()];
}

std::vector<std::string> close_names(std::string_view name, std::span<const std::string> candidates,
                                     std::size_t limit) {
  const auto lower = [](std::string_view text) {
    std::string out(text);
    for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return out;
  };
  std::vector<std::pair<std::size_t, std::string>> close;
  constexpr std::size_t kLongest = 200;  // nobody misspells longer ones, and the table is square
  for (const std::string& candidate : candidates) {
    const std::size_t longer = std::max(name.size(), candidate.size());
    if (longer > kLongest) continue;
    // Doubled, so that a difference of case alone can cost a half.
    const std::size_t distance =
        edit_distance(name, candidate) + edit_distance(lower(name), lower(candidate));
    const std::size_t allowed = std::max<std::size_t>(1, longer / 3);
    // A name of which no letter is left is another name, not a misspelling.
    if (distance <= 2 * allowed && distance < 2 * longer) close.emplace_back(distance, candidate);
  }
  std::stable_sort(close.begin(), close.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> out;
  for (auto& [distance, candidate] : close) {
    if (out.size() == limit) break;
    if (std::find(out.begin(), out.end(), candidate) == out.end()) out.push_back(candidate);
  }
  return out;
}

}  // namespace hocket::support
