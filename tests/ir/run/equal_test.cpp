// What makes two objects unequal, one difference at a time, and what does not: names of what they
// bind themselves, places, verdicts. Hashes follow.
#include "ir/equal.h"

#include <gtest/gtest.h>

#include <regex>

#include "diag/render.h"
#include "text/parser.h"

namespace hocket::ir {
namespace {

struct Change {
  const char *from, *to;  // every `from` in the text; words of letters alone are whole words
};

text::File parsed(const std::string& source) {
  diag::Result<text::File> file = text::parse(source, "test.hk");
  EXPECT_TRUE(file.ok()) << source << (file.ok() ? "" : diag::render_text(file.error()));
  return file.ok() ? std::move(file.value()) : text::File();
}

std::string changed(const std::string& source, const Change& c) {
  static const std::regex special(R"([.*+?^${}()|\[\]\\])"), word("[a-z_]+");
  std::string pattern = std::regex_replace(std::string(c.from), special, R"(\$&)");
  if (std::regex_match(c.from, word)) pattern = "\\b" + pattern + "\\b";
  const std::regex from(pattern);
  EXPECT_TRUE(std::regex_search(source, from)) << c.from;
  return std::regex_replace(source, from, c.to);
}

// `get` takes what is compared out of a file.
template <class Get>
void expect_each(const std::string& source, const std::vector<Change>& changes, bool same,
                 Get&& get) {
  const auto a = get(parsed(source));
  EXPECT_TRUE(equal(a, get(parsed(source))));
  for (const Change& c : changes) {
    SCOPED_TRACE(std::string(c.from) + "  ->  " + c.to);
    const auto b = get(parsed(changed(source, c)));
    EXPECT_EQ(equal(a, b), same);
    EXPECT_EQ(equal(b, a), same);
    if constexpr (requires { hash(a); }) {
      EXPECT_EQ(hash(a) == hash(b), same);
    }
  }
}

Proc last_proc(const text::File& file) {
  return *file.procs().at(file.procs().size() - 1);
}
Algorithm first_pipeline(const text::File& file) {
  return *file.pipelines().at(0);
}

template <class T>
T first(const text::File& file) {
  for (const text::Item& i : file.items)
    if (const auto* found = std::get_if<T>(&i.value)) return *found;
  ADD_FAILURE() << "there is none";
  return T();
}

const std::string kLoops = R"(def inner(w: [f32][4]):
    w[0] = 7.0

def p(n: size, k: index, x: f32[n, 4], y: f32[n, 4] @ DRAM, s: f32, more: i32):
    assert k >= 0 and k < n
    for i in seq(0, n):
        t: f32[4] @ DRAM_STACK
        for j in seq(0, 4):
            t[j] = x[i, j] * 2.0
        if k > 5:
            y[i, 0] += t[1]
        else:
            y[i, 1] += strict(s * t[2])
        let m = min(i + k, n - 1)
        v = x[m, 0:4]
        inner(v)
        check k < 9, -11, "small"
        x[0, 0] = 1.0
        x[0, 1] = 1.0
)";

TEST(Equal, ProcsThatDifferInOneThing) {
  const std::vector<Change> changes = {
      {"def p(", "def q("},
      {"more: i32", "more: i64"},
      {"k: index", "k: size"},
      {"x: f32[n, 4]", "x: [f32][n, 4]"},
      {"x: f32[n, 4]", "x: f32[n, 5]"},
      {"y: f32[n, 4] @ DRAM,", "y: f32[n, 4] @ DRAM_STATIC,"},
      {", more: i32", ""},
      {"k >= 0 and k < n", "k >= 0 and k <= n"},
      {"more: i32):", "more: i32) strict:"},
      {"for i in seq", "for i in par"},
      {"for j in seq", "for j in unroll"},
      {"for j in seq(0, 4)", "for j in seq(1, 4)"},
      {"for j in seq(0, 4)", "for j in seq(0, 3)"},
      {"DRAM_STACK", "DRAM_STATIC"},
      {"t: f32[4]", "t: f32[8]"},
      {"* 2.0", "* 2.5"},
      {"* 2.0", "+ 2.0"},
      {"t[j] =", "stream t[j] ="},
      {"t[j] =", "t[j] +="},
      {"t[j] =", "t[3 - j] ="},
      {"= x[i, j]", "= y[i, j]"},
      {"k > 5", "k > 6"},
      {"t[1]\n        else:", "t[1]\n        if k <= 5:"},
      {"strict(s * t[2])", "s * t[2]"},
      {"min(", "max("},
      {"x[m, 0:4]", "x[m, 0:n]"},
      {"x[m, 0:4]", "x[i, 0:4]"},
      {"w[0] = 7.0", "w[0] = 8.0"},  // of what is called
      {"def inner(w: [f32][4]):", "def inner(w: [f32][4]) strict:"},
      {"\"small\"", "\"little\""},
      {"-11", "-12"},
      {"k < 9", "k < 10"},
      {"x[0, 0] = 1.0\n        x[0, 1]", "x[0, 1] = 1.0\n        x[0, 0]"},  // the order
      {"        x[0, 0] = 1.0\n", ""},
  };
  expect_each(kLoops, changes, false, last_proc);
}

// Loops, lets, buffers, windows and parameters are matched by position; remarks are no part of it.
TEST(Equal, ProcsThatNameOtherwise) {
  const std::vector<Change> changes = {
      {"i", "row"},  {"j", "column"}, {"t", "line"},
      {"m", "half"}, {"v", "shown"},  {"n", "height"},
      {"s", "gain"}, {"w", "four"},   {"        v =", "\n        # four of them\n        v ="},
  };
  expect_each(kLoops, changes, true, last_proc);
  expect_each(kLoops, {{"inner", "outer"}, {"p", "q"}}, false, last_proc);
}

const std::string kLowered = R"(pipeline f(a: i32(x), k: i32) -> f:
    g(x) = a(x)
    f(x) = g(x) + k
    rdom r(0, 3)
    f(x) += i32(r)

def f(am: index, an: index, as: index, m: index, n: index, k: i32, a: [i32][an], f: i32[n]):
    entry f:
        input a:
            dim(am, an, as) needs [m, m + n - 1]
        scalar k = 5 in [0, 10]
        output f:
            dim(m, n, _)
        check n % 8 == 0, -8, "a multiple"
    for x in seq(0, n):
        block f(m + x):
            f[x] = a[m - am + x] + k
        block f.update(0)(m + x; 2):
            f[x] += 2
)";

