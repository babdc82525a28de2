// Steps that are refused: what the message says, where it points, and that unsound ones come with a
// witness that was run.
#include "rewrite/support.h"

namespace hocket::rewrite::testing {
namespace {

struct Case {
  const char* name;
  std::string program, steps;
  const char* code;
  const char* message;  // a part of it
  const char* witness;  // a part of one line; null where there is none
};

void check(const Case& c) {
  SCOPED_TRACE(c.name);
  const size_t at = c.program.rfind("def ");
  const std::string proc = c.program.substr(at + 4, c.program.find('(', at) - at - 4);
  const std::string source = c.program + "\ntrace t for " + proc + ":\n" + c.steps;
  diag::Diagnostic d = refused(source);
  EXPECT_EQ(d.kind->code, c.code) << d.message();
  EXPECT_NE(d.message().find(c.message), std::string::npos) << d.message();
  // The last step is at fault, and the place is its name.
  int lines = 0;
  for (char ch : source) lines += ch == '\n';
  EXPECT_EQ(d.place.line, lines);
  EXPECT_EQ(d.place.column, 5);
  EXPECT_EQ(d.place.file, "test.hk");
  std::string all;
  for (const std::string& w : d.witness) all += w + "\n";
  if (c.witness) EXPECT_NE(all.find(c.witness), std::string::npos) << d.message() << "\n" << all;
  // Refuted and unknown are never mixed: a refutation shows a run at sizes, nothing else does.
  EXPECT_EQ(!d.witness.empty(), d.kind->category == diag::Category::refuted) << all;
  if (!d.witness.empty())
    EXPECT_TRUE(all.find("sizes ") != std::string::npos || all.find("one run") != std::string::npos)
        << all;
}

const std::string kScale = R"(def scale(n: size, x: f32[n], y: f32[n]):
    for i in seq(0, n):
        y[i] = x[i] * 2.0
)";
const std::string kLoad = R"(@instr("load")
def load8(dst: [f32][8] @ AVX2, src: [f32][8]):
    for i in seq(0, 8):
        dst[i] = src[i]

)";

// Sums whose order shows say what lets them change places.
TEST(Refused, ReorderOfASumSaysWhatHelps) {
  for (const char* type : {"f32", "i32", "i64"}) {
    const std::string t(type);
    const diag::Diagnostic d = refused("def s(n: size, A: " + t + "[n, n], s: " + t +
                                       " @ DRAM):\n    for i in seq(0, n):\n"
                                       "        for j in seq(0, n):\n            s += A[i, "
                                       "j]\ntrace t for s:\n    reorder(i, j)\n");
    ASSERT_EQ(d.helps.size(), 1U) << d.message();
    EXPECT_EQ(d.helps[0], "allow(reassociation)");
  }
}

