// A value or the diagnostic that says why there is none: how every room refuses.
// In: a T or a Diagnostic. Out: Result<T>, one pointer larger than T; move-only. Result<void> for
// checks. A function that calls another one passes its refusal on:
//
//   HOCKET_TRY(const Region region, infer_region(func));   // declares `region` or returns
//   HOCKET_CHECK(check_factor(directive));                 // returns if it refuses
#pragma once

#include <concepts>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

#include "diag/diagnostic.h"
#include "support/assert.h"

namespace hocket::diag {

// A refusal on its way up; made from a Diagnostic, turned into any Result.
class [[nodiscard]] Failure {
 public:
  Failure(Diagnostic diagnostic)
      : diagnostic_(std::make_unique<Diagnostic>(std::move(diagnostic))) {}
  Diagnostic& diagnostic() { return *diagnostic_; }
  const Diagnostic& diagnostic() const { return *diagnostic_; }

 private:
  std::unique_ptr<Diagnostic> diagnostic_;
};

template <class T>
class [[nodiscard]] Result {
 public:
  template <class U>
    requires(std::convertible_to<U, T> && !std::is_same_v<std::remove_cvref_t<U>, Result> &&
             !std::is_same_v<std::remove_cvref_t<U>, Diagnostic> &&
             !std::is_same_v<std::remove_cvref_t<U>, Failure>)
  Result(U&& value) : state_(std::in_place_index<0>, std::forward<U>(value)) {}
  Result(Diagnostic diagnostic) : state_(std::in_place_index<1>, std::move(diagnostic)) {}
  Result(Failure failure) : state_(std::in_place_index<1>, std::move(failure)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  T& value() & { return checked(); }
  const T& value() const& { return const_cast<Result*>(this)->checked(); }
  T&& value() && { return std::move(checked()); }
  T& operator*() & { return checked(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(checked()); }
  T* operator->() { return &checked(); }
  const T* operator->() const { return &value(); }

  Diagnostic& error() {
    HOCKET_ASSERT(!ok(), "asked a successful result for its error");
    return std::get<1>(state_).diagnostic();
  }
  const Diagnostic& error() const { return const_cast<Result*>(this)->error(); }
  Failure take_failure() && {
    HOCKET_ASSERT(!ok(), "asked a successful result for its error");
    return std::get<1>(std::move(state_));
  }

 private:
  T& checked() {
    HOCKET_ASSERT(ok(), "asked a refusal for its value: " + error().message());
    return std::get<0>(state_);
  }

  std::variant<T, Failure> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Diagnostic diagnostic) : failure_(std::move(diagnostic)) {}
  Result(Failure failure) : failure_(std::move(failure)) {}

  bool ok() const { return !failure_.has_value(); }
  explicit operator bool() const { return ok(); }
  void value() const { HOCKET_ASSERT(ok(), "asked a refusal for its value: " + error().message()); }

  Diagnostic& error() {
    HOCKET_ASSERT(!ok(), "asked a successful result for its error");
    return failure_->diagnostic();
  }
  const Diagnostic& error() const { return const_cast<Result*>(this)->error(); }
  Failure take_failure() && {
    HOCKET_ASSERT(!ok(), "asked a successful result for its error");
    return *std::move(failure_);
  }

 private:
  std::optional<Failure> failure_;
};

}  // namespace hocket::diag

#define HOCKET_JOIN_AGAIN(a, b) a##b
#define HOCKET_JOIN(a, b) HOCKET_JOIN_AGAIN(a, b)

#define HOCKET_TRY_AS(result, declaration, ...)              \
  auto result = (__VA_ARGS__);                               \
  if (!result.ok()) return std::move(result).take_failure(); \
  declaration = std::move(result).value()

#define HOCKET_TRY(declaration, ...) \
  HOCKET_TRY_AS(HOCKET_JOIN(hocket_result_, __LINE__), declaration, __VA_ARGS__)

#define HOCKET_CHECK(...)                                          \
  do {                                                             \
    if (auto hocket_result = (__VA_ARGS__); !hocket_result.ok()) { \
      return std::move(hocket_result).take_failure();              \
    }                                                              \
  } while (false)
