// How much of an input is read under schedules whose tiles are fused, split again, rounded up or
// moved inwards: no more than the tiles have.
#include <gtest/gtest.h>

#include <functional>

#include "hocket/hocket.h"

namespace hocket {
namespace {

struct Read {
  int64_t min, max;
  bool operator==(const Read&) const = default;
};

// Columns of the input that an output of 641 x 427 reads.
Read columns(const std::function<void(Func& g, Func& f)>& schedule) {
  const Var x("x"), y("y");
  ImageParam input(type_of<uint8_t>(), 2, "input");
  Func g("g"), f("f");
  g(x, y) = input(x, y) * 2;
  f(x, y) = g(x, y) + 1;
  schedule(g, f);
  f.infer_input_bounds({641, 427});
  const Buffer<> in = input.get();
  return {in.dim(0).min(), in.dim(0).max()};
}

const Var x("x"), y("y"), xo("xo"), yo("yo"), xi("xi"), yi("yi"), xii("xii"), yii("yii"), t("t");

TEST(Regions, TilesThatAreFused) {
  const auto fused = [](TailStrategy tail) {
    return columns([&](Func& g, Func& f) {
      f.tile(x, y, xo, yo, xi, yi, 8, 4, TailStrategy::GuardWithIf).fuse(xo, yo, t).parallel(t);
      g.compute_at(f, t).vectorize(x, 8, tail);
    });
  };
  EXPECT_EQ(fused(TailStrategy::GuardWithIf), (Read{0, 640}));
  EXPECT_EQ(fused(TailStrategy::ShiftInwards), (Read{0, 640}));
  EXPECT_EQ(fused(TailStrategy::RoundUp), (Read{0, 647}));
}

TEST(Regions, TilesInTiles) {
  const auto nested = [](TailStrategy tail) {
    return columns([&](Func& g, Func& f) {
      f.tile(x, y, xo, yo, xi, yi, 8, 4, TailStrategy::GuardWithIf)
          .tile(xi, yi, xii, yii, 4, 2, TailStrategy::GuardWithIf);
      g.compute_at(f, xi).vectorize(x, 4, tail);
    });
  };
  EXPECT_EQ(nested(TailStrategy::GuardWithIf), (Read{0, 640}));
  EXPECT_EQ(nested(TailStrategy::ShiftInwards), (Read{0, 640}));
  // The second half of the last tile starts at the last column.
  EXPECT_EQ(nested(TailStrategy::RoundUp), (Read{0, 643}));
}

TEST(Regions, SplitBelowAFuse) {
  EXPECT_EQ(columns([](Func&, Func& f) {
              f.tile(x, y, xi, yi, 4, 4, TailStrategy::GuardWithIf).fuse(xi, yi, t).unroll(t, 2);
            }),
            (Read{0, 640}));
  EXPECT_EQ(columns([](Func& g, Func& f) {
              f.tile(x, y, xi, yi, 64, 8, TailStrategy::GuardWithIf);
              g.compute_at(f, x).fuse(x, y, t).vectorize(t, 32);
            }),
            (Read{0, 640}));
}

// Rows of the input that two reads of a Func a fused loop apart need.
TEST(Regions, RowsOfAPartOfAFusedLoop) {
  const Var to("to"), ti("ti");
  ImageParam input(type_of<int32_t>(), 2, "input");
  Func b("b"), o("o");
  b(x, y) = input(x, y) + 1;
  o(x, y) = b(x, y);
  o.fuse(x, y, t).split(t, to, ti, 20, TailStrategy::GuardWithIf);
  b.compute_at(o, to).split(y, yo, yi, 3, TailStrategy::ShiftInwards);
  o.infer_input_bounds({64, 64});
  const Buffer<> in = input.get();
  EXPECT_EQ(in.dim(1).min(), -2);
  EXPECT_EQ(in.dim(1).max(), 63);
}

}  // namespace
}  // namespace hocket