TEST(Refused, Malformed) {
  const Case cases[] = {
      {"operator", kScale, "    splitt(i, 8, [io, ii])\n", "R0001", "no rewrite is called `splitt`",
       nullptr},
      {"missing argument", kScale, "    split(i)\n", "R0002", "`factor` is missing", nullptr},
      {"unknown keyword", kScale, "    split(i, 8, [io, ii], tial=cut)\n", "R0002",
       "no argument `tial`", nullptr},
      {"tail", kScale, "    split(i, 8, [io, ii], tail=odd)\n", "R0002", "`tail` is guard",
       nullptr},
      {"names", kScale, "    split(i, 8, [io])\n", "R0002", "a list of 2 names", nullptr},
      {"one name for two", kScale, "    split(i, 8, [io, io])\n", "R0002",
       "the two loops need two names", nullptr},
      {"two tails", kScale, "    split(i, 8, [io, ii], tail=cut, perfect=True)\n", "R0002",
       "`perfect` is a tail of its own", nullptr},
      {"a flag in quotes", kScale, "    split(i, 8, [io, ii], perfect=\"True\")\n", "R0002",
       "`perfect` is `True` or `False`", nullptr},
      {"a flag of no word", kScale, "    stage_mem(i, \"y[0:n]\", t, accum=[])\n", "R0002",
       "`accum` is `True` or `False`", nullptr},
      {"a number for a name", kScale, "    stage_mem(i, \"y[0:n]\", 3)\n", "R0002",
       "`name` is a new name", nullptr},
      {"no name", kScale, "    rename(\"\")\n", "R0002", "`name` is a new name", nullptr},
      {"names of no letters", kScale, "    split(i, 8, [\"i o\", ii])\n", "R0002",
       "`names` is a list of new names", nullptr},
      {"a list for a pattern", kScale, "    unroll([i])\n", "R0002", "`loop` is a pattern",
       nullptr},
      {"another loop inside",
       "def p(n: size, x: f32[n, n]):\n    for i in seq(0, n):\n        for i in seq(0, n):\n"
       "            x[0, i] = 1.0\n    for i in seq(0, n):\n        x[i, 0] = 1.0\n",
       "    reorder(i, \"i #2\")\n", "R0009", "the loop inside `i` is `i`, not `i #2`", nullptr},
      {"by itself", kScale, "    replace(i, scale)\n", "R0009",
       "`scale` is the program itself; `rename` it first", nullptr},
      {"unknown loop", kScale, "    split(ki, 8, [io, ii])\n", "R0003", "matches `ki`", nullptr},
      {"match number", kScale, "    split(\"i #3\", 8, [io, ii])\n", "R0003", "matches `i #3`",
       nullptr},
      {"pattern", kScale, "    unroll(\"for i in\")\n", "R0004",
       "a loop is matched by `for i in _: _`", nullptr},
      {"no loop", kScale, "    unroll(\"y[_] = _\")\n", "R0005", "works on a loop", nullptr},
      {"factor zero", kScale, "    split(i, 0, [io, ii])\n", "R0006", "cannot split loop `i` by 0",
       nullptr},
      {"precision", "def p(x: f32[4]):\n    t: f32\n    t = x[0]\n    x[1] = t\n",
       "    set_precision(t, \"i8\")\n", "R0007", "changes the precision of `t`", nullptr},
      {"reassociation",
       "def p(n: size, x: f32[n], s: f32[1]):\n    for i in seq(0, n):\n        s[0] += x[i]\n",
       "    stage_mem(i, \"s[0]\", t, accum=True)\n", "R0007",
       "changes the order of additions of `s`", nullptr},
      {"factor too large", kScale, "    split(i, 3000000000, [io, ii])\n", "R0006",
       "a factor is a number from 1 to 2147483648", nullptr},
      {"a parameter's memory", kScale, "    set_memory(x, DRAM_STATIC)\n", "R0005",
       "`set_memory` works on a buffer that the procedure allocates; `x` is a parameter", nullptr},
      {"unknown buffer", kScale, "    lift_alloc(t)\n", "R0008", "has no buffer `t`", nullptr},
      {"data decide where",
       "def hist(n: size, I: u8[n], H: i32[256]):\n    for i in seq(0, n):\n"
       "        H[index(I[i]) / 2] += 1\n",
       "    stage_mem(i, \"H[0:127]\", t)\n", "R0301", "lies in H[0:127]", nullptr},
      {"allowed of nothing", kScale, "    allow(precision, nope)\n", "R0008",
       "`scale` has no buffer `nope`", nullptr},
      {"not constant", kScale, "    unroll(i)\n", "R0009", "are not constant", nullptr},
      {"not one loop", kScale, "    reorder(i, j)\n", "R0009", "not one loop alone", nullptr},
      {"triangular",
       "def p(n: size, A: f32[n, n]):\n    for i in seq(0, n):\n        for j in seq(0, i):\n      "
       "      A[i, j] = 0.0\n",
       "    reorder(i, j)\n", "R0009", "depend on `i`", nullptr},
      {"on one side",
       "def p(k: f32, x: f32[8], y: f32[8]):\n    for i in seq(0, 8):\n"
       "        y[i] = select(k > 0.0, x[i], 0.0)\n",
       "    bind_expr(\"y[_] = _\", x, t)\n", "R0009", "`x` is read on one side of a select alone",
       nullptr},
      {"in an index",
       "def p(x: u8[8], y: i32[256]):\n    for i in seq(0, 8):\n"
       "        let h = index(x[i])\n        y[h] += 1\n",
       "    bind_expr(\"y[_] += _\", x, t)\n", "R0009",
       "the value of `y[_] += _` does not read `x`", nullptr},
      {"used alloc",
       "def p(n: size, x: f32[n]):\n    for i in seq(0, n):\n        t: f32\n        t = x[i]\n    "
       "    x[i] = t\n",
       "    fission(\"t = _\")\n", "R0009", "lift the allocation first", nullptr},
      {"wrong body",
       kLoad + "def p(x: f32[8]):\n    t: f32[8] @ AVX2\n    for i in seq(0, 8):\n        t[i] = "
               "x[i] * 2.0\n",
       "    replace(i, load8)\n", "R0010", "is not what `load8` does", nullptr},
      {"wrong extent",
       kLoad + "def p(x: f32[16]):\n    t: f32[2, 8] @ AVX2\n    for i in seq(0, 7):\n        t[0, "
               "i] = x[i]\n",
       "    replace(i, load8)\n", "R0010", "is not what `load8` does", nullptr},
      {"stride",
       kLoad + "def p(x: f32[16]):\n    t: f32[8] @ AVX2\n    for i in seq(0, 8):\n        t[i] = "
               "x[2 * i]\n",
       "    replace(i, load8)\n", "R0010", "moves otherwise", nullptr},
      {"memory",
       kLoad + "def p(x: f32[8], y: f32[8]):\n    for i in seq(0, 8):\n        y[i] = x[i]\n",
       "    replace(i, load8)\n", "R0010", "`dst` in AVX2", nullptr},
      {"surplus of an argument", kScale, "    extend_loop(i, \"n + 1\")\n", "R0009",
       "is not allocated in the procedure", nullptr},
      {"condition reads memory",
       "def p(n: size, x: i32[n]):\n    for i in seq(0, n):\n        if x[0] < 3:\n            "
       "x[i] = 7\n",
       "    lift_if(\"if _: _\")\n", "R0009", "the condition reads memory", nullptr},
      {"unknown callee", kLoad + "def p(x: f32[8]):\n    for i in seq(0, 8):\n        x[i] = 0.0\n",
       "    replace(i, laod8)\n", "R0011", "no procedure is called `laod8`", nullptr},
  };
  for (const Case& c : cases) check(c);
}

