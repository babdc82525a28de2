#include "support/assert.h"

#include "support/source.h"

namespace hocket::support {

InternalError::InternalError(const std::string& message, std::source_location where)
    : std::logic_error("bug in hocket: " + message + " (" + path_below_root(where.file_name()) +
                       ":" + std::to_string(where.line()) + ")"),
      message_(message),
      file_(path_below_root(where.file_name())),
      line_(static_cast<int>(where.line())) {}

void fail_internal(const std::string& message, std::source_location where) {
  throw InternalError(message, where);
}

}  // namespace hocket::support
