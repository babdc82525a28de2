// What a schedule written for Halide says as it stands: places named early or by an update's loop,
// sizes that no tile divides, sums that slide.
#include <gtest/gtest.h>
#include <hocket/hocket.h>

#include "ir/print.h"

namespace hocket {
namespace {

Buffer<int32_t> ramp(int w, int h) {
  Buffer<int32_t> in(w, h);
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) in(x, y) = (x * 7 + y * 13) % 31;
  return in;
}

TEST(Port, APlaceMayBeNamedBeforeTheConsumerIsDefined) {
  const Buffer<int32_t> in = ramp(9, 7);
  Var x("x"), y("y");
  Func g("g"), f("f");
  g(x, y) = in(x, y) * 2;
  g.compute_at(f, y);
  f(x, y) = g(x, y) + 1;
  const Buffer<int32_t> out = f.realize({9, 7});
  EXPECT_EQ(out(8, 6), in(8, 6) * 2 + 1);
  EXPECT_NE(f.loop_nest().find("for y in seq(f_y_min, f_y_extent + f_y_min):\n            let g_"),
            std::string::npos)
      << f.loop_nest();
}

TEST(Port, ALoopOfAnUpdateIsFoundByItsName) {
  const Buffer<int32_t> in = ramp(9, 9);
  Var x("x"), y("y");
  RDom r(0, 3);
  Func g("g"), f("f");
  g(x, y) = in(x, y) * 2;
  f(x, y) = 0;
  f(x, y) += g(x, y + r);
  g.store_at(f, x).compute_at(f, r);
  const Buffer<int32_t> out = f.realize({9, 7});
  EXPECT_EQ(out(8, 6), 2 * (in(8, 6) + in(8, 7) + in(8, 8)));
  // The same stage, said.
  const std::string found = f.loop_nest();
  g.store_at(f.update(0), x).compute_at(f.update(0), r);
  EXPECT_EQ(f.loop_nest(), found);
}

TEST(Port, ASumSlidesAlongWhatItTakesAsItIs) {
  const Buffer<int32_t> in = ramp(20, 12);
  Var x("x"), y("y");
  RDom r(0, 3);
  Func s("s"), f("f");
  s(x, y) = sum(in(x + r, y));
  f(x, y) = s(x, y) + s(x, y + 1) + s(x, y + 2);
  Func total("total");
  total(x, y) = 0;
  total(x, y) += in(x + r, y);
  Func g("g");
  g(x, y) = total(x, y) + total(x, y + 1) + total(x, y + 2);
  total.store_root().compute_at(g, y).fold_storage(y, 4).update(0).vectorize(x, 8);
  EXPECT_TRUE(g.warnings().empty());
  EXPECT_NE(g.loop_nest().find("total: i32[4, g_x_extent]"), std::string::npos) << g.loop_nest();
  EXPECT_NE(g.loop_nest().find("select(g_y_min < y, index(1), 3)"), std::string::npos)
      << g.loop_nest();
  const Buffer<int32_t> a = f.realize({18, 10}), b = g.realize({18, 10});
  for (int j = 0; j < 10; ++j)
    for (int i = 0; i < 18; ++i) EXPECT_EQ(a(i, j), b(i, j));
}

TEST(Port, ARealizedBufferIsAsLargeAsTheTailsWrite) {
  const Buffer<int32_t> in = ramp(64, 48);
  Var x("x"), y("y"), xi("xi"), yi("yi");
  Func f("f"), g("g");
  f(x, y) = x + 100 * y;
  f.tile(x, y, xi, yi, 8, 4, TailStrategy::RoundUp).vectorize(xi);
  const Buffer<int32_t> out = f.realize({13, 5});
  EXPECT_EQ(out.width(), 13);
  EXPECT_EQ(out.height(), 5);
  EXPECT_EQ(out.stride(1), 16);
  for (int j = 0; j < 5; ++j)
    for (int i = 0; i < 13; ++i) EXPECT_EQ(out(i, j), i + 100 * j);
  g(x, y) = x - y;
  g.vectorize(x, 8, TailStrategy::ShiftInwards);
  const Buffer<int32_t> small = g.realize({3, 2});  // less than a tile
  EXPECT_EQ(small.width(), 3);
  EXPECT_EQ(small.min(0), 0);
  EXPECT_EQ(small(2, 1), 1);
  EXPECT_EQ(Buffer<int32_t>(g.realize({0, 2})).width(), 0);
  // Without dimensions.
  Func one("one");
  one() = 7;
  EXPECT_EQ(Buffer<int32_t>(one.realize({}))(), 7);
  EXPECT_EQ(Buffer<int32_t>(Pipeline(one).realize({}))(), 7);
  // Every output for itself, and a vector of int.
  const Realization both = Pipeline({f, g}).realize(std::vector<int>{5, 3});
  EXPECT_EQ(Buffer<int32_t>(both[0])(4, 2), 204);
  EXPECT_EQ(Buffer<int32_t>(both[1])(4, 2), 2);
}

TEST(Port, WhatATailReadsPastAnInputIsRefusedWithTheTail) {
  const Buffer<int32_t> in = ramp(5, 3);
  Var x("x"), y("y");
  Func f("f");
  f(x, y) = in(x, y) + in(x + 1, y);
  f.vectorize(x, 8);
  try {
    f.realize({4, 3});
    ADD_FAILURE();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), "D0201");
    const std::string said = e.what();
    EXPECT_NE(said.find("`buffer` needs -4 to 4 in dimension 0, has 0 to 4"), std::string::npos);
    EXPECT_NE(said.find("note: the output was made larger than asked: `f`: split(x, ..., 8, "
                        "shift_inwards) wants x of `f` to span at least 8"),
              std::string::npos)
        << said;
  }
}

TEST(Port, WhatABoundSaysIsNotGrown) {
  Var x("x");
  Func f("f");
  f(x) = x;
  f.bound(x, 0, 16);
  EXPECT_THROW(f.realize({12}), Error);
  EXPECT_EQ(f.realize({16}).extent(0), 16);
}

TEST(Port, DefinitionsCanBeLookedAt) {
  Var x("x");
  RDom r(0, 4);
  Func f("f");
  f(x) = x * 2;
  f(r) += 1;
  EXPECT_EQ(ir::to_text(f.value().operand().expr), "i32(x * 2)");
  EXPECT_EQ(ir::to_text(f.update_value().operand().expr), "f(r) + 1");
  EXPECT_EQ(ir::to_text(f.update_args(0)[0].operand().expr), "r");
  EXPECT_THROW(f.update_value(1), Error);
}

TEST(Port, AnElementIsFoundByAPoint) {
  const Buffer<int32_t> in = ramp(5, 4);
  int64_t sum = 0, expected = 0;
  in.for_each_element([&](const int* at) { sum += in(at); });
  in.for_each_element([&](int i, int j) { expected += in(i, j); });
  EXPECT_EQ(sum, expected);
  const int outside[] = {5, 0};
  EXPECT_THROW(in(outside), Error);
}

}  // namespace
}  // namespace hocket