TEST(Refused, ToSeq) {
  const Case cases[] = {
      {"no loop", kScale, "    to_seq(\"y[_] = _\")\n", "R0005",
       "`to_seq` works on a loop; `y[_] = _` is `y[_] = _`", nullptr},
      {"a buffer", kScale, "    to_seq(y)\n", "R0003", "matches `y`", nullptr},
      {"gone", kScale, "    split(i, 8, [io, ii])\n    par_to_seq(i)\n", "R0003", "matches `i`",
       nullptr},
      {"missing", kScale, "    to_seq()\n", "R0002", "`loop` is missing", nullptr},
  };
  for (const Case& c : cases) check(c);
}

TEST(Refused, PartialEval) {
  const std::string p =
      "def p(n: size, k: index, x: f32[n]):\n    assert n % 4 == 0\n"
      "    assert k >= 0 and k < n\n    x[k] = 1.0\n";
  const Case cases[] = {
      {"no size", p, "    partial_eval(x, 4)\n", "R0009", "`p` has no size or index `x`", nullptr},
      {"unknown", p, "    partial_eval(m, 4)\n", "R0009", "`p` has no size or index `m`", nullptr},
      {"empty", p, "    partial_eval(n, 0)\n", "R0009", "size `n` is at least 1", nullptr},
      {"against an assert", p, "    partial_eval(n, 6)\n", "R0009",
       "`n % 4 == 0`, which `p` asserts, does not hold for it", nullptr},
      {"against two", p, "    partial_eval(n, 8)\n    partial_eval(k, 8)\n", "R0009",
       "which `p` asserts, does not hold for it", nullptr},
      {"twice", p, "    partial_eval(n, 8)\n    partial_eval(n, 8)\n", "R0009",
       "`p` has no size or index `n`", nullptr},
      {"no number", p, "    partial_eval(n, k)\n", "R0002", "`value` is a number", nullptr},
  };
  for (const Case& c : cases) check(c);
}

TEST(Refused, DivideDim) {
  const std::string program =
      "def inner(w: [f32][4]):\n    w[0] = 1.0\n\n"
      "def whole(a: f32[8, 4]):\n    a[0, 0] = 1.0\n\n"
      "def p(n: size, x: f32[n]):\n    t: f32[8, 4]\n";
  const Case cases[] = {
      {"dimension", program, "    divide_dim(t, 2, 4)\n", "R0002",
       "`t` has 2 dimensions, counted from 0", nullptr},
      {"dimension below zero", program, "    divide_dim(t, -1, 4)\n", "R0002",
       "`t` has 2 dimensions, counted from 0", nullptr},
      {"factor", program, "    divide_dim(t, 0, 0)\n", "R0002",
       "`factor` is a number from 1 to 2147483648", nullptr},
      {"factor too large", program, "    divide_dim(t, 0, 2147483649)\n", "R0002",
       "`factor` is a number from 1 to 2147483648", nullptr},
      {"parameter", program, "    divide_dim(x, 0, 4)\n", "R0005",
       "`x` is a parameter, which its callers give", nullptr},
      {"unknown", program, "    divide_dim(s, 0, 4)\n", "R0008", "has no buffer `s`", nullptr},
      {"window", program + "    inner(t[0, 0:4])\n", "    divide_dim(t, 1, 2)\n", "R0009",
       "a window of `t` does not keep its shape", nullptr},
      {"whole", program + "    whole(t)\n", "    divide_dim(t, 0, 4)\n", "R0009",
       "the whole of `t` is an argument of a call", nullptr},
      {"stride", program + "    x[0] = f32(stride(t, 0))\n", "    divide_dim(t, 0, 4)\n", "R0009",
       "a stride of `t` is read", nullptr},
  };
  for (const Case& c : cases) check(c);
}

