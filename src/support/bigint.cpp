#include "support/bigint.h"

#include <gmp.h>

#include <limits>

#include "support/assert.h"
#include "support/hash.h"

namespace hocket::support {

static_assert(sizeof(long) == 8, "GMP's machine word is expected to have 64 bits");

struct BigInt::Large {
  mpz_t value;

  Large() { mpz_init(value); }
  ~Large() { mpz_clear(value); }
  Large(const Large&) = delete;
  Large& operator=(const Large&) = delete;
};

namespace {

constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();

}  // namespace

// Runs `operation(result, a, b)` on GMP integers and brings the result back to one word if it fits.
template <class Operation>
BigInt BigInt::by_gmp(const BigInt& a, const BigInt& b, Operation operation) {
  const auto widen = [](const BigInt& from, Large& room) -> mpz_srcptr {
    if (from.large_ != nullptr) return from.large_->value;
    mpz_set_si(room.value, from.small_);
    return room.value;
  };
  Large room_a, room_b;
  auto result = std::make_shared<Large>();
  operation(result->value, widen(a, room_a), widen(b, room_b));
  if (mpz_fits_slong_p(result->value)) return BigInt(std::int64_t{mpz_get_si(result->value)});
  return BigInt(std::shared_ptr<const Large>(std::move(result)));
}

void BigInt::assign_unsigned(std::uint64_t value) {
  if (value <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
    small_ = static_cast<std::int64_t>(value);
    return;
  }
  auto large = std::make_shared<Large>();
  mpz_set_ui(large->value, value);
  large_ = std::move(large);
}

std::optional<BigInt> BigInt::parse(std::string_view text) {
  const std::string_view digits = text.starts_with('-') ? text.substr(1) : text;
  if (digits.empty() || digits.find_first_not_of("0123456789") != std::string_view::npos) {
    return std::nullopt;
  }
  const std::string copy(text);
  return by_gmp(0, 0, [&](mpz_ptr out, mpz_srcptr, mpz_srcptr) {
    HOCKET_ASSERT(mpz_set_str(out, copy.c_str(), 10) == 0, "digits that GMP does not read");
  });
}

std::optional<std::int64_t> BigInt::to_int64() const {
  if (large_ != nullptr) return std::nullopt;
  return small_;
}

double BigInt::to_double() const {
  return large_ != nullptr ? mpz_get_d(large_->value) : static_cast<double>(small_);
}

std::string BigInt::to_string() const {
  if (large_ == nullptr) return std::to_string(small_);
  std::string out(mpz_sizeinbase(large_->value, 10) + 2, '\0');
  mpz_get_str(out.data(), 10, large_->value);
  out.resize(out.find('\0'));
  return out;
}

std::size_t BigInt::hash() const {
  Hasher hasher;
  if (large_ == nullptr) {
    hasher.add(small_);
  } else {
    hasher.add(to_string());
  }
  return hasher.finish();
}

int BigInt::sign() const {
  if (large_ != nullptr) return mpz_sgn(large_->value);
  return small_ < 0 ? -1 : (small_ > 0 ? 1 : 0);
}

BigInt BigInt::operator-() const {
  return BigInt(0) - *this;
}

BigInt operator+(const BigInt& a, const BigInt& b) {
  std::int64_t sum;
  if (!a.large_ && !b.large_ && !__builtin_add_overflow(a.small_, b.small_, &sum)) return sum;
  return BigInt::by_gmp(a, b, mpz_add);
}

BigInt operator-(const BigInt& a, const BigInt& b) {
  std::int64_t difference;
  if (!a.large_ && !b.large_ && !__builtin_sub_overflow(a.small_, b.small_, &difference)) {
    return difference;
  }
  return BigInt::by_gmp(a, b, mpz_sub);
}

BigInt operator*(const BigInt& a, const BigInt& b) {
  std::int64_t product;
  if (!a.large_ && !b.large_ && !__builtin_mul_overflow(a.small_, b.small_, &product)) {
    return product;
  }
  return BigInt::by_gmp(a, b, mpz_mul);
}

bool operator==(const BigInt& a, const BigInt& b) {
  return (a <=> b) == 0;
}

std::strong_ordering operator<=>(const BigInt& a, const BigInt& b) {
  if (!a.large_ && !b.large_) return a.small_ <=> b.small_;
  if (!a.large_) return 0 <=> b.sign();  // a larger magnitude decides by its sign alone
  if (!b.large_) return a.sign() <=> 0;
  return mpz_cmp(a.large_->value, b.large_->value) <=> 0;
}

BigInt floor_div(const BigInt& a, const BigInt& b) {
  HOCKET_ASSERT(!b.is_zero(), "floor_div by zero");
  if (a.large_ || b.large_ || (a.small_ == kMin && b.small_ == -1)) {
    return BigInt::by_gmp(a, b, mpz_fdiv_q);
  }
  const std::int64_t quotient = a.small_ / b.small_;
  const bool inexact = a.small_ % b.small_ != 0;
  return quotient - (inexact && (a.small_ < 0) != (b.small_ < 0));
}

BigInt ceil_div(const BigInt& a, const BigInt& b) {
  return -floor_div(-a, b);
}

BigInt floor_mod(const BigInt& a, const BigInt& b) {
  return a - floor_div(a, b) * b;
}

BigInt euclidean_div(const BigInt& a, const BigInt& b) {
  return b.sign() > 0 ? floor_div(a, b) : ceil_div(a, b);
}

BigInt euclidean_mod(const BigInt& a, const BigInt& b) {
  return a - euclidean_div(a, b) * b;
}

bool divides(const BigInt& divisor, const BigInt& value) {
  if (divisor.is_zero()) return value.is_zero();
  return floor_mod(value, divisor).is_zero();
}

BigInt gcd(const BigInt& a, const BigInt& b) {
  if (a.large_ || b.large_) return BigInt::by_gmp(a, b, mpz_gcd);
  BigInt x = abs(a), y = abs(b);
  while (!y.is_zero()) {
    BigInt rest = floor_mod(x, y);
    x = y;
    y = rest;
  }
  return x;
}

BigInt lcm(const BigInt& a, const BigInt& b) {
  if (a.is_zero() || b.is_zero()) return 0;
  return abs(floor_div(a, gcd(a, b)) * b);
}

BigInt abs(const BigInt& a) {
  return a.sign() < 0 ? -a : a;
}

BigInt pow(const BigInt& base, unsigned exponent) {
  return BigInt::by_gmp(
      base, 0, [&](mpz_ptr out, mpz_srcptr from, mpz_srcptr) { mpz_pow_ui(out, from, exponent); });
}

}  // namespace hocket::support
