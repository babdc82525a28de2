// The names of a loop program that are visible at one place.
// Used by: LoopExprs, text/loops.cpp, expr_text.h.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ir/expr.h"
#include "ir/proc.h"

namespace hocket::ir::read {

struct Thing {
  Symbol sym;
  bool buffer = false;
  bool window = false;
  std::vector<Expr> shape;     // buffers: outermost first
  std::string is = "a value";  // for messages: "a loop variable", "a buffer"
};

class Scope {
 public:
  Scope() : levels_(1) {}
  void open() { levels_.emplace_back(); }
  void close() { levels_.pop_back(); }
  void add(const std::string& name, Thing thing) {
    levels_.back().insert_or_assign(name, std::move(thing));
  }
  // The innermost thing of that name, or null.
  const Thing* find(const std::string& name) const;
  bool in_innermost(const std::string& name) const { return levels_.back().count(name) != 0; }
  std::vector<std::string> names() const;

 private:
  std::vector<std::map<std::string, Thing>> levels_;
};

Thing thing_of(const Param& p);
// The new name of a window: a buffer whose extents are those of the intervals.
Thing thing_of_window(const Symbol& sym, const Window& w);

}  // namespace hocket::ir::read
