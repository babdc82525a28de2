// What loop programs in C++ are refused for: the code, the words, the line of the call at fault;
// and that nothing of a refused statement or step is left.
#include "api/loop_programs.h"
#include "api/refused.h"

namespace hocket {
namespace {

using testing::gemm;
using ::testing::HasSubstr;
using testing::refused;

// A loop program runs without guards: nothing that is refuted is run or written.
TEST(LoopFail, WhatIsRefutedIsNotRun) {
  ProcBuilder b("z");
  const Tensor T = b.tensor("T", Float(32), {4});
  const int line = __LINE__ + 1;
  b.seq("i", 0, 5, [&](Expr i) { T[i] = 1.0f; });
  const Proc p = b.build();
  float f[6] = {7, 7, 7, 7, 7, 7};
  const std::function<void()> all[] = {[&] { p.run(f); }, [&] { p.compile_to_callable(); },
                                       [&] { static_cast<void>(p.c_text()); }};
  for (const auto& one : all) {
    const std::optional<Error> e = refused(one);
    ASSERT_TRUE(e.has_value());
    EXPECT_EQ(e->code(), "C0101");
    EXPECT_THAT(e->what(), HasSubstr("an index of `T`: it does not hold that `i < 4`"));
    EXPECT_EQ(e->diagnostic().place.line, line);
    EXPECT_FALSE(e->diagnostic().witness.empty());
  }
  for (const float x : f) EXPECT_EQ(x, 7);
}

TEST(LoopFail, AccessesThatAreNotOnes) {
  ProcBuilder b("f");
  const Expr n = b.size("n");
  const Tensor A = b.tensor("A", Float(32), {n, n}), c = b.tensor("c", UInt(8), {n});
  Var x("x");
  Func g("g");
  g(x) = 1.0f;
  Expr loop;
  b.seq("i", 0, n, [&](Expr i) {
    loop = i;
    EXPECT_REFUSED(A[i] = 0, "P0405", "`A` has 2 dimensions, it is given 1");
    EXPECT_REFUSED(A[i][i][i], "P0405", "`A` has 2 dimensions, it is given 3");
    EXPECT_REFUSED(A[i][range(0, 2)] = 0, "P0303", "`A` is a window here, used as an element");
    EXPECT_REFUSED(A[i][A[i][i]] = 0, "P0406", "a coordinate is an integer, and this is f32");
    EXPECT_REFUSED(c[i] = 300, "P0402", "300` does not fit u8");
    EXPECT_REFUSED(c[i] += A[i][i], "P0401", "the value of `c` is f32, where u8 is needed");
    EXPECT_REFUSED(A[i][x] = 0, "P0301", "no variable is called `x` here");
    EXPECT_REFUSED(A[i][i] = Expr(g(i)), "P0303", "`g` is a Func or an image, used as a value");
    EXPECT_REFUSED(A[i][i] = Expr(), "D0203", "an Expr is used before it has a value");
    EXPECT_REFUSED(A.stride(2), "P0405", "`A` has 2 dimensions, numbered from 0");
    EXPECT_REFUSED(b.if_(i, [] {}), "P0404", "a condition is bool, and this is index");
    EXPECT_REFUSED(A[i][cast(Type::i(32, 8), 1)] = 0, "P0406", "i");
    EXPECT_REFUSED(b.let("v", Type::f(32, 8), 1), "D0203", "a vector as a let");
    EXPECT_REFUSED(b.alloc("v", Type::f(32, 8)), "D0203", "a buffer of f32x8");
    EXPECT_REFUSED(b.seq("", 0, n, [](Expr) {}), "D0203", "a name has at least one letter");
  });
  EXPECT_REFUSED(A[loop][0] = 0, "P0301", "no variable is called `i` here");
  EXPECT_EQ(b.build().text(), R"(def f(n: size, A: f32[n, n], c: u8[n]):
    for i in seq(0, n):
        ...
)");
}

TEST(LoopFail, ControlThatReadsMemory) {
  ProcBuilder g("g");
  g.size("n");
  g.window_param("w", Int(32), {1});
  const Proc callee = g.build();
  ProcBuilder b("f");
  const Tensor A = b.tensor("A", Int(32), {8}), I = b.tensor("I", Int(32), {1});
  const Expr read = cast(Type::index(), I[0]) % 8;
  EXPECT_REFUSED(b.seq("i", 0, read, [](Expr) {}), "P0707",
                 "a bound of the loop `i` reads memory, `I[0]`");
  EXPECT_REFUSED(b.alloc("t", Int(32), {read}), "P0707", "the shape of `t` reads memory, `I[0]`");
  EXPECT_REFUSED(b.window("w", A[range(read, 8)]), "P0707", "a window of `A` reads memory");
  EXPECT_REFUSED(b.call(callee, read, A[range(0, 1)]), "P0707", "argument 1 of `g` reads memory");
  EXPECT_REFUSED(b.call(callee, 1, A[range(read, read + 1)]), "P0707", "a window of `A` reads");
  const Expr m = b.let("m", read);
  b.seq("i", 0, m, [&](Expr i) { A[i] += A.extent(0); });
  EXPECT_EQ(b.build().text_alone(), R"(def f(A: i32[8], I: i32[1]):
    let m: index = index(I[0]) % 8
    for i in seq(0, m):
        A[i] += i32(index(8))
)");
}

TEST(LoopFail, WhatAProcTakes) {
  ProcBuilder b("f");
  const Expr n = b.size("n");
  const Tensor A = b.tensor("A", Float(32), {n});
  EXPECT_REFUSED(b.index("n"), "P0302", "`n` is defined twice");
  EXPECT_REFUSED(b.tensor("B", Float(32), {A[0]}), "P0406", "a coordinate is an integer");
  EXPECT_REFUSED(b.assert_(A[0] > 0), "P0303", "a value that is known before the proc runs");
  EXPECT_REFUSED(b.tensor("B", Float(32), {1.5}), "P0406", "a coordinate is an integer");
  A[0] = 1;
  EXPECT_REFUSED(b.size("m"), "D0203", "parameter `m` after the first statement of `f`");
  EXPECT_REFUSED(b.assert_(n > 1), "P0701", "`assert`");
  const Tensor other = ProcBuilder("g").tensor("other", Float(32), {4});
  EXPECT_REFUSED(A[0] = other[0], "P0301", "no buffer is called `other` here");
  EXPECT_REFUSED(b.call(gemm(), n), "P0408", "`gemm` takes 6 arguments, it is given 1");
  EXPECT_REFUSED(b.call(gemm(), n, n, n, 0, A, A), "P0702", "argument 4 of `gemm` is an expr");
  EXPECT_REFUSED(b.call(gemm(), n, n, n, A, A, A), "P0702", "with 1 dimensions, where f32[_, _]");
  b.build();
  EXPECT_REFUSED(b.pass(), "D0203", "`f` is built; it takes no more statements");
  EXPECT_REFUSED(A[0] = 2, "D0203", "`f` is built");
}

TEST(LoopFail, StepsAreJudgedWhereTheyAreSaid) {
  const Proc p = gemm();
  EXPECT_REFUSED(p.split("i", 0, {"io", "ii"}), "R0006", "cannot split loop `i` by 0");
  EXPECT_REFUSED(p.reorder("ii", "j"), "R0003", "nothing in `gemm` matches `ii`");
  EXPECT_REFUSED(p.apply("splitt", {"i"}), "R0001", "no rewrite is called `splitt`");
  EXPECT_REFUSED(p.apply("split", {"i"}), "R0002", "`factor` is missing");
  EXPECT_REFUSED(p.split("i", 4, {"io"}), "R0002", "`names` is a list of 2 names");
  EXPECT_REFUSED(p.set_memory("t", "DRAM"), "R0008", "`gemm` has no buffer `t`");
  EXPECT_REFUSED(p.replace_all("mm256_fmad_ps"), "R0011", "no procedure is called `mm256_fmad_ps`");
  EXPECT_REFUSED(p.cut_loop("i", "N +"), "R0004", "cannot read `N +`");
  EXPECT_REFUSED(p.split("i", 4, {"io", "ii"}, Tail::Perfect), "R0201", "changes what `gemm` comp");
  EXPECT_REFUSED(p.replay("trace t for foo:\n    simplify()\n"), "D0203", "is for `foo`, not for");
  EXPECT_REFUSED(p.replay("def f(n: size):\n    pass\n"), "D0203", "holds one trace and nothing");
  EXPECT_EQ(p.text(), testing::kGemm);
  EXPECT_TRUE(p.trace().steps.empty());
}

TEST(LoopFail, WhatIsAllowedIsAllowedByName) {
  ProcBuilder b("f");
  const Tensor x = b.tensor("x", Float(32), {8});
  const Tensor s = b.alloc("s", Float(32), {8}), t = b.alloc("t", Float(32), {8});
  b.seq("i", 0, 8, [&](Expr i) {
    s[i] = x[i];
    t[i] = s[i] * 3;
    x[i] = t[i];
  });
  const Proc p = b.build().allow("precision", "s");
  EXPECT_REFUSED(p.set_precision("t", Float(64)), "R0007",
                 "the precision of `t`, which was not allowed");
  EXPECT_NE(p.set_precision("s", Float(64)).text().find("s: f64[8]"), std::string::npos);
}

TEST(LoopFail, ARefutedStepComesWithAWitness) {
  ProcBuilder b("prefix");
  const Expr n = b.size("n");
  const Tensor A = b.tensor("A", Int(32), {n + 1});
  b.seq("i", 0, n, [&](Expr i) { A[i + 1] += A[i]; });
  const Proc p = b.build();
  const std::optional<Error> e = refused([&] { static_cast<void>(p.parallelize("i")); });
  ASSERT_TRUE(e.has_value());
  EXPECT_EQ(e->code(), "R0201");
  EXPECT_THAT(e->what(), HasSubstr("iterations of"));
  EXPECT_FALSE(e->diagnostic().witness.empty());
}

TEST(LoopFail, AStepOfAReplayedTraceStandsInItsText) {
  const std::optional<Error> e = refused([&] {
    static_cast<void>(gemm().replay("trace t for gemm:\n    simplify()\n    unroll(i)\n"));
  });
  ASSERT_TRUE(e.has_value());
  EXPECT_EQ(e->code(), "R0009");
  EXPECT_EQ(e->diagnostic().place.file, "trace");
  EXPECT_EQ(e->diagnostic().place.line, 3);
  ASSERT_EQ(e->diagnostic().labels.size(), 1u);
  EXPECT_THAT(e->diagnostic().labels[0].place.file, HasSubstr("loop_refusals_test.cpp"));
}

TEST(LoopFail, CursorsThatPointNowhere) {
  const Proc p = gemm();
  const Cursor i = p.find_loop("i"), k = p.find_loop("k");
  EXPECT_REFUSED(p.find("x: _"), "R0003", "nothing in `gemm` matches `x: _`");
  EXPECT_REFUSED(p.find_loop("C[_] += _"), "R0005", "`find_loop` works on a loop");
  EXPECT_REFUSED(p.find("C[i] += _"), "R0004", "an element is matched by `C[_]`");
  EXPECT_REFUSED(i.parent(), "D0203", "`for i in _: _` has no loop or branch around it");
  EXPECT_REFUSED(k.next(), "D0203", "`for k in _: _` is the last statement of its block");
  EXPECT_REFUSED(k.prev(), "D0203", "is the first statement of its block");
  const Proc one = p.partial_eval("K", 1).unroll("k");
  EXPECT_REFUSED(one.unroll(k), "D0203", "`k`, which the cursor points at, is not in `gemm`");
  EXPECT_REFUSED(one.forward(k), "D0203", "`k`, which the cursor points at, is not in `gemm`");
}

TEST(LoopFail, Libraries) {
  const Library x86 = Library::target();
  EXPECT_REFUSED(x86["mm256_loadu_sp"], "D0102", "did you mean `mm256_loadu_ps`?");
  EXPECT_REFUSED(x86.trace("avx2"), "D0102", "`targets` has no trace `avx2`");
  EXPECT_REFUSED(Library::load("no/such/file.hk"), "D0101", "cannot read `no/such/file.hk`");
  const std::optional<Error> e = refused([] { Library::parse("def f(:\n", "mine.hk"); });
  ASSERT_TRUE(e.has_value());
  EXPECT_EQ(e->diagnostic().place.file, "mine.hk");
  // One name, two meanings: a trace that names it could not be replayed.
  ProcBuilder b("mm256_loadu_ps");
  b.pass();
  const Proc mine = b.build(), p = gemm().with(Library::parse(mine.text()));
  EXPECT_REFUSED(p.replace_all(x86["mm256_loadu_ps"]), "D0203", "already knows another procedure");
}

TEST(LoopFail, CallsAreCheckedBeforeAnythingIsWritten) {
  const Proc p = gemm();
  std::vector<float> a(6), b(6), c(4, 7.0f);
  const float* read_only = c.data();
  const Buffer<float> B(3, 2), wrong(2, 2);
  const Buffer<double> doubles(3, 2);
  EXPECT_REFUSED(p.run(2, 2), "D0201", "`gemm` takes 6 arguments, it is given 2");
  EXPECT_REFUSED(p.run(2, 2, 3, a.data(), 1, c.data()), "D0201",
                 "`B` of `gemm` is a buffer of f32");
  EXPECT_REFUSED(p.run(2, B, 3, a.data(), B, c.data()), "D0201", "`M` of `gemm` is a size, it is");
  EXPECT_REFUSED(p.run(2, 2.5, 3, a.data(), B, c.data()), "D0201", "it is given 2.5 of f64");
  EXPECT_REFUSED(p.run(2, 2, 0, a.data(), b.data(), c.data()), "D0201", "`K` of `gemm` is a size");
  EXPECT_REFUSED(p.run(2, 3, 2, a.data(), doubles, c.data()), "D0201", "it is given one of f64");
  EXPECT_REFUSED(p.run(2, 3, 2, a.data(), wrong, c.data()), "D0201",
                 "dimension 1 of `B` of `gemm`");
  EXPECT_REFUSED(p.run(2, 2, 3, a.data(), b.data(), b.data()), "D0201", "share memory, and `C` is");
  EXPECT_REFUSED(p.run(2, 2, 3, a.data(), b.data(), read_only), "D0201",
                 "`C` of `gemm` is written");
  EXPECT_REFUSED(p.run(2, 2, 3, a.data(), Buffer<>(), c.data()), "D0201", "`B` of `gemm` is");
  float* null = nullptr;
  EXPECT_REFUSED(p.run(2, 2, 3, null, b.data(), c.data()), "D0201", "`A` of `gemm` is null");
  EXPECT_REFUSED(p.interpret(2, 2), "D0201", "`gemm` takes 6 arguments");
  EXPECT_EQ(c, std::vector<float>(4, 7.0f));
}

TEST(LoopFail, AssertsHoldAtTheCall) {
  ProcBuilder b("f");
  const Expr n = b.size("n");
  const Tensor A = b.tensor("A", Int(32), {n});
  b.assert_(n % 2 == 0);
  A[0] = 1;
  const Proc p = b.build();
  std::vector<int32_t> a(3);
  EXPECT_REFUSED(p.run(3, a.data()), "D0201", "n % 2 == 0");
  EXPECT_REFUSED(p.interpret(3, a.data()), "D0201", "`f` needs `n % 2 == 0`");
  EXPECT_EQ(a[0], 0);
}

TEST(LoopFail, TheGuardedRunSeesWhatNativeCodeDoesNot) {
  ProcBuilder b("f");
  const Expr n = b.size("n");
  const Tensor A = b.tensor("A", Int(32), {n});
  b.seq("i", 0, n, [&](Expr i) { A[i + 1] = 5; });
  const Proc p = b.build();
  std::vector<int32_t> a(4, 9);
  EXPECT_REFUSED(p.interpret(3, a.data()), "D0201", "`f` goes wrong: ");
  EXPECT_EQ(a, std::vector<int32_t>(4, 9));
}

TEST(LoopFail, FilesThatCannotBeWritten) {
  const Proc p = gemm();
  EXPECT_REFUSED(p.compile_to_c("no/such/folder/x.c"), "D0108", "cannot write");
  EXPECT_REFUSED(p.compile_to_object("no/such/folder/x"), "D0108", "cannot write");
}

}  // namespace
}  // namespace hocket
