// Flat form: vectors, predicates, shuffles, raw addresses, alignment, lanes that clash.
#include <gtest/gtest.h>

#include "interp/pipeline.h"

namespace hocket::interp {
namespace {

using namespace make;
using ir::Form;
using Ints = std::vector<int64_t>;

const Type kI = Type::i(32);

Expr ramp(Expr base, int lanes, int64_t stride = 1) {
  return ir::make_ramp(std::move(base), ix(stride), lanes);
}
Expr vload(const Symbol& b, Expr i, Expr predicate = {}, int64_t align = 0) {
  const int lanes = i.type().lanes;
  return ir::make_load(b, b.type().with_lanes(lanes), {std::move(i)}, std::move(predicate), align);
}
Stmt vstore(const Symbol& b, Expr i, Expr value, Expr predicate = {}, int64_t align = 0) {
  const Stmt s = store(b, {std::move(i)}, std::move(value));
  return ir::edited<ir::Store>(s, [&](ir::Store& n) {
    n.predicate = predicate;
    n.align = align;
  });
}
Finding only(const Outcome& out) {
  EXPECT_EQ(out.findings.size(), 1u) << out.text();
  return out.findings.empty() ? Finding{} : out.findings[0];
}

TEST(Flat, VectorsLetsAndShuffles) {
  const Symbol a = sym("a", kI), b = sym("b", kI), t = sym("t", kI.with_lanes(4));
  const Expr even =
      ir::make_shuffle({v(t), v(t) + ir::make_broadcast(num(kI, 100), 4)}, {0, 2, 4, 6});
  const auto p = proc("p", {buffer(a, {ix(8)}), buffer(b, {ix(8)})},
                      {ir::make_let(t, vload(a, ramp(ix(1), 4))), vstore(b, ramp(ix(0), 4), even),
                       vstore(b, ramp(ix(7), 4, -1), v(t) * ir::make_broadcast(num(kI, 2), 4))},
                      Form::Flat);
  Tensor x = numbers(kI, {0, 1, 2, 3, 4, 5, 6, 7}), y = Tensor::row_major(kI, {8});
  const Outcome out = run(*p, {x, y});
  ASSERT_TRUE(out.ok()) << out.text();
  EXPECT_EQ(ints(y), (Ints{1, 3, 101, 103, 8, 6, 4, 2}));
}

TEST(Flat, LanesThatAreOffTouchNothing) {
  const Symbol a = sym("a", kI), b = sym("b", kI), i = sym("i");
  const auto make = [&](Expr load_on, Expr store_on) {
    const Expr at = ramp(v(i) * ix(4), 4);
    return proc(
        "p", {buffer(a, {ix(6)}), buffer(b, {ix(6)})},
        {loop(i, 0, 2, {vstore(b, at, vload(a, at, std::move(load_on)), std::move(store_on))})},
        Form::Flat);
  };
  const Expr inside = lt(ramp(v(i) * ix(4), 4), ir::make_broadcast(ix(6), 4));
  Tensor x = numbers(kI, {1, 2, 3, 4, 5, 6}), y = Tensor::row_major(kI, {6});
  const Outcome out = run(*make(inside, inside), {x, y});
  ASSERT_TRUE(out.ok()) << out.text();
  EXPECT_EQ(ints(y), (Ints{1, 2, 3, 4, 5, 6}));
  Finding f = only(run(*make({}, inside), {x, y}));
  EXPECT_EQ(f.kind, FindingKind::OutOfBounds);
  EXPECT_FALSE(f.writes);  // the store's lane is off, the load's is not
  EXPECT_EQ(f.element, (Ints{6}));
  f = only(run(*make(inside, {}), {x, y}));
  EXPECT_EQ(f.kind, FindingKind::OutOfBounds);
  EXPECT_TRUE(f.writes);
  EXPECT_EQ(f.element, (Ints{6}));
  EXPECT_EQ(f.lane, 2);
  EXPECT_EQ(iterations(f), (Ints{1}));
  // A lane that is off holds poison.
  const Expr first = lt(ramp(v(i) * ix(4), 4), ir::make_broadcast(ix(3), 4));
  f = only(run(*make(first, inside), {x, y}));
  EXPECT_EQ(f.kind, FindingKind::PoisonOutput);
  EXPECT_EQ(f.element, (Ints{3}));
}

TEST(Flat, AllLanesAreReadBeforeAnyIsWritten) {
  const Symbol a = sym("a", kI);
  const auto p = proc("p", {buffer(a, {ix(5)})},
                      {vstore(a, ramp(ix(1), 4), vload(a, ramp(ix(0), 4)))}, Form::Flat);
  Tensor x = numbers(kI, {1, 2, 3, 4, 5});
  ASSERT_TRUE(run(*p, {x}).ok());
  EXPECT_EQ(ints(x), (Ints{1, 1, 2, 3, 4}));
}

TEST(Flat, TwoLanesOnOneElement) {
  const Symbol a = sym("a", kI), n = sym("n");
  const auto p =
      proc("p", {index(n), buffer(a, {ix(8)})},
           {vstore(a, ramp(ix(0), 4) * ir::make_broadcast(v(n), 4) % ir::make_broadcast(ix(6), 4),
                   ir::make_broadcast(num(kI, 1), 4))},
           Form::Flat);
  Tensor x = numbers(kI, {0, 0, 0, 0, 0, 0, 0, 0});
  EXPECT_TRUE(run(*p, {1, x}).ok());
  const Finding f = only(run(*p, {3, x}));  // 0 3 0 3
  EXPECT_EQ(f.kind, FindingKind::LaneConflict);
  EXPECT_EQ(f.element, (Ints{0}));
  EXPECT_EQ(f.other_iteration, 0);
  EXPECT_EQ(f.iteration, 2);
}

TEST(Flat, AClaimOfAlignmentMustHold) {
  const Symbol a = sym("a", kI), t = sym("t", kI), i = sym("i");
  const auto p = [&](int64_t step, int64_t align) {
    return proc(
        "p", {buffer(a, {ix(4)})},
        {ir::make_alloc(t, {ix(32)}),
         loop(i, 0, 2,
              {vstore(t, ramp(v(i) * ix(step), 4), ir::make_broadcast(num(kI, 1), 4), {}, align)}),
         vstore(a, ramp(ix(0), 4), vload(t, ramp(ix(0), 4), {}, align))},
        Form::Flat);
  };
  Tensor x = Tensor::row_major(kI, {4});
  EXPECT_TRUE(run(*p(4, 16), {x}).ok());
  const Finding f = only(run(*p(6, 16), {x}));
  EXPECT_EQ(f.kind, FindingKind::Misaligned);
  EXPECT_EQ(f.element, (Ints{6}));
  EXPECT_EQ(f.number, 16);
  // Nothing is known of an argument's address unless it is said.
  const auto q =
      proc("q", {buffer(a, {ix(4)})},
           {vstore(a, ramp(ix(0), 4), ir::make_broadcast(num(kI, 1), 4), {}, 16)}, Form::Flat);
  EXPECT_EQ(only(run(*q, {x})).kind, FindingKind::Misaligned);
  RunOptions options;
  options.argument_alignment = 16;
  EXPECT_TRUE(run(*q, {x}, options).ok());
}

TEST(Flat, BothSidesOfASelectAreExecuted) {
  const Symbol a = sym("a", kI), b = sym("b", kI);
  const auto p =
      proc("p", {buffer(a, {ix(4)}), buffer(b, {ix(4)})},
           {store(b, {ix(0)}, ir::make_select(ir::make_bool(true), num(kI, 1), load(a, {ix(4)})))},
           Form::Flat);
  Tensor x = Tensor::row_major(kI, {4}).fill(i32(0)), y = x;
  EXPECT_EQ(only(run(*p, {x, y})).kind, FindingKind::OutOfBounds);
  RunOptions lazy;
  lazy.eager_selects = false;
  EXPECT_TRUE(run(*p, {x, y}, lazy).ok());
}

// A pipeline in flat form addresses its arguments by min and stride.
TEST(Flat, PaddingOfAnArgumentDoesNotExist) {
  PipelineMaker m;
  const auto in = m.input("in", kI, 2), out = m.output("out", kI, 2);
  for (size_t d = 0; d < 2; ++d) {
    m.require(in, d, v(out.min[d]), out.last(d));
    m.require(out, d, v(out.min[d]), out.last(d));
  }
  const Symbol x = sym("x"), y = sym("y");
  const auto at = [&](const PipelineMaker::Image& i, Expr px) {
    return (v(y) - v(i.min[1])) * v(i.stride[1]) + (std::move(px) - v(i.min[0]));
  };
  const auto p = [&](int64_t more) {
    return m.proc(
        {loop(y, v(out.min[1]), out.last(1) + ix(1),
              {loop(x, v(out.min[0]), out.last(0) + ix(1),
                    {store(out.sym, {at(out, v(x))}, load(in.sym, {at(in, v(x) + ix(more))}))})})},
        Form::Flat);
  };
  Tensor a = Tensor::with_strides(kI, {0, 0}, {4, 3}, {1, 6}).fill_random(1),
         b = Tensor::with_strides(kI, {1, 0}, {3, 3}, {1, 4});
  const Outcome right = run_pipeline(*p(0), {a, b});
  ASSERT_TRUE(right.ok()) << right.text();
  EXPECT_EQ(b.at({3, 2}).i, a.at({3, 2}).i);
  const Finding f = only(run_pipeline(*p(1), {a, b}));
  EXPECT_EQ(f.kind, FindingKind::OutOfBounds);
  EXPECT_EQ(f.element, (Ints{4}));
  EXPECT_EQ(iterations(f), (Ints{0, 3}));
}

TEST(Flat, ALoopProgramsTensorIsOneRow) {
  const Symbol n = sym("n"), a = sym("a", kI), i = sym("i"), j = sym("j");
  const auto p = [&](int64_t last) {
    return proc(
        "p", {size(n), buffer(a, {v(n), ix(3)})},
        {loop(i, ix(0), v(n),
              {loop(j, 0, last, {store(a, {v(i) * ix(3) + v(j)}, ir::make_cast(kI, v(j)))})})},
        Form::Flat);
  };
  Tensor x = Tensor::row_major(kI, {2, 3});
  ASSERT_TRUE(run(*p(3), {2, x}).ok());
  EXPECT_EQ(ints(x), (Ints{0, 1, 2, 0, 1, 2}));
  EXPECT_EQ(only(run(*p(4), {2, x})).element, (Ints{6}));
}

TEST(Flat, VectorReductionsKeepTheirLanes) {
  const Symbol a = sym("a", kI), acc = sym("acc", kI), i = sym("i");
  Stmt add = store(acc, {ramp(ix(0), 4)}, vload(a, ramp(v(i) * ix(4), 4)), StoreOp::Add);
  const auto p =
      proc("p", {buffer(a, {ix(8)}), buffer(acc, {ix(4)})},
           {vstore(acc, ramp(ix(0), 4), ir::make_broadcast(num(kI, 0), 4)), loop(i, 0, 2, {add})},
           Form::Flat);
  Tensor x = numbers(kI, {1, 2, 3, 4, 10, 20, 30, 40}), y = Tensor::row_major(kI, {4});
  ASSERT_TRUE(run(*p, {x, y}).ok());
  EXPECT_EQ(ints(y), (Ints{11, 22, 33, 44}));
}

}  // namespace
}  // namespace hocket::interp
