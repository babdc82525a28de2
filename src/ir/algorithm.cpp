#include "ir/algorithm.h"

namespace hocket::ir {

const Func* Algorithm::find(const Symbol& s) const {
  for (const Func& f : funcs)
    if (f.sym == s) return &f;
  return nullptr;
}

const Func* Algorithm::find(std::string_view name) const {
  for (const Func& f : funcs)
    if (f.name() == name) return &f;
  return nullptr;
}

const ImageParam* Algorithm::find_input(const Symbol& s) const {
  for (const ImageParam& p : inputs)
    if (p.sym == s) return &p;
  return nullptr;
}

bool Algorithm::is_output(const Symbol& s) const {
  for (const Symbol& o : outputs)
    if (o == s) return true;
  return false;
}

const ScalarParam* Algorithm::find_param(const Symbol& s) const {
  for (const ScalarParam& p : params)
    if (p.sym == s) return &p;
  return nullptr;
}

std::vector<Symbol> Algorithm::ordered_arguments() const {
  if (!arguments.empty()) return arguments;
  std::vector<Symbol> out;
  for (const ImageParam& p : inputs) out.push_back(p.sym);
  for (const ScalarParam& p : params) out.push_back(p.sym);
  return out;
}

}  // namespace hocket::ir
