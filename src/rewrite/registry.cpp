#include "rewrite/registry.h"

#include "rewrite/kernel/operators.h"
#include "support/for_each.h"

namespace hocket::rewrite {

// `loop, factor, tail=guard` out of the parameters of a row, each with a comma before it.
#define HOCKET_PARAMETER(kind, name, ...) ", " #name __VA_OPT__("=" #__VA_ARGS__)
#define HOCKET_KIND_OF(kind, name, ...) ParameterKind::kind,
#define ALSO(...) {__VA_ARGS__}
#define HOCKET_OPERATOR(name, method, run, also, doc, ...)    \
  {#name,                                                     \
   also,                                                      \
   listed("" HOCKET_FOR_EACH(HOCKET_PARAMETER, __VA_ARGS__)), \
   {HOCKET_FOR_EACH(HOCKET_KIND_OF, __VA_ARGS__)},            \
   doc,                                                       \
   run},

namespace {

constexpr std::string_view listed(std::string_view parameters) {
  return parameters.substr(parameters.empty() ? 0 : 2);
}

}  // namespace

const std::vector<Operator>& all_operators() {
  static const std::vector<Operator> table = {
#include "rewrite/operators.def"
  };
  return table;
}

const Operator* find_operator(std::string_view name) {
  for (const Operator& o : all_operators()) {
    if (o.name == name) return &o;
    for (std::string_view a : o.aliases)
      if (a == name) return &o;
  }
  return nullptr;
}

}  // namespace hocket::rewrite
