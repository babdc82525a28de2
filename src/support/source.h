// Places in what the user wrote.
// In: a line of a .hk file, or the std::source_location of a C++ call. Out: Place, which travels
// in nodes, directives and diagnostics. Used by: text, api, ir, diag.
#pragma once

#include <concepts>
#include <source_location>
#include <string>
#include <string_view>
#include <utility>

namespace hocket::support {

// Lines and columns count from 1; 0 means not known.
struct Place {
  std::string file;
  int line = 0;
  int column = 0;
  int end_column = 0;  // one past the last column of the part at fault, on the same line
  std::string text;    // the line as the user wrote it, where the source was at hand

  // What the compiler knows of a C++ place: its path (a literal of the program) and its column,
  // which compilers count differently. For diag/source_line.h alone; no part of what is equal.
  struct Cpp {
    const char* path = nullptr;
    int column = 0;
    friend bool operator==(const Cpp&, const Cpp&) { return true; }
  } cpp;

  // C++ places carry the file's last name only, so that what is printed does not depend on where
  // a tree was built.
  static Place of(const std::source_location& where);

  bool known() const { return line > 0; }
  // `blur.cpp:27` or `blur.hk:3:14`; empty where not known.
  std::string spoken() const;

  friend bool operator==(const Place&, const Place&) = default;
};

// A value and the C++ place where it was converted: for operators and variadic verbs, which have
// no room for a defaulted last argument.
template <class T>
struct Located {
  T value;
  std::source_location where;

  template <class U>
    requires std::convertible_to<U, T>
  Located(U&& from, std::source_location at = std::source_location::current())
      : value(std::forward<U>(from)), where(at) {}
};

// What follows the last `/src/`, `/tests/` or `/include/` of a path, with that folder; the last
// name of any other path.
std::string path_below_root(std::string_view path);

}  // namespace hocket::support