TEST(Refused, Inline) {
  const std::string callees =
      "def whole(w: [f32][4]):\n    w[0] = 1.0\n\n"
      "def outer(w: [f32][4]):\n    whole(w)\n\n"
      "def strides(w: [f32][4], y: f32[4]):\n"
      "    y[0] = f32(stride(w, 0))\n\n"
      "def p(x: f32[4], y: f32[4]):\n";
  const Case cases[] = {
      {"no call", kScale, "    inline(\"y[_] = _\")\n", "R0009", "`y[_] = _` is no call", nullptr},
      {"loop", kScale, "    inline(i)\n", "R0009", "is no call", nullptr},
      {"not called", callees + "    whole(x[0:4])\n", "    inline(\"outer(_)\")\n", "R0003",
       "matches `outer(_)`", nullptr},
      {"once", callees + "    whole(x[0:4])\n",
       "    inline(\"whole(_)\")\n    inline(\"whole(_)\")\n", "R0003", "matches `whole(_)`",
       nullptr},
      {"passed on", callees + "    outer(x[0:4])\n", "    inline(\"outer(_)\")\n", "R0009",
       "the whole of `w` is an argument of a call", nullptr},
      {"stride", callees + "    strides(x[0:4], y)\n", "    inline(\"strides(_)\")\n", "R0009",
       "a stride of `w` is read", nullptr},
  };
  for (const Case& c : cases) check(c);
}

// Arguments of steps are control: they may not read memory, and nothing may come to read it.
TEST(Refused, ControlThatReadsMemory) {
  const std::string fill = R"(def p(A: i32[8], I: i32[1]):
    for i in seq(0, 8):
        I[0] = 3
        A[i] += 1
)";
  const std::string scratch = R"(def p(A: i32[8], I: i32[1]):
    t: i32[1]
    t[0] = 5
    I[0] = I[0] + 1
    A[0] = t[0]
)";
  const std::string one = R"(def set1(w: [i32][1]):
    w[0] = 7

def number(i: index, w: [i32][1]):
    w[0] = i32(i)

)";
  const std::string at = "def p(A: i32[8], I: i32[1]):\n    A[index(I[0]) % 8] = 7\n";
  const Case cases[] = {
      {"cut", fill, "    cut_loop(i, \"index(I[0]) % 8\")\n", "P0707",
       "`point` of `cut_loop` reads memory, `I[0]`", nullptr},
      {"stage", at, "    stage_mem(\"A[_] = _\", \"A[index(I[0]) % 8]\", t)\n", "P0707",
       "a window of `A` reads memory, `I[0]`", nullptr},
      {"expand", scratch, "    expand_dim(t, 4, \"index(I[0]) % 4\")\n", "P0707",
       "`index` of `expand_dim` reads memory, `I[0]`", nullptr},
      {"resize", scratch, "    resize_dim(t, 0, \"index(I[0]) % 4 + 1\")\n", "P0707",
       "`extent` of `resize_dim` reads memory, `I[0]`", nullptr},
      {"window of a call", one + at, "    replace(\"A[_] = _\", set1)\n", "R0010",
       "`w` would be what memory holds", nullptr},
      {"index of a call", one + "def p(A: i32[8], I: i32[1]):\n    A[0] = i32(index(I[0]) + 1)\n",
       "    replace(\"A[_] = _\", number)\n", "R0010", "`i` would be what memory holds", nullptr},
  };
  for (const Case& c : cases) check(c);
}

