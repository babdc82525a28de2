// What the C++ front end refuses: the code, the words, and the line of the call at fault.
#include "api/refused.h"

namespace hocket {
namespace {

using ::testing::HasSubstr;
using testing::refused;

struct Fixture {
  Var x{"x"}, y{"y"}, xo{"xo"}, xi{"xi"};
  Func f{"f"}, g{"g"};
  Fixture() {
    f(x, y) = x + y;
    g(x, y) = f(x, y) + f(x, y + 1);
  }
};

TEST(ApiFail, TheCastOfAnUpdateIsOneOfWhatStandsRightOfIt) {
  Var x("x");
  ImageParam b(Float(64), 1, "b");
  Func g("g");
  g(x) = 0.0f;
  const std::optional<Error> e = refused([&] { g(x) += b(x); });
  ASSERT_TRUE(e.has_value());
  EXPECT_EQ(e->code(), "P0401");
  EXPECT_THAT(e->what(), HasSubstr("write the cast: f32(b(x))"));
  EXPECT_EQ(e->diagnostic().helps.size(), 1U);
}

TEST(ApiFail, VerbsAreJudgedWhereTheyAreSaid) {
  Fixture t;
  EXPECT_REFUSED(t.f.split(t.x, t.xo, t.xi, 0), "S0105", "factor 0 of `split`");
  EXPECT_REFUSED(t.f.vectorize(t.xo), "S0103", "`f` has no loop `xo`");
  EXPECT_REFUSED(t.f.reorder(t.x, t.x), "S0106", "loop `x` is listed twice");
  EXPECT_REFUSED(t.f.split(t.x, t.y, t.xi, 4), "S0104", "`f` already has a loop `y`");
  EXPECT_EQ(t.f.realize({2, 2}).extent(0), 2);  // refused verbs left nothing behind
}

// The verb runs the Func with its producers before it says that another order changes the result.
TEST(ApiFail, AReductionInAnotherOrderIsRunBeforeItIsRefused) {
  Var x("x");
  Func f("f"), g("g");
  RDom r(0, 2, 0, 2);
  g(x) = x * 2;
  f(x) = 0;
  f(x) = f(x) * 3 + g(x + r.x) + r.y;
  EXPECT_REFUSED(f.update(0).reorder(r.y, r.x), "S0108", "gives another result in another order");
  const std::optional<Error> e = refused([&] { f.update(0).reorder(r.y, r.x); });
  EXPECT_THAT(e->what(), HasSubstr("witness: smallest sizes that show it: f 1\n"));
  EXPECT_THAT(e->what(),
              HasSubstr("witness: output value: `f` at (0) is 24, the program gives 18"));
}

TEST(ApiFail, TheSealPointsAtTheVerb) {
  Fixture t;
  Func h("h");
  h(t.x, t.y) = t.f(t.x, t.y) + t.g(t.x, t.y);
  t.g.compute_root();
  const int line = __LINE__ + 1;
  t.f.compute_at(h, t.x);
  const std::optional<Error> e = refused([&] { h.realize({4, 4}); });
  ASSERT_TRUE(e.has_value());
  EXPECT_EQ(e->code(), "S0412");
  EXPECT_THAT(e->what(), HasSubstr("cannot compute `f` at loop `x` of `h`: `g` also reads `f`"));
  EXPECT_EQ(e->diagnostic().place.line, line);
}

TEST(ApiFail, RacesComeWithAWitness) {
  Var x("x");
  RDom r(0, 8);
  Func f("f");
  f(x) = 0;
  f(r / 2) = f(r / 2) * 2 + r;
  const int line = __LINE__ + 1;
  f.update(0).parallel(r);
  const std::optional<Error> e = refused([&] { f.realize({4}); });
  ASSERT_TRUE(e.has_value());
  EXPECT_EQ(e->code(), "S0109");
  EXPECT_EQ(e->diagnostic().place.line, line);
  ASSERT_FALSE(e->diagnostic().witness.empty());
  EXPECT_THAT(e->what(), HasSubstr("race"));
}

TEST(ApiFail, DefinitionsThatMakeNoSense) {
  Fixture t;
  Func h("h"), undefined("u");
  EXPECT_REFUSED(h(t.x, t.x) = 1, "D0203", "a Var is two arguments");
  EXPECT_REFUSED(h(t.x + 1) = 1, "D0203", "argument 0 of a pure definition is no Var");
  EXPECT_REFUSED(t.f(t.x) = 1, "D0203", "`f` has 2 dimensions, this update gives 1");
  EXPECT_REFUSED(h(t.x) = undefined(t.x), "D0203", "`u` is read before it is defined");
  EXPECT_REFUSED(t.f.update(0), "D0203", "`f` has no `update(0)`: it has 0 updates");
  EXPECT_REFUSED(h.parallel(t.x), "D0203", "`h` is scheduled before it is defined");
  RDom r(0, 3), s(0, 3);
  EXPECT_REFUSED(t.f(r, s) = 1, "D0203", "one definition reads two reduction domains");
  EXPECT_REFUSED(h(t.x) = r + 1, "D0203", "a pure definition reads a reduction variable");
  EXPECT_REFUSED(t.f(r, t.y) += t.x, "P0503", "`x` is not a pure dimension of this update");
  EXPECT_REFUSED(t.f(t.x, t.y) = t.f(t.x, t.y - 1), "P0510", "reads `f(x, y - 1)`, another point");
}

TEST(ApiFail, ExprsWithoutAValue) {
  Fixture t;
  ImageParam in(UInt(8), 1, "in");
  const char* const words = "an Expr is used before it has a value";
  EXPECT_REFUSED(RDom(0, Expr()), "D0203", words);
  RDom q(0, 3);
  EXPECT_REFUSED(q.where(Expr()), "D0203", words);
  EXPECT_REFUSED(t.f.bound(t.x, 0, Expr()), "D0203", words);
  EXPECT_REFUSED(t.g(t.x, t.y) = t.f(Expr(), t.y), "D0203", words);
  EXPECT_REFUSED(in(Expr()), "D0203", words);
  EXPECT_REFUSED(sum(Expr()), "D0203", words);
  EXPECT_REFUSED(t.g(t.x, t.y) += Expr(), "D0203", words);
  EXPECT_REFUSED(lerp(Expr(), t.x, 1.0f), "D0203", words);
}

TEST(ApiFail, BoundsThatAreNotKnownBefore) {
  Fixture t;
  ImageParam in(Int(32), 1, "in");
  EXPECT_REFUSED(RDom(0, in(0)), "D0203", "cannot read `in`");
  EXPECT_REFUSED(RDom(0, t.f(0, 0)), "D0203", "cannot read `f`");
  EXPECT_REFUSED(RDom(0, t.x), "D0203", "depend on `x`, which is no parameter");
  RDom q(0, 3);
  EXPECT_REFUSED(RDom(0, q), "D0203", "which is no parameter");
  EXPECT_REFUSED(t.f.bound(t.x, 0, in(0)), "D0203", "the bounds of `f` cannot read `in`");
}

TEST(ApiFail, ConditionsOfADomain) {
  Fixture t;
  RDom r(0, 3), other(0, 3), none;
  EXPECT_REFUSED(r.where(t.x < 3), "D0203",
                 "the condition of `r` reads `x`, which is no variable of it and no parameter");
  EXPECT_REFUSED(r.where(other < 3), "D0203", "which is no variable of it and no parameter");
  EXPECT_REFUSED(none.where(true), "D0203", "this RDom has no dimensions");
  r.where(r > 0);
  const int line = __LINE__ + 1;
  t.f(r, t.y) += 1;
  EXPECT_REFUSED(
      r.where(r > 1), "D0203",
      "`r` takes no condition any more: `f` is defined over it, by what was said before");
  const std::optional<Error> late = refused([&] { r.where(r > 1); });
  ASSERT_EQ(late->diagnostic().labels.size(), 1u);
  EXPECT_EQ(late->diagnostic().labels[0].place.line, line);
  sum(other * 2);  // a definition too
  EXPECT_REFUSED(other.where(other > 1), "D0203", "`sum` is defined over it");
  RDom q(0, 3);
  q.where(t.f(q, 0) > 1);  // at another point along what the update leaves alone
  EXPECT_REFUSED(t.f(q, t.y) += 1, "P0510", "reads `f(r, 0)`, another point");
}

TEST(ApiFail, AVarThatIsNoArgument) {
  Var x("x"), z("z");
  Func f("f");
  const int line = __LINE__ + 1;
  f(x) = x + z;
  const std::optional<Error> e = refused([&] { f.realize({4}); });
  ASSERT_TRUE(e.has_value());
  EXPECT_THAT(e->what(), HasSubstr("`z` is no argument of `f`"));
  EXPECT_EQ(e->diagnostic().place.line, line);
}

TEST(ApiFail, BuffersThatDoNotFit) {
  Var x("x");
  ImageParam input(UInt(8), 1, "input");
  Func f("f");
  f(x) = input(x) + input(x + 3);
  EXPECT_REFUSED(input.set(Buffer<uint16_t>(4)), "D0203", "input `input` is u8 with 1 dimensions");
  const std::optional<Error> unset = refused([&] { f.realize({4}); });
  ASSERT_TRUE(unset.has_value());
  EXPECT_THAT(unset->what(), HasSubstr("no buffer is set for input `input`"));
  input.set(Buffer<uint8_t>(5));
  EXPECT_REFUSED(f.realize({4}), "D0201", "input");
  EXPECT_REFUSED(Buffer<float>(f.realize({2})), "D0203", "a buffer of u8 is taken for one of f32");
}

// Each is refused with the place of the call, not of the header that notices.
TEST(ApiFail, BuffersAndCoordinatesHaveThePlaceOfTheCall) {
  Var x("x");
  ImageParam in(UInt(8), 2, "in");
  Buffer<uint8_t> b(4, 4), none;
  Func f("f");
  f(x) = x;
  EXPECT_REFUSED(in(x), "D0203", "is read with 1 coordinates");
  EXPECT_REFUSED(b(x, x, x), "D0203", "is read with 3 coordinates");
  EXPECT_REFUSED(b(500, 500), "D0203", "coordinate 500 of dimension 0 is outside the buffer");
  EXPECT_REFUSED(Buffer<float>(4, -1), "D0203", "extent is negative: -1");
  EXPECT_REFUSED(b.set_min(1), "D0203", "is given 1 mins");
  EXPECT_REFUSED(in.set(none), "D0203", "is given a buffer that is not defined");
  EXPECT_REFUSED(Buffer<double>(INT64_MAX / 4), "D0203", "more than 2^62 bytes");
  EXPECT_REFUSED(f.realize({int64_t{1} << 58}), "D0203", "no memory for a buffer of");
}

}  // namespace
}  // namespace hocket
