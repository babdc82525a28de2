// Each operator: the program before, one trace, the program after; and the interpreter sees the
// same bits in both, at size 1, at tails and at primes.
#include <fstream>
#include <sstream>

#include "ir/print.h"
#include "rewrite/registry.h"
#include "rewrite/support.h"
#include "testing/golden.h"
#include "testing/source_dir.h"

namespace hocket::rewrite::testing {
namespace {

const char* kInstr = R"(@instr("load", features="avx2")
def load8(dst: [f32][8] @ AVX2, src: [f32][8]):
    assert stride(src, 0) == 1
    for i in seq(0, 8):
        dst[i] = src[i]

@instr("store", features="avx2")
def store8(dst: [f32][8], src: [f32][8] @ AVX2):
    for i in seq(0, 8):
        dst[i] = src[i]

def addn(n: size, dst: [f32][n], a: f32):
    for i in seq(0, n):
        dst[i] += a

)";

const char* kSaxpy = R"(def saxpy(n: size, a: f32, x: f32[n], y: f32[n]):
    for i in seq(0, n):
        y[i] += a * x[i]
)";
const char* kTwo = R"(def two(n: size, m: size, A: f32[n, m], B: f32[n, m]):
    for i in seq(0, n):
        for j in seq(0, m):
            t: f32
            t = A[i, j] * 2.0
            B[i, j] = t + A[i, j]
)";
const char* kFlat = R"(def twice(n: size, m: size, A: f32[n, m], B: f32[n, m], C: f32[n, m]):
    for i in seq(0, n):
        for j in seq(0, m):
            B[i, j] = A[i, j] + 1.0
            C[i, j] = B[i, j] * 2.0
)";
const char* kFixed = R"(def fixed(n: size, A: f32[n, 16], B: f32[n, 16]):
    for i in seq(0, n):
        for j in seq(0, 16):
            B[i, j] = A[i, j]
)";

struct Case {
  const char* name;
  const char* program;
  const char* steps;
};

// Without a value for the last size, programs with one size are run at the first of each pair.
void check(const Case& c) {
  SCOPED_TRACE(c.name);
  std::string program = c.program;
  const size_t at = program.rfind("def ");
  const std::string proc = program.substr(at + 4, program.find('(', at) - at - 4);
  Applied a = applied(program + "\ntrace t for " + proc + ":\n" + c.steps);
  ASSERT_TRUE(a.after);
  EXPECT_GOLDEN("rewrite/golden/" + std::string(c.name) + ".txt", a.text);
  size_t sizes = 0;
  for (const ir::Param& p : a.before->params)
    sizes += p.kind == ir::ParamKind::Size || p.kind == ir::ParamKind::Index;
  for (std::vector<int64_t> s :
       {std::vector<int64_t>{1, 1}, {2, 3}, {8, 16}, {9, 7}, {17, 13}, {31, 5}}) {
    s.resize(sizes);
    expect_same(a, {s});
  }
}