// A let keeps what it has read: it does not move over a write, nothing that hangs on it leaves it.
TEST(Refused, LetsThatReadMemory) {
  const Case cases[] = {
      {"over a write",
       "def p(A: i32[8], I: i32[1]):\n    let m: index = index(I[0]) % 8\n    I[0] = 3\n"
       "    A[m] = 7\n",
       "    reorder_stmts(\"m = _\")\n", "R0201", "may change places", "A["},
      {"shape",
       "def p(A: i32[8], I: i32[1]):\n    for i in seq(0, 3):\n"
       "        let m: index = index(I[0]) % 4 + 1\n        t: i32[m]\n        t[0] = 1\n"
       "        I[0] = I[0] + 1\n        A[i] = t[0] + i32(t.extent(0))\n",
       "    lift_alloc(t)\n", "R0009", "depends on what `for i in _: _` binds", nullptr},
      {"cut behind it",
       "def p(A: i32[8], I: i32[1]):\n    for i in seq(0, 3):\n"
       "        let m: index = index(I[0]) % 8\n        I[0] = 1\n        A[m] += 1\n",
       "    fission(\"I[_] = _\")\n", "R0009",
       "uses `m`, which the first one binds to what it reads", nullptr},
      {"read again",
       "def p(A: i32[8], I: i32[1]):\n    for i in seq(0, 3):\n"
       "        let m: index = index(I[0]) % 8\n        I[0] = I[0] + 1\n        A[m] = 1\n",
       "    fission(\"I[_] = _\")\n", "R0009",
       "uses `m`, which the first one binds to what it reads", nullptr},
      {"once instead of twice",
       "def p(A: i32[8], I: i32[1]):\n    for i in seq(0, 3):\n"
       "        let m: index = index(I[0]) % 8\n        A[m] = 1\n        I[0] = I[0] + 1\n",
       "    remove_loop(i)\n", "R0201", "once instead of several", "before and"},
      {"condition",
       "def p(n: size, A: i32[8], I: i32[1]):\n    for i in seq(0, 8):\n        if I[0] % 2 == 0:\n"
       "            I[0] = I[0] + 1\n            A[i] = 1\n",
       "    fission(\"I[_] = _\")\n", "R0201", "does not change the condition", "before and"},
  };
  for (const Case& c : cases) check(c);
}

// Another layout has other strides: who reads them is refused, who asserts one is judged.
TEST(Refused, StridesThatChange) {
  const std::string reads = R"(def inner(v: [i32][2], y: [i32][1]):
    y[0] = v[0] + i32(stride(v, 0))

def g(w: [i32][2], y: [i32][1]):
    u = w[0:2]
    inner(u, y)

)";
  const std::string filled = R"(def p(B: i32[8]):
    t: i32[2, 4]
    t[0, 1] = 0
    t[1, 1] = 0
)";
  const std::string asserts = R"(def top(dst: [f32][4], src: [f32][4]):
    assert stride(src, 0) == 1
    for l in seq(0, 4):
        dst[l] = max(dst[l], src[l])

def p(y: f32[4]):
    t: f32[2, 4]
    for i in seq(0, 4):
        t[1, i] = y[i] * 2.0
)";
  const Case cases[] = {
      {"staged under a callee",
       reads + "def p(A: i32[4, 2], B: i32[8]):\n    g(A[0:2, 1], B[0:1])\n",
       "    stage_mem(\"g(_)\", \"A[0:2, 1]\", t)\n", "R0009",
       "`g` reads a stride of `w`, for which it is given `A`", nullptr},
      {"resized under a callee", reads + filled + "    g(t[0:2, 1], B[0:1])\n",
       "    resize_dim(t, 1, 9)\n", "R0009", "`g` reads a stride of `w`", nullptr},
      {"resized under a window", filled + "    w = t[0:2, 1]\n    B[0] = i32(stride(w, 0))\n",
       "    resize_dim(t, 1, 9)\n", "R0009", "a stride of `w` is read", nullptr},
      {"resized under a window of a callee",
       reads + filled + "    w = t[0:2, 1]\n    g(w, B[0:1])\n", "    resize_dim(t, 1, 9)\n",
       "R0009", "`g` reads a stride of `w`", nullptr},
      {"asserted", asserts + "    top(y[0:4], t[1, 0:4])\n", "    rearrange_dim(t, [1, 0])\n",
       "R0201", "`stride(src, 0) == 1`, which `top` asserts", "after the step"},
      {"asserted of a window", asserts + "    w = t[1, 0:4]\n    top(y[0:4], w)\n",
       "    rearrange_dim(t, [1, 0])\n", "R0201", "which `top` asserts", "after the step"},
      {"asserted further in",
       asserts.substr(0, asserts.find("def p")) +
           "def through(y: f32[4], w: [f32][4]):\n    top(y[0:4], w)\n\n" +
           asserts.substr(asserts.find("def p")) + "    through(y, t[1, 0:4])\n",
       "    rearrange_dim(t, [1, 0])\n", "R0009", "`through` reads a stride of `w`", nullptr},
      {"window used behind the block",
       "def p(A: i32[8]):\n    w = A[0:4]\n    w[0] = 1\n    w[1] = 2\n",
       "    stage_mem([\"w = _\", \"w[_] = _ #0\"], \"A[0:4]\", t)\n", "R0009",
       "the window `w` of `A` is used behind the block", nullptr},
      {"read at the call",
       R"(def g(c: size, i: index, m: index, dst: [f32][c], v: f32):
    for l in seq(0, c):
        if i < m:
            dst[l] = v

def p(n: size, m: size, A: f32[n], B: f32[m]):
    for i in seq(0, n):
        for l in seq(0, n):
            if i < m:
                A[l] = B[i]
)",
       "    replace(l, g)\n", "R0201", "what `v` reads lies in `B`", "out of bounds"},
      {"staged reduction of any order",
       "def p(n: size, A: f32[n], s: f32):\n    for i in par(0, n):\n        A[0] min= s\n",
       "    stage_mem(\"A[_] min= _\", \"A[0:n]\", t)\n", "R0201", "touch elements of their own",
       "race"},
      {"window sticks out",
       "def first(w: [f32][4], y: f32[4]):\n    y[0] = w[0]\n\ndef p(y: f32[4]):\n"
       "    t: f32[4]\n    t[0] = y[1]\n    first(t[0:4], y)\n",
       "    resize_dim(t, 0, 2)\n", "R0201", "lie in its new extent", "after the step"},
  };
  for (const Case& c : cases) check(c);
  // What keeps its stride stays as it is.
  Applied a = applied(asserts +
                      "    top(y[0:4], t[1, 0:4])\n\ntrace t for p:\n"
                      "    resize_dim(t, 0, 3)\n    expand_dim(t, 2, 1)\n");
  expect_same(a, {{}});
}