TEST(Equal, BlocksAndEntriesOfProcs) {
  const std::vector<Change> changes = {
      {"block f(m + x)", "block f(x)"},
      {"block f(m + x)", "block f.update(0)(m + x)"},
      {"block f(m + x)", "block g(m + x)"},
      {"        block f(m + x):\n            f[x]", "        f[x]"},
      {"(m + x; 2)", "(m + x; 1)"},
      {"entry f", "entry h"},
      {"= 5 in", "= 6 in"},
      {"in [0, 10]", "in [0, 11]"},
      {"needs [m,", "needs [m - 1,"},
      {"dim(am, an, as)", "dim(m, an, as)"},
      {"output f:", "input f:"},
      {"n % 8", "n % 4"},
      {"-8", "-9"},
      {"a multiple", "of eight"},
  };
  expect_each(kLowered, changes, false, last_proc);
  expect_each(kLowered, {{"am", "first_of_a"}, {"m", "first_of_f"}}, true, last_proc);
}

TEST(Equal, FlatForm) {
  const std::vector<Change> changes = {
      {"ramp(n, 1, 8), align", "ramp(n, 2, 8), align"},
      {", align=32", ", align=16"},
      {", align=32", ""},
      {", when=mask", ""},
      {", align=8", ""},
      {"[1, 0, 2, 3]", "[0, 1, 2, 3]"},
      {"0.0", "-0.0"},
      {"fma(a[0], a[1], 1.0)", "fma(a[1], a[0], 1.0)"},
      {"    free t\n", ""},
      {"stack", "heap"},
  };
  const std::string flat = R"(flat def p(n: index, a: f32[n]):
    t: f32[64] @ stack
    let v: f32x8 = a[ramp(n, 1, 8), align=32]
    let mask: boolx8 = ramp(i32(0), 1, 8) < broadcast(i32(n), 8)
    a[ramp(index(8), 1, 8), when=mask, align=8] = v
    a[ramp(index(0), 1, 4)] = shuffle(v, [1, 0, 2, 3])
    a[3] = 0.0
    a[4] = fma(a[0], a[1], 1.0)
    free t
)";
  expect_each(flat, changes, false, last_proc);
}

TEST(Equal, Instructions) {
  const std::string instr =
      "@instr(\"one({w_ptr});\")\ndef p(w: [f32][8] @ AVX2):\n    for i in seq(0, 8):\n"
      "        w[i] = 1.0\n";
  expect_each(instr,
              {{"@instr(\"one({w_ptr});\")\n", ""}, {"one(", "two("}, {"@ AVX2", "@ AVX512"}},
              false, last_proc);
}

const std::string kPipeline =
    R"(pipeline p(a: f32(x, y), b: f32(x), c: f32(x), k: f32 = 2.0 in [0.0, 4.0], l: f32) -> (g, h):
    f(x, y) = a(x, y) * k
    g(x, y) = f(x + 1, y) + l
    rdom r(0, 4, 1, 3) where r.x < 2
    g(x, r.x) += b(x) * f32(r.y)
    h(x, y) = g(x, y) - f(x, y)
)";

