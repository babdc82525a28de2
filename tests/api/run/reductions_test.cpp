// Inline reductions against plain loops, alone, nested, and scheduled by name.
#include <gtest/gtest.h>
#include <hocket/hocket.h>

#include <algorithm>
#include <limits>

namespace hocket {
namespace {

Buffer<int32_t> noise(int64_t w, int64_t h) {
  Buffer<int32_t> out(w, h);
  uint32_t s = 7;
  out.for_each_value([&](int32_t& v) {
    s = s * 1664525u + 1013904223u;
    v = static_cast<int32_t>(s >> 20) - 2048;
  });
  return out;
}

TEST(Reductions, SumOfAWindow) {
  const Buffer<int32_t> in = noise(40, 30);
  Var x("x"), y("y");
  RDom r(-2, 5, -1, 3);
  Func f("f");
  f(x, y) = sum(in(x + r.x + 2, y + r.y + 1) * (r.x + 3)) - x;
  const Buffer<int32_t> out = f.realize({36, 28});
  out.for_each_element([&](int i, int j) {
    int32_t expected = 0;
    for (int ry = -1; ry < 2; ++ry)
      for (int rx = -2; rx < 3; ++rx) expected += in(i + rx + 2, j + ry + 1) * (rx + 3);
    ASSERT_EQ(out(i, j), expected - i);
  });
}

TEST(Reductions, MaximumAndMinimum) {
  const Buffer<int32_t> in = noise(7, 9);
  Var y("y");
  RDom r(0, 7);
  Func big("big"), small("small");
  big(y) = maximum(in(r, y));
  small(y) = minimum(cast<float>(in(r, y)));
  const Buffer<int32_t> most = big.realize({9});
  const Buffer<float> least = small.realize({9});
  for (int64_t j = 0; j < 9; ++j) {
    int32_t hi = std::numeric_limits<int32_t>::min(), lo = std::numeric_limits<int32_t>::max();
    for (int64_t i = 0; i < 7; ++i) {
      hi = std::max(hi, in(i, j));
      lo = std::min(lo, in(i, j));
    }
    EXPECT_EQ(most(j), hi);
    EXPECT_EQ(least(j), static_cast<float>(lo));
  }
}

TEST(Reductions, ProductOfSmallNumbers) {
  Var x("x");
  RDom r(1, 5);
  Func f("f");
  f(x) = product(r + x);
  const Buffer<int32_t> out = f.realize({6});
  for (int i = 0; i < 6; ++i) EXPECT_EQ(out(i), (1 + i) * (2 + i) * (3 + i) * (4 + i) * (5 + i));
}

// The brightest point of the whole image is one number that every point reads.
TEST(Reductions, OfAWholeImageWithoutVars) {
  const Buffer<int32_t> in = noise(33, 21);
  ImageParam image(Int(32), 2, "image");
  image.set(in);
  Var x("x"), y("y");
  RDom r(image);
  Func f("f");
  f(x, y) = maximum(image(r.x, r.y)) - image(x, y);
  const int32_t most = *std::max_element(in.begin(), in.end());
  const Buffer<int32_t> out = f.realize({33, 21});
  out.for_each_element([&](int i, int j) { ASSERT_EQ(out(i, j), most - in(i, j)); });
  RDom same(in);
  EXPECT_EQ(same.dimensions(), 2);
  Func g("g");
  g() = sum(in(same.x, same.y));
  const Buffer<int32_t> total = g.realize();
  int32_t expected = 0;
  in.for_each_value([&](int32_t& v) { expected += v; });
  EXPECT_EQ(total(), expected);
}

// The domain of the update stands still inside of the sum.
TEST(Reductions, InsideAnUpdateOverAnotherDomain) {
  Var x("x");
  RDom outer(0, 4), inner(0, 3);
  Func f("f");
  f(x) = 0;
  f(x) += sum(inner, inner * outer + x) * outer;
  const Buffer<int32_t> out = f.realize({5});
  for (int i = 0; i < 5; ++i) {
    int expected = 0;
    for (int o = 0; o < 4; ++o)
      for (int k = 0; k < 3; ++k) expected += (k * o + i) * o;
    EXPECT_EQ(out(i), expected);
  }
}

// Each of the four may be told its domain, its Func, or both.
TEST(Reductions, EveryFormOfEveryKind) {
  RDom r(1, 4);
  Func f[4];
  const Expr all[] = {sum(r, r + 1, f[0]), product(r, r, f[1]), maximum(r, r - 7, f[2]),
                      minimum(r, r * 2, f[3])};
  const char* const none[] = {"sum", "product", "maximum", "minimum"};
  const int expected[] = {14, 24, -3, 2};
  for (int i = 0; i < 4; ++i) {
    Func one("one");
    one() = all[i];
    f[i].compute_root();
    EXPECT_EQ(Buffer<int32_t>(one.realize())(), expected[i]) << none[i];
  }
  Func named("named"), g("g"), h("h");
  g() = product(r, r) + maximum(r, r) + minimum(r, r);
  EXPECT_EQ(Buffer<int32_t>(g.realize())(), 24 + 4 + 1);
  h() = product(r, named) + minimum(r + 5, Func("least"));
  EXPECT_EQ(named.num_updates(), 1);
  EXPECT_EQ(Buffer<int32_t>(h.realize())(), 24 + 6);
}

TEST(Reductions, TheFuncOfOneCanBeScheduled) {
  const Buffer<int32_t> in = noise(64, 12);
  Var x("x"), y("y");
  RDom r(0, 3);
  Func f("f"), column("column");
  f(x, y) = sum(in(x, y + r), column);
  column.compute_at(f, y).vectorize(x, 8);
  column.update(0).vectorize(x, 8);
  EXPECT_NE(f.loop_nest().find("column"), std::string::npos);
  const Buffer<int32_t> out = f.realize({64, 10});
  out.for_each_element(
      [&](int i, int j) { ASSERT_EQ(out(i, j), in(i, j) + in(i, j + 1) + in(i, j + 2)); });
}

}  // namespace
}  // namespace hocket
