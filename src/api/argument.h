// The arguments of compiled code: ImageParams and Params, in the order that the caller wants.
// In: those objects. Out: what stands behind them. Used by: users, in compile_to_...; files are
// written by compile_to.cpp.
#pragma once

#include <string>

#include "api/param.h"

namespace hocket {

class Argument {
 public:
  Argument(const ImageParam& image);
  Argument(const ParamBase& param);
  const std::string& name() const { return name_; }
  const support::Ref<support::RefCounted>& contents() const { return contents_; }

 private:
  std::string name_;
  support::Ref<support::RefCounted> contents_;
};

}  // namespace hocket