TEST(Operators, Golden) {
  const std::string with_instr = std::string(kInstr) + kFixed;
  const std::string with_add =
      std::string(kInstr) + R"(def rows(n: size, m: size, A: f32[n, m], b: f32[n]):
    for i in seq(0, n):
        for j in seq(0, m):
            A[i, j] += b[i]
)";
  const std::string guarded = R"(def guarded(n: size, m: size, A: f32[n, m]):
    for i in seq(0, n):
        for j in seq(0, m):
            if i < 5:
                A[i, j] = 1.0
)";
  const Case cases[] = {
      {"split_guard", kSaxpy, "    split(i, 8, [io, ii])\n"},
      {"split_cut", kSaxpy, "    divide_loop(i, 8, [io, ii], tail=cut)\n"},
      {"split_cut_and_guard", kSaxpy, "    split(i, 8, [io, ii], tail=cut_and_guard)\n"},
      {"split_short", kSaxpy, "    split(i, 8, [io, ii], tail=short)\n"},
      {"split_perfect", kFixed, "    split(j, 8, [jo, ji], perfect=True)\n"},
      {"reorder", kTwo, "    reorder(i, j)\n"},
      {"unroll", kFixed, "    split(j, 8, [jo, ji], tail=perfect)\n    unroll(jo)\n"},
      {"fission", kFlat, "    fission(\"B[_] = _\", 2)\n"},
      {"fuse", kFlat, "    fission(\"B[_] = _\")\n    fuse(\"j #0\", \"j #1\")\n"},
      {"cut_loop", kSaxpy, "    cut_loop(i, \"n / 2\")\n"},
      {"extend_loop",
       "def e(n: size, x: f32[n], y: f32[n]):\n    for io in seq(0, n / 8):\n        y[io] = 0.0\n"
       "    t: f32[8] @ DRAM\n    for i in seq(0, n % 8):\n        t[i] = x[i]\n    for i in "
       "seq(0, n % 8):\n"
       "        t[i] *= 2.0\n    for i in seq(0, n % 8):\n        y[i] = t[i]\n",
       "    extend_loop(\"i #1\", 8)\n    vectorize(\"i #1\")\n"},
      {"remove_loop", "def r(n: size, A: f32[n]):\n    for i in seq(0, n):\n        A[0] = 1.0\n",
       "    remove_loop(i)\n"},
      {"lift_if", guarded.c_str(), "    lift_if(\"if _: _\")\n"},
      {"reorder_stmts", "def r(n: size, A: f32[n], B: f32[n]):\n    A[0] = 1.0\n    B[0] = 2.0\n",
       "    reorder_stmts(\"A[_] = _\")\n"},
      {"parallelize", kTwo, "    parallelize(i)\n"},
      {"vectorize", kFixed, "    vectorize(j)\n"},
      {"to_seq", kTwo, "    parallelize(i)\n    par_to_seq(i)\n"},
      {"stage_mem_read", kFixed, "    stage_mem(j, \"A[i, 0:16]\", a)\n"},
      {"stage_mem_write", kSaxpy,
       "    split(i, 4, [io, ii], tail=short)\n"
       "    stage_mem(ii, \"y[4 * io:4 * io + min(4, n - 4 * io)]\", t)\n"},
      {"stage_mem_accum",
       "def s(n: size, A: u32[n], t: u32[1]):\n    for i in seq(0, n):\n        t[0] += A[i]\n",
       "    stage_mem(i, \"t[0]\", s, accum=True)\n"},
      {"stage_mem_block", kFlat,
       "    fission(\"B[_] = _\")\n    stage_mem([\"j #0\", \"j #1\"], \"B[i, 0:m]\", b)\n"},
      // Data decide which element, and the window has every one of them.
      {"stage_mem_whole",
       "def hist(n: size, I: u8[n], H: i32[256]):\n    for i in seq(0, n):\n"
       "        H[index(I[i])] += 1\n",
       "    stage_mem(i, \"H[0:256]\", t)\n"},
      // What is never added to keeps its sign: the copy starts at -0.0.
      {"stage_mem_accum_floats",
       "def hist(n: size, I: u8[n], H: f32[256]):\n    for i in seq(0, n):\n"
       "        let h: index = index(I[i])\n        H[h] += 1.0\n",
       "    allow(reassociation, H)\n    stage_mem(i, \"H[0:256]\", t, accum=True)\n"},
      {"stage_mem_let",
       "def hist(n: size, I: i32[n], H: i32[n + 1]):\n    for i in seq(0, n):\n"
       "        let h: index = index(I[i]) % n\n        H[h] += 1\n",
       "    stage_mem(i, \"H[0:n]\", t)\n"},
      {"bind_expr", kSaxpy, "    bind_expr(\"y[_] += _\", x, v)\n"},
      {"bind_expr_scalar", kSaxpy, "    bind_expr(\"y[_] += _\", a, v)\n"},
      {"bind_expr_number",
       "def relu(x: f32[8]):\n    for i in seq(0, 8):\n        x[i] = max(x[i], 0.0)\n",
       "    bind_expr(\"x[_] = _\", \"0.0\", zero)\n"},
      // Named as it is printed, on one side of a select too: a number needs no memory.
      {"bind_expr_inexact",
       "def scale(k: f32, x: f32[8]):\n    for i in seq(0, 8):\n"
       "        x[i] = select(k > 0.0, x[i] * 0.1, x[i] * -0.0)\n",
       "    bind_expr(\"x[_] = _ #0\", \"0.1\", tenth)\n"
       "    bind_expr(\"x[_] = _ #0\", \"-0.0\", zero)\n"},
      // It is read in the condition, so that it may be bound for the sides too.
      {"bind_expr_select",
       "def leaky(k: f32, x: f32[8], y: f32[8]):\n    for i in seq(0, 8):\n"
       "        y[i] = select(x[i] > 0.0, x[i], k * x[i])\n",
       "    bind_expr(\"y[_] = _\", x, v)\n"},
      {"fission_let",
       "def f(n: size, A: f32[n], B: f32[n]):\n    for i in seq(0, n):\n"
       "        let k = n - 1 - i\n        let h = k + 0 * i\n        A[h] = 1.0\n"
       "        B[h] = 2.0\n",
       "    fission(\"A[_] = _\")\n"},
      {"expand_dim", kTwo, "    expand_dim(t, m, j)\n    lift_alloc(t)\n"},
      {"resize_dim", kTwo, "    expand_dim(t, m, j)\n    resize_dim(t, 0, \"m + 3\")\n"},
      {"divide_dim", kFixed, "    stage_mem(j, \"A[i, 0:16]\", a)\n    divide_dim(a, 0, 8)\n"},
      {"rearrange_dim", kFixed,
       "    stage_mem(i, \"A[0:n, 0:16]\", a)\n    rearrange_dim(a, [1, 0])\n"},
      {"lift_alloc", kTwo, "    lift_alloc(t, 2)\n"},
      {"set_memory", kTwo, "    set_memory(t, DRAM_STACK)\n"},
      {"replace", with_instr.c_str(),
       "    split(j, 8, [jo, ji], perfect=True)\n    stage_mem(ji, \"B[i, 8 * jo:8 * jo + 8]\", "
       "b)\n"
       "    set_memory(b, AVX2)\n    replace(\"i0 #1\", store8)\n    replace_all(load8)\n"},
      {"replace_size", with_add.c_str(), "    replace(j, addn)\n"},
      // Sizes that stand in sums, in `% k` and in indices alone.
      {"replace_sums",
       "def take(n: size, k: size, m: size, y: [f32][n + 1], x: [f32][k], z: [f32][m]):\n"
       "    for i in seq(0, n + 1):\n        y[i] = x[i % k] + z[m - 1]\n\n"
       "def all(a: size, x: f32[7], y: f32[a + 9], z: f32[3]):\n"
       "    for i in seq(0, a + 9):\n        y[i] = x[i % 7] + z[2]\n",
       "    replace(i, take)\n"},
      // Windows of one buffer that have no element in common, a value that the call does not
      // change.
      {"replace_apart",
       "def add(n: size, v: f32, x: [f32][n], y: [f32][n]):\n"
       "    for i in seq(0, n):\n        x[i] = y[i] + v\n\n"
       "def halves(n: size, a: f32[2 * n + 1]):\n"
       "    for i in seq(0, n):\n        a[i] = a[i + n] + a[2 * n]\n",
       "    replace(i, add)\n"},
      {"reorder_alike",
       "def p(n: size, x: f32[n, n]):\n    for i in seq(0, n):\n        for i in seq(0, n):\n"
       "            x[0, i] = 1.0\n",
       "    reorder(\"i\", \"i #1\")\n"},
      {"remove_loop_max",
       "def p(n: size, a: i32[1], x: i32[4]):\n    for i in seq(0, n):\n        a[0] max= x[0]\n"
       "        a[0] max= x[2]\n",
       "    remove_loop(i)\n"},
      {"inline", with_add.c_str(), "    replace(j, addn)\n    inline(\"addn(_)\")\n"},
      {"simplify", kFixed, "    split(j, 16, [jo, ji])\n    simplify()\n"},
      {"rename", kSaxpy, "    rename(saxpy_new)\n"},
  };
  for (const Case& c : cases) check(c);
}

