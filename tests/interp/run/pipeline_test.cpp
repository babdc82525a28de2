// Pipelines: binding, entry errors as hocket_call gives them, outputs judged.
#include <gtest/gtest.h>

#include "abi/hocket_abi.h"
#include "interp/pipeline.h"

namespace hocket::interp {
namespace {

using namespace make;
using Ints = std::vector<int64_t>;

const Type kI = Type::i(32);

// out(x, y) = in(x + 1, y) * gain, in loops.
struct Shift {
  PipelineMaker p;
  PipelineMaker::Image in = p.input("in", kI, 2);
  Symbol gain = p.scalar_param("gain", kI);
  PipelineMaker::Image out = p.output("out", kI, 2);
  Symbol x = sym("x"), y = sym("y");

  Shift() {
    p.require(in, 0, v(out.min[0]) + ix(1), out.last(0) + ix(1));
    p.require(in, 1, v(out.min[1]), out.last(1));
    for (size_t d = 0; d < 2; ++d) p.require(out, d, v(out.min[d]), out.last(d));
  }
  ir::ProcRef proc(int64_t off = 1) const {
    return p.proc({loop(y, v(out.min[1]), out.last(1) + ix(1),
                        {loop(x, v(out.min[0]), out.last(0) + ix(1),
                              {store(out.sym, out.at({v(x), v(y)}),
                                     load(in.sym, in.at({v(x) + ix(off), v(y)})) * v(gain))})})});
  }
};

TEST(Pipeline, AnyMinsAndPaddedRows) {
  Shift s;
  Tensor in = Tensor::with_strides(kI, {-1, 5}, {4, 2}, {1, 10}),
         out = Tensor::with_strides(kI, {-2, 5}, {3, 2}, {1, 7});
  in.for_each_point([&](std::span<const int64_t> p) { in.set(p, i32(p[0] + 10 * p[1])); });
  const Outcome o = run_pipeline(*s.proc(), {in, i32(2), out});
  ASSERT_TRUE(o.ok()) << o.text();
  out.for_each_point(
      [&](std::span<const int64_t> p) { EXPECT_EQ(out.at(p).i, 2 * (p[0] + 1 + 10 * p[1])); });
}

TEST(Pipeline, AnEmptyOutputNeedsNothing) {
  Shift s;
  Tensor in = Tensor::of_box(kI, {0, 0}, {0, 0}), out = Tensor::of_box(kI, {5, 5}, {0, 3});
  EXPECT_TRUE(run_pipeline(*s.proc(), {in, i32(2), out}).ok());
}

TEST(Pipeline, EntryErrors) {
  Shift s;
  Tensor in = Tensor::of_box(kI, {0, 0}, {4, 2}).fill(i32(1)),
         out = Tensor::of_box(kI, {0, 0}, {3, 2});
  const auto code = [&](Tensor& a, ir::Scalar g, Tensor& b) {
    return run_pipeline(*s.proc(), {a, g, b});
  };
  EXPECT_TRUE(code(in, i32(1), out).ok());

  Tensor line = Tensor::of_box(kI, {0}, {4}), bytes = Tensor::of_box(Type::u(8), {0, 0}, {4, 2});
  EXPECT_EQ(code(line, i32(1), out).code, HOCKET_ERROR_WRONG_RANK);
  EXPECT_EQ(code(bytes, i32(1), out).code, HOCKET_ERROR_WRONG_TYPE);
  EXPECT_EQ(code(in, ir::Scalar::of_int(Type::i(16), 1), out).code, HOCKET_ERROR_WRONG_TYPE);

  Tensor far = Tensor::of_box(kI, {INT32_MAX - 1, 0}, {4, 2});
  Outcome o = code(far, i32(1), out);
  EXPECT_EQ(o.code, HOCKET_ERROR_EXTENT_OVERFLOW);
  EXPECT_EQ(o.entry->argument, "in");
  EXPECT_EQ(o.entry->dimension, 0);

  Tensor sparse = Tensor::with_strides(kI, {0, 0}, {4, 2}, {2, 8});
  o = code(sparse, i32(1), out);
  EXPECT_EQ(o.code, HOCKET_ERROR_CONSTRAINT_VIOLATED);
  EXPECT_EQ(o.entry->constraint, HOCKET_CONSTRAINT_STRIDE);

  Tensor wide = Tensor::of_box(kI, {0, 0}, {4, 2});
  o = code(in, i32(1), wide);
  EXPECT_EQ(o.code, HOCKET_ERROR_BUFFER_TOO_SMALL);
  EXPECT_EQ(o.entry->argument, "in");
  EXPECT_EQ(o.entry->dimension, 0);
  EXPECT_EQ(
      (Ints{o.entry->needed_min, o.entry->needed_max, o.entry->given_min, o.entry->given_max}),
      (Ints{1, 4, 0, 3}));
  EXPECT_TRUE(wide.is_poison(0));  // nothing was written

  EXPECT_EQ(code(out, i32(1), out).code, HOCKET_ERROR_BUFFER_TOO_SMALL);
  Tensor same = Tensor::of_box(kI, {0, 0}, {0, 2});
  EXPECT_EQ(code(same, i32(1), same).code, HOCKET_ERROR_ALIAS_OVERLAP);
}

TEST(Pipeline, RangesAndTheProgramsOwnChecks) {
  Shift s;
  s.p.entry.args[1].range_min = num(kI, 1);
  s.p.entry.args[1].range_max = num(kI, 9);
  s.p.entry.checks.push_back({op(BinaryOp::Ge, v(s.out.extent[0]), ix(3)),
                              HOCKET_ERROR_USER_CHECK_FAILED, "`out` is at least 3 wide"});
  Tensor in = Tensor::of_box(kI, {0, 0}, {4, 2}).fill(i32(1)),
         out = Tensor::of_box(kI, {0, 0}, {3, 2});
  EXPECT_TRUE(run_pipeline(*s.proc(), {in, i32(9), out}).ok());
  for (const int64_t g : {0, 10}) {
    const Outcome o = run_pipeline(*s.proc(), {in, i32(g), out});
    EXPECT_EQ(o.code, HOCKET_ERROR_PARAM_OUT_OF_RANGE);
    EXPECT_EQ(o.entry->argument, "gain");
  }
  Tensor small = Tensor::of_box(kI, {0, 0}, {2, 2});
  const Outcome o = run_pipeline(*s.proc(), {in, i32(5), small});
  EXPECT_EQ(o.code, HOCKET_ERROR_USER_CHECK_FAILED);
  EXPECT_EQ(o.entry->text, "`out` is at least 3 wide");
}

TEST(Pipeline, ReadsBeyondTheInputAreFound) {
  Shift s;
  Tensor in = Tensor::with_strides(kI, {0, 0}, {4, 2}, {1, 9}).fill(i32(1)),
         out = Tensor::of_box(kI, {0, 0}, {3, 2});
  const Outcome o = run_pipeline(*s.proc(2), {in, i32(1), out});
  ASSERT_EQ(o.findings.size(), 1u);
  EXPECT_EQ(o.findings[0].kind, FindingKind::OutOfBounds);
  EXPECT_EQ(o.findings[0].element, (Ints{0, 4}));
}

TEST(Pipeline, AnElementThatIsNeverWritten) {
  Shift s;
  const auto p =
      s.p.proc({loop(s.y, v(s.out.min[1]), s.out.last(1) + ix(1),
                     {loop(s.x, v(s.out.min[0]), s.out.last(0),
                           {store(s.out.sym, s.out.at({v(s.x), v(s.y)}), num(kI, 1))})})});
  Tensor in = Tensor::of_box(kI, {0, 0}, {5, 5}).fill(i32(1)),
         out = Tensor::of_box(kI, {1, 2}, {3, 2});
  out.fill(i32(4));  // what was there before is no result
  const Outcome o = run_pipeline(*p, {in, i32(1), out});
  ASSERT_EQ(o.findings.size(), 1u);
  EXPECT_EQ(o.findings[0].kind, FindingKind::PoisonOutput);
  EXPECT_EQ(o.findings[0].element, (Ints{3, 2}));
  EXPECT_EQ(o.findings[0].reason.kind, Reason::Kind::Unwritten);
}

TEST(Pipeline, OutputsAreComparedWithTheAlgorithm) {
  Shift s;
  AlgorithmMaker m;
  const Symbol in = m.input("in", kI, {"x", "y"}), gain = m.param("gain", kI), x = sym("x"),
               y = sym("y");
  m.output(m.pure("out", {x, y}, m.call(in, {v(x) + ix(1), v(y)}) * v(gain)));
  RunOptions options;
  options.blocks = BlockCheck{&m.algorithm, nullptr, {}, {}};
  Tensor a = Tensor::of_box(kI, {0, 0}, {6, 3}).fill_random(4, -100, 100),
         b = Tensor::of_box(kI, {0, 1}, {3, 2});
  EXPECT_TRUE(run_pipeline(*s.proc(), {a, i32(3), b}, options).ok());
  const Outcome o = run_pipeline(*s.proc(2), {a, i32(3), b}, options);
  ASSERT_EQ(o.findings.size(), 1u) << o.text();
  EXPECT_EQ(o.findings[0].kind, FindingKind::OutputValue);
  EXPECT_EQ(o.findings[0].point, (Ints{0, 1}));
  EXPECT_EQ(o.findings[0].expected.i, a.at({1, 1}).i * 3);
  EXPECT_EQ(o.findings[0].actual.i, a.at({2, 1}).i * 3);
}

}  // namespace
}  // namespace hocket::interp
