// Values for inputs and parameters: the last one that was bound counts.
#include "interp/evaluate.h"

namespace hocket::interp {

using ir::Scalar;
using ir::Symbol;

Bindings& Bindings::image(const Symbol& input, Tensor tensor) {
  entries_.push_back({input, {}, std::make_shared<const Tensor>(std::move(tensor)), {}});
  return *this;
}
Bindings& Bindings::image(std::string name, Tensor tensor) {
  entries_.push_back({{}, std::move(name), std::make_shared<const Tensor>(std::move(tensor)), {}});
  return *this;
}
Bindings& Bindings::scalar(const Symbol& param, const Scalar& value) {
  entries_.push_back({param, {}, nullptr, value});
  return *this;
}
Bindings& Bindings::scalar(std::string name, const Scalar& value) {
  entries_.push_back({{}, std::move(name), nullptr, value});
  return *this;
}
const Bindings::Entry* Bindings::find(const Symbol& s, bool image) const {
  for (auto it = entries_.rbegin(); it != entries_.rend(); ++it) {
    if ((it->tensor != nullptr) != image) continue;
    if (it->symbol.defined() ? it->symbol == s : it->name == s.name()) return &*it;
  }
  return nullptr;
}
const Tensor* Bindings::find_image(const Symbol& input) const {
  const Entry* e = find(input, true);
  return e ? e->tensor.get() : nullptr;
}
const Scalar* Bindings::find_scalar(const Symbol& param) const {
  const Entry* e = find(param, false);
  return e ? &e->scalar : nullptr;
}

}  // namespace hocket::interp
