// The machine that code is made for.
//
// In: nothing, or a target string (`x86-64-avx2-fma`, docs/recipes/add-a-target.md). Out: a Target
// for compile_to_... . Used by: users, through hocket.h.
#pragma once

#include <source_location>
#include <string>

#include "api/type.h"
#include "target/target.h"

namespace hocket {

class Target : public target::Target {
 public:
  Target(target::Target t) : target::Target(std::move(t)) {}
  explicit Target(const std::string& text,
                  std::source_location where = std::source_location::current());
  // Elements of one vector register.
  int natural_vector_size(Type type) const { return lanes(type); }
  template <class T>
  int natural_vector_size() const {
    return lanes(type_of<T>());
  }
};

// The machine that runs this process.
Target get_host_target();
// What HOCKET_TARGET says; the host where it says nothing.
Target get_target_from_environment(std::source_location where = std::source_location::current());

}  // namespace hocket
