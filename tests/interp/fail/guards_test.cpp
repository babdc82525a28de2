// Every guard of the interpreter but races and blocks: the exact finding.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "abi/hocket_abi.h"
#include "interp/make.h"

namespace hocket::interp {
namespace {

using namespace make;
using ::testing::HasSubstr;
using Ints = std::vector<int64_t>;

const Type kI = Type::i(32);

Finding only(const Outcome& out) {
  EXPECT_EQ(out.findings.size(), 1u) << out.text();
  return out.findings.empty() ? Finding{} : out.findings[0];
}

TEST(Guards, LoadOutOfBounds) {
  const Symbol a = sym("a", kI), b = sym("b", kI), i = sym("i"), j = sym("j");
  const auto p =
      proc("p", {buffer(a, {ix(3), ix(4)}), buffer(b, {ix(4)})},
           {loop(i, 0, 2, {loop(j, 0, 4, {store(b, {v(j)}, load(a, {v(i), v(j) + v(i)}))})})});
  Tensor x = Tensor::row_major(kI, {3, 4}).fill(i32(1)), y = Tensor::row_major(kI, {4});
  const Finding f = only(run(*p, {x, y}));
  EXPECT_EQ(f.kind, FindingKind::OutOfBounds);
  EXPECT_FALSE(f.writes);
  EXPECT_EQ(f.buffer, a);
  EXPECT_EQ(f.element, (Ints{1, 4}));
  EXPECT_EQ(f.limits, (Ints{3, 4}));
  EXPECT_EQ(iterations(f), (Ints{1, 3}));
  EXPECT_EQ(f.text(),
            "out of bounds: reads `a[1, 4]` of a buffer with extents [3, 4]; at i = 1, j = 3; in "
            "`b[j] = a[i, j + i]`");
}

TEST(Guards, StoreOutOfBoundsBelowZero) {
  const Symbol a = sym("a", kI), i = sym("i");
  const auto p =
      proc("p", {buffer(a, {ix(4)})}, {loop(i, 0, 4, {store(a, {v(i) - ix(1)}, num(kI, 0))})});
  Tensor x = Tensor::row_major(kI, {4});
  const Finding f = only(run(*p, {x}));
  EXPECT_EQ(f.kind, FindingKind::OutOfBounds);
  EXPECT_TRUE(f.writes);
  EXPECT_EQ(f.element, (Ints{-1}));
  EXPECT_EQ(iterations(f), (Ints{0}));
}

TEST(Guards, AWindowMustLieInsideAndSoMustItsAccesses) {
  const Symbol a = sym("a", kI), w = sym("w", kI), u = sym("u", kI);
  const auto make = [&](int64_t hi, int64_t at) {
    return proc("p", {buffer(a, {ix(8)})},
                {ir::make_window_stmt(w, ir::make_window(a, kI, {{ix(2), ix(6)}})),
                 ir::make_window_stmt(u, ir::make_window(w, kI, {{ix(1), ix(hi)}})),
                 store(u, {ix(at)}, num(kI, 5))});
  };
  Tensor x = Tensor::row_major(kI, {8}).fill(i32(0));
  EXPECT_TRUE(run(*make(4, 2), {x}).ok());
  EXPECT_EQ(ints(x), (Ints{0, 0, 0, 0, 0, 5, 0, 0}));
  Finding f = only(run(*make(5, 0), {x}));
  EXPECT_EQ(f.kind, FindingKind::OutOfBounds);
  EXPECT_EQ(f.buffer, w);
  EXPECT_EQ(f.root, a);
  EXPECT_EQ(f.element, (Ints{1, 5}));
  EXPECT_EQ(f.limits, (Ints{4}));
  // a[6] exists, but it lies outside the window.
  f = only(run(*make(4, 3), {x}));
  EXPECT_EQ(f.kind, FindingKind::OutOfBounds);
  EXPECT_EQ(f.buffer, u);
  EXPECT_EQ(f.element, (Ints{3}));
  EXPECT_EQ(f.limits, (Ints{3}));
  f = only(run(*make(0, 0), {x}));
  EXPECT_EQ(f.kind, FindingKind::NegativeExtent);
}

TEST(Guards, PoisonInABranch) {
  const Symbol a = sym("a", kI), t = sym("t", kI), i = sym("i");
  const auto p =
      proc("p", {buffer(a, {ix(3)})},
           {loop(i, 0, 3,
                 {ir::make_alloc(t, {}), ir::make_if(lt(v(i), ix(2)), {store(t, {}, num(kI, 1))}),
                  ir::make_if(lt(load(t, {}), num(kI, 5)), {store(a, {v(i)}, num(kI, 1))})})});
  Tensor x = Tensor::row_major(kI, {3}).fill(i32(0));
  const Finding f = only(run(*p, {x}));
  EXPECT_EQ(f.kind, FindingKind::PoisonBranch);
  EXPECT_EQ(iterations(f), (Ints{2}));
  EXPECT_EQ(f.reason.kind, Reason::Kind::Unwritten);
  EXPECT_EQ(f.reason.buffer, t);
  EXPECT_THAT(f.text(), HasSubstr("`t` is read before it is written"));
}

TEST(Guards, PoisonInAnAddressABoundAndACheck) {
  const Symbol a = sym("a", kI), t = sym("t", kI), i = sym("i");
  const Expr big = num(kI, 2147483647) + num(kI, 1);
  const Expr index = ir::make_cast(Type::index(), big);
  const auto one = [&](Stmt s) {
    const auto p = proc("p", {buffer(a, {ix(3)})}, {ir::make_alloc(t, {ix(3)}), std::move(s)});
    Tensor x = Tensor::row_major(kI, {3}).fill(i32(0));
    return only(run(*p, {x}));
  };
  Finding f = one(store(a, {ix(0)}, load(t, {index})));
  EXPECT_EQ(f.kind, FindingKind::PoisonAddress);
  EXPECT_EQ(f.buffer, t);
  EXPECT_FALSE(f.writes);
  EXPECT_EQ(f.reason.kind, Reason::Kind::Overflow);
  f = one(store(a, {index}, num(kI, 1)));
  EXPECT_EQ(f.kind, FindingKind::PoisonAddress);
  EXPECT_EQ(f.buffer, a);
  EXPECT_TRUE(f.writes);
  EXPECT_EQ(one(loop(i, ix(0), index, {ir::make_pass()})).kind, FindingKind::PoisonBound);
  EXPECT_EQ(one(ir::make_check(lt(big, num(kI, 0)), -13, "x")).kind, FindingKind::PoisonCheck);
}

TEST(Guards, PoisonInAnOutput) {
  const Symbol a = sym("a", kI), i = sym("i");
  const Type t = kI;
  const auto p =
      proc("p", {buffer(a, {ix(4)})},
           {loop(i, 0, 4,
                 {store(a, {v(i)}, num(t, 1 << 30) + ir::make_cast(t, v(i)) * num(t, 1 << 29))})});
  Tensor x = Tensor::row_major(t, {4}).fill(i32(0));
  const Finding f = only(run(*p, {x}));  // 2^30 + 2 * 2^29 is 2^31
  EXPECT_EQ(f.kind, FindingKind::PoisonOutput);
  EXPECT_EQ(f.buffer, a);
  EXPECT_EQ(f.element, (Ints{2}));
  EXPECT_THAT(f.text(), HasSubstr("`+` of i32 overflows"));
}

TEST(Guards, PoisonThatDoesNotMatterPasses) {
  const Symbol a = sym("a", kI), t = sym("t", kI), i = sym("i");
  const Expr over = num(kI, 2147483647) + num(kI, 1);
  // Computed and dropped, unselected, copied to scratch, behind a select in loop form.
  const auto p = proc(
      "p", {buffer(a, {ix(2)})},
      {ir::make_alloc(t, {ix(8)}), store(t, {ix(0)}, over),
       loop(i, 0, 7, {store(t, {v(i) + ix(1)}, load(t, {v(i)}))}),
       store(a, {ix(0)}, ir::make_select(ir::make_bool(true), num(kI, 3), load(t, {ix(5)}))),
       store(a, {ix(1)}, ir::make_select(ir::make_bool(false), load(t, {ix(99)}), num(kI, 4)))});
  Tensor x = Tensor::row_major(kI, {2});
  const Outcome out = run(*p, {x});
  EXPECT_TRUE(out.ok()) << out.text();
  EXPECT_EQ(ints(x), (Ints{3, 4}));
  // As native code executes it, the second select reads t[99].
  RunOptions eager;
  eager.eager_selects = true;
  EXPECT_EQ(only(run(*p, {x}, eager)).kind, FindingKind::OutOfBounds);
}

TEST(Guards, APoisonIndexThatIsClampedReadsSomething) {
  const Symbol a = sym("a", kI), t = sym("t", kI), lut = sym("lut", kI);
  const auto p = [&](int64_t hi) {
    const Expr i = ir::make_cast(Type::index(), load(t, {}));
    return proc("p", {buffer(a, {}), buffer(lut, {ix(8)})},
                {ir::make_alloc(t, {}), ir::make_alloc(sym("u", kI), {}),
                 store(t, {}, load(lut, {max(min(i, ix(hi)), ix(0))})), store(a, {}, num(kI, 1))});
  };
  Tensor x = Tensor::row_major(kI, {}), y = Tensor::row_major(kI, {8}).fill(i32(1));
  EXPECT_TRUE(run(*p(7), {x, y}).ok());
  EXPECT_EQ(only(run(*p(8), {x, y})).kind, FindingKind::PoisonAddress);
}

TEST(Guards, UnwrittenInputsStayWhatTheyWere) {
  const Symbol a = sym("a", kI), b = sym("b", kI);
  const auto p =
      proc("p", {buffer(a, {ix(2)}), buffer(b, {ix(2)})}, {store(b, {ix(0)}, load(a, {ix(0)}))});
  Tensor x = numbers(kI, {1, 2}), y = Tensor::row_major(kI, {2});
  x.set({1}, ir::Scalar::of_poison(kI));
  EXPECT_TRUE(run(*p, {x, y}).ok());  // a[1] and b[1] were poison before, nobody asked for them
  x.set({0}, ir::Scalar::of_poison(kI));
  const Finding f = only(run(*p, {x, y}));
  EXPECT_EQ(f.kind, FindingKind::PoisonOutput);
  EXPECT_EQ(f.buffer, b);
  EXPECT_EQ(f.reason.buffer, a);
}

TEST(Guards, FreedMemory) {
  const Symbol a = sym("a", kI), t = sym("t", kI), n = sym("n");
  const auto make = [&](Body rest) {
    Body body{ir::make_alloc(t, {ix(2)}), store(t, {ix(0)}, num(kI, 1))};
    for (Stmt& s : rest) body.push_back(std::move(s));
    return proc("p", {index(n), buffer(a, {})}, std::move(body), ir::Form::Flat);
  };
  Tensor x = Tensor::row_major(kI, {}).fill(i32(0));
  EXPECT_TRUE(run(*make({ir::make_free(t)}), {1, x}).ok());
  EXPECT_TRUE(run(*make({}), {1, x}).ok());
  Finding f = only(run(*make({ir::make_free(t), store(a, {ix(0)}, load(t, {ix(0)}))}), {1, x}));
  EXPECT_EQ(f.kind, FindingKind::UseAfterFree);
  EXPECT_EQ(f.element, (Ints{0}));
  EXPECT_EQ(only(run(*make({ir::make_free(t), store(t, {ix(1)}, num(kI, 1))}), {1, x})).kind,
            FindingKind::UseAfterFree);
  EXPECT_EQ(only(run(*make({ir::make_free(t), ir::make_free(t)}), {1, x})).kind,
            FindingKind::DoubleFree);
  const auto sometimes = make({ir::make_if(lt(v(n), ix(5)), {ir::make_free(t)})});
  EXPECT_TRUE(run(*sometimes, {1, x}).ok());
  f = only(run(*sometimes, {9, x}));
  EXPECT_EQ(f.kind, FindingKind::Leak);
  EXPECT_EQ(f.buffer, t);
}

TEST(Guards, EntryOfALoopProgram) {
  const Symbol n = sym("n"), a = sym("a", kI);
  const auto p = proc("p", {size(n), buffer(a, {v(n)})}, {store(a, {ix(0)}, num(kI, 1))},
                      ir::Form::Loops, {op(BinaryOp::Eq, v(n) % ix(2), ix(0))});
  Tensor four = Tensor::row_major(kI, {4}), three = Tensor::row_major(kI, {3}),
         flat = Tensor::row_major(Type::f(32), {4});
  Tensor empty = Tensor::row_major(kI, {0}), square = Tensor::row_major(kI, {2, 2});
  four.fill(i32(0));
  EXPECT_TRUE(run(*p, {4, four}).ok());
  Outcome out = run(*p, {0, empty});
  EXPECT_EQ(out.code, HOCKET_ERROR_SIZE_TOO_SMALL);
  EXPECT_EQ(out.entry->argument, "n");
  out = run(*p, {4, three});
  EXPECT_EQ(out.code, HOCKET_ERROR_BUFFER_TOO_SMALL);
  EXPECT_EQ(out.entry->argument, "a");
  EXPECT_EQ(out.entry->dimension, 0);
  EXPECT_EQ(out.entry->needed_max, 3);
  EXPECT_EQ(out.entry->given_max, 2);
  out = run(*p, {3, three});
  EXPECT_EQ(out.code, HOCKET_ERROR_USER_CHECK_FAILED);
  EXPECT_EQ(out.entry->text, "n % 2 == 0");
  EXPECT_EQ(run(*p, {4, flat}).code, HOCKET_ERROR_WRONG_TYPE);
  EXPECT_EQ(run(*p, {4, square}).code, HOCKET_ERROR_WRONG_RANK);
  EXPECT_EQ(run(*p, {i32(4), four}).code, HOCKET_ERROR_WRONG_TYPE);
}

TEST(Guards, PromisesOfAnInnerCall) {
  const Symbol n = sym("n"), d = sym("d", kI), i = sym("i");
  const auto fill = proc("fill", {size(n), buffer(d, {v(n)})},
                         {loop(i, ix(0), v(n), {store(d, {v(i)}, num(kI, 1))})}, ir::Form::Loops,
                         {lt(v(n), ix(4))});
  const Symbol a = sym("a", kI), k = sym("k");
  const auto with = [&](Expr count, Expr window) {
    const auto p =
        proc("p", {buffer(a, {ix(4), ix(5)})},
             {loop(k, 2, 3, {ir::make_call(fill, {std::move(count), std::move(window)})})});
    Tensor x = Tensor::row_major(kI, {4, 5}).fill(i32(0));
    return run(*p, {x});
  };
  const auto row = [&](int64_t lo, int64_t hi) {
    return ir::make_window(a, kI, {{ix(1), {}}, {ix(lo), ix(hi)}});
  };
  EXPECT_TRUE(with(ix(3), row(0, 3)).ok());
  Finding f = only(with(ix(0), row(0, 0)));
  EXPECT_EQ(f.kind, FindingKind::SizeBelowOne);
  EXPECT_EQ(f.buffer, n);
  EXPECT_EQ(iterations(f), (Ints{2}));
  f = only(with(ix(4), row(0, 4)));
  EXPECT_EQ(f.kind, FindingKind::PreconditionFailed);
  EXPECT_EQ(f.number, 0);
  f = only(with(ix(3), row(0, 2)));
  EXPECT_EQ(f.kind, FindingKind::ShapeMismatch);
  EXPECT_EQ(f.element, (Ints{2}));
  EXPECT_EQ(f.limits, (Ints{3}));
  f = only(with(ix(3), ir::make_window(a, kI, {{ix(0), ix(3)}, {ix(1), {}}})));
  EXPECT_EQ(f.kind, FindingKind::NotDense);
  EXPECT_EQ(f.element, (Ints{5}));
}

TEST(Guards, ArgumentsThatOverlap) {
  const Symbol d = sym("d", kI), s = sym("s", kI), i = sym("i");
  const auto copy = proc("copy", {buffer(d, {ix(3)}, true), buffer(s, {ix(3)}, true)},
                         {loop(i, 0, 3, {store(d, {v(i)}, load(s, {v(i)}))})});
  const Symbol a = sym("a", kI);
  const auto with = [&](int64_t to, int64_t from) {
    const auto p =
        proc("p", {buffer(a, {ix(9)})},
             {ir::make_call(copy, {ir::make_window(a, kI, {{ix(to), ix(to + 3)}}),
                                   ir::make_window(a, kI, {{ix(from), ix(from + 3)}})})});
    Tensor x = Tensor::row_major(kI, {9}).fill(i32(0));
    return run(*p, {x});
  };
  EXPECT_TRUE(with(0, 3).ok());
  const Finding f = only(with(2, 0));
  EXPECT_EQ(f.kind, FindingKind::Aliasing);
  EXPECT_EQ(f.root, a);
  EXPECT_EQ(f.element, (Ints{2}));
}

TEST(Guards, Limits) {
  const Symbol a = sym("a", kI), i = sym("i"), t = sym("t", kI);
  const auto p = proc("p", {buffer(a, {})}, {loop(i, 0, 1000, {store(a, {}, num(kI, 1))})});
  Tensor x = Tensor::row_major(kI, {}).fill(i32(0));
  RunOptions options;
  options.step_limit = 100;
  EXPECT_EQ(only(run(*p, {x}, options)).kind, FindingKind::StepLimit);
  const auto q = proc("q", {buffer(a, {})}, {ir::make_alloc(t, {ix(1000)})});
  options.memory_limit = 3999;
  EXPECT_EQ(only(run(*q, {x}, options)).kind, FindingKind::MemoryLimit);
  options.memory_limit = 4000;
  EXPECT_TRUE(run(*q, {x}, options).ok());
  const auto r = proc("r", {buffer(a, {})}, {ir::make_alloc(t, {ix(-2)})});
  const Finding f = only(run(*r, {x}));
  EXPECT_EQ(f.kind, FindingKind::NegativeExtent);
  EXPECT_EQ(f.number, -2);
}

TEST(Guards, SeveralFindingsWhereAsked) {
  const Symbol a = sym("a", kI), i = sym("i");
  const auto p = proc("p", {buffer(a, {ix(2)})}, {loop(i, 0, 6, {store(a, {v(i)}, num(kI, 1))})});
  Tensor x = Tensor::row_major(kI, {2});
  RunOptions options;
  options.max_findings = 3;
  const Outcome out = run(*p, {x}, options);
  ASSERT_EQ(out.findings.size(), 3u);
  EXPECT_EQ(out.findings[2].element, (Ints{4}));
}

}  // namespace
}  // namespace hocket::interp
