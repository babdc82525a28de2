// Funcs made of other things, loop levels, tiles of lists, memories, realizations.
#include <gtest/gtest.h>
#include <hocket/hocket.h>

#include <numeric>

#include "ir/print.h"

namespace hocket {
namespace {

std::string schedule_of(const Func& f) {
  return ir::to_text(source_of(f).schedule);
}

TEST(Places, FuncsOfImagesBuffersAndExpressions) {
  Buffer<int32_t> in(4, 3);
  std::iota(in.begin(), in.end(), 0);
  ImageParam image(Int(32), 2, "image");
  image.set(in);
  Var x("x"), y("y");
  Func of_image(image), of_buffer(in), of_expression(y * 10 + x), constant(Expr(3) + 4);
  Func f("f");
  f(x, y) = of_image(x, y) + of_buffer(x, y) * 100 + of_expression(y, x) * 10000 + constant();
  EXPECT_EQ(of_expression.args()[0].name(), "y");
  EXPECT_EQ(constant.dimensions(), 0);
  const Buffer<int32_t> out = f.realize({4, 3});
  out.for_each_element(
      [&](int i, int j) { EXPECT_EQ(out(i, j), 101 * in(i, j) + 10000 * (j * 10 + i) + 7); });
}

TEST(Places, ImagesSayTheirDimensions) {
  Buffer<int32_t> in(6, 4);
  in.set_min(2, 1);
  std::iota(in.begin(), in.end(), 0);
  ImageParam image(Int(32), 2, "image");
  image.set(in);
  Var x("x");
  Func f("f"), g("g");
  f(x) = image(image.dim(0).max(), image.dim(1).min());
  g(x) = select(x == 0, cast<int32_t>(image.right()), x == 1, cast<int32_t>(image.bottom()),
                cast<int32_t>(image.dim(1).stride()));
  const Buffer<int32_t> out = f.realize({2}), ends = g.realize({3});
  EXPECT_EQ(out(1), in(7, 1));
  EXPECT_EQ(ends(0), 7);
  EXPECT_EQ(ends(1), 4);
  EXPECT_EQ(ends(2), 6);
}

TEST(Places, LoopLevelsAreValues) {
  for (int kind = 0; kind < 4; ++kind) {
    Var x("x"), y("y");
    Func f("f"), g("g");
    f(x, y) = x * y;
    g(x, y) = f(x, y) + f(x, y + 1);
    const LoopLevel levels[] = {LoopLevel::root(), LoopLevel::inlined(), LoopLevel(g, y),
                                LoopLevel(g, x)};
    const char* const words[] = {"f.compute_root()", "f.compute_inline()", "f.compute_at(g, y)",
                                 "f.compute_at(g, x)"};
    f.compute_at(levels[kind]);
    if (kind == 2) f.store_at(LoopLevel::root());
    EXPECT_NE(schedule_of(g).find(words[kind]), std::string::npos) << schedule_of(g);
    const Buffer<int32_t> out = g.realize({7, 5});
    out.for_each_element([&](int i, int j) { ASSERT_EQ(out(i, j), i * j + i * (j + 1)); });
  }
}

TEST(Places, TilesOfLists) {
  Var x("x"), y("y"), z("z"), xo("xo"), yo("yo"), zo("zo"), xi("xi"), yi("yi"), zi("zi");
  const auto volume = [&](const char* name) {
    Func f(name);
    f(x, y, z) = x + 100 * y + 10000 * z;
    return f;
  };
  Func cubes = volume("cubes"), in_place = volume("in_place"), pairs = volume("pairs"),
       one = volume("one");
  cubes.tile({x, y, z}, {xo, yo, zo}, {xi, yi, zi}, {4, 3, 2}, TailStrategy::GuardWithIf);
  in_place.tile({x, y, z}, {xi, yi, zi}, {4, 3, 2}, TailStrategy::GuardWithIf);
  pairs.tile({x, y}, {xi, yi}, {4, 2}, TailStrategy::GuardWithIf);
  one.tile({y}, {yo}, {yi}, {4}, TailStrategy::GuardWithIf);
  EXPECT_NE(schedule_of(pairs).find("tile(x, y, x, y, xi, yi, 4, 2"), std::string::npos)
      << schedule_of(pairs);
  for (Func f : {cubes, in_place, pairs, one}) {
    const Buffer<int32_t> out = f.realize({11, 7, 5});
    out.for_each_element(
        [&](int i, int j, int k) { ASSERT_EQ(out(i, j, k), i + 100 * j + 10000 * k); });
  }
  const std::string nest = cubes.loop_nest();
  size_t last = 0;
  for (const char* loop : {"for zo", "for yo", "for xo", "for zi", "for yi", "for xi"}) {
    const size_t at = nest.find(loop, last);
    ASSERT_NE(at, std::string::npos) << loop << "\n" << nest;
    last = at;
  }
}

TEST(Places, MemoriesByHalidesNames) {
  Var x("x"), xo("xo"), xi("xi");
  Func f("f"), g("g");
  f(x) = x * 3;
  g(x) = f(x) + f(x + 1);
  g.split(x, xo, xi, 8, TailStrategy::RoundUp);
  f.compute_at(g, xo).store_in(MemoryType::Stack);
  EXPECT_NE(schedule_of(g).find(".store_in(DRAM_STACK)"), std::string::npos) << schedule_of(g);
  const Buffer<int32_t> out = g.realize({16});
  EXPECT_EQ(out(15), 93);
  f.store_in(MemoryType::Heap);
  EXPECT_NE(schedule_of(g).find(".store_in(DRAM)"), std::string::npos) << schedule_of(g);
  f.store_in(MemoryType::Auto);
  EXPECT_EQ(schedule_of(g).find("store_in"), std::string::npos) << schedule_of(g);
}

TEST(Places, ReductionLoopsAreSplitIntoRVars) {
  Var x("x");
  RVar ro("ro"), ri("ri");
  RDom r(0, 12);
  Func f("f");
  f(x) = 0;
  f(x) += r * x;
  f.update(0).split(r, ro, ri, 4).unroll(ri);
  const Buffer<int32_t> out = f.realize({5});
  for (int i = 0; i < 5; ++i) EXPECT_EQ(out(i), 66 * i);
}

TEST(Places, Realizations) {
  Var x("x");
  Func f("f"), g("g");
  f(x) = x * 2;
  g(x) = f(x) + 0.5f;
  Pipeline both({f, g}, "both");
  const Realization r = both.realize({4});
  EXPECT_EQ(r.size(), 2u);
  EXPECT_EQ(r[0].as<int32_t>()(3), 6);
  Realization into(Buffer<int32_t>(6), Buffer<float>(6));
  both.realize(into);
  EXPECT_EQ(into[1].as<float>()(5), 10.5f);
  const Buffer<int32_t> alone = Pipeline(f).realize({3});
  EXPECT_EQ(alone(2), 4);
  const Realization of_func = f.realize({3});
  EXPECT_EQ(of_func.size(), 1u);
}

TEST(Places, InputsAreMadeAsLargeAsTheyNeedToBe) {
  ImageParam input(UInt(8), 2, "input"), other(Float(32), 1, "other");
  Var x("x"), y("y");
  Func f("f");
  f(x, y) = cast<float>(input(x - 1, y) + input(x + 2, y * 2)) + other(x + y);
  f.infer_input_bounds({10, 4});
  const Buffer<> made = input.get();
  EXPECT_EQ(made.min(0), -1);
  EXPECT_EQ(made.extent(0), 13);
  EXPECT_EQ(made.min(1), 0);
  EXPECT_EQ(made.extent(1), 7);
  EXPECT_EQ(other.get().extent(0), 13);
  EXPECT_EQ(made.as<uint8_t>()(-1, 6), 0);
  made.as<uint8_t>().fill(3);
  const Buffer<float> out = f.realize({10, 4});
  EXPECT_EQ(out(9, 3), 6.0f);
  // What has a buffer keeps it; a box says where an output lies.
  input.reset();
  Buffer<float> box(2, 2);
  box.set_min(4, 0);
  f.infer_input_bounds(box);
  EXPECT_EQ(input.get().min(0), 3);
  EXPECT_EQ(other.get().extent(0), 13);
}

TEST(Places, MoreCompoundUpdates) {
  Var x("x");
  RDom r(0, 8);
  Func any("any"), all("all"), parity("parity");
  any(x) |= (r * x) & 3;
  all(x) &= cast<uint8_t>(r + x * 16) | 240;
  parity(x) ^= r + x;
  const Buffer<int32_t> ors = any.realize({4}), xors = parity.realize({4});
  const Buffer<uint8_t> ands = all.realize({4});
  for (int i = 0; i < 4; ++i) {
    int o = 0, e = 0;
    uint8_t a = 255;
    for (int k = 0; k < 8; ++k) {
      o |= (k * i) & 3;
      a = static_cast<uint8_t>(a & (static_cast<uint8_t>(k + i * 16) | 240));
      e ^= k + i;
    }
    EXPECT_EQ(ors(i), o);
    EXPECT_EQ(ands(i), a);
    EXPECT_EQ(xors(i), e);
  }
}

TEST(Places, WarningsSayWhatADirectiveDoesNotDo) {
  const Var x("x");
  ImageParam input(type_of<uint8_t>(), 1, "input");
  Func f("f"), g("g");
  f(x) = input(x) * 2;
  g(x) = f(x) + 1;
  EXPECT_TRUE(g.warnings().empty());
  f.vectorize(x, 8);
  const std::vector<std::string> warned = g.warnings();
  ASSERT_EQ(warned.size(), 1u);
  EXPECT_NE(warned[0].find("warning[S0501]: a directive on `f` has no effect"), std::string::npos);
  EXPECT_NE(warned[0].find("places_test.cpp"), std::string::npos) << warned[0];
  EXPECT_EQ(Pipeline(g).warnings(), warned);
}

// What is said of the first stage goes on with the Func, in any order.
TEST(Places, VerbsOfLoopsAndOfPlacesInAnyOrder) {
  const Var x("x"), y("y"), xi("xi"), yi("yi");
  Func f("f"), g("g");
  f(x, y) = cast<uint8_t>(x + 3 * y);
  g(x, y) = f(x, y) * 2;
  f.vectorize(x, 8).compute_root();
  g.tile(x, y, xi, yi, 4, 2, TailStrategy::GuardWithIf).vectorize(xi).compute_root().unroll(yi);
  const std::string schedule = ir::to_text(source_of(g).schedule);
  EXPECT_NE(schedule.find("f.vectorize(x, 8).compute_root()"), std::string::npos) << schedule;
  Buffer<uint8_t> one(9, 5), two(9, 5);
  Pipeline({f, g}).realize(Realization({one, two}));
  EXPECT_EQ(two(6, 4), 36);
}

}  // namespace
}  // namespace hocket
