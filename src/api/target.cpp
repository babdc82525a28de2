#include "api/target.h"

#include <cstdlib>

#include "api/error.h"

namespace hocket {

Target::Target(const std::string& text, std::source_location where)
    : target::Target(or_throw(target::parse_target(text, support::Place::of(where)))) {}

Target get_host_target() {
  return target::host();
}

Target get_target_from_environment(std::source_location where) {
  const char* text = std::getenv("HOCKET_TARGET");
  return text == nullptr || *text == '\0' ? get_host_target() : Target(text, where);
}

}  // namespace hocket
