// The evaluator: pure Funcs, updates in order, domains, poison on demand.
#include "interp/evaluate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "interp/algorithms.h"

namespace hocket::interp {
namespace {

using namespace make;
using Ints = std::vector<int64_t>;
using ::testing::HasSubstr;

const Type kI = Type::i(32);

Tensor line(int64_t min, std::vector<int64_t> values) {
  Tensor t = Tensor::of_box(kI, {min}, {static_cast<int64_t>(values.size())});
  for (size_t k = 0; k < values.size(); ++k) t.set_cell(static_cast<int64_t>(k), i32(values[k]));
  return t;
}

Tensor one(const ir::Algorithm& a, const Bindings& b, Region r) {
  auto result = evaluate(a, b, {std::move(r)});
  EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().message());
  return result.ok() ? std::move(result.value()[0]) : Tensor{};
}

TEST(Evaluate, StencilOverAnyMins) {
  AlgorithmMaker m;
  const Symbol in = m.input("in", kI, {"x"}), x = sym("x");
  const Symbol f = m.pure("f", {x}, m.call(in, {v(x) - ix(1)}) + m.call(in, {v(x) + ix(1)}));
  const Symbol g = m.pure("g", {x}, m.call(f, {v(x)}) * m.call(f, {v(x) + ix(1)}));
  m.output(g);
  Bindings b;
  b.image("in", line(-5, {1, 2, 3, 4, 5, 6}));
  // f(-4) = 1 + 3 = 4, f(-3) = 6, f(-2) = 8
  EXPECT_EQ(ints(one(m.algorithm, b, {{-4}, {2}})), (Ints{24, 48}));
}

TEST(Evaluate, FirstCoordinateIsFastest) {
  AlgorithmMaker m;
  const Symbol x = sym("x"), y = sym("y");
  m.output(m.pure("f", {x, y}, ir::make_cast(kI, v(x) + v(y) * ix(10))));
  EXPECT_EQ(ints(one(m.algorithm, {}, {{1, 2}, {2, 3}})), (Ints{21, 22, 31, 32, 41, 42}));
}

TEST(Evaluate, NothingThatIsNotWantedMatters) {
  AlgorithmMaker m;
  const Symbol in = m.input("in", kI, {"x"}), x = sym("x");
  const Expr inside = lt(v(x), ix(3));
  const Symbol f = m.pure("f", {x}, m.call(in, {v(x)}));
  m.output(m.pure("g", {x}, ir::make_select(inside, m.call(f, {v(x)}), num(kI, -1))));
  Bindings b;
  b.image(in, line(0, {7, 8, 9}));
  EXPECT_EQ(ints(one(m.algorithm, b, {{0}, {5}})), (Ints{7, 8, 9, -1, -1}));
}

TEST(Evaluate, ScanInOrder) {
  AlgorithmMaker m;
  const Symbol in = m.input("in", kI, {"x"}), x = sym("x");
  const Symbol f = m.pure("f", {x}, m.call(in, {v(x)}));
  const auto r = m.rvar("r", 1, 4);
  m.update(f, {v(r.sym)}, m.call(f, {v(r.sym) - ix(1)}) * num(kI, 2) + m.call(f, {v(r.sym)}), {r});
  m.output(f);
  Bindings b;
  b.image(in, line(0, {1, 1, 1, 1, 1, 100}));
  // Any box, asked alone, sees the whole scan.
  EXPECT_EQ(ints(one(m.algorithm, b, {{0}, {6}})), (Ints{1, 3, 7, 15, 31, 100}));
  EXPECT_EQ(ints(one(m.algorithm, b, {{4}, {2}})), (Ints{31, 100}));
}

TEST(Evaluate, ScanOfAScanAskedPointByPoint) {
  AlgorithmMaker m;
  const Symbol x = sym("x"), y = sym("y");
  const Symbol f = m.pure("f", {x, y}, ir::make_cast(kI, v(y)));
  const auto r = m.rvar("r", 1, 30);
  m.update(f, {v(r.sym), v(y)}, m.call(f, {v(r.sym) - ix(1), v(y)}) + num(kI, 1), {r});
  const auto s = m.rvar("s", 1, 20);
  m.update(f, {v(x), v(s.sym)}, m.call(f, {v(x), v(s.sym) - ix(1)}) + m.call(f, {v(x), v(s.sym)}),
           {s});
  // A consumer that walks over it in an unlucky order.
  m.output(m.pure("g", {x, y}, m.call(f, {ix(30) - v(x), ix(20) - v(y)})));
  const Tensor t = one(m.algorithm, {}, {{0, 0}, {31, 21}});
  for (int64_t i = 0; i <= 30; ++i) {
    int64_t sum = i;  // f(i, 0), then f(i, k) = f(i, k - 1) + k + i
    for (int64_t k = 0; k <= 20; ++k) {
      if (k > 0) sum += k + i;
      EXPECT_EQ(t.at({30 - i, 20 - k}).i, sum) << i << " " << k;
    }
  }
}

TEST(Evaluate, HistogramWithWhere) {
  AlgorithmMaker m;
  const Symbol in = m.input("in", kI, {"x"}), x = sym("x");
  const Symbol h = m.pure("h", {x}, num(kI, 0));
  const auto r = m.rvar("r", 0, 6);
  m.update(h, {ir::make_cast(Type::index(), m.call(in, {v(r.sym)}))},
           m.call(h, {ir::make_cast(Type::index(), m.call(in, {v(r.sym)}))}) + num(kI, 1), {r},
           op(BinaryOp::Ne, v(r.sym) % ix(3), ix(2)));
  m.output(h);
  Bindings b;
  b.image(in, line(0, {4, 4, 4, 2, 1000000, 4}));  // r = 2 and r = 5 are left out
  EXPECT_EQ(ints(one(m.algorithm, b, {{0}, {6}})), (Ints{0, 0, 1, 0, 2, 0}));
  EXPECT_EQ(ints(one(m.algorithm, b, {{999999}, {3}})), (Ints{0, 1, 0}));
}

TEST(Evaluate, ReductionsGoFirstVariableInnermost) {
  AlgorithmMaker m;
  const Symbol f = m.pure("f", {}, num(kI, 0));
  const auto rx = m.rvar("rx", 0, 3), ry = m.rvar("ry", 5, 2);
  // Digits in the order of visits.
  m.update(f, {},
           m.call(f, {}) * num(kI, 7) + ir::make_cast(kI, v(rx.sym) + (v(ry.sym) - ix(5)) * ix(3)),
           {rx, ry});
  m.output(f);
  int64_t expected = 0;
  for (int64_t k = 0; k < 6; ++k) expected = expected * 7 + k;
  EXPECT_EQ(ints(one(m.algorithm, {}, {{}, {}})), (Ints{expected}));
}

TEST(Evaluate, UpdatesComeOneAfterTheOther) {
  AlgorithmMaker m;
  const Symbol x = sym("x");
  const Symbol f = m.pure("f", {x}, ir::make_cast(kI, v(x)));
  m.update(f, {v(x)}, m.call(f, {v(x)}) * num(kI, 10), {});
  m.update(f, {ix(2)}, num(kI, -1), {});
  m.update(f, {v(x)}, m.call(f, {v(x)}) + num(kI, 3), {});
  m.output(f);
  EXPECT_EQ(ints(one(m.algorithm, {}, {{0}, {4}})), (Ints{3, 13, 2, 33}));
}

TEST(Evaluate, SeveralValuesAndSeveralOutputs) {
  AlgorithmMaker m;
  const Symbol in = m.input("in", kI, {"x"}), x = sym("x");
  // Largest value and where it stands.
  const Symbol best = m.pure_values("best", {}, {num(kI, -1000), num(Type::i(64), -1)});
  const auto r = m.rvar("r", 0, 5);
  const Expr better = lt(m.call(best, {}, 0), m.call(in, {v(r.sym)}));
  m.update_values(
      best, {},
      {ir::make_select(better, m.call(in, {v(r.sym)}), m.call(best, {}, 0)),
       ir::make_select(better, ir::make_cast(Type::i(64), v(r.sym)), m.call(best, {}, 1))},
      {r});
  m.output(best);
  m.output(m.pure("g", {x}, m.call(in, {v(x)}) - m.call(best, {}, 0)));
  Bindings b;
  b.image(in, line(0, {3, 9, 4, 9, 1}));
  auto result = evaluate(m.algorithm, b, {{{}, {}}, {{0}, {5}}});
  ASSERT_TRUE(result.ok());
  ASSERT_EQ(result->size(), 3u);
  EXPECT_EQ(ints((*result)[0]), (Ints{9}));
  EXPECT_EQ(ints((*result)[1]), (Ints{1}));
  EXPECT_EQ((*result)[1].type(), Type::i(64));
  EXPECT_EQ(ints((*result)[2]), (Ints{-6, 0, -5, 0, -8}));
}

TEST(Evaluate, ParametersAndFieldsOfInputs) {
  AlgorithmMaker m;
  const Symbol in = m.input("in", kI, {"x"}), x = sym("x"), gain = m.param("gain", kI, 2.0);
  const Expr last = ir::make_buffer_field(in, ir::BufferFieldKind::Min, 0) +
                    ir::make_buffer_field(in, ir::BufferFieldKind::Extent, 0) - ix(1);
  // repeat edge
  const Expr clamped = max(min(v(x), last), ir::make_buffer_field(in, ir::BufferFieldKind::Min, 0));
  m.output(m.pure("f", {x}, m.call(in, {clamped}) * v(gain)));
  Bindings b;
  b.image(in, line(3, {5, 6}));
  EXPECT_EQ(ints(one(m.algorithm, b, {{1}, {6}})), (Ints{10, 10, 10, 12, 12, 12}));
  b.scalar(gain, i32(-1));
  EXPECT_EQ(ints(one(m.algorithm, b, {{1}, {2}})), (Ints{-5, -5}));
}

TEST(Evaluate, DeepSharedExpressionsCostTheirNodes) {
  AlgorithmMaker m;
  const Symbol x = sym("x");
  Expr e = ir::make_cast(Type::u(32), v(x));
  for (int k = 0; k < 60; ++k) e = e + e;  // 2^60 paths
  m.output(m.pure("f", {x}, e));
  auto result = evaluate(m.algorithm, {}, {{{1}, {3}}});
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(ints((*result)[0]), (Ints{0, 0, 0}));  // 2^60 wraps away
}

TEST(Evaluate, ScatteredPointsAreFewPoints) {
  AlgorithmMaker m;
  const Symbol x = sym("x"), y = sym("y");
  const Symbol f = m.pure("f", {x, y}, ir::make_cast(kI, v(x) % ix(1000)));
  m.output(m.pure("g", {x}, m.call(f, {v(x) * ix(1000001), v(x) * ix(-999999937)})));
  const Tensor t = one(m.algorithm, {}, {{0}, {200}});
  for (int64_t k = 0; k < 200; ++k) EXPECT_EQ(t.at({k}).i, k);
}

// What an update does not move along needs no box around the points that are asked for: the limit
// is far below any box here.
TEST(Evaluate, UpdatesAtScatteredPointsAreFewPoints) {
  AlgorithmMaker m;
  const Symbol x = sym("x"), y = sym("y"), z = sym("z");
  const Symbol f = m.pure("f", {x, y, z}, ir::make_cast(kI, v(z)));
  const auto r = m.rvar("r", 1, 3);
  m.update(f, {v(r.sym), v(y), v(z)},
           m.call(f, {v(r.sym) - ix(1), v(y), v(z)}) + ir::make_cast(kI, v(y)), {r});
  m.update(f, {v(x), v(y), v(z)}, m.call(f, {v(x), v(y), v(z)}) + num(kI, 1), {});
  m.output(m.pure("g", {x}, m.call(f, {v(x), v(x) * ix(100000000), v(x) * ix(7)})));
  EvaluateOptions options;
  options.cell_limit = 100;
  const auto got = evaluate(m.algorithm, {}, {{{0}, {4}}}, options);
  ASSERT_TRUE(got.ok()) << got.error().message();
  EXPECT_EQ(ints(got.value()[0]), (Ints{1, 100000008, 400000015, 900000022}));
}

// A box grows as far as the limit lets it, not as far as doubling would.
TEST(Evaluate, ABoxGrowsUpToTheLimit) {
  AlgorithmMaker m;
  const Symbol x = sym("x");
  const Symbol f = m.pure("f", {x}, num(kI, 1));
  m.update(f, {ix(0)}, m.call(f, {ix(0)}) + num(kI, 1), {});
  m.output(m.pure("g", {x}, m.call(f, {v(x)})));
  EvaluateOptions options;
  options.cell_limit = 100;
  EXPECT_TRUE(evaluate(m.algorithm, {}, {{{0}, {100}}}, options).ok());
  EXPECT_TRUE(evaluate(m.algorithm, {}, {{{-99}, {100}}}, options).ok());
  EXPECT_FALSE(evaluate(m.algorithm, {}, {{{0}, {101}}}, options).ok());
}

TEST(Evaluate, TwoFuncsShareVarsAndReductionVariables) {
  AlgorithmMaker m;
  const Symbol x = sym("x");
  const auto r = m.rvar("r", 0, 3);
  const Symbol g = m.pure("g", {x}, num(kI, 0));
  m.update(g, {v(x)}, m.call(g, {v(x)}) + ir::make_cast(kI, v(r.sym) * v(x)), {r});
  const Symbol f = m.pure("f", {x}, num(kI, 0));
  m.update(f, {v(x)}, m.call(f, {v(x)}) * num(kI, 2) + m.call(g, {v(x) + v(r.sym)}), {r});
  m.output(f);
  const Tensor t = one(m.algorithm, {}, {{0}, {6}});  // g(x) = 3x
  for (int64_t k = 0; k < 6; ++k)
    EXPECT_EQ(t.at({k}).i, ((3 * k) * 2 + 3 * (k + 1)) * 2 + 3 * (k + 2));
}

TEST(Evaluate, PoisonMayStayWhereItIsAskedFor) {
  AlgorithmMaker m;
  const Symbol x = sym("x");
  m.output(m.pure("f", {x}, ir::make_cast(kI, v(x)) * num(kI, 1 << 30)));
  EvaluateOptions options;
  options.poison_is_error = false;
  auto result = evaluate(m.algorithm, {}, {{{0}, {4}}}, options);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(ints((*result)[0]), (Ints{0, 1 << 30, -999, -999}));
}

}  // namespace
}  // namespace hocket::interp
