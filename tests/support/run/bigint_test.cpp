#include "support/bigint.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace hocket::support {
namespace {

constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

TEST(BigInt, GrowsPastOneWordAndComesBack) {
  const BigInt sum = BigInt(kMax) + 1;
  EXPECT_FALSE(sum.fits_int64());
  EXPECT_EQ(sum.to_string(), "9223372036854775808");
  EXPECT_EQ(sum - 1, kMax);
  EXPECT_TRUE((sum - 1).fits_int64());
  EXPECT_EQ(-BigInt(kMin), sum);
  EXPECT_EQ(floor_div(kMin, -1), sum);
  EXPECT_EQ(BigInt(std::numeric_limits<std::uint64_t>::max()).to_string(), "18446744073709551615");
}

TEST(BigInt, OrdersAcrossTheWordBoundary) {
  const BigInt huge = BigInt(kMax) * 4;
  EXPECT_LT(BigInt(kMax), huge);
  EXPECT_LT(-huge, BigInt(kMin));
  EXPECT_LT(-huge, huge);
  EXPECT_GT(huge + 1, huge);
  EXPECT_EQ(huge * huge, pow(huge, 2));
}

TEST(BigInt, DivisionsAgreeWithTheirDefinitionsOnSmallAndLargeValues) {
  const BigInt shift = pow(10, 30);
  for (int a = -7; a <= 7; ++a) {
    for (int b = -3; b <= 3; ++b) {
      if (b == 0) continue;
      for (const BigInt& scale : {BigInt(1), shift}) {
        const BigInt x = BigInt(a) * scale, y = BigInt(b) * scale;
        const BigInt q = floor_div(x, y), m = floor_mod(x, y);
        EXPECT_EQ(q * y + m, x);
        EXPECT_TRUE(m.is_zero() || m.sign() == y.sign());
        EXPECT_LT(abs(m), abs(y));
        EXPECT_EQ(ceil_div(x, y), m.is_zero() ? q : q + 1);
        const BigInt r = euclidean_mod(x, y);
        EXPECT_EQ(euclidean_div(x, y) * y + r, x);
        EXPECT_GE(r, 0);
        EXPECT_LT(r, abs(y));
      }
    }
  }
}

TEST(BigInt, GcdAndLcmAreNeverNegative) {
  EXPECT_EQ(gcd(-12, 18), 6);
  EXPECT_EQ(gcd(0, -5), 5);
  EXPECT_EQ(gcd(0, 0), 0);
  EXPECT_EQ(lcm(-4, 6), 12);
  EXPECT_EQ(gcd(kMin, 0), pow(2, 63));
  EXPECT_EQ(gcd(pow(6, 40), pow(10, 40)), pow(2, 40));
  EXPECT_TRUE(divides(3, -9));
  EXPECT_FALSE(divides(0, 1));
}

TEST(BigInt, TextRoundTripsAndRefusesTheRest) {
  const std::string digits = "-123456789012345678901234567890";
  EXPECT_EQ(BigInt::parse(digits)->to_string(), digits);
  EXPECT_EQ(*BigInt::parse("-0"), 0);
  EXPECT_EQ(BigInt::parse("9223372036854775807")->to_int64(), kMax);
  for (const char* bad : {"", "-", "1 ", "+1", "0x1", "1.5"})
    EXPECT_FALSE(BigInt::parse(bad)) << bad;
}

TEST(BigInt, EqualValuesHashAlike) {
  const BigInt huge = pow(7, 50);
  EXPECT_EQ(huge.hash(), (huge + 1 - 1).hash());
  EXPECT_EQ(BigInt(5).hash(), (huge - huge + 5).hash());
  EXPECT_NE(BigInt(5).hash(), BigInt(6).hash());
}

}  // namespace
}  // namespace hocket::support
