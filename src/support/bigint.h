// Integers without limits, for bounds and obligations: arithmetic on them never overflows.
// In: machine integers or decimal text. Out: exact results; values that fit 64 bits stay in one
// word, larger ones are GMP's (docs/decisions/013-dependencies.md). Used by: analysis, lower.
//
// There is no operator/ or %: the caller says which division is meant.
#pragma once

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace hocket::support {

class BigInt {
 public:
  BigInt() = default;
  template <std::integral T>
  BigInt(T value) {
    if constexpr (std::unsigned_integral<T> && sizeof(T) == 8) {
      assign_unsigned(value);
    } else {
      small_ = static_cast<std::int64_t>(value);
    }
  }

  // Decimal digits with an optional minus sign; empty where the text is anything else.
  static std::optional<BigInt> parse(std::string_view text);

  std::optional<std::int64_t> to_int64() const;
  bool fits_int64() const { return large_ == nullptr; }
  double to_double() const;
  std::string to_string() const;
  std::size_t hash() const;

  int sign() const;  // -1, 0 or 1
  bool is_zero() const { return large_ == nullptr && small_ == 0; }

  BigInt operator-() const;
  BigInt& operator+=(const BigInt& other) { return *this = *this + other; }
  BigInt& operator-=(const BigInt& other) { return *this = *this - other; }
  BigInt& operator*=(const BigInt& other) { return *this = *this * other; }

  friend BigInt operator+(const BigInt& a, const BigInt& b);
  friend BigInt operator-(const BigInt& a, const BigInt& b);
  friend BigInt operator*(const BigInt& a, const BigInt& b);
  friend bool operator==(const BigInt& a, const BigInt& b);
  friend std::strong_ordering operator<=>(const BigInt& a, const BigInt& b);

  // Divisors are not zero.
  friend BigInt floor_div(const BigInt& a, const BigInt& b);
  friend BigInt ceil_div(const BigInt& a, const BigInt& b);
  friend BigInt floor_mod(const BigInt& a, const BigInt& b);      // has the sign of b
  friend BigInt euclidean_div(const BigInt& a, const BigInt& b);  // a = b * q + r, 0 <= r < |b|
  friend BigInt euclidean_mod(const BigInt& a, const BigInt& b);
  friend bool divides(const BigInt& divisor, const BigInt& value);

  friend BigInt gcd(const BigInt& a, const BigInt& b);  // never negative; gcd(0, 0) = 0
  friend BigInt lcm(const BigInt& a, const BigInt& b);
  friend BigInt abs(const BigInt& a);
  friend BigInt pow(const BigInt& base, unsigned exponent);

 private:
  struct Large;  // a GMP integer that does not fit 64 bits
  explicit BigInt(std::shared_ptr<const Large> large) : large_(std::move(large)) {}
  void assign_unsigned(std::uint64_t value);

  template <class Operation>
  static BigInt by_gmp(const BigInt& a, const BigInt& b, Operation operation);

  std::int64_t small_ = 0;              // the value where large_ is null
  std::shared_ptr<const Large> large_;  // null for every value of 64 bits: one form per value
};

BigInt floor_div(const BigInt& a, const BigInt& b);
BigInt ceil_div(const BigInt& a, const BigInt& b);
BigInt floor_mod(const BigInt& a, const BigInt& b);
BigInt euclidean_div(const BigInt& a, const BigInt& b);
BigInt euclidean_mod(const BigInt& a, const BigInt& b);
bool divides(const BigInt& divisor, const BigInt& value);
BigInt gcd(const BigInt& a, const BigInt& b);
BigInt lcm(const BigInt& a, const BigInt& b);
BigInt abs(const BigInt& a);
BigInt pow(const BigInt& base, unsigned exponent);
inline const BigInt& min(const BigInt& a, const BigInt& b) {
  return b < a ? b : a;
}
inline const BigInt& max(const BigInt& a, const BigInt& b) {
  return a < b ? b : a;
}

}  // namespace hocket::support

template <>
struct std::hash<hocket::support::BigInt> {
  std::size_t operator()(const hocket::support::BigInt& value) const { return value.hash(); }
};