TEST(Refused, DidYouMean) {
  diag::Diagnostic d = refused(kScale + "\ntrace t for scale:\n    splt(i, 8, [io, ii])\n");
  ASSERT_EQ(d.helps.size(), 1u);
  EXPECT_EQ(d.helps[0], "did you mean `split`?");
}

TEST(Refused, Unsound) {
  const Case cases[] = {
      {"interchange",
       "def p(n: size, A: f32[n, n]):\n    for i in seq(1, n):\n        for j in seq(0, n - 1):\n  "
       "          A[i, j] = A[i - 1, j + 1]\n",
       "    reorder(i, j)\n", "R0201", "may change places", "before and"},
      {"fission",
       "def p(n: size, A: f32[n], B: f32[n]):\n    for i in seq(1, n):\n        A[i] = B[i - 1]\n  "
       "      B[i] = A[i] + 1.0\n",
       "    fission(\"A[_] = _\")\n", "R0201", "one after the other", "before and"},
      {"fuse",
       "def p(n: size, A: f32[n + 1], B: f32[n]):\n    for i in seq(0, n):\n        A[i] = 2.0\n   "
       " for j in seq(0, n):\n        B[j] = A[j + 1]\n",
       "    fuse(i, j)\n", "R0201", "may run together", "before and"},
      {"statements", "def p(x: f32[2]):\n    x[0] = 1.0\n    x[1] = x[0]\n",
       "    reorder_stmts(\"x[_] = _\")\n", "R0201", "may change places", "x[1] is 1 before"},
      {"race",
       "def p(n: size, x: f32[n], s: f32[1]):\n    for i in seq(0, n):\n        s[0] += x[i]\n",
       "    parallelize(i)\n", "R0201", "elements of their own", "race"},
      {"nested race",
       "def p(n: size, m: size, x: f32[m], s: f32[n]):\n    for j in seq(0, n):\n        for i in "
       "seq(0, m):\n            s[j] += x[i]\n",
       "    parallelize_loop(i)\n", "R0201", "elements of their own", "race"},
      {"lanes", "def p(x: f32[9]):\n    for i in seq(0, 8):\n        x[i + 1] = x[i]\n",
       "    vectorize(i)\n", "R0201", "elements of their own", "x["},
      {"cut", "def p(n: size, x: f32[n]):\n    for i in seq(0, n):\n        x[i] = 1.0\n",
       "    cut_loop(i, 4)\n", "R0201", "lies between", "after the step"},
      {"surplus is read",
       "def p(n: size, y: f32[8]):\n    assert n <= 8\n    t: f32[8]\n    for i in seq(0, 8):\n    "
       "    t[i] = 1.0\n"
       "    for k in seq(0, n):\n        t[k] = 2.0\n    for i in seq(0, 8):\n        y[i] = "
       "t[i]\n",
       "    extend_loop(k, 8)\n", "R0201", "nothing else touches", "y["},
      {"surplus outside",
       "def p(n: size, x: f32[n]):\n    t: f32[n + 8]\n    for i in seq(0, n):\n        t[i] = "
       "x[i]\n",
       "    extend_loop(i, \"n + 8\")\n", "R0201", "stay inside `x`", "after the step"},
      {"surplus outside a buffer of its own",
       "def p(x: f32[8]):\n    for i in seq(0, 8):\n        t: f32[8]\n        t[i] = x[0]\n",
       "    extend_loop(i, 16)\n", "R0201", "stay inside `t`", "after the step"},
      {"surplus with an extent below zero",
       "def p(x: f32[8]):\n    for i in seq(0, 8):\n        t: f32[8 - i]\n        t[0] = x[i]\n",
       "    extend_loop(i, 16)\n", "R0201", "extents of `t`", "after the step"},
      {"branch",
       "def p(n: size, x: i32[n], y: i32[n]):\n    if x[0] < 3:\n        x[0] = 7\n        y[0] = "
       "1\n",
       "    fission(\"x[_] = _\")\n", "R0201", "does not change the condition", "y[0]"},
      // Loops that may have no iteration.
      {"zero trip",
       "def p(n: size, x: f32[1]):\n    assert n >= 5\n    for i in seq(5, n):\n        x[0] = "
       "1.0\n",
       "    remove_loop(i)\n", "R0201", "runs at least once", "x[0]"},
      {"repeated", "def p(n: size, x: f32[1]):\n    for i in seq(0, n):\n        x[0] += 1.0\n",
       "    remove_loop(i)\n", "R0201", "once instead of several", "x[0]"},
      // Bounds of both ends count.
      {"fuse bounds",
       "def p(x: f32[10], y: f32[10]):\n    for i in seq(2, 10):\n        x[i] = 1.0\n    for j in "
       "seq(0, 10):\n        y[j] = 2.0\n",
       "    fuse(i, j)\n", "R0201", "same bounds", "after"},
      // Large numbers overflow, and a run that overflows says nothing.
      {"small numbers",
       "def p(n: size, A: i32[n, n], B: i32[2 * n]):\n    for i in seq(0, n):\n        for j in "
       "seq(0, n):\n            A[i, j] += B[i + j]\n            B[i + j] = A[i, j] * 3\n",
       "    reorder(i, j)\n", "R0201", "", "before and"},
      {"perfect", "def p(n: size, x: f32[n]):\n    for i in seq(0, n):\n        x[i] = 1.0\n",
       "    split(i, 8, [io, ii], perfect=True)\n", "R0201", "a multiple of 8", "x["},
      {"outside the window",
       "def p(n: size, x: f32[n], y: f32[n]):\n    for i in seq(0, n):\n        y[i] = x[i]\n",
       "    stage_mem(i, \"x[0:n - 1]\", t)\n", "R0201", "lies in x[0:n - 1]", "after the step"},
      {"window outside",
       "def p(n: size, x: f32[n], y: f32[n]):\n    for i in seq(0, n):\n        y[i] = x[i]\n",
       "    stage_mem(i, \"x[0:n + 1]\", t)\n", "R0201", "lies in `x`", "after the step"},
      {"extent",
       "def p(n: size, x: f32[n]):\n    t: f32[n]\n    for i in seq(0, n):\n        t[i] = x[i]\n  "
       "  for i in seq(0, n):\n        x[i] = t[i] + t[0]\n",
       "    resize_dim(t, 0, 4)\n", "R0201", "lies in the new extent", "after the step"},
      {"index",
       "def p(n: size, x: f32[n]):\n    for i in seq(0, n):\n        t: f32\n        t = x[i]\n    "
       "    x[i] = t + 1.0\n",
       "    expand_dim(t, 4, i)\n", "R0201", "lies in the new dimension", "after the step"},
      {"shared scratch",
       "def p(n: size, x: f32[n]):\n    for i in seq(0, n):\n        t: f32\n        t = x[i]\n    "
       "    x[i] = t + 1.0\n",
       "    parallelize(i)\n    lift_alloc(t)\n", "R0201", "touch elements of their own", "race"},
  };
  for (const Case& c : cases) check(c);
}

