// Short vectors in a loop become as long as registers, where iterations go on from each other.
#include <gtest/gtest.h>

#include "lower/flat/build.h"
#include "testing/golden.h"

namespace hocket::lower {
namespace {

using namespace build;

// for x in seq(0, 32): for l in vectorize(0, 8): dst[8 * x + l] = value(8 * x + l)
template <class F>
Stmt eights(const Symbol& dst, int64_t times, F&& value) {
  const Symbol x = index_symbol("x"), l = index_symbol("l");
  const Expr at = v(x) * num(8) + v(l);
  return loop(x, num(0), num(times), LoopKind::Seq,
              {loop(l, num(0), num(8), LoopKind::Vectorized, {set(dst, {at}, value(at))})});
}

TEST(JoinLanes, DenseVectorsOfEightBecomeSixteen) {
  const Symbol a = Symbol::fresh("A", Type::u(16)), b = Symbol::fresh("B", Type::u(16)),
               c = Symbol::fresh("C", Type::u(16));
  const ProcRef p =
      proc("joined",
           {buffer_param(a, {num(512)}), buffer_param(b, {num(512)}), buffer_param(c, {num(512)})},
           {eights(b, 32, [&](const Expr& i) { return at(a, {i}) + at(a, {i + num(1)}); }),
            // 33 iterations: the last one keeps the old loop.
            eights(c, 33, [&](const Expr& i) { return make_cast(Type::u(16), i) + at(a, {i}); })});
  EXPECT_GOLDEN("lower/flat/golden/join_lanes.txt", lowered(p, avx2()));
}

TEST(JoinLanes, StoredAndReadOrStridedOrLongEnoughStays) {
  const Symbol a = Symbol::fresh("A", Type::u(16)), b = Symbol::fresh("B", Type::u(16)),
               f = Symbol::fresh("F", Type::f(32));
  const ProcRef p =
      proc("apart",
           {buffer_param(a, {num(1024)}), buffer_param(b, {num(512)}), buffer_param(f, {num(512)})},
           {eights(b, 32, [&](const Expr& i) { return at(b, {i + num(8)}); }),
            eights(b, 32, [&](const Expr& i) { return at(a, {i * num(2)}); }),
            eights(f, 32, [&](const Expr& i) { return make_cast(Type::f(32), at(a, {i})); })});
  EXPECT_GOLDEN("lower/flat/golden/join_lanes_not.txt", lowered(p, avx2()));
}

}  // namespace
}  // namespace hocket::lower
