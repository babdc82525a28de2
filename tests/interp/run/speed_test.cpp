// Prints how many statements a second the interpreter executes with every guard on; fails only
// where it is so slow that a fuzzer would be of no use (no timing assertion otherwise).
#include <gtest/gtest.h>

#include <cstdio>

#include "interp/pipeline.h"
#include "support/timer.h"

namespace hocket::interp {
namespace {

using namespace make;

#ifdef HOCKET_SANITIZED
constexpr double kShare = 0;  // what a sanitizer leaves of the speed is no matter
#else
constexpr double kShare = 1;
#endif

double rate(const char* what, const ir::ProcRef& p, const Arguments& a,
            const RunOptions& options = {}) {
  support::Timer timer;
  const Outcome out = run(*p, a, options);
  const double seconds = timer.seconds();
  EXPECT_TRUE(out.ok()) << out.text();
  const double r = static_cast<double>(out.steps) / seconds;
  std::printf("%-28s %6.1f million statements a second\n", what, r / 1e6);
  return r;
}

TEST(Speed, StatementsPerSecond) {
  const Type t = Type::f(32);
  const Symbol n = sym("n"), a = sym("a", t), b = sym("b", t), c = sym("c", t), i = sym("i"),
               j = sym("j"), k = sym("k");
  const std::vector<Expr> square{v(n), v(n)};
  const auto gemm = [&](LoopKind outer, LoopKind inner) {
    return proc(
        "gemm", {size(n), buffer(a, square), buffer(b, square), buffer(c, square)},
        {loop(i, ix(0), v(n),
              {loop(k, ix(0), v(n),
                    {loop(j, ix(0), v(n),
                          {store(c, {v(i), v(j)}, load(a, {v(i), v(k)}) * load(b, {v(k), v(j)}),
                                 StoreOp::Add)},
                          inner)})},
              outer)});
  };
  Tensor x = Tensor::row_major(t, {128, 128}), y = x, z = x;
  x.fill_random(1);
  y.fill_random(2);
  z.fill(ir::Scalar::of_float(t, 0));
  EXPECT_GT(rate("gemm, sequential", gemm(LoopKind::Seq, LoopKind::Seq), {128, x, y, z}),
            2e5 * kShare);
  EXPECT_GT(rate("gemm, parallel and vector", gemm(LoopKind::Parallel, LoopKind::Vectorized),
                 {128, x, y, z}),
            1e5 * kShare);
  const auto copy =
      proc("copy", {size(n), buffer(a, square), buffer(b, square)},
           {loop(i, ix(0), v(n),
                 {loop(j, ix(0), v(n), {store(b, {v(i), v(j)}, load(a, {v(i), v(j)}))},
                       LoopKind::Unordered)},
                 LoopKind::Parallel)});
  EXPECT_GT(rate("copy, parallel", copy, {128, x, y}), 2e5 * kShare);
}

// Small programs: what a fuzzer runs by the ten thousands.
TEST(Speed, SmallProgramsPerSecond) {
  const Type t = Type::i(32);
  const Symbol a = sym("a", t), b = sym("b", t), i = sym("i"), s = sym("s", t);
  const auto p = proc("p", {buffer(a, {ix(16)}), buffer(b, {ix(16)})},
                      {loop(i, 0, 16,
                            {ir::make_alloc(s, {}), store(s, {}, load(a, {v(i)}) + num(t, 1)),
                             store(b, {v(i)}, load(s, {}))},
                            LoopKind::Parallel)});
  Tensor x = Tensor::row_major(t, {16}).fill(i32(1)), y = x;
  support::Timer timer;
  const int rounds = 2000;
  for (int r = 0; r < rounds; ++r) ASSERT_TRUE(run(*p, {x, y}).ok());
  std::printf("%-28s %6.1f thousand programs a second\n", "16 iterations, compiled anew",
              rounds / timer.seconds() / 1e3);
}

}  // namespace
}  // namespace hocket::interp
