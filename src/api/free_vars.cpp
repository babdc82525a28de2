#include "api/free_vars.h"

#include <algorithm>

#include "api/contents.h"

namespace hocket::api {

std::vector<ir::Symbol> free_variables(const ir::Expr& e) {
  std::vector<ir::Symbol> out;
  ir::for_each(e, [&](const ir::Expr& n) {
    const auto* v = n.as<ir::VarRef>();
    if (v == nullptr || dynamic_cast<ParamContents*>(v->sym.payload()) != nullptr) return;
    if (std::find(out.begin(), out.end(), v->sym) == out.end()) out.push_back(v->sym);
  });
  return out;
}

}  // namespace hocket::api
