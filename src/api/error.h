// What the C++ front end throws: a diagnostic, as words and as data.
// Called by: every function of api/ that refuses something.
#pragma once

#include <memory>
#include <stdexcept>

#include "diag/diagnostic.h"
#include "diag/result.h"

namespace hocket {

class Error : public std::runtime_error {
 public:
  explicit Error(diag::Diagnostic diagnostic);
  const diag::Diagnostic& diagnostic() const { return *diagnostic_; }
  // `S0412`; its page is what `hocket explain` prints.
  std::string code() const { return std::string(diagnostic_->kind->code); }

 private:
  std::shared_ptr<const diag::Diagnostic> diagnostic_;
};

// The value, or its refusal thrown.
template <class T>
T or_throw(diag::Result<T> result) {
  if (!result.ok()) throw Error(std::move(result.error()));
  if constexpr (!std::is_void_v<T>) return std::move(result).value();
}

// A refusal of the front end itself (D0203).
[[noreturn]] void refuse(std::string message, support::Place place);

}  // namespace hocket
