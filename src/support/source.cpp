#include "support/source.h"

#include <array>

namespace hocket::support {

Place Place::of(const std::source_location& where) {
  Place place;
  const std::string_view path = where.file_name();
  place.file = path.substr(path.find_last_of('/') + 1);
  place.line = static_cast<int>(where.line());
  // Compilers disagree on the column of a call, so it is not spoken.
  place.cpp = {where.file_name(), static_cast<int>(where.column())};
  return place;
}

std::string Place::spoken() const {
  if (!known()) return "";
  std::string out = file + ":" + std::to_string(line);
  if (column > 0) out += ":" + std::to_string(column);
  return out;
}

std::string path_below_root(std::string_view path) {
  constexpr std::array<std::string_view, 3> roots = {"/src/", "/tests/", "/include/"};
  std::size_t best = std::string_view::npos;
  for (std::string_view root : roots) {
    const std::size_t at = path.rfind(root);
    if (at != std::string_view::npos && (best == std::string_view::npos || at > best)) best = at;
  }
  if (best == std::string_view::npos) best = path.find_last_of('/');
  return std::string(best == std::string_view::npos ? path : path.substr(best + 1));
}

}  // namespace hocket::support