// What a call makes is its own: nothing behind may name it.
TEST(Refused, ReplaceOfWhatIsUsedBehind) {
  const std::string program =
      "def twice(n: size, x: [f32][n]):\n    t: f32[n]\n    for i in seq(0, n):\n"
      "        t[i] = x[i]\n    for i in seq(0, n):\n        x[i] = t[i] * 2.0\n\n"
      "def p(n: size, a: f32[n]):\n    q: f32[n]\n    for i in seq(0, n):\n        q[i] = a[i]\n"
      "    for i in seq(0, n):\n        a[i] = q[i] * 2.0\n    a[0] = q[0]\n";
  check({"one", program, "    replace(\"q: _\", twice)\n", "R0010",
         "`q` is used behind it, by `a[_] = _`", nullptr});
  check({"all", program, "    replace_all(twice)\n", "R0010",
         "`q` is used behind it, by `a[_] = _`", nullptr});
}

TEST(Refused, ReplaceSaysWhatIsOtherwise) {
  const std::string g =
      "def g(n: size, a: [f32][n], b: [f32][n], c: [f32][n]):\n    for i in seq(0, n):\n"
      "        c[i] += a[i] * b[i]\n\n";
  check({"strict",
         g + "def p(a: f32[8], b: f32[8], c: f32[8]):\n    for i in seq(0, 8):\n"
             "        c[i] += strict(a[i] * b[i])\n",
         "    replace(i, g)\n", "R0010",
         "the product of `c[_] += _` is rounded by itself (`strict`), that of `g` is not",
         nullptr});
  check({"bounds",
         g + "def p(a: f32[8], b: f32[8], c: f32[8]):\n    for i in seq(2, 8):\n"
             "        c[i] += a[i] * b[i]\n",
         "    replace(i, g)\n", "R0010", "loop `i` has other bounds than `i`: `2` is not `0`",
         nullptr});
  check({"overlap",
         g + "def p(n: size, a: f32[n + 1]):\n    for i in seq(0, n):\n"
             "        a[i] += a[i + 1] * a[i + 1]\n",
         "    replace(i, g)\n", "R0201", "of `a` for `a` and `c` have no element in common",
         "n = "});
}

