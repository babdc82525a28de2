// Assertions for bugs in Hocket itself.
// In: a condition and a text made only on failure. Out: nothing, or an InternalError whose what()
// says `bug in hocket` with file and line. Called by every room; never reachable from user input,
// which is answered by a diag::Diagnostic instead. Always on, in release builds as well.
#pragma once

#include <source_location>
#include <stdexcept>
#include <string>

namespace hocket::support {

class InternalError : public std::logic_error {
 public:
  InternalError(const std::string& message, std::source_location where);

  const std::string& message() const { return message_; }
  // Path below src/ where that can be seen from the name the compiler was given.
  const std::string& file() const { return file_; }
  int line() const { return line_; }

 private:
  std::string message_;
  std::string file_;
  int line_;
};

[[noreturn]] void fail_internal(const std::string& message,
                                std::source_location where = std::source_location::current());

}  // namespace hocket::support

#define HOCKET_ASSERT(condition, message)                                           \
  do {                                                                              \
    if (!(condition)) [[unlikely]] {                                                \
      ::hocket::support::fail_internal(std::string(message) + " [" #condition "]"); \
    }                                                                               \
  } while (false)

#define HOCKET_UNREACHABLE(message) ::hocket::support::fail_internal(std::string(message))
