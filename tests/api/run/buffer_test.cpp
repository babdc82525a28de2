// Buffers: dimensions, walks, copies, crops and other handles on the same memory.
#include <gtest/gtest.h>
#include <hocket/hocket.h>

#include <numeric>

namespace hocket {
namespace {

Buffer<int32_t> numbered(int64_t w, int64_t h) {
  Buffer<int32_t> out(w, h);
  std::iota(out.begin(), out.end(), 0);
  return out;
}

TEST(Buffer, DimensionsSayWhereTheyLie) {
  Buffer<uint8_t> b(5, 4, 3);
  b.set_min(-2, 1, 0);
  EXPECT_EQ(b.dimensions(), 3);
  EXPECT_EQ(b.dim(0).min(), -2);
  EXPECT_EQ(b.dim(0).max(), 2);
  EXPECT_EQ(b.dim(1).extent(), 4);
  EXPECT_EQ(b.dim(2).stride(), 20);
  EXPECT_EQ(b.number_of_elements(), 60);
  EXPECT_EQ(b.size_in_bytes(), 60u);
  EXPECT_EQ(b.end() - b.begin(), 60);
  EXPECT_EQ(b.type().bits(), 8);
  EXPECT_TRUE(b.contains(2, 4, 2));
  EXPECT_FALSE(b.contains(3, 4, 2));
  EXPECT_FALSE(b.contains(2, 4));
  int64_t sum = 0;
  for (const int64_t x : b.dim(0)) sum += x;
  EXPECT_EQ(sum, 0);
}

TEST(Buffer, ElementsAreWalkedInOrder) {
  Buffer<int32_t> b(3, 2);
  b.set_min(1, 5);
  std::vector<std::pair<int, int>> seen;
  b.for_each_element([&](int x, int y) {
    b(x, y) = 10 * x + y;
    seen.emplace_back(x, y);
  });
  const std::vector<std::pair<int, int>> expected = {{1, 5}, {2, 5}, {3, 5},
                                                     {1, 6}, {2, 6}, {3, 6}};
  EXPECT_EQ(seen, expected);
  EXPECT_EQ(b(3, 6), 36);
  int calls = 0;
  b.for_each_element([&](const int* at) { calls += at[0] + at[1] > 0 ? 1 : 0; });
  EXPECT_EQ(calls, 6);
  Buffer<int32_t> none(3, 0);
  none.for_each_element([&](int, int) { ++calls; });
  EXPECT_EQ(calls, 6);
  Buffer<int32_t> scalar = Buffer<int32_t>::make_scalar();
  scalar.for_each_element([&] { ++calls; });
  EXPECT_EQ(calls, 7);
}

TEST(Buffer, ValuesOfTwoBuffersSideBySide) {
  const Buffer<int32_t> a = numbered(3, 2);
  const Buffer<float> b = Buffer<float>::make_with_shape_of(a);
  b.for_each_value([](float& v) { v = 0.5f; });
  a.for_each_value([](int32_t& here, const float& there) { here = static_cast<int>(2 * there); },
                   b);
  EXPECT_EQ(std::accumulate(a.begin(), a.end(), 0), 6);
}

TEST(Buffer, ACropSharesMemoryAndACopyDoesNot) {
  const Buffer<int32_t> whole = numbered(6, 5);
  const Buffer<int32_t> part = whole.cropped({{1, 4}, {2, 2}});
  EXPECT_EQ(part.min(0), 1);
  EXPECT_EQ(part.extent(1), 2);
  EXPECT_EQ(part.stride(1), 6);
  EXPECT_EQ(part(1, 2), 13);
  const Buffer<int32_t> copied = part.copy();
  EXPECT_EQ(copied.stride(1), 4);
  part.fill(-1);
  for (int64_t y = 0; y < 5; ++y)
    for (int64_t x = 0; x < 6; ++x) {
      const bool inside = x >= 1 && x < 5 && y >= 2 && y < 4;
      EXPECT_EQ(whole(x, y), inside ? -1 : 6 * y + x);
      if (inside) {
        EXPECT_EQ(copied(x, y), 6 * y + x);
      }
    }
  EXPECT_EQ(whole.cropped(0, 2, 0).number_of_elements(), 0);
}

TEST(Buffer, CopyFromTakesWhatBothHave) {
  const Buffer<int32_t> from = numbered(4, 4);
  Buffer<int32_t> to(4, 4);
  to.set_min(2, -1);
  to.copy_from(from);
  for (int64_t y = -1; y < 3; ++y)
    for (int64_t x = 2; x < 6; ++x)
      EXPECT_EQ(to(x, y), y >= 0 && x < 4 ? from(x, y) : 0) << x << ", " << y;
}

TEST(Buffer, InterleavedTransposedAndSliced) {
  const Buffer<uint8_t> pixels = Buffer<uint8_t>::make_interleaved(4, 2, 3);
  pixels.for_each_element(
      [&](int x, int y, int c) { pixels(x, y, c) = static_cast<uint8_t>(100 * c + 10 * y + x); });
  EXPECT_EQ(pixels.data()[1], 100);
  EXPECT_EQ(pixels.stride(0), 3);
  EXPECT_EQ(pixels.stride(2), 1);
  const Buffer<uint8_t> red = pixels.sliced(2, 0);
  EXPECT_EQ(red.dimensions(), 2);
  EXPECT_EQ(red(3, 1), 13);
  const Buffer<uint8_t> turned = red.transposed(0, 1);
  EXPECT_EQ(turned(1, 3), 13);
  Buffer<uint8_t> planes(4, 2, 3);
  planes.copy_from(pixels);
  EXPECT_EQ(planes(2, 1, 2), 212);
}

TEST(Buffer, AnyTypeAndOneType) {
  const Buffer<> any = numbered(2, 2);
  EXPECT_EQ(any.as<int32_t>()(1, 1), 3);
  const Buffer<int32_t> cropped = any.cropped(0, 1, 1);
  EXPECT_EQ(cropped(1, 1), 3);
}

TEST(Buffer, APartIsAnInputAndAnOutput) {
  const Buffer<int32_t> whole = numbered(8, 6);
  Var x("x"), y("y");
  Func f("f");
  f(x, y) = whole(x, y) * 2;
  const Buffer<int32_t> out = Buffer<int32_t>(8, 6);
  f.realize(out.cropped({{2, 3}, {1, 4}}));
  for (int64_t j = 0; j < 6; ++j)
    for (int64_t i = 0; i < 8; ++i) {
      const bool inside = i >= 2 && i < 5 && j >= 1 && j < 5;
      EXPECT_EQ(out(i, j), inside ? 2 * (8 * j + i) : 0);
    }
}

// The algorithm reads the buffer as it stands when it runs.
TEST(Buffer, AnAlgorithmFollowsTheCoordinates) {
  Buffer<int32_t> in(4);
  std::iota(in.begin(), in.end(), 7);
  Var x("x");
  Func f("f");
  f(x) = in(x);
  in.translate(0, 10);
  Buffer<int32_t> out(4);
  out.set_min(10);
  f.realize(out);
  EXPECT_EQ(out(13), 10);
}

TEST(Buffer, EveryFormOfOtherCoordinates) {
  Buffer<int32_t> b(2, 3, 4, "cube");
  EXPECT_EQ(b.name(), "cube");
  b.for_each_element([&](int x, int y, int z) { b(x, y, z) = x + 10 * y + 100 * z; });
  const Buffer<int32_t> moved = b.translated({1, -1, 5});
  EXPECT_EQ(moved(2, 1, 8), b(1, 2, 3));
  const Buffer<int32_t> turned = b.transposed({2, 0, 1});  // (z, x, y)
  EXPECT_EQ(turned.extent(0), 4);
  EXPECT_EQ(turned(3, 1, 2), b(1, 2, 3));
  Buffer<int32_t> same = b.translated(0, 0);
  same.transpose({1, 2, 0});  // (y, z, x)
  EXPECT_EQ(same(2, 3, 1), b(1, 2, 3));
  const Buffer<int32_t> first = moved.sliced(0);  // at its min
  EXPECT_EQ(first.dimensions(), 2);
  EXPECT_EQ(first(1, 8), b(0, 2, 3));
  same.slice(1);
  EXPECT_EQ(same(2, 1), b(1, 2, 0));
}

// The name of a buffer is that of the input which algorithms read.
TEST(Buffer, NamesReachTheAlgorithm) {
  std::vector<float> memory(6, 2.0f);
  const Buffer<float> given(memory.data(), 3, 2, "given"), sized({3, 2}, "sized");
  const std::string word = "late";
  Buffer<float> late(3), none(3);
  late.set_name(word);
  EXPECT_EQ(none.name(), "buffer");
  Var x("x");
  RDom r(0, 2, "row");
  Func f("f");
  f(x) = late(x) + none(x);
  f(x) += given(x, r) + sized(x, r);
  const std::string text = f.loop_nest();
  for (const char* name : {"given", "sized", "late", "buffer", "row"})
    EXPECT_NE(text.find(name), std::string::npos) << name << text;
  Realization into(Buffer<float>(3));
  f.realize(into);
  EXPECT_EQ(Buffer<float>(into[0])(1), 4.0f);
  EXPECT_EQ(RDom(0, 3, 1, 4, word)[1].name(), "late.y");
}

}  // namespace
}  // namespace hocket
