// Conditions of reduction domains that read values, against plain loops; and as text.
#include <gtest/gtest.h>
#include <hocket/hocket.h>

#include "ir/equal.h"
#include "ir/print.h"
#include "text/parser.h"

namespace hocket {
namespace {

Buffer<int32_t> numbers(int64_t w) {
  Buffer<int32_t> out(w);
  out.for_each_element([&](int x) { out(x) = x * 7 % 11; });
  return out;
}

// What it prints is read back as the same.
void expect_round_trip(const Func& f) {
  const std::string printed = ir::to_text(*source_of(f).algorithm);
  const diag::Result<text::File> again = text::parse(printed, "t.hk");
  ASSERT_TRUE(again.ok()) << printed << again.error().message();
  EXPECT_EQ(ir::to_text(*again->pipeline(f.name())), printed);
}

TEST(Domain, ConditionsReadImagesAndFuncs) {
  const Buffer<int32_t> in = numbers(22);
  Var x("x");
  Func twice("twice"), f("f");
  twice(x) = in(x) * 2;
  RDom r(0, 21);
  r.where(in(r) > 3);
  r.where(twice(r + 1) < 15);
  f(x) = -1;
  f(r) = in(r + 1) + r;
  RVar outer("outer"), inner("inner");
  f.update(0).split(r, outer, inner, 4, TailStrategy::GuardWithIf).vectorize(inner);
  twice.compute_at(f.update(0), outer);
  const Buffer<int32_t> out = f.realize({21});
  for (int i = 0; i < 21; ++i)
    EXPECT_EQ(out(i), in(i) > 3 && in(i + 1) * 2 < 15 ? in(i + 1) + i : -1) << i;
  expect_round_trip(f);
}

TEST(Domain, WhatSlidesIsComputedWhereTheConditionFailsToo) {
  const Buffer<int32_t> in = numbers(20);
  Var x("x");
  Func g("g"), f("f");
  g(x) = in(x) * 3;
  RDom r(0, 10);
  r.where(r % 3 == 0);
  f(x) = 0;
  f(r) = g(r) + g(r + 1) + g(r + 2);
  g.compute_at(f.update(0), r).store_root();
  const Buffer<int32_t> out = f.realize({10});
  for (int i = 0; i < 10; ++i)
    EXPECT_EQ(out(i), i % 3 == 0 ? 3 * (in(i) + in(i + 1) + in(i + 2)) : 0) << i;
}

TEST(Domain, AConditionReadsTheFuncThatIsUpdated) {
  Var x("x");
  Func f("f");
  f(x) = 0;
  RDom r(0, 8, 0, 6);
  r.where(f(r.x) < 3 + r.x);
  f(r.x) += 2;
  f(r.x) += 1;
  const Buffer<int32_t> out = f.realize({8});
  for (int i = 0; i < 8; ++i) {
    int v = 0;
    for (int k = 0; k < 6; ++k)
      if (v < 3 + i) v += 2;
    for (int k = 0; k < 6; ++k)
      if (v < 3 + i) v += 1;
    EXPECT_EQ(out(i), v) << i;
  }
  expect_round_trip(f);
}

// `x` of the definition is not `x` of the domain's bounds.
TEST(Domain, BoundsAndConditionsKeepTheirNames) {
  ImageParam in(Int(32), 1, "in");
  Param<int32_t> n("x", 5), least("y", 2);
  Var x("x");
  Func f("f");
  RDom r(0, n);
  r.where(in(r) >= least);
  f(x) = 0;
  f(r) += 1;
  expect_round_trip(f);
  in.set(numbers(5));
  const Buffer<int32_t> out = f.realize({5});
  for (int i = 0; i < 5; ++i) EXPECT_EQ(out(i), i * 7 % 11 >= 2 ? 1 : 0) << i;
}

// A domain may take the name of an earlier one; one that shares a variable's name with others is
// printed under another.
TEST(Domain, NamesSharedInPart) {
  Var x("x");
  Func f("f"), g("g");
  RVar r("r"), s("s");
  f(x) = x;
  RDom both({{0, 2}, {0, 3}}, "d");
  f(both.x) += both.y;
  g(x) = f(x);
  RDom one(0, 4, "d.x");
  g(one) = g(one) + 1;
  expect_round_trip(g);
}

}  // namespace
}  // namespace hocket
