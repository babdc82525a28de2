// What `hocket check` refutes and what it does not know: code, place, witness; and that run, bench
// and compile stand behind the same door.
#include "../command_fixture.h"

namespace hocket::tools {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
namespace fs = std::filesystem;

constexpr const char* kBlur = "apps/blur/blur.hk";

TEST(CheckFail, ALoopProgramOutOfBounds) {
  const std::string p = file("hocket_oob.hk",
                             "def add(n: size, a: f32[n], b: f32[n]):\n"
                             "    for i in seq(0, n):\n        b[i] = a[i + 1]\n");
  expect_refused({"check", p}, "C0101",
                 {"an index of `a`: it does not hold that `i + 1 < n`", p + ":3:",
                  "witness: sizes n = 1\n"
                  "witness: out of bounds: reads `a[1]` of a buffer with extents [1]; at i = 0; in "
                  "`b[i] = a[i + 1]`\n"});
}

TEST(CheckFail, ALoopProgramWithARace) {
  const std::string p = file("hocket_loop_race.hk",
                             "def sum(n: size, a: f32[n], s: f32[1]):\n"
                             "    for i in parallel(0, n):\n        s[0] += a[i]\n");
  expect_refused({"check", p}, "C0101",
                 {"parallel loop `i`: it does not hold that no iteration touches an element", ":2:",
                  "witness: sizes n = 2\nwitness: race: iteration i = 0 reads `s[0]`, which "
                  "iteration i = 1 writes"});
}

// What the prover refutes and no run can show is not called refuted.
TEST(CheckFail, ALoopProgramThatNoRunRefutes) {
  const std::string p = file("hocket_far.hk",
                             "def far(n: size, a: f32[n], b: f32[1]):\n"
                             "    for i in seq(0, n):\n"
                             "        if i > 9000000:\n            b[i] = a[i]\n");
  expect_refused(
      {"check", p}, "C0102",
      {":4:", "note: missing: a run that shows it broken: the prover's numbers are n = "});
  EXPECT_THAT(hocket({"check", p}).err, Not(HasSubstr("witness")));
  const Said run = hocket({"run", p, "--set", "n=4"});
  EXPECT_EQ(run.code, 0);
  EXPECT_THAT(run.err, HasSubstr("warning[C0104]: an index of `b`: it is not proved, and taken"));
  expect_refused({"run", p, "--set", "n=4", "--strict"}, "C0102", {":4:"});
}

TEST(CheckFail, MemoryThatIsReadBeforeItIsWritten) {
  const std::string p = file("hocket_unwritten.hk",
                             "def last(n: size, y: f32[n]):\n    t: f32\n"
                             "    for i in seq(0, n):\n        y[i] = t\n");
  expect_refused({"check", p}, "C0103",
                 {"`last` goes wrong at small sizes", ":1:", "witness: sizes n = 1",
                  "`y[0]` has no value at the end: `t` is read before it is written"});
}

// The loops of a pipeline are judged under what its entry makes sure of: they are right as printed,
// and wrong where a read goes past what the entry asks for.
TEST(CheckFail, TheLoopTextOfAPipeline) {
  for (const char* schedule : {"root", "inline", "sliding"}) {
    const Said shown = hocket({"show", kBlur, "--schedule", schedule, "--form", "loops"});
    ASSERT_EQ(shown.code, 0) << shown.err;
    const std::string p = file("hocket_loops.hk", shown.out);
    const Said said = hocket({"check", p});
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(said.out, HasSubstr(" 0 refuted, 0 unknown, 16 runs"));
  }
  std::string text = hocket({"show", kBlur, "--schedule", "sliding", "--form", "loops"}).out;
  const std::string right = "x - input_x_min + 1]";
  ASSERT_NE(text.find(right), std::string::npos);
  text.replace(text.find(right), right.size(), "x - input_x_min + 2]");
  expect_refused(
      {"check", file("hocket_loops.hk", text)}, "C0101",
      {":25:", "an index of `input`: it does not hold that `x - input_x_min + 2 < input_x_extent`",
       "witness: out of bounds: reads `input["});
}

// A call does not come through the entry: what that makes sure of is a claim of the caller.
TEST(CheckFail, ACallOfAPipelinesLoops) {
  const std::string p =
      file("hocket_call.hk",
           "def p(m: index, n: index, st: index, f: [u8][n]):\n    entry p:\n        output f:\n"
           "            dim(m, n, st) needs [m, m + 3]\n    f[3] = 1\n\n"
           "def q(f: u8[3], k: index):\n    if k > 5000:\n        p(0, 3, 1, f[0:3])\n");
  expect_refused({"check", p, "-p", "q"}, "C0102", {"an assert of `p`", ":9:"});
}

// Only what the entry asks for is known: an end that is no number is asked for by a `check` alone.
TEST(CheckFail, ARangeThatNobodyAsksFor) {
  const std::string p =
      file("hocket_range.hk",
           "def p(w: index, k: index, m: index, n: index, st: index, f: [u8][n]):\n"
           "    entry p:\n        scalar w in [0, 100]\n        scalar k in [0, w]\n"
           "        output f:\n            dim(m, n, st) needs [m, m + w]\n"
           "    for x in seq(0, n):\n        f[x] = 2\n    f[k] = 1\n");
  expect_refused({"check", p}, "C0101", {"an index of `f`: it does not hold that `k < n`", ":9:"});
}

// Data on which a condition of a domain overflows say nothing about a schedule.
TEST(CheckFail, ConditionsThatOverflowAreNoFinding) {
  const std::string p = file("hocket_where.hk",
                             "pipeline p(a: i32(x)) -> f:\n    g(x) = a(x) * 3\n    f(x) = 0\n"
                             "    rdom r(0, 5) where g(r) > 3\n    f(r) += g(r)\n");
  const Said said = hocket({"check", p});
  EXPECT_EQ(said.code, 0) << said.err;
}

// A trace that makes a number of a parameter is timed with the arguments that are left.
TEST(Bench, ATraceThatFixesASize) {
  const std::string p =
      file("hocket_fixed.hk",
           "def mm(a: index, n: size, x: i32[n], y: i32[n]):\n"
           "    assert a >= 0\n    for i in seq(0, n):\n"
           "        y[i] = x[i] + i32(a)\ntrace pe1 for mm:\n"
           "    partial_eval(n, 1000)\ntrace pe2 for mm:\n    partial_eval(a, 3)\n");
  const Said said = hocket({"bench", p, "--set", "a=1", "--set", "n=1000", "--seconds", "0.02"});
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_THAT(said.out, HasSubstr("pe1"));
  EXPECT_THAT(said.out, HasSubstr("pe2"));
}

// An entry may leave out carriers and regions: the program is run by its own parameters then.
TEST(CheckFail, AnEntryThatLeavesOut) {
  const std::string text =
      "def double(n: size, A: f32[n]):\n    entry scale:\n        output A:\n"
      "            dim(_, n, _)\n    for i in seq(0, n):\n        A[i] = A[i] * 2.0\n";
  const Said said = hocket({"check", file("hocket_out.hk", text)});
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_THAT(said.out, HasSubstr("0 refuted, 0 unknown"));
  expect_refused({"run", file("hocket_out.hk", text), "--set", "n=4"}, "P0705",
                 {"the entry of `double` leaves out what carries a dimension", ":1:"});
  expect_refused({"check", file("hocket_out.hk", text + "    A[n] = 1.0\n")}, "C0101", {":7:"});
}

// What is right and can be lowered nowhere is refused by the judge as well, not only by a run.
TEST(CheckFail, WhatCannotBeLowered) {
  const auto staged = [](const std::string& memory) {
    return file("hocket_frame.hk", "def twice(n: size, x: f32[n], y: f32[n]):\n    t: f32[n] @ " +
                                       memory +
                                       "\n    for i in seq(0, n):\n        t[i] = x[i] * 2.0\n"
                                       "    for i in seq(0, n):\n        y[i] = t[i]\n");
  };
  for (const std::string memory : {"DRAM_STACK", "DRAM_STATIC"}) {
    for (const char* verb : {"check", "compile"}) {
      std::vector<std::string> words = {verb, staged(memory)};
      if (words[0] == "compile") words.insert(words.end(), {"-o", (scratch() / "t").string()});
      expect_refused(words, "L0005",
                     {"`t` cannot live in `" + memory + "`: its size `n` is no constant", ":2:"});
    }
  }
  EXPECT_EQ(hocket({"check", staged("DRAM")}).code, 0);
  // What a caller or a trace makes constant is no fault of the program.
  const std::string helper =
      "def twice(n: size, x: [f32][n]):\n    t: f32[n] @ DRAM_STACK\n"
      "    for i in seq(0, n):\n        t[i] = x[i]\n        x[i] = t[i]\n";
  const std::string called =
      file("hocket_frame.hk", helper + "\ndef top(A: f32[8]):\n    twice(8, A[0:8])\n");
  EXPECT_EQ(hocket({"check", called}).code, 0);
  const std::string fixed =
      file("hocket_frame.hk", helper + "\ntrace t for twice:\n    partial_eval(n, 8)\n");
  EXPECT_EQ(hocket({"check", fixed}).code, 0);
  expect_refused({"check", file("hocket_copies.hk",
                                "def p(n: size, x: f32[n]):\n    for i in unroll(0, n):\n"
                                "        x[i] = 0.0\n")},
                 "L0001", {"cannot unroll `i`", ":2:"});
}

// Ends that only overflowing arithmetic could reach are no ends.
TEST(CheckFail, ARegionBeyondEveryCoordinate) {
  const std::string p = file("hocket_beyond.hk",
                             "pipeline p() -> g:\n    f(x) = u8(x)\n"
                             "    g(x) = f(index(x) * 4611686018427387904 * 3)\n"
                             "schedule s for p:\n    f.compute_root()\n");
  expect_refused(
      {"check", p}, "S0301",
      {"cannot bound dimension `x` of `f`: `g` reads or writes it at `x * 46116", ":3:5"});
}

// A finding is the witness of its own claim alone.
TEST(CheckFail, AWitnessBelongsToItsClaim) {
  const std::string p = file("hocket_two_faults.hk",
                             "def two(n: size, y: f32[n], z: f32[1]):\n    u: f32\n"
                             "    for i in seq(0, n):\n        y[i] = u\n"
                             "    for i in seq(0, n):\n"
                             "        if i > 9000000:\n            z[i] = 1.0\n");
  const Said said = hocket({"check", p});
  EXPECT_THAT(said.err, HasSubstr("error[C0102]: an index of `z`"));
  EXPECT_THAT(said.err, HasSubstr("error[C0103]: `two` goes wrong"));
  EXPECT_THAT(said.err, Not(HasSubstr("C0101")));
}

TEST(CheckFail, AWitnessTellsLoopsOfOneNameApart) {
  const std::string p = file("hocket_same.hk",
                             "def p(n: size, A: f32[n], B: f32[n]):\n    for i in seq(0, n):\n"
                             "        for i in seq(0, n):\n            A[i + 1] = B[i]\n");
  expect_refused({"check", p}, "C0101", {"at i of line 2 = 0, i of line 3 = 0; in", ":4:"});
}

// Where the algorithm itself has no value on any data of the runs, the program owes none; values of
// a parameter lie in its range.
TEST(CheckFail, OverflowOfTheAlgorithmItself) {
  const std::string p = file("hocket_overflow.hk",
                             "pipeline h(input: i32(x)) -> o:\n"
                             "    f(x) = input(x) * 1103515245 + 12345\n"
                             "    o(x) = f(x) + f(x + 1) * 1103515245\n\n"
                             "schedule s for h:\n    f.compute_root().vectorize(x, 4, round_up)\n\n"
                             "pipeline q(input: u8(x), a: f32 in [0.0, 0.5]) -> o:\n"
                             "    o(x) = input(x) + u8(a)\n");
  const Said said = hocket({"check", p});
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_THAT(said.out, HasSubstr("h, schedule s: invariants hold, 36 runs agree"));
}

// A claim of the lower end is not broken by an index that is too large.
TEST(CheckFail, AWitnessBelongsToItsSide) {
  const std::string p = file("hocket_gather.hk",
                             "def g(n: size, ix: i32[n], A: f32[n]):\n"
                             "    for i in seq(0, n):\n        A[index(ix[i])] = 1.0\n");
  const Said said = hocket({"check", p});
  EXPECT_EQ(said.code, 1);
  EXPECT_THAT(said.err, HasSubstr("error[C0102]: an index of `A`: it is neither proved nor refuted "
                                  "that `0 <= index(ix[i])`"));
  EXPECT_THAT(said.err, HasSubstr("error[C0101]: an index of `A`: it does not hold that "
                                  "`index(ix[i]) < n`"));
}

// `par` means any order: what two iterations share may only be reduced into.
TEST(CheckFail, AnOrderThatShows) {
  const std::string p = file("hocket_par.hk",
                             "def last(n: size, A: f32[n], s: f32[1]):\n"
                             "    for i in par(0, n):\n        s[0] = A[i]\n");
  expect_refused({"check", p}, "C0101",
                 {"par loop `i`: it does not hold that no iteration touches an element", ":2:",
                  "witness: sizes n = 2\nwitness: race: iteration i = 0 writes `s[0]`, which "
                  "iteration i = 1 writes"});
  const std::string sum = file("hocket_par_sum.hk",
                               "def sum(n: size, A: f32[n], s: f32[1]):\n"
                               "    for i in par(0, n):\n        s[0] += A[i]\n");
  EXPECT_EQ(hocket({"check", sum}).code, 0);
}

TEST(CheckFail, C0105AssertsThatContradict) {
  const std::string p = file("hocket_never.hk",
                             "def p(n: size, A: f32[n]):\n    assert n * n > 10\n"
                             "    assert n < 3\n    A[0] = 1.0\n");
  const Said said = hocket({"check", p});
  EXPECT_EQ(said.code, 1);
  EXPECT_THAT(said.err, HasSubstr("error[C0105]: the asserts of `p` cannot all be true at once"));
  EXPECT_THAT(said.err, HasSubstr(p + ":1:"));
}

// Ends of ranges that are no constants are asked of every call as well.
TEST(CheckFail, RangesOverParametersAndSizes) {
  const std::string p = file("hocket_ranges.hk",
                             "pipeline p(a: u8(x, y), k: i32 in [0, 15], n: i32 in [0, k]) -> f:\n"
                             "    t(x) = u8(7)\n    t(n) += u8(1)\n"
                             "    f(x, y) = a(x, y) + t(n)\n\n"
                             "pipeline q(a: u8(x, y), n: i32 in [1, a.width()]) -> f:\n"
                             "    f(x, y) = a(x, y) + u8(n)\n\n"
                             "schedule s for p:\n    t.compute_root().bound(x, 0, 16)\n");
  EXPECT_EQ(hocket({"check", p}).code, 0);
  const std::string out = (scratch() / "hocket_ranges.png").string();
  const auto run = [&](const std::string& which, const std::vector<std::string>& set) {
    std::vector<std::string> words = {"run", p, "-p", which, "data/astronaut.png", "-o", out};
    for (const std::string& s : set) words.insert(words.end(), {"--set", s});
    return words;
  };
  expect_refused(run("p", {"k=4", "n=100000000"}), "D0201", {"`n` must be at most `k`"});
  EXPECT_EQ(hocket(run("p", {"k=4", "n=4"})).code, 0);
  expect_refused(run("q", {"n=513"}), "D0201", {"`n` must be at most "});
  EXPECT_EQ(hocket(run("q", {"n=512"})).code, 0);
}

// A run that is given up refutes nothing.
TEST(CheckFail, ABudgetThatIsSpentIsNoWitness) {
  const std::string p = file("hocket_huge.hk",
                             "pipeline p(a: i32(x)) -> f:\n    f(x) = a(x)\n\n"
                             "schedule s for p:\n"
                             "    f.split(x, o, i, 2147483647, guard)\n");
  const Said said = hocket({"check", p, "--schedule", "s"});
  EXPECT_EQ(said.err, "");
  EXPECT_THAT(said.out,
              HasSubstr("18 runs agree with the algorithm\n  not run: a run with f 4, a 4 "
                        "takes more steps or memory than one may"));
}

TEST(CheckFail, CoordinatesBeyond32BitsAreNotTried) {
  const std::string p = file("hocket_far_away.hk",
                             "pipeline s(input: u8(x), n: i64 in [-9223372036854775807, _]) -> o:\n"
                             "    o(x) = input(x + n)\n");
  expect_refused({"check", p}, "C0201", {"coordinates have 32 bits"});
}

TEST(CheckFail, ACalleeIsJudgedToo) {
  const std::string p = file("hocket_callee.hk",
                             "def inner(a: [f32][4]):\n    a[4] = 1.0\n\n"
                             "def outer(b: f32[4]):\n    inner(b[0:4])\n");
  expect_refused({"run", p, "-p", "outer"}, "C0101", {"an index of `a`", ":2:"});
}

TEST(CheckFail, NothingRefutedIsRunTimedOrWritten) {
  const std::string p = file("hocket_door.hk", "def r(i: index, A: f32[4]):\n    A[i] = 1.0\n");
  const std::string out = (scratch() / "hocket_door_out").string();
  for (const std::vector<std::string>& words : {std::vector<std::string>{"run", p, "--set", "i=5"},
                                                {"bench", p, "--set", "i=5"},
                                                {"compile", p, "-o", out},
                                                {"compile", p, "--emit", "c", "-o", out}})
    expect_refused(words, "C0101", {"an index of `A`: it does not hold that `i < 4`", ":2:"});
  EXPECT_FALSE(fs::exists(out + ".o"));
  EXPECT_FALSE(fs::exists(out + ".c"));
}

TEST(CheckFail, SchedulesAndTracesOfNoProgram) {
  const std::string p = file("hocket_stray.hk",
                             "pipeline blurry() -> f:\n    f(x) = x\n\n"
                             "schedule s for blury:\n    f.vectorize(x, 4)\n");
  for (const char* verb : {"check", "show", "compile", "bench", "run"})
    expect_refused({verb, p}, "D0102",
                   {"has no pipeline `blury`", p + ":4:", "did you mean `blurry`?"});
}

TEST(CheckFail, EveryScheduleIsJudged) {
  const std::string p = file("hocket_three.hk",
                             "pipeline p() -> f:\n    f(x) = x\n\n"
                             "schedule a for p:\n    f.vectorize(z, 4)\n\n"
                             "schedule b for p:\n    f.parallel(w)\n\n"
                             "schedule c for p:\n    f.vectorize(x, 4)\n");
  const Said said = hocket({"check", p});
  EXPECT_EQ(said.code, 1);
  EXPECT_THAT(said.err, HasSubstr(":5:"));
  EXPECT_THAT(said.err, HasSubstr(":8:"));
  EXPECT_THAT(said.out, HasSubstr("schedule c: invariants hold"));
}

TEST(CheckFail, NoRunIsNoAgreement) {
  const std::string p =
      file("hocket_no_run.hk", "pipeline p(input: u8(x)) -> f:\n    f(x) = input(x * 100000000)\n");
  // The algorithm has more steps than one may, or asks for more memory: no fault of the program.
  const std::string sum = file("hocket_long_sum.hk",
                               "pipeline mean(a: i32(x, y)) -> m:\n    rdom r(0, 6000, 0, 4000)\n"
                               "    m: i64()\n    m() += i64(r.x) * i64(r.y)\n");
  expect_refused({"check", sum}, "C0201", {"takes more steps or memory than one may"});
  const std::string far = file("hocket_far.hk",
                               "pipeline p(a: i32(x)) -> g:\n    f(x, y, z) = 1\n"
                               "    f(0, 0, 0) += 1\n"
                               "    g(x) = f(x * 2251799813685248, x * 2251799813685248, x * "
                               "134217728)\n");
  EXPECT_EQ(hocket({"check", far}).code, 1);
  // It overflows with random data alone, which cannot be seen within the steps there are.
  const std::string over = file("hocket_over.hk",
                                "pipeline p(a: i32(x)) -> f:\n    rdom r(0, 2200000)\n"
                                "    f: i32()\n    f() += a(r % 100)\n");
  EXPECT_EQ(hocket({"check", over}).err.find("D0202"), std::string::npos);
  const std::string table = file("hocket_long_table.hk",
                                 "pipeline t(a: i32(x)) -> out:\n    lut(i) = i * 3\n"
                                 "    lut(i) += 1\n    out(x) = lut(clamp(a(x), 0, 300000000))\n");
  expect_refused({"check", table}, "C0201", {"takes more steps or memory than one may"});
  expect_refused({"check", p, "--size", "5"}, "C0201",
                 {"`p` under schedule `(default)` is not checked by runs: `input` is too large"});
}

TEST(CheckFail, SizesBelowOne) {
  for (const char* size : {"0", "-3"})
    expect_refused({"check", "apps/blur/blur.hk", "--size", size}, "D0110",
                   {"--size takes a whole number that is at least 1, it is given "});
}

}  // namespace
}  // namespace hocket::tools