// Steps that change results on purpose: only their text is compared.
TEST(Operators, SetPrecision) {
  Applied a =
      applied(std::string(kTwo) +
              "\ntrace t for two:\n    allow(precision, t)\n    set_precision(t, \"f16\")\n");
  ASSERT_TRUE(a.after);
  EXPECT_GOLDEN("rewrite/golden/set_precision.txt", a.text);
}

// `_` stands for every buffer.
TEST(Operators, AllowOfEveryBuffer) {
  Applied a =
      applied(std::string(kTwo) +
              "\ntrace t for two:\n    allow(precision, _)\n    set_precision(t, \"f16\")\n");
  ASSERT_TRUE(a.after);
  EXPECT_GOLDEN("rewrite/golden/set_precision.txt", a.text);
}

TEST(Operators, PartialEval) {
  Applied a = applied(std::string(kTwo) + "\ntrace t for two:\n    partial_eval(m, 16)\n");
  ASSERT_TRUE(a.after);
  EXPECT_GOLDEN("rewrite/golden/partial_eval.txt", a.text);
}

// What a state says about its steps replays to the same program.
TEST(Traces, ReplayFromText) {
  const std::string source = std::string(kFixed) +
                             "\ntrace t for fixed:\n    split(j, 8, [jo, ji], perfect=True)\n"
                             "    reorder(jo, ji)\n    reorder(i, ji)\n";
  Applied a = applied(source);
  ASSERT_TRUE(a.after);
  for (const ir::TraceStep& s : a.trace.steps) EXPECT_EQ(s.verdict, ir::Verdict::Proved) << s.op;
  EXPECT_EQ(a.trace.steps[0].why, "affine");
  Applied b = applied(std::string(kFixed) + "\n" + ir::to_text(a.trace));
  EXPECT_EQ(a.text, b.text);
}

