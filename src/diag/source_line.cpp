#include "diag/source_line.h"

#include <dlfcn.h>
#include <link.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

namespace hocket::diag {

namespace {

namespace fs = std::filesystem;
using support::Place;

// The program or shared library that holds a literal. Empty where that is not known, or where it is
// no longer loaded: then the literal must not be touched.
fs::path module_of(const char* literal) {
  Dl_info info{};
  void* extra = nullptr;
  if (dladdr1(literal, &info, &extra, RTLD_DL_LINKMAP) == 0 || extra == nullptr) return {};
  const char* name = static_cast<const link_map*>(extra)->l_name;
  if (*name != '\0') return name;
  std::error_code failed;  // the program itself has no name there
  fs::path program = fs::read_symlink("/proc/self/exe", failed);
  return failed ? fs::path() : program;
}

// The file of a path as the compiler had it, seen from a program; empty where there is none.
fs::path source_file(const fs::path& path, const fs::path& module) {
  std::error_code failed;
  if (path.is_absolute()) return fs::is_regular_file(path, failed) ? path : fs::path();
  for (fs::path folder = module.parent_path();; folder = folder.parent_path()) {
    if (fs::path at = folder / path; fs::is_regular_file(at, failed)) return at;
    if (!folder.has_relative_path()) return {};
  }
}

bool is_newer(const fs::path& file, const fs::path& module) {
  std::error_code failed, failed_too;
  const fs::file_time_type changed = fs::last_write_time(file, failed);
  const fs::file_time_type made = fs::last_write_time(module, failed_too);
  return failed || failed_too || changed > made;
}

std::optional<std::string> line_of(const fs::path& path, int number) {
  std::ifstream in(path);
  for (int i = 1; in && i < number; ++i)
    in.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  std::string line;
  if (!std::getline(in, line)) return {};
  if (!line.empty() && line.back() == '\r') line.pop_back();
  return line;
}

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// Columns of the word that a compiler points at: clang at its first letter, gcc at the parenthesis
// behind it. `column` stands inside the line. Counted from 1, the end past the last; 0 for no word.
std::pair<int, int> word_at(const std::string& line, int column) {
  std::size_t first = static_cast<std::size_t>(column) - 1;
  if (line[first] == '(' && first > 0) --first;
  if (!is_word(line[first])) return {0, 0};
  std::size_t last = first;
  while (first > 0 && is_word(line[first - 1])) --first;
  while (last < line.size() && is_word(line[last])) ++last;
  return {static_cast<int>(first) + 1, static_cast<int>(last) + 1};
}

}  // namespace

Place with_source_line(Place place) {
  const int column = place.cpp.column;
  if (place.cpp.path == nullptr || column < 1 || !place.known() || !place.text.empty())
    return place;
  const fs::path module = module_of(place.cpp.path);
  if (module.empty()) return place;
  const fs::path file = source_file(place.cpp.path, module);
  if (file.empty() || is_newer(file, module)) return place;
  std::optional<std::string> line = line_of(file, place.line);
  if (!line || column > static_cast<int>(line->size())) return place;
  if (std::isspace(static_cast<unsigned char>((*line)[static_cast<std::size_t>(column) - 1])) != 0)
    return place;
  std::tie(place.column, place.end_column) = word_at(*line, column);
  place.text = std::move(*line);
  return place;
}

}  // namespace hocket::diag