TEST(Equal, PipelinesThatDifferInOneThing) {
  const std::vector<Change> changes = {
      {"pipeline p(", "pipeline q("},
      {"c: f32(x)", "c: f64(x)"},
      {"k: f32 = 2.0 in [0.0, 4.0]", "k: f32 = 2.0 in [0.0, 5.0]"},
      {"k: f32 = 2.0 in [0.0, 4.0]", "k: f32 = 2.5 in [0.0, 4.0]"},
      {"k: f32 = 2.0 in [0.0, 4.0]", "k: f32 = 2.0"},
      {"-> (g, h)", "-> (h, g)"},
      {"-> (g, h)", "-> (h)"},
      {"-> (g, h):", "-> (g, h) strict:"},
      {", l: f32)", ", l: f32, unread: f32)"},
      {"a: f32(x, y), b: f32(x)", "b: f32(x), a: f32(x, y)"},
      {"c: f32(x), k: f32 = 2.0 in [0.0, 4.0]", "k: f32 = 2.0 in [0.0, 4.0], c: f32(x)"},
      {"* k\n", "* l\n"},
      {"f(x + 1, y)", "f(x + 2, y)"},
      {"+ l\n", "+ l + 1.0\n"},
      {"r(0, 4, 1, 3)", "r(0, 5, 1, 3)"},
      {"r(0, 4, 1, 3)", "r(1, 4, 1, 3)"},
      {"where r.x < 2", "where r.x < 3"},
      {" where r.x < 2", ""},
      {"g(x, r.x)", "g(x, r.y)"},
      {"f32(r.y)", "f32(r.x)"},
      {"g(x, y) - f(x, y)", "f(x, y) - g(x, y)"},
  };
  expect_each(kPipeline, changes, false, first_pipeline);
}

// Schedules address all of them by name.
TEST(Equal, PipelinesThatNameOtherwise) {
  const std::vector<Change> changes = {
      {"f", "first"}, {"g", "second"}, {"a", "image"},
      {"k", "gain"},  {"r", "q"},      {"f(x, y) =", "f(y, x) ="},
  };
  expect_each(kPipeline, changes, false, first_pipeline);
  expect_each(kPipeline, {{"    rdom", "\n    # a remark\n    rdom"}}, true, first_pipeline);
}

const std::string kScheduled = R"(pipeline p(a: i32(x, y)) -> g:
    f(x, y) = a(x, y)
    g(x, y) = f(x, y)
    g(x, y) += 1

schedule s for p:
    g.split(x, xo, xi, 8, round_up).parallel(y).bound(y, 0, 64)
    f.compute_at(g, y).store_in(DRAM_STACK)
    g.update(0).unroll(x, 4)
)";

TEST(Equal, SchedulesThatDifferInOneThing) {
  const std::vector<Change> changes = {
      {"schedule s", "schedule t"},
      {"xi, 8, round_up", "xi, 4, round_up"},
      {"8, round_up", "8, guard"},
      {", round_up", ""},
      {"xo, xi", "xo, x_in"},
      {"parallel(y)", "serial(y)"},
      {"parallel(y)", "parallel(xo)"},
      {".parallel(y)", ""},
      {"bound(y, 0, 64)", "bound(y, 1, 64)"},
      {"bound(y, 0, 64)", "bound(x, 0, 64)"},
      {"compute_at(g, y)", "compute_at(g, xo)"},
      {"compute_at(g, y)", "compute_at(g.update(0), y)"},
      {"compute_at(g, y)", "store_at(g, y)"},
      {"DRAM_STACK", "DRAM_STATIC"},
      {".parallel(y).bound(y, 0, 64)", ".bound(y, 0, 64).parallel(y)"},  // the order
      {"g.update(0).unroll", "g.unroll"},
  };
  expect_each(kScheduled, changes, false, first<Schedule>);
  expect_each(kScheduled, {{"    f.compute_at", "\n    f.compute_at"}}, true, first<Schedule>);
}

TEST(Equal, TracesThatDifferInOneThing) {
  const std::vector<Change> changes = {
      {"trace t", "trace u"},
      {"for p", "for q"},
      {"split(i, 8", "split(i, 4"},
      {"split(i, 8", "split(\"i\", 8"},
      {"split(", "divide_loop("},
      {"[io, ii]", "[io, inner]"},
      {"tail=cut", "tail=guard"},
      {", tail=cut", ""},
      {"tail=cut, perfect=False", "perfect=False, tail=cut"},
      {"perfect=False", "perfect=True"},
      {"    unroll(ii)\n    simplify()\n", "    simplify()\n    unroll(ii)\n"},
      {"    simplify()\n", ""},
  };
  const std::string trace =
      "trace t for p:\n    split(i, 8, [io, ii], tail=cut, perfect=False)\n    unroll(ii)\n"
      "    simplify()\n";
  expect_each(trace, changes, false, first<Trace>);
  // Verdicts are remarks.
  Trace proved = first<Trace>(parsed(trace));
  proved.steps[0].verdict = Verdict::Proved;
  proved.steps[0].why = "affine";
  EXPECT_TRUE(equal(proved, first<Trace>(parsed(trace))));
}

}  // namespace
}  // namespace hocket::ir
