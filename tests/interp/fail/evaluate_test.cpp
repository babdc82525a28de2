// What the evaluator refuses: text and place of each kind.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diag/kinds_runtime.h"
#include "interp/algorithms.h"

namespace hocket::interp {
namespace {

using namespace make;
using Ints = std::vector<int64_t>;

const Type kI = Type::i(32);

diag::Diagnostic refused(const ir::Algorithm& a, const Bindings& b, Region r,
                         const EvaluateOptions& options = {}) {
  auto result = evaluate(a, b, {std::move(r)}, options);
  EXPECT_FALSE(result.ok());
  return result.ok() ? diag::Diagnostic(diag::kind::missing_argument) : result.error();
}

TEST(EvaluateRefuses, E0101MissingArgument) {
  AlgorithmMaker m;
  const Symbol in = m.input("in", kI, {"x"}), gain = m.param("gain", kI), x = sym("x");
  m.output(m.pure("f", {x}, m.call(in, {v(x)}) * v(gain)));
  diag::Diagnostic d = refused(m.algorithm, {}, {{0}, {1}});
  EXPECT_TRUE(d.is(diag::kind::missing_argument));
  EXPECT_EQ(d.message(), "no value is given for `in`");
  EXPECT_EQ(d.place.spoken(), "test.hk:1");
  Bindings b;
  b.image(in, Tensor::of_box(kI, {0}, {1}).fill(i32(1)));
  d = refused(m.algorithm, b, {{0}, {1}});
  EXPECT_EQ(d.message(), "no value is given for `gain`");
  EXPECT_EQ(d.place.spoken(), "test.hk:2");
}

TEST(EvaluateRefuses, E0102ArgumentMismatch) {
  AlgorithmMaker m;
  const Symbol in = m.input("in", kI, {"x", "y"}), gain = m.param("gain", kI), x = sym("x");
  m.output(m.pure("f", {x}, m.call(in, {v(x), ix(0)}) * v(gain)));
  Bindings b;
  b.image(in, Tensor::of_box(Type::u(8), {0}, {1}));
  diag::Diagnostic d = refused(m.algorithm, b, {{0}, {1}});
  EXPECT_TRUE(d.is(diag::kind::argument_mismatch));
  EXPECT_EQ(d.message(), "`in` needs i32 of rank 2, it is given u8 of rank 1");
  EXPECT_EQ(d.place.spoken(), "test.hk:1");
  b.image(in, Tensor::of_box(kI, {0, 0}, {1, 1}))
      .scalar(gain, ir::Scalar::of_float(Type::f(32), 1));
  EXPECT_EQ(refused(m.algorithm, b, {{0}, {1}}).message(), "`gain` needs i32, it is given f32");
}

TEST(EvaluateRefuses, E0103InputOutOfRange) {
  AlgorithmMaker m;
  const Symbol in = m.input("in", kI, {"x", "y"}), x = sym("x"), y = sym("y");
  const Symbol f = m.pure("f", {x, y}, m.call(in, {v(x) - ix(1), v(y)}) + num(kI, 1));
  m.output(m.pure("g", {x, y}, m.call(f, {v(x), v(y) * ix(2)})));
  Bindings b;
  b.image(in, Tensor::of_box(kI, {0, 3}, {4, 2}).fill(i32(1)));
  const diag::Diagnostic d = refused(m.algorithm, b, {{1, 2}, {5, 1}});
  EXPECT_TRUE(d.is(diag::kind::input_out_of_range));
  EXPECT_EQ(d.message(),
            "`g` at (5, 2) needs `in` at (4, 4), outside its region (x in [0, 4), y in [3, 5))");
  EXPECT_EQ(d.place.spoken(), "test.hk:3");
}

TEST(EvaluateRefuses, E0104PoisonOutput) {
  AlgorithmMaker m;
  const Symbol x = sym("x");
  m.output(m.pure("f", {x}, ir::make_cast(kI, v(x)) * num(kI, 1 << 30)));
  const diag::Diagnostic d = refused(m.algorithm, {}, {{0}, {4}});
  EXPECT_TRUE(d.is(diag::kind::poison_output));
  EXPECT_EQ(d.message(), "`f` at (2) has no value: `*` of i32 overflows");
  EXPECT_EQ(d.place.spoken(), "test.hk:1");
}

TEST(EvaluateRefuses, E0104AnUpdateThatWritesSomewhereUnknown) {
  AlgorithmMaker m;
  const Symbol x = sym("x"), y = sym("y");
  const Symbol f = m.pure("f", {x, y}, num(kI, 0));
  const auto r = m.rvar("r", 0, 2);
  // r = 1 writes at an index that overflows, in line y = 3 alone (elsewhere at 0).
  const Expr bad = ir::make_cast(Type::index(), num(kI, 2147483647) + ir::make_cast(kI, v(r.sym)));
  m.update(f, {ir::make_select(op(BinaryOp::Eq, v(y), ix(3)), bad, ix(0)), v(y)}, num(kI, 1), {r});
  m.output(f);
  EXPECT_TRUE(evaluate(m.algorithm, {}, {{{0, 0}, {3, 3}}}).ok());
  const diag::Diagnostic d = refused(m.algorithm, {}, {{0, 0}, {3, 4}});
  EXPECT_EQ(d.message(), "`f` at (0, 3) has no value: `+` of i32 overflows");
}

TEST(EvaluateRefuses, E0105PoisonDomain) {
  AlgorithmMaker m;
  const Symbol x = sym("x"), n = m.param("n", kI);
  const Symbol f = m.pure("f", {x}, num(kI, 0));
  ir::RVar r = m.rvar("r", 0, 2);
  r.extent = ir::make_cast(Type::index(), v(n) + num(kI, 1));
  m.update(f, {v(r.sym)}, num(kI, 1), {r});
  m.output(f);
  Bindings b;
  b.scalar(n, i32(2147483647));
  const diag::Diagnostic d = refused(m.algorithm, b, {{0}, {3}});
  EXPECT_TRUE(d.is(diag::kind::poison_domain));
  EXPECT_EQ(d.message(), "the reduction domain of `f` has no value: `+` of i32 overflows");
  EXPECT_EQ(d.place.spoken(), "test.hk:2");
}

// f(x) = 0; f(x) += 1 so many times.
Symbol counts_to(AlgorithmMaker& m, int64_t times) {
  const Symbol x = sym("x"), f = m.pure("f", {x}, num(kI, 0));
  m.update(f, {v(x)}, m.call(f, {v(x)}) + num(kI, 1), {m.rvar("r", 0, times)});
  m.output(f);
  return f;
}

TEST(EvaluateRefuses, E0106EvaluationLimit) {
  AlgorithmMaker m;
  counts_to(m, 1000);
  EvaluateOptions options;
  options.step_limit = 1000;
  diag::Diagnostic d = refused(m.algorithm, {}, {{0}, {3}}, options);
  EXPECT_TRUE(d.is(diag::kind::evaluation_limit));
  EXPECT_EQ(d.message(), "evaluating `f` takes more than 1000 steps");
  EXPECT_EQ(d.place.spoken(), "test.hk:1");
  options = {};
  options.cell_limit = 100;
  EXPECT_EQ(refused(m.algorithm, {}, {{0}, {101}}, options).message(),
            "evaluating `f` takes more than 100 points at once");
}

TEST(EvaluateRefuses, E0106MoreStepsThanAreRemembered) {
  AlgorithmMaker m;
  const Symbol f = counts_to(m, 10);
  EvaluateOptions options;
  options.steps_kept_limit = 25;
  auto made = Evaluator::make(m.algorithm, {}, {}, options, true);
  ASSERT_TRUE(made.ok());
  EXPECT_EQ(made.value()->steps_of(f, 1, {7}).size(), 10U);
  EXPECT_EQ(made.value()->steps_of(f, 1, {9}).size(), 10U);
  try {
    made.value()->steps_of(f, 1, {8});
    FAIL();
  } catch (const EvaluationStop& stop) {
    EXPECT_EQ(stop.diagnostic.message(), "evaluating `f` takes more than 25 update steps at once");
  }
}

// An update whose pure dimension reads its neighbour would need every point below.
TEST(EvaluateRefuses, E0106ADefinitionWithoutEnd) {
  AlgorithmMaker m;
  const Symbol x = sym("x");
  const Symbol f = m.pure("f", {x}, num(kI, 0));
  m.update(f, {v(x)}, m.call(f, {v(x) - ix(1)}) + num(kI, 1), {});
  m.output(f);
  EvaluateOptions options;
  options.cell_limit = 1 << 12;
  EXPECT_TRUE(refused(m.algorithm, {}, {{0}, {1}}, options).is(diag::kind::evaluation_limit));
}

}  // namespace
}  // namespace hocket::interp
