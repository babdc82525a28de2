// Races: which loop, which iterations, which element, which statements; and what is no race.
#include <gtest/gtest.h>

#include "interp/make.h"

namespace hocket::interp {
namespace {

using namespace make;
using Ints = std::vector<int64_t>;

const Type kI = Type::i(32);

Outcome run_on(const Symbol& a, int64_t n, Body body, Order order = Order::Forward) {
  const auto p = proc("p", {buffer(a, {ix(n)})}, std::move(body));
  Tensor x = Tensor::row_major(kI, {n}).fill(i32(0));
  RunOptions options;
  options.order = order;
  return run(*p, {x}, options);
}

TEST(Race, WriteWrite) {
  const Symbol a = sym("a", kI), i = sym("i");
  for (const LoopKind kind : {LoopKind::Parallel, LoopKind::Vectorized}) {
    const Stmt s = store(a, {v(i) / ix(2)}, num(kI, 1));
    const Outcome out = run_on(a, 4, {loop(i, 0, 6, {s}, kind)});
    ASSERT_EQ(out.findings.size(), 1u);
    const Finding& f = out.findings[0];
    EXPECT_EQ(f.kind, FindingKind::Race);
    EXPECT_EQ(f.loop, i);
    EXPECT_EQ(f.other_iteration, 0);
    EXPECT_EQ(f.iteration, 1);
    EXPECT_EQ(f.root, a);
    EXPECT_EQ(f.element, (Ints{0}));
    EXPECT_TRUE(f.writes && f.other_writes);
    EXPECT_EQ(f.stmt.id(), s.id());
    EXPECT_EQ(f.other.id(), s.id());
  }
}

TEST(Race, ReadOfWhatANeighbourWrites) {
  const Symbol a = sym("a", kI), i = sym("i");
  const Stmt s = store(a, {v(i) + ix(1)}, load(a, {v(i)}));
  // Forward, iteration 1 reads what 0 wrote; in reverse, iteration 0 writes what 1 read.
  Outcome out = run_on(a, 5, {loop(i, 0, 4, {s}, LoopKind::Parallel)});
  ASSERT_EQ(out.findings.size(), 1u);
  EXPECT_FALSE(out.findings[0].writes);
  EXPECT_TRUE(out.findings[0].other_writes);
  EXPECT_EQ(out.findings[0].iteration, 1);
  EXPECT_EQ(out.findings[0].other_iteration, 0);
  EXPECT_EQ(out.findings[0].element, (Ints{1}));
  EXPECT_EQ(
      out.findings[0].text(),
      "race: iteration i = 1 reads `a[1]`, which iteration i = 0 writes (it holds 0); at i = 1; in "
      "`a[i + 1] = a[i]`");
  out = run_on(a, 5, {loop(i, 0, 4, {s}, LoopKind::Parallel)}, Order::Reverse);
  ASSERT_EQ(out.findings.size(), 1u);
  EXPECT_TRUE(out.findings[0].writes);
  EXPECT_FALSE(out.findings[0].other_writes);
  EXPECT_EQ(out.findings[0].iteration, 2);
  EXPECT_EQ(out.findings[0].other_iteration, 3);
}

TEST(Race, ReductionsRaceToo) {
  const Symbol a = sym("a", kI), i = sym("i");
  const Outcome out = run_on(
      a, 4,
      {loop(i, 0, 8, {store(a, {v(i) % ix(4)}, num(kI, 1), StoreOp::Add)}, LoopKind::Parallel)});
  ASSERT_EQ(out.findings.size(), 1u);
  EXPECT_EQ(out.findings[0].kind, FindingKind::Race);
  EXPECT_EQ(out.findings[0].iteration, 4);
  EXPECT_EQ(out.findings[0].other_iteration, 0);
}

TEST(Race, BetweenTwoStatements) {
  const Symbol a = sym("a", kI), i = sym("i"), j = sym("j");
  const Stmt first = store(a, {v(i)}, num(kI, 1));
  const Stmt second = store(a, {ix(7) - v(i)}, num(kI, 2));
  const Outcome out =
      run_on(a, 8, {loop(i, 0, 8, {first, loop(j, 0, 1, {second})}, LoopKind::Parallel)});
  ASSERT_EQ(out.findings.size(), 1u);
  EXPECT_EQ(out.findings[0].stmt.id(),
            second.id() == out.findings[0].stmt.id() ? second.id() : first.id());
  EXPECT_NE(out.findings[0].stmt.id(), out.findings[0].other.id());
  EXPECT_EQ(out.findings[0].iteration + out.findings[0].other_iteration, 7);
}

TEST(Race, NestedLoopsBlameTheRightOne) {
  const Symbol a = sym("a", kI), y = sym("y"), x = sym("x");
  // Distinct over y; two x share an element.
  Outcome out = run_on(a, 8,
                       {loop(y, 0, 2,
                             {loop(x, 0, 4, {store(a, {v(y) * ix(4) + v(x) / ix(2)}, num(kI, 1))},
                                   LoopKind::Vectorized)},
                             LoopKind::Parallel)});
  ASSERT_EQ(out.findings.size(), 1u);
  EXPECT_EQ(out.findings[0].loop, x);
  EXPECT_EQ(iterations(out.findings[0]), (Ints{0, 1}));
  // Distinct over x; all y share.
  out = run_on(a, 8,
               {loop(y, 3, 5, {loop(x, 0, 4, {store(a, {v(x)}, num(kI, 1))}, LoopKind::Vectorized)},
                     LoopKind::Parallel)});
  ASSERT_EQ(out.findings.size(), 1u);
  EXPECT_EQ(out.findings[0].loop, y);
  EXPECT_EQ(out.findings[0].iteration, 4);
  EXPECT_EQ(out.findings[0].other_iteration, 3);
  EXPECT_EQ(out.findings[0].element, (Ints{0}));
}

TEST(Race, BarriersBetweenLoopsAreRespected) {
  const Symbol a = sym("a", kI), k = sym("k"), i = sym("i"), j = sym("j"), y = sym("y");
  // One parallel loop after another, and a parallel loop inside a sequential one.
  Outcome out =
      run_on(a, 8,
             {loop(k, 0, 3,
                   {loop(i, 0, 8, {store(a, {v(i)}, num(kI, 1))}, LoopKind::Parallel),
                    loop(j, 0, 8, {store(a, {ix(7) - v(j)}, load(a, {ix(7) - v(j)}) + num(kI, 1))},
                         LoopKind::Parallel)})});
  EXPECT_TRUE(out.ok()) << out.text();
  // Two vector loops inside one parallel iteration are ordered; across iterations they are not.
  out = run_on(
      a, 8,
      {loop(y, 0, 2,
            {loop(i, 0, 4, {store(a, {v(y) * ix(4) + v(i)}, num(kI, 1))}, LoopKind::Vectorized),
             loop(j, 0, 4, {store(a, {v(y) * ix(4) + ix(3) - v(j)}, num(kI, 1))},
                  LoopKind::Vectorized)},
            LoopKind::Parallel)});
  EXPECT_TRUE(out.ok()) << out.text();
  out = run_on(
      a, 8,
      {loop(y, 0, 2,
            {loop(i, 0, 4, {store(a, {v(y) * ix(4) + v(i)}, num(kI, 1))}, LoopKind::Vectorized),
             store(a, {ix(0)}, load(a, {v(y) * ix(4)}))},
            LoopKind::Parallel)});
  ASSERT_EQ(out.findings.size(), 1u);
  EXPECT_EQ(out.findings[0].loop, y);
}

TEST(Race, ReadsShareAndOwnElementsArePrivate) {
  const Symbol a = sym("a", kI), b = sym("b", kI), i = sym("i"), j = sym("j"), t = sym("t", kI);
  const auto p = proc(
      "p", {buffer(a, {ix(1)}), buffer(b, {ix(8)})},
      {loop(i, 0, 8,
            {ir::make_alloc(t, {ix(2)}), loop(j, 0, 2, {store(t, {v(j)}, load(a, {ix(0)}))}),
             store(t, {ix(0)}, load(t, {ix(1)}), StoreOp::Add), store(b, {v(i)}, load(t, {ix(0)}))},
            LoopKind::Parallel)});
  Tensor x = numbers(kI, {3}), y = Tensor::row_major(kI, {8});
  const Outcome out = run(*p, {x, y});
  EXPECT_TRUE(out.ok()) << out.text();
  EXPECT_EQ(ints(y), (Ints{6, 6, 6, 6, 6, 6, 6, 6}));
}

TEST(Race, SharedScratchIsNotPrivate) {
  const Symbol a = sym("a", kI), i = sym("i"), t = sym("t", kI);
  const Outcome out =
      run_on(a, 8,
             {ir::make_alloc(t, {}),
              loop(i, 0, 8, {store(t, {}, num(kI, 1)), store(a, {v(i)}, load(t, {}))},
                   LoopKind::Parallel)});
  ASSERT_EQ(out.findings.size(), 1u);
  EXPECT_EQ(out.findings[0].root, t);
  EXPECT_EQ(out.findings[0].element, (Ints{}));
}

TEST(Race, ThroughWindowsAndCalls) {
  const Symbol d = sym("d", kI), k = sym("k");
  const auto fill =
      proc("fill", {buffer(d, {ix(3)}, true)}, {loop(k, 0, 3, {store(d, {v(k)}, num(kI, 1))})});
  const Symbol a = sym("a", kI), i = sym("i");
  const auto body = [&](int64_t step) {
    return Body{
        loop(i, 0, 3,
             {ir::make_call(
                 fill, {ir::make_window(a, kI, {{v(i) * ix(step), v(i) * ix(step) + ix(3)}})})},
             LoopKind::Parallel)};
  };
  EXPECT_TRUE(run_on(a, 9, body(3)).ok());
  const Outcome out = run_on(a, 9, body(2));
  ASSERT_EQ(out.findings.size(), 1u);
  EXPECT_EQ(out.findings[0].root, a);
  EXPECT_EQ(out.findings[0].element, (Ints{2}));
  EXPECT_EQ(out.findings[0].loop, i);
  EXPECT_EQ(iterations(out.findings[0]), (Ints{1, 0}));
}

// A program of random accesses under random nests, against a check of all pairs.
TEST(Race, AgreesWithComparingAllPairs) {
  Random random(11);
  int races = 0;
  for (int round = 0; round < 400; ++round) {
    const Symbol a = sym("a", kI), i = sym("i"), j = sym("j");
    const LoopKind outer = random.one_in(2) ? LoopKind::Parallel : LoopKind::Seq;
    const LoopKind inner = random.one_in(2) ? LoopKind::Vectorized : LoopKind::Seq;
    struct Access {
      int64_t ci, cj, c;
      bool write;
    };
    std::vector<Access> accesses;
    Body in;
    for (int64_t n = random.between(1, 2); n > 0; --n) {
      const Access w{random.between(0, 4), random.between(0, 4), random.between(0, 3), true},
          r{random.between(0, 4), random.between(0, 4), random.between(0, 9), false};
      const auto at = [&](const Access& x) { return v(i) * ix(x.ci) + v(j) * ix(x.cj) + ix(x.c); };
      in.push_back(store(a, {at(w)}, load(a, {at(r)})));
      accesses.push_back(w);
      accesses.push_back(r);
    }
    const Outcome out = run_on(a, 64, {loop(i, 0, 3, {loop(j, 0, 4, in, inner)}, outer)});
    bool clash = false;
    for (int64_t p = 0; p < 12; ++p) {
      for (int64_t q = 0; q < 12; ++q) {
        const int64_t pi = p / 4, pj = p % 4, qi = q / 4, qj = q % 4;
        const bool beside =
            pi != qi ? outer == LoopKind::Parallel : pj != qj && inner == LoopKind::Vectorized;
        if (!beside) continue;
        for (const Access& x : accesses) {
          for (const Access& y : accesses) {
            clash = clash || ((x.write || y.write) &&
                              x.ci * pi + x.cj * pj + x.c == y.ci * qi + y.cj * qj + y.c);
          }
        }
      }
    }
    EXPECT_EQ(!out.ok(), clash) << out.text();
    races += clash;
  }
  EXPECT_GT(races, 50);
  EXPECT_LT(races, 350);
}

}  // namespace
}  // namespace hocket::interp
