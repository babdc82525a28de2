// The table of operators: name, other names, arguments, one line of documentation, function.
// In: nothing. Out: the rows in the order of docs/rewrites.md. Used by: apply, tools, tests.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rewrite/kernel/context.h"

namespace hocket::rewrite {

// What stands for a parameter; operators.def says what each is.
enum class ParameterKind : uint8_t {
  Loop,
  Stmt,
  Alloc,
  Block,
  Number,
  Numbers,
  Flag,
  Tail,
  Name,
  New,
  Names,
  Index,
  Window,
  Callee,
  Element,
};

struct Operator {
  std::string_view name;
  std::vector<std::string_view> aliases;
  std::string_view signature;  // `loop, factor, names, tail=guard`; with `=` it may be left out
  std::vector<ParameterKind> kinds;  // in that order
  std::string_view doc;
  diag::Result<Change> (*run)(Context&);
};

const std::vector<Operator>& all_operators();
const Operator* find_operator(std::string_view name);  // by name or alias; null where unknown

}  // namespace hocket::rewrite
