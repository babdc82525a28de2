// absd, lerp, saturating_cast, mux against plain C++, over the values where they may go wrong.
#include <gtest/gtest.h>
#include <hocket/hocket.h>

#include <cmath>
#include <cstdlib>
#include <limits>

namespace hocket {
namespace {

template <class T>
Buffer<T> corners() {
  using L = std::numeric_limits<T>;
  const T values[] = {L::min(),
                      static_cast<T>(L::min() + 1),
                      static_cast<T>(L::max() / 3),
                      0,
                      1,
                      2,
                      100,
                      static_cast<T>(L::max() - 1),
                      L::max()};
  Buffer<T> out(9);
  for (int64_t i = 0; i < 9; ++i) out(i) = values[i];
  return out;
}

template <class T>
void expect_absd() {
  using U = std::make_unsigned_t<T>;
  const Buffer<T> in = corners<T>();
  Var x("x"), y("y");
  Func f("f");
  f(x, y) = absd(in(x), in(y));
  const Buffer<U> out = f.realize({9, 9});
  out.for_each_element([&](int i, int j) {
    const __int128 wide = static_cast<__int128>(in(i)) - in(j);
    EXPECT_EQ(out(i, j), static_cast<U>(wide < 0 ? -wide : wide)) << i << ", " << j;
  });
}

TEST(Intrinsics, Absd) {
  expect_absd<int8_t>();
  expect_absd<uint8_t>();
  expect_absd<int16_t>();
  expect_absd<uint16_t>();
  expect_absd<int32_t>();
  expect_absd<uint32_t>();
  expect_absd<int64_t>();
  expect_absd<uint64_t>();
  Var x("x");
  Func f("f"), g("g");
  f(x) = absd(cast<float>(x), 2.5f);
  g(x) = absd(x, 3);
  const Buffer<float> floats = f.realize({6});
  const Buffer<uint32_t> whole = g.realize({6});
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(floats(i), std::fabs(static_cast<float>(i) - 2.5f));
    EXPECT_EQ(whole(i), static_cast<uint32_t>(std::abs(i - 3)));
  }
}

template <class To, class From>
void expect_saturating() {
  const Buffer<From> in = corners<From>();
  Var x("x");
  Func f("f");
  f(x) = saturating_cast<To>(in(x));
  const Buffer<To> out = f.realize({9});
  for (int64_t i = 0; i < 9; ++i) {
    const auto wide = static_cast<__int128>(in(i));
    const __int128 low = std::numeric_limits<To>::min(), high = std::numeric_limits<To>::max();
    EXPECT_EQ(out(i), static_cast<To>(wide < low ? low : wide > high ? high : wide)) << i;
  }
}

template <class From>
void expect_saturating_to_all() {
  expect_saturating<int8_t, From>();
  expect_saturating<uint8_t, From>();
  expect_saturating<int16_t, From>();
  expect_saturating<uint16_t, From>();
  expect_saturating<int32_t, From>();
  expect_saturating<uint32_t, From>();
  expect_saturating<int64_t, From>();
  expect_saturating<uint64_t, From>();
}

TEST(Intrinsics, SaturatingCastOfIntegers) {
  expect_saturating_to_all<int8_t>();
  expect_saturating_to_all<uint8_t>();
  expect_saturating_to_all<int16_t>();
  expect_saturating_to_all<uint16_t>();
  expect_saturating_to_all<int32_t>();
  expect_saturating_to_all<uint32_t>();
  expect_saturating_to_all<int64_t>();
  expect_saturating_to_all<uint64_t>();
}

TEST(Intrinsics, SaturatingCastOfFloats) {
  Buffer<float> in(5);
  const float values[] = {-3.5f, 300.0f, 1e30f, std::nanf(""), 254.75f};
  for (int64_t i = 0; i < 5; ++i) in(i) = values[i];
  Var x("x");
  Func f("f");
  f(x) = u8_sat(in(x));
  const Buffer<uint8_t> out = f.realize({5});
  const uint8_t expected[] = {0, 255, 255, 0, 254};
  for (int64_t i = 0; i < 5; ++i) EXPECT_EQ(out(i), expected[i]) << i;
}

TEST(Intrinsics, LerpOfBytesIsExactAndRounds) {
  Buffer<uint8_t> w(256);
  for (int64_t i = 0; i < 256; ++i) w(i) = static_cast<uint8_t>(i);
  Var x("x"), y("y");
  Func f("f"), g("g");
  f(x, y) = lerp(cast<uint8_t>(y * 13), cast<uint8_t>(y * 57 + 9), w(x));
  g(x, y) = lerp(cast<int8_t>(y * 13), cast<int8_t>(y * 57 + 9), w(x));
  const Buffer<uint8_t> out = f.realize({256, 64});
  const Buffer<int8_t> with_signs = g.realize({256, 64});
  const auto exact = [](int a, int b, int weight) {
    return static_cast<int>(
        std::lround((a * (255.0 - weight) + b * static_cast<double>(weight)) / 255));
  };
  out.for_each_element([&](int i, int j) {
    ASSERT_EQ(out(i, j), exact(static_cast<uint8_t>(j * 13), static_cast<uint8_t>(j * 57 + 9), i));
    ASSERT_EQ(with_signs(i, j),
              exact(static_cast<int8_t>(j * 13), static_cast<int8_t>(j * 57 + 9), i));
  });
}

TEST(Intrinsics, LerpOfFloatsAndOfWideIntegers) {
  Buffer<float> w(11);
  for (int64_t i = 0; i < 11; ++i) w(i) = static_cast<float>(i) / 10;
  Var x("x");
  Func f("f"), g("g"), h("h");
  f(x) = lerp(3.0f, -5.0f, w(x));
  g(x) = lerp(cast<int32_t>(x) - 2000000000, 2000000000, cast<uint16_t>(x * 6553));
  h(x) = lerp(cast<float>(x), 8.0f, cast<uint8_t>(x * 25));
  const Buffer<float> out = f.realize({11}), weighted = h.realize({11});
  const Buffer<int32_t> wide = g.realize({11});
  for (int i = 0; i < 11; ++i) {
    EXPECT_EQ(out(i), std::fmaf(-5.0f, w(i), 3.0f * (1.0f - w(i)))) << i;
    const int64_t weight = i * 6553, from = i - 2000000000;
    const int64_t sum = from * (65535 - weight) + int64_t{2000000000} * weight + 32767;
    EXPECT_EQ(wide(i), sum / 65535 - (sum % 65535 < 0 ? 1 : 0)) << i;
    const float v = static_cast<float>(i * 25) / 255.0f;
    EXPECT_EQ(weighted(i), std::fmaf(8.0f, v, static_cast<float>(i) * (1.0f - v))) << i;
  }
}

TEST(Intrinsics, MuxTakesTheLastOneForOtherNumbers) {
  Var x("x");
  Func f("f"), g("g");
  f(x) = mux(x - 1, {10, x * 2, 30});
  g(x) = select(x < 1, 5, x == 2, 6, x > 3, 7, 8);
  const Buffer<int32_t> out = f.realize({6}), chosen = g.realize({6});
  const int expected[] = {30, 10, 4, 30, 30, 30}, cases[] = {5, 8, 6, 8, 7, 7};
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(out(i), expected[i]) << i;
    EXPECT_EQ(chosen(i), cases[i]) << i;
  }
}

TEST(Types, AsCalls) {
  EXPECT_EQ(UInt(8).bits(), 8);
  EXPECT_EQ(UInt(8).widen(), UInt(16));
  EXPECT_EQ(Float(64).narrow(), Float(32));
  EXPECT_EQ(Int(16).with_bits(64), Int(64));
  EXPECT_EQ(UInt(1), Bool());
  EXPECT_EQ(Int(8).lanes(), 1);
  EXPECT_TRUE(Int(16).can_represent(UInt(8)));
  EXPECT_FALSE(Int(8).can_represent(UInt(8)));
  EXPECT_FALSE(UInt(64).can_represent(Int(8)));
  EXPECT_TRUE(Float(32).can_represent(Int(16)));
  EXPECT_FALSE(Float(32).can_represent(Int(32)));
  EXPECT_TRUE(Float(32).can_represent(BFloat(16)));
  EXPECT_FALSE(BFloat(16).can_represent(Float(16)));
  Var x("x");
  Func f("f");
  f(x) = select(x == 0, Int(8).min(), Int(8).max());
  const Buffer<int8_t> out = f.realize({2});
  EXPECT_EQ(out(0), -128);
  EXPECT_EQ(out(1), 127);
}

}  // namespace
}  // namespace hocket