// Cursors are identities: a statement keeps its own through steps that change what is around it.
TEST(Cursors, SurviveRewrites) {
  text::File f = parse(std::string(kFlat) + "\ntrace t for twice:\n    rename(x)\n");
  State s = State::begin(f.proc("twice"));
  Library library;
  const uint64_t id = find_one(*s.proc(), "C[_] = _", {})->id();
  for (const char* text : {"split(i, 4, [io, ii])", "fission(\"B[_] = _\")", "simplify()"}) {
    auto next = apply(s, step(text), library);
    ASSERT_TRUE(next.ok()) << text << ": " << next.error().message();
    s = std::move(next).value();
    auto at = locate(*s.proc(), id);
    ASSERT_TRUE(at.has_value()) << text;
    EXPECT_EQ(spoken(at->stmt), "C[_] = _");
  }
  EXPECT_FALSE(locate(*s.proc(), 0).has_value());
}

TEST(Registry, EveryOperatorIsDocumented) {
  std::ifstream in(hocket::testing::source_dir() + "/docs/rewrites.md");
  std::stringstream page;
  page << in.rdbuf();
  for (const Operator& o : all_operators()) {
    EXPECT_EQ(find_operator(o.name), &o);
    for (std::string_view a : o.aliases) EXPECT_EQ(find_operator(a), &o);
    EXPECT_FALSE(o.doc.empty());
    EXPECT_NE(page.str().find("`" + std::string(o.name) + "("), std::string::npos) << o.name;
  }
}

}  // namespace
}  // namespace hocket::rewrite::testing