// The reason is that of the statement that is nearest to the body.
TEST(Refused, ReplaceAllOfTheNearest) {
  check({"nearest",
         kLoad + "def p(n: size, x: f32[n], y: f32[8], z: i32[8], t: f32[8]):\n"
                 "    for i in seq(0, 8):\n        z[i] = 1\n"
                 "    for i in seq(0, 8):\n        y[i] = t[7 - i]\n"
                 "    for i in seq(0, n):\n        x[i] = 1.0\n",
         "    replace_all(load8)\n", "R0010",
         "index `7 - i` of `t` moves otherwise than in `load8`", nullptr});
}

// One claim alone is open, and a run shows that it does not hold, where the prover gave up.
TEST(Refused, RunsShowWhatTheProverLeavesOpen) {
  const Case cases[] = {
      {"size below one",
       "def zero(n: size, y: [f32][n]):\n    for i in seq(0, n):\n        y[i] = 0.0\n\n"
       "def p(m: index, y: f32[m * m * m + 1]):\n    assert m >= 0 and m <= 20\n"
       "    for i in seq(0, m * m * m):\n        y[i] = 0.0\n",
       "    replace(i, zero)\n", "R0201", "size `n` of `zero` is at least 1", "`n` is 0"},
  };
  const Case data = {"data decide where",
                     "def hist(n: size, I: u8[n], H: i32[256]):\n    for i in seq(0, n):\n"
                     "        H[index(I[i])] += 1\n",
                     "    stage_mem(i, \"H[0:100]\", t)\n",
                     "R0201",
                     "lies in H[0:100]",
                     "out of bounds"};
  for (const Case& c : cases) check(c);
  check(data);
}

// What is stored at the end is lost where a check leaves before.
TEST(Refused, StagedStoresBehindACheck) {
  check({"left",
         "def p(n: size, A: i32[n], B: i32[n]):\n    for i in seq(0, n):\n        A[i] = 1\n"
         "        check B[i] > 3, \"no\"\n",
         "    stage_mem(\"for i in _: _\", \"A[0:n]\", q)\n", "R0009",
         "a check in the block may leave the proc before `A` is stored", nullptr});
}

// What memory decides is not known: the answer is no, with the fact that is missing.
TEST(Refused, Unknown) {
  check({"scatter",
         "def p(n: size, ix: i32[n], x: f32[n], y: f32[n]):\n    for i in seq(0, n):\n        "
         "y[ix[i]] = x[i]\n",
         "    parallelize(i)\n", "R0301", "is not proved", nullptr});
}

// A staged block that may write nothing must leave the old value (a point window, a branch not
// taken).
TEST(Refused, StagedPointKeepsItsValue) {
  Applied a = applied(
      "def p(n: size, x: f32[1]):\n    if n > 5:\n        x[0] = 1.0\n\ntrace t for p:\n"
      "    stage_mem(\"if _: _\", \"x[0]\", t)\n");
  expect_same(a, {{1}, {5}, {6}});
}

// Nothing changes on a refusal.
TEST(Refused, StateIsUntouched) {
  text::File f = parse(kScale + "\ntrace t for scale:\n    rename(x)\n");
  State s = State::begin(f.proc("scale"));
  const ir::ProcRef before = s.proc();
  EXPECT_FALSE(apply(s, step("split(i, 0, [a, b])"), {}).ok());
  EXPECT_EQ(s.proc(), before);
  EXPECT_TRUE(s.trace().steps.empty());
}

}  // namespace
}  // namespace hocket::rewrite::testing
