// Boundary conditions against what their words mean, point by point.
#include <gtest/gtest.h>
#include <hocket/hocket.h>

#include <algorithm>

namespace hocket {
namespace {

constexpr int kWidth = 5, kHeight = 3;

Buffer<int32_t> source() {
  Buffer<int32_t> out(kWidth, kHeight);
  out.set_min(2, -1);
  out.for_each_element([&](int x, int y) { out(x, y) = 100 * y + x; });
  return out;
}

// Runs it over a box far larger than the source; `expected` says which coordinate is read along a
// dimension, of n points from 0.
template <class Along>
void expect_reads(Func edge, Along&& expected) {
  Buffer<int32_t> out(31, 29);
  out.set_min(-11, -13);
  edge.realize(out);
  out.for_each_element([&](int x, int y) {
    const int sx = 2 + expected(x - 2, kWidth), sy = -1 + expected(y + 1, kHeight);
    ASSERT_EQ(out(x, y), 100 * sy + sx) << x << ", " << y;
  });
}

int nearest(int i, int n) {
  return std::clamp(i, 0, n - 1);
}
int again(int i, int n) {
  return ((i % n) + n) % n;
}
int mirrored(int i, int n) {
  const int at = again(i, 2 * n);
  return at < n ? at : 2 * n - 1 - at;
}
int mirrored_inside(int i, int n) {
  if (n == 1) return 0;
  const int at = again(i, 2 * n - 2);
  return at < n ? at : 2 * n - 2 - at;
}

struct Sources {
  Buffer<int32_t> buffer = source();
  ImageParam image{Int(32), 2, "image"};
  Var x{"x"}, y{"y"};
  Func func{"func"};
  Region region{{2, kWidth}, {-1, kHeight}};
  Sources() {
    image.set(buffer);
    func(x, y) = 100 * y + x;
  }
};

TEST(Boundary, RepeatEdge) {
  Sources s;
  expect_reads(BoundaryConditions::repeat_edge(s.buffer), nearest);
  expect_reads(BoundaryConditions::repeat_edge(s.image), nearest);
  expect_reads(BoundaryConditions::repeat_edge(s.image, s.region), nearest);
  expect_reads(BoundaryConditions::repeat_edge(s.func, {{2, kWidth}, {-1, kHeight}}), nearest);
}

TEST(Boundary, RepeatImage) {
  Sources s;
  expect_reads(BoundaryConditions::repeat_image(s.buffer), again);
  expect_reads(BoundaryConditions::repeat_image(s.image), again);
  expect_reads(BoundaryConditions::repeat_image(s.func, s.region), again);
}

TEST(Boundary, MirrorImage) {
  Sources s;
  expect_reads(BoundaryConditions::mirror_image(s.buffer), mirrored);
  expect_reads(BoundaryConditions::mirror_image(s.image), mirrored);
  expect_reads(BoundaryConditions::mirror_image(s.func, s.region), mirrored);
}

TEST(Boundary, MirrorInterior) {
  Sources s;
  expect_reads(BoundaryConditions::mirror_interior(s.buffer), mirrored_inside);
  expect_reads(BoundaryConditions::mirror_interior(s.image), mirrored_inside);
  expect_reads(BoundaryConditions::mirror_interior(s.func, s.region), mirrored_inside);
  Buffer<int32_t> one(1);
  one(0) = 9;
  const Buffer<int32_t> out = BoundaryConditions::mirror_interior(one).realize({4});
  EXPECT_EQ(out(3), 9);
}

TEST(Boundary, ConstantExterior) {
  Sources s;
  for (Func edge : {BoundaryConditions::constant_exterior(s.buffer, -7),
                    BoundaryConditions::constant_exterior(s.image, -7),
                    BoundaryConditions::constant_exterior(s.func, -7, s.region)}) {
    Buffer<int32_t> out(20, 20);
    out.set_min(-6, -9);
    edge.realize(out);
    out.for_each_element([&](int x, int y) {
      const bool inside = x >= 2 && x < 2 + kWidth && y >= -1 && y < -1 + kHeight;
      ASSERT_EQ(out(x, y), inside ? 100 * y + x : -7) << x << ", " << y;
    });
  }
}

TEST(Boundary, ADimensionMayBeLeftAlone) {
  Sources s;
  const Region rows_only = {{Expr(), Expr()}, {-1, kHeight}}, columns_only = {{2, kWidth}};
  Buffer<int32_t> out(20, 20);
  out.set_min(-6, -9);
  BoundaryConditions::repeat_edge(s.func, rows_only).realize(out);
  out.for_each_element(
      [&](int x, int y) { ASSERT_EQ(out(x, y), 100 * std::clamp(y, -1, kHeight - 2) + x); });
  BoundaryConditions::repeat_edge(s.func, columns_only).realize(out);
  out.for_each_element(
      [&](int x, int y) { ASSERT_EQ(out(x, y), 100 * y + std::clamp(x, 2, kWidth + 1)); });
}

// The region's size is a parameter; a schedule in between changes nothing.
TEST(Boundary, OfAScheduledFuncWithARegionOfParameters) {
  Param<int32_t> width("width", 6);
  Var x("x"), xo("xo"), xi("xi");
  Func f("f");
  f(x) = x * x;
  Func edge = BoundaryConditions::mirror_image(f, {{0, width}});
  f.compute_root();
  edge.split(x, xo, xi, 4, TailStrategy::GuardWithIf).vectorize(xi);
  Buffer<int32_t> out(25);
  out.set_min(-9);
  edge.realize(out);
  out.for_each_element([&](int i) { EXPECT_EQ(out(i), mirrored(i, 6) * mirrored(i, 6)) << i; });
}

}  // namespace
}  // namespace hocket
