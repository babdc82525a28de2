// Loop form: loops, lets, branches, reductions, windows, calls, checks.
#include <gtest/gtest.h>

#include <cmath>

#include "abi/hocket_abi.h"
#include "interp/make.h"

namespace hocket::interp {
namespace {

using namespace make;
using Ints = std::vector<int64_t>;

TEST(Loops, CopyWithAnOffset) {
  const Symbol n = sym("n"), a = sym("a", Type::i(32)), b = sym("b", Type::i(32)), i = sym("i");
  const auto p = proc("p", {size(n), buffer(a, {v(n)}), buffer(b, {v(n)})},
                      {loop(i, ix(0), v(n), {store(b, {v(n) - ix(1) - v(i)}, load(a, {v(i)}))})});
  Tensor x = numbers(Type::i(32), {1, 2, 3}), y = Tensor::row_major(Type::i(32), {3});
  const Outcome out = run(*p, {3, x, y});
  EXPECT_TRUE(out.ok()) << out.text();
  EXPECT_EQ(ints(y), (Ints{3, 2, 1}));
  EXPECT_EQ(out.steps, 4);
}

TEST(Loops, MatrixProductAddsInOrder) {
  const Symbol n = sym("n"), a = sym("a", Type::f(32)), b = sym("b", Type::f(32)),
               c = sym("c", Type::f(32));
  const Symbol i = sym("i"), j = sym("j"), k = sym("k");
  const std::vector<Expr> square{v(n), v(n)};
  const auto p =
      proc("gemm", {size(n), buffer(a, square), buffer(b, square), buffer(c, square)},
           {loop(i, ix(0), v(n),
                 {loop(j, ix(0), v(n),
                       {store(c, {v(i), v(j)}, num(Type::f(32), 0)),
                        loop(k, ix(0), v(n),
                             {store(c, {v(i), v(j)}, load(a, {v(i), v(k)}) * load(b, {v(k), v(j)}),
                                    StoreOp::Add)})})})});
  Tensor x = Tensor::row_major(Type::f(32), {5, 5}), y = x, z = x;
  x.fill_random(1);
  y.fill_random(2);
  ASSERT_TRUE(run(*p, {5, x, y, z}).ok());
  for (int64_t r = 0; r < 5; ++r) {
    for (int64_t s = 0; s < 5; ++s) {
      float sum = 0;
      for (int64_t t = 0; t < 5; ++t)
        sum += static_cast<float>(x.at({r, t}).f) * static_cast<float>(y.at({t, s}).f);
      EXPECT_EQ(z.at({r, s}).f, static_cast<double>(sum));
    }
  }
}

TEST(Loops, FusedReductionRoundsOnce) {
  const Symbol a = sym("a", Type::f(32)), c = sym("c", Type::f(32));
  const auto body = [&](bool fused) {
    const Stmt s = store(c, {}, load(a, {ix(0)}) * load(a, {ix(1)}), StoreOp::Add);
    return proc("p", {buffer(a, {ix(2)}), buffer(c, {})},
                {ir::edited<ir::Store>(s, [&](ir::Store& n) { n.fused = fused; })});
  };
  // (1 + 2^-12)^2 = 1 + 2^-11 + 2^-24: the last term is lost where the product is rounded alone.
  const double x = 1 + std::ldexp(1.0, -12);
  for (const bool fused : {false, true}) {
    Tensor t = Tensor::row_major(Type::f(32), {2}), s = Tensor::row_major(Type::f(32), {});
    t.fill(ir::Scalar::of_float(Type::f(32), x));
    s.fill(ir::Scalar::of_float(Type::f(32), -1 - std::ldexp(1.0, -11)));
    ASSERT_TRUE(run(*body(fused), {t, s}).ok());
    EXPECT_EQ(s.at({}).f, fused ? std::ldexp(1.0, -24) : 0.0);
  }
}

TEST(Loops, BranchesLetsAndEmptyLoops) {
  const Symbol a = sym("a", Type::i(32)), i = sym("i"), j = sym("j"), t = sym("t", Type::i(32));
  const auto p =
      proc("p", {buffer(a, {ix(4)})},
           {loop(i, 0, 4,
                 {ir::make_let(t, ir::make_cast(Type::i(32), v(i)) * num(Type::i(32), 10)),
                  ir::make_if(lt(v(i), ix(2)), {store(a, {v(i)}, v(t))},
                              {store(a, {v(i)}, num(Type::i(32), -1))}),
                  loop(j, 5, 3, {store(a, {v(i)}, num(Type::i(32), 7))})})});
  Tensor x = Tensor::row_major(Type::i(32), {4});
  ASSERT_TRUE(run(*p, {x}).ok());
  EXPECT_EQ(ints(x), (Ints{0, 10, -1, -1}));
}

TEST(Loops, EveryStoreOperator) {
  const Symbol a = sym("a", Type::i(16));
  const auto one = [&](StoreOp o, int64_t old, int64_t value) {
    const auto p = proc("p", {buffer(a, {})}, {store(a, {}, num(Type::i(16), value), o)});
    Tensor x = Tensor::row_major(Type::i(16), {});
    x.fill(ir::Scalar::of_int(Type::i(16), old));
    EXPECT_TRUE(run(*p, {x}).ok());
    return x.at({}).i;
  };
  EXPECT_EQ(one(StoreOp::Assign, 5, 7), 7);
  EXPECT_EQ(one(StoreOp::Add, 32767, 1), -32768);
  EXPECT_EQ(one(StoreOp::Mul, 5, 7), 35);
  EXPECT_EQ(one(StoreOp::Min, 5, 7), 5);
  EXPECT_EQ(one(StoreOp::Max, 5, 7), 7);
}

TEST(Loops, WindowsOfWindowsReachTheRightElements) {
  const Symbol a = sym("a", Type::i(32)), w = sym("w", Type::i(32)), u = sym("u", Type::i(32)),
               i = sym("i");
  // w = a[1:4, 2], u = w[1:3]: elements a[2, 2] and a[3, 2].
  const auto p =
      proc("p", {buffer(a, {ix(4), ix(3)})},
           {ir::make_window_stmt(w, ir::make_window(a, Type::i(32), {{ix(1), ix(4)}, {ix(2), {}}})),
            ir::make_window_stmt(u, ir::make_window(w, Type::i(32), {{ix(1), ix(3)}})),
            loop(i, 0, 2, {store(u, {v(i)}, num(Type::i(32), 9))})});
  Tensor x = Tensor::row_major(Type::i(32), {4, 3});
  x.fill(i32(0));
  ASSERT_TRUE(run(*p, {x}).ok());
  EXPECT_EQ(ints(x), (Ints{0, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 9}));
}

TEST(Loops, CallsByWindowNameAndScalar) {
  const Symbol n = sym("n"), d = sym("dst", Type::i(32)), s = sym("src", Type::i(32)),
               k = sym("k", Type::i(32)), i = sym("i");
  const auto add =
      proc("add", {size(n), buffer(d, {v(n)}, true), buffer(s, {v(n)}, true), scalar(k)},
           {loop(i, ix(0), v(n), {store(d, {v(i)}, load(s, {v(i)}) + v(k))})});
  const Symbol a = sym("a", Type::i(32)), b = sym("b", Type::i(32)), j = sym("j");
  // Column j of a (2x3) into b.
  const auto p =
      proc("p", {buffer(a, {ix(2), ix(3)}), buffer(b, {ix(2)})},
           {loop(j, 0, 3,
                 {ir::make_call(add, {ix(2), v(b),
                                      ir::make_window(a, Type::i(32), {{ix(0), ix(2)}, {v(j), {}}}),
                                      ir::make_cast(Type::i(32), v(j))})})});
  Tensor x = Tensor::row_major(Type::i(32), {2, 3}), y = Tensor::row_major(Type::i(32), {2});
  for (int64_t c = 0; c < 6; ++c) x.set_cell(c, i32(c));
  ASSERT_TRUE(run(*p, {x, y}).ok());
  EXPECT_EQ(ints(y), (Ints{4, 7}));
}

TEST(Loops, StridesAreSeenInside) {
  const Symbol n = sym("n"), w = sym("w", Type::i(32)), out = sym("out", Type::i(64));
  const auto ask = proc(
      "ask", {size(n), buffer(w, {v(n)}, true), buffer(out, {ix(2)})},
      {store(out, {ix(0)},
             ir::make_cast(Type::i(64), ir::make_buffer_field(w, ir::BufferFieldKind::Stride, 0))),
       store(
           out, {ix(1)},
           ir::make_cast(Type::i(64), ir::make_buffer_field(w, ir::BufferFieldKind::Extent, 0)))});
  const Symbol a = sym("a", Type::i(32)), b = sym("b", Type::i(64));
  const auto p = proc(
      "p", {buffer(a, {ix(4), ix(7)}), buffer(b, {ix(2)})},
      {ir::make_call(
          ask, {ix(3), ir::make_window(a, Type::i(32), {{ix(1), ix(4)}, {ix(5), {}}}), v(b)})});
  Tensor x = Tensor::row_major(Type::i(32), {4, 7}).fill(i32(0)),
         y = Tensor::row_major(Type::i(64), {2});
  ASSERT_TRUE(run(*p, {x, y}).ok());
  EXPECT_EQ(ints(y), (Ints{7, 3}));
}

TEST(Loops, ChecksLeaveWithTheirCode) {
  const Symbol n = sym("n"), a = sym("a", Type::i(32));
  const auto p =
      proc("p", {index(n), buffer(a, {})},
           {store(a, {}, num(Type::i(32), 1)),
            ir::make_check(lt(v(n), ix(10)), HOCKET_ERROR_USER_CHECK_FAILED, "n is below 10"),
            store(a, {}, num(Type::i(32), 2))});
  Tensor x = Tensor::row_major(Type::i(32), {});
  EXPECT_TRUE(run(*p, {9, x}).ok());
  EXPECT_EQ(x.at({}).i, 2);
  const Outcome out = run(*p, {10, x});
  EXPECT_EQ(out.code, HOCKET_ERROR_USER_CHECK_FAILED);
  EXPECT_TRUE(out.findings.empty());
  EXPECT_EQ(out.failed_check.as<ir::Check>()->message, "n is below 10");
  EXPECT_EQ(x.at({}).i, 1);
}

TEST(Loops, OrdersGiveTheSameSums) {
  const Symbol a = sym("a", Type::u(8)), s = sym("s", Type::u(8)), i = sym("i");
  const auto p =
      proc("p", {buffer(a, {ix(7)}), buffer(s, {})},
           {store(s, {}, num(Type::u(8), 0)),
            loop(i, 0, 7, {store(s, {}, load(a, {v(i)}), StoreOp::Add)}, LoopKind::Unordered)});
  Tensor x = Tensor::row_major(Type::u(8), {7}).fill_random(3),
         y = Tensor::row_major(Type::u(8), {});
  std::vector<int64_t> sums;
  for (const Order o : {Order::Forward, Order::Reverse, Order::Random}) {
    RunOptions options;
    options.order = o;
    ASSERT_TRUE(run(*p, {x, y}, options).ok());
    sums.push_back(y.at({}).i);
  }
  EXPECT_EQ(sums, (Ints{sums[0], sums[0], sums[0]}));
}

// What iterations of any order share may only be reduced into, and nobody reads it meanwhile.
TEST(Loops, OrdersThatShow) {
  const Symbol a = sym("a", Type::u(8)), b = sym("b", Type::u(8)), i = sym("i");
  const Expr first = ix(0), at = v(i);
  const auto races = [&](const Body& body) {
    const auto p = proc("p", {buffer(a, {ix(7)}), buffer(b, {ix(7)})},
                        {loop(i, 0, 7, body, LoopKind::Unordered)});
    int found = 0;
    for (const Order o : {Order::Forward, Order::Reverse, Order::Random}) {
      Tensor x = Tensor::row_major(Type::u(8), {7}).fill_random(3),
             y = Tensor::row_major(Type::u(8), {7}).fill_random(4);
      RunOptions options;
      options.order = o;
      const Outcome out = run(*p, {x, y}, options);
      found += !out.ok() && out.findings[0].kind == FindingKind::Race;
    }
    EXPECT_TRUE(found == 0 || found == 3) << found;
    return found == 3;
  };
  EXPECT_FALSE(races({store(b, {first}, load(a, {at}), StoreOp::Min)}));
  EXPECT_FALSE(races({store(b, {first}, load(a, {at}), StoreOp::Add),
                      store(b, {first}, load(a, {at}), StoreOp::Add)}));
  EXPECT_TRUE(races({store(b, {first}, load(a, {at}))}));
  EXPECT_TRUE(races({store(b, {first}, load(a, {at}), StoreOp::Add),
                     store(b, {first}, load(a, {at}), StoreOp::Min)}));
  // The value that is reduced is an element that another iteration reduces into.
  EXPECT_TRUE(races({store(b, {first}, load(b, {at}), StoreOp::Min)}));
  // A sum that is looked at on the way.
  EXPECT_TRUE(
      races({store(b, {first}, load(a, {at}), StoreOp::Add), store(a, {at}, load(b, {first}))}));
}

// The order options really change the order: the last iteration to write wins.
TEST(Loops, OrdersDiffer) {
  const Symbol s = sym("s", Type::i(32)), i = sym("i");
  const auto p = proc(
      "p", {buffer(s, {})},
      {loop(i, 0, 100, {store(s, {}, ir::make_cast(Type::i(32), v(i)))}, LoopKind::Unordered)});
  Tensor y = Tensor::row_major(Type::i(32), {});
  RunOptions options;
  options.max_findings = 1000;  // each of them is one
  run(*p, {y}, options);
  EXPECT_EQ(y.at({}).i, 99);
  options.order = Order::Reverse;
  run(*p, {y}, options);
  EXPECT_EQ(y.at({}).i, 0);
  options.order = Order::Random;
  int moved = 0;
  for (options.seed = 1; options.seed <= 20; ++options.seed) {
    run(*p, {y}, options);
    moved += y.at({}).i != 99 && y.at({}).i != 0;
  }
  EXPECT_GT(moved, 10);
}

}  // namespace
}  // namespace hocket::interp
