// Shifts of integers whose kinds differ: the left operand's kind, and a count that keeps its value.
#include <gtest/gtest.h>
#include <hocket/hocket.h>

#include <vector>

namespace hocket {
namespace {

template <class T>
Buffer<T> values(const std::vector<T>& of) {
  Buffer<T> out(static_cast<int>(of.size()));
  for (size_t i = 0; i < of.size(); ++i) out(static_cast<int>(i)) = of[i];
  return out;
}

template <class R, class A, class B>
std::vector<R> shifted(bool left, const std::vector<A>& a, const std::vector<B>& b) {
  const Buffer<A> value = values(a);
  const Buffer<B> count = values(b);
  Var x("x");
  Func f("f");
  const Expr e = left ? value(x) << count(x) : value(x) >> count(x);
  EXPECT_EQ(e.type(), type_of<R>());
  f(x) = e;
  const Buffer<R> out = f.realize({static_cast<int>(a.size())});
  return {out.begin(), out.end()};
}

TEST(Shifts, AnUnsignedValueStaysUnsigned) {
  EXPECT_EQ((shifted<uint8_t, uint8_t, int8_t>(false, {200, 200, 200, 3, 3}, {0, 1, 9, -2, -128})),
            (std::vector<uint8_t>{200, 100, 0, 12, 0}));
  EXPECT_EQ((shifted<uint32_t, uint32_t, int32_t>(false, {0xFFFFFFFFU, 0xFFFFFFFFU, 1, 1},
                                                  {1, 40, -31, INT32_MIN})),
            (std::vector<uint32_t>{0x7FFFFFFFU, 0, 0x80000000U, 0}));
  EXPECT_EQ((shifted<uint32_t, uint8_t, int32_t>(true, {255, 255, 255}, {8, 24, -4})),
            (std::vector<uint32_t>{0xFF00U, 0xFF000000U, 15}));
  EXPECT_EQ((shifted<uint64_t, uint64_t, int8_t>(true, {3, 3, 3}, {63, 64, -1})),
            (std::vector<uint64_t>{uint64_t{1} << 63, 0, 1}));
}

TEST(Shifts, AnUnsignedCountIsNoNegativeOne) {
  EXPECT_EQ((shifted<int16_t, int16_t, uint16_t>(false, {-64, -64, 64, 64}, {2, 65535, 65535, 3})),
            (std::vector<int16_t>{-16, -1, 0, 8}));
  EXPECT_EQ((shifted<int32_t, int8_t, uint32_t>(true, {-3, 5, 5}, {4, 4, 0xFFFFFFFFU})),
            (std::vector<int32_t>{-48, 80, 0}));
  EXPECT_EQ((shifted<int64_t, int64_t, uint8_t>(false, {-5, 5}, {255, 1})),
            (std::vector<int64_t>{-1, 2}));
}

TEST(Shifts, ALoopVariableCounts) {
  const Buffer<uint32_t> word = values<uint32_t>({0x80000001U});
  Var x("x");
  Func f("f");
  f(x) = (word(0) >> x) & 1U;
  const Buffer<uint32_t> out = f.realize({32});
  EXPECT_EQ(out(0), 1U);
  EXPECT_EQ(out(1), 0U);
  EXPECT_EQ(out(31), 1U);
}

}  // namespace
}  // namespace hocket
