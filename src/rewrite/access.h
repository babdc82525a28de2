// Every place where statements name a buffer, mapped at once.
//
// In: statements, what holds before them, a buffer, functions from the old indices or window (and
// what holds at that place) to the new ones. Out: the statements with every load, store and window
// of the buffer mapped; or no answer where it is named in a way that cannot be mapped (a whole
// buffer as an argument, a refused window; a stride that is read of it or of a window of it, here
// or in what is called, where the layout changes). Called by: stage_mem, expand_dim and the other
// operators that change how a buffer is indexed.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analysis/facts.h"
#include "ir/stmt.h"

namespace hocket::rewrite {

struct AccessMap {
  ir::Symbol from, to;
  std::function<std::vector<ir::Expr>(const std::vector<ir::Expr>&, const analysis::Facts&)>
      indices;
  // Nothing: such a window is refused.
  std::function<std::optional<std::vector<ir::WindowDim>>(const std::vector<ir::WindowDim>&,
                                                          const analysis::Facts&)>
      window;
  bool other_layout = true;  // elements lie elsewhere than before: strides are others
};

struct Mapped {
  ir::Body body;
  std::string refused;  // why not; empty where it is done
};

Mapped map_accesses(const ir::Body& body, const AccessMap& map, const analysis::Facts& facts);

}  // namespace hocket::rewrite
