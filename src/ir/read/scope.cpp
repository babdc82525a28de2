#include "ir/read/scope.h"

namespace hocket::ir::read {

const Thing* Scope::find(const std::string& name) const {
  for (auto level = levels_.rbegin(); level != levels_.rend(); ++level) {
    auto it = level->find(name);
    if (it != level->end()) return &it->second;
  }
  return nullptr;
}

std::vector<std::string> Scope::names() const {
  std::vector<std::string> out;
  for (auto level = levels_.rbegin(); level != levels_.rend(); ++level)
    for (const auto& [name, thing] : *level) out.push_back(name);
  return out;
}

Thing thing_of(const Param& p) {
  Thing t;
  t.sym = p.sym;
  t.buffer = p.kind == ParamKind::Buffer;
  t.window = p.window;
  t.shape = p.shape;
  t.is = t.buffer ? "a buffer" : "a parameter";
  return t;
}

Thing thing_of_window(const Symbol& sym, const Window& w) {
  Thing t;
  t.sym = sym;
  t.buffer = t.window = true;
  t.is = "a window";
  for (const WindowDim& d : w.dims)
    if (!d.is_point()) t.shape.push_back(is_int_equal(d.lo, 0) ? d.hi : d.hi - d.lo);
  return t;
}

}  // namespace hocket::ir::read
