// Algorithms written in C++: what they compute, under which schedules, and what stays alive.
#include <gtest/gtest.h>
#include <hocket/hocket.h>

#include "ir/print.h"

namespace hocket {
namespace {

struct Blur {
  ImageParam input{UInt(16), 2, "input"};
  Var x{"x"}, y{"y"}, xi{"xi"}, yi{"yi"}, yo{"yo"};
  Func bh{"bh"}, bv{"bv"};
  Blur() {
    bh(x, y) = (input(x - 1, y) + input(x, y) + input(x + 1, y)) / 3;
    bv(x, y) = (bh(x, y - 1) + bh(x, y) + bh(x, y + 1)) / 3;
  }
};

Buffer<uint16_t> random_frame(int64_t w, int64_t h) {
  Buffer<uint16_t> out(w + 2, h + 2);
  out.set_min({-1, -1});
  uint32_t s = 1;
  for (int64_t i = 0; i < (w + 2) * (h + 2); ++i) {
    s = s * 1664525u + 1013904223u;
    out.data()[i] = static_cast<uint16_t>(s >> 16);
  }
  return out;
}

uint16_t blur_at(const Buffer<uint16_t>& in, int64_t x, int64_t y) {
  auto h = [&](int64_t yy) {
    return static_cast<uint16_t>(static_cast<uint16_t>(in(x - 1, yy) + in(x, yy) + in(x + 1, yy)) /
                                 3);
  };
  return static_cast<uint16_t>(static_cast<uint16_t>(h(y - 1) + h(y) + h(y + 1)) / 3);
}

void expect_blur(Blur& b, int64_t w, int64_t h) {
  const Buffer<uint16_t> in = random_frame(w, h);
  b.input.set(in);
  const Buffer<uint16_t> out = b.bv.realize({w, h});
  for (int64_t y = 0; y < h; ++y)
    for (int64_t x = 0; x < w; ++x) ASSERT_EQ(out(x, y), blur_at(in, x, y)) << x << ", " << y;
}

TEST(Func, BlurIsTheSameUnderEverySchedule) {
  Blur plain;
  expect_blur(plain, 37, 19);
  Blur root;
  root.bh.compute_root();
  expect_blur(root, 37, 19);
  Blur sliding;
  sliding.bh.store_root().compute_at(sliding.bv, sliding.y);
  expect_blur(sliding, 37, 19);
  Blur tiled;
  tiled.bv.tile(tiled.x, tiled.y, tiled.xi, tiled.yi, 32, 8)
      .vectorize(tiled.xi, 8)
      .parallel(tiled.y);
  tiled.bh.compute_at(tiled.bv, tiled.x).store_at(tiled.bv, tiled.x).vectorize(tiled.x, 8);
  expect_blur(tiled, 37, 19);
  Blur strips;
  strips.bv.split(strips.y, strips.yo, strips.yi, 8).parallel(strips.yo).vectorize(strips.x, 16);
  strips.bh.store_at(strips.bv, strips.yo).compute_at(strips.bv, strips.yi).vectorize(strips.x, 16);
  expect_blur(strips, 37, 19);
}

TEST(Func, ASpokenScheduleAfterwardsCompilesAnew) {
  Blur b;
  expect_blur(b, 16, 8);
  EXPECT_EQ(b.bv.loop_nest().find("parallel("), std::string::npos);
  b.bv.parallel(b.y);
  EXPECT_NE(b.bv.loop_nest().find("parallel("), std::string::npos);
  expect_blur(b, 16, 8);
}

// 2^63 elements: refused before anything is written, not allocated as none.
TEST(Func, ScratchThatNoMemoryHoldsIsRefused) {
  Var x("x"), y("y"), z("z");
  Func f("f"), g("g");
  f(x, y, z) = cast<uint8_t>(x + y + z);
  g(x) = f(x, 0, 0) + f(0, x, 0) + f(0, 0, x);
  f.compute_root();
  try {
    g.realize({1 << 21});
    FAIL() << "it ran";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("cannot be allocated"), std::string::npos) << e.what();
  }
}

TEST(Func, MoreOfHalidesNames) {
  Var x("x"), y("y"), xo("xo"), xi("xi");
  ImageParam input(Float(32), 2, "input");
  Param<float> gain("gain", 2.0f);
  gain.set_min_value(1.0f);
  gain.set_max_value(4.0f);
  Func f("f"), g("g");
  g(x, y) = input(x, y);
  g(x, y) /= gain;
  f(x, y) = g(x, y);
  g.compute_root().reorder_storage(y, x);
  f.split(x, xo, xi, 4, TailStrategy::GuardWithIf);
  Buffer<float> in({6, 2});
  in.fill(3.0f);
  in.set_min(1, 2);
  in.translate(0, 4);
  input.set(in);
  Buffer<float> out(6, 2);
  out.set_min(5, 2);
  f.realize(out);
  EXPECT_EQ(out(10, 3), 1.5f);
  input.reset();
  EXPECT_THROW(f.realize(out), Error);
  gain.set(5.0f);
  input.set(in);
  EXPECT_THROW(f.realize(out), Error);
}

TEST(Func, HistogramByScatterAndCumulativeSum) {
  Buffer<uint8_t> in(31, 17);
  for (int64_t i = 0; i < 31 * 17; ++i) in.data()[i] = static_cast<uint8_t>(i * i % 251);
  ImageParam input(UInt(8), 2, "input");
  Var i("i");
  RDom r(0, input.width(), 0, input.height()), ri(1, 255);
  Func histogram("histogram"), cdf("cdf");
  histogram(i) = 0;
  histogram(i32(input(r.x, r.y))) += 1;
  cdf(i) = histogram(i);
  cdf(ri) = cdf(ri - 1) + histogram(ri);
  input.set(in);
  const Buffer<int32_t> out = cdf.realize({256});
  int32_t sum = 0, counts[256] = {};
  for (int64_t k = 0; k < 31 * 17; ++k) ++counts[in.data()[k]];
  for (int k = 0; k < 256; ++k) EXPECT_EQ(out(k), sum += counts[k]) << k;
}

TEST(Func, AnUpdateWithoutAPureDefinitionStartsNeutral) {
  Var x("x");
  RDom r(0, 5);
  Func sum("sum");
  sum(x) += x * r;
  const Buffer<int32_t> out = sum.realize({4});
  for (int k = 0; k < 4; ++k) EXPECT_EQ(out(k), 10 * k);
}

TEST(Func, ParamsAndSeveralOutputs) {
  Var x("x");
  Param<float> gain("gain", 2.0f);
  Func f("f"), g("g");
  f(x) = cast<float>(x) * gain;
  g(x) = f(x) + 1.0f;
  Pipeline p({f, g}, "two");
  auto once = p.realize({8});
  const Buffer<float> a = once[0], b = once[1];
  EXPECT_EQ(a(3), 6.0f);
  EXPECT_EQ(b(3), 7.0f);
  gain.set(0.5f);
  const Buffer<float> again = p.realize({8})[0];
  EXPECT_EQ(again(3), 1.5f);
}

TEST(Func, RepeatEdgeReadsTheNearestPixel) {
  Buffer<uint8_t> in(4, 3);
  for (int64_t i = 0; i < 12; ++i) in.data()[i] = static_cast<uint8_t>(i);
  ImageParam input(UInt(8), 2, "input");
  Func edge = BoundaryConditions::repeat_edge(input);
  Var x("x"), y("y");
  Func f("f");
  f(x, y) = edge(x - 2, y + 1);
  input.set(in);
  const Buffer<uint8_t> out = f.realize({6, 4});
  for (int64_t yy = 0; yy < 4; ++yy)
    for (int64_t xx = 0; xx < 6; ++xx)
      EXPECT_EQ(out(xx, yy), in(std::clamp<int64_t>(xx - 2, 0, 3), std::min<int64_t>(yy + 1, 2)));
}

TEST(Func, BuffersCanBeReadDirectly) {
  Var x("x");
  Func f("f");
  {
    Buffer<int32_t> in(5);
    for (int64_t i = 0; i < 5; ++i) in(i) = static_cast<int32_t>(10 * i);
    f(x) = in(x) + 1;
  }  // the algorithm keeps the memory
  const Buffer<int32_t> out = f.realize({5});
  EXPECT_EQ(out(4), 41);
}

TEST(Func, NamelessThingsGetNamesByPosition) {
  auto text = [] {
    Var x, y;
    ImageParam in(UInt(8), 2);
    Func f, g;
    f(x, y) = in(x, y) + 1;
    g(x, y) = f(x, y) * 2;
    f.compute_at(g, y);
    return ir::to_text(*source_of(g).algorithm) + ir::to_text(source_of(g).schedule);
  };
  const std::string once = text();
  EXPECT_EQ(once, text());
  EXPECT_NE(once.find("f_1(v0, v1) = f(v0, v1) * 2"), std::string::npos) << once;
  EXPECT_NE(once.find("f.compute_at(f_1, v1)"), std::string::npos) << once;
}

TEST(Func, NamesOf2012) {
  UniformImage input(UInt(16), 2, "input");
  Var x("x"), y("y"), xi("xi"), yi("yi");
  Func bh("bh"), bv("bv");
  bh(x, y) = (input(x - 1, y) + input(x, y) + input(x + 1, y)) / 3;
  bv(x, y) = (bh(x, y - 1) + bh(x, y) + bh(x, y + 1)) / 3;
  bv.tile(x, y, xi, yi, 16, 4).vectorize(xi, 8).parallel(y);
  bh.chunk(x).vectorize(x, 8);
  EXPECT_NE(ir::to_text(source_of(bv).schedule).find("bh.compute_at(bv, x)"), std::string::npos);
  Func root("root"), user("user");
  root(x) = x;
  user(x) = root(x) + root(x + 1);
  root.compute_at(ROOT);
  EXPECT_NE(ir::to_text(source_of(user).schedule).find("root.compute_root()"), std::string::npos);
}

TEST(Func, CallablesOutliveWhatTheyWereMadeFrom) {
  std::optional<Callable> code;
  {
    Var x("x");
    Func f("f");
    f(x) = x * x;
    code = f.compile_to_callable();
  }
  Buffer<int32_t> out(6);
  void* args[] = {out.raw_buffer()};
  EXPECT_EQ(code->call(args), 0);
  EXPECT_EQ(out(5), 25);
}

}  // namespace
}  // namespace hocket
