// A pipeline that was written in C++ as .hk text, and the same read from it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hocket/hocket.h>

#include "driver/callable.h"
#include "ir/equal.h"
#include "text/parser.h"

namespace hocket {
namespace {

// What reads back is the same, and compiles.
void expect_reads_back(const Func& f) {
  const std::string text = f.text();
  const diag::Result<text::File> file = text::parse(text, "t.hk");
  ASSERT_TRUE(file.ok()) << text << file.error().message();
  const driver::Source source = source_of(f);
  ASSERT_NE(file->pipeline(f.name()), nullptr) << text;
  EXPECT_TRUE(ir::equal(*file->pipeline(f.name()), *source.algorithm)) << text;
  ir::Schedule schedule;
  if (const ir::Schedule* s = file->schedule("s")) schedule = *s;
  EXPECT_EQ(schedule.directives.size(), source.schedule.directives.size()) << text;
  EXPECT_TRUE(driver::Callable::make(driver::Source(file->pipeline(f.name()), schedule)).ok());
}

TEST(Text, OfAFuncWithItsScheduleAndWithoutOne) {
  ImageParam in(UInt(8), 2, "in");
  Var x("x"), y("y"), xi("xi"), yi("yi");
  Func g("g"), f("f");
  g(x, y) = in(x, y) + 1;
  f(x, y) = g(x, y) + g(x, y + 1);
  expect_reads_back(f);
  EXPECT_THAT(f.text(), ::testing::Not(::testing::HasSubstr("schedule")));
  f.tile(x, y, xi, yi, 8, 4, TailStrategy::GuardWithIf).vectorize(xi).parallel(y);
  g.store_at(f, y).compute_at(f, yi).vectorize(x, 8);
  expect_reads_back(f);
  EXPECT_THAT(f.text(), ::testing::HasSubstr("schedule s for f:\n"));
  EXPECT_EQ(f.text(), Pipeline(f).text());
}

TEST(Text, OfBoundsOverSizesOfInputsAndParameters) {
  ImageParam in(UInt(8), 2, "in"), shape(UInt(8), 1, "shape");
  Param<int32_t> low("low", 0);
  Var x("x"), y("y");
  Func f("f");
  f(x, y) = in(x, y);
  f.bound(x, in.dim(0).min(), in.width()).bound(y, low, shape.dim(0).extent());
  expect_reads_back(f);
  EXPECT_THAT(f.text(), ::testing::HasSubstr("f.bound(x, `in`.min(0), `in`.extent(0))"));
  // What nothing but the bound reads is an argument all the same.
  Buffer<uint8_t> image(6, 4), row(4);
  image.fill(7);
  in.set(image);
  shape.set(row);
  const Buffer<uint8_t> out = f.realize({6, 4});
  EXPECT_EQ(out(5, 3), 7);
  EXPECT_THROW(f.realize({6, 3}), Error);
  low.set(1);
  EXPECT_THROW(f.realize({6, 4}), Error);
}

}  // namespace
}  // namespace hocket
