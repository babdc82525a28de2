// P07xx: statements, calls, entries and vectors of loop programs.
#include <gtest/gtest.h>

#include "../text_testing.h"
#include "ir/print.h"

namespace hocket::text {
namespace {

const testing_text::Refused kRefused[] = {
    {"P0701", R"hk(def p(n: size, A: f32[n]):
    A[0] = 1.0
    assert n > 0
)hk",
     "this `assert` does not stand at the head of the proc", 3, 5},
    {"P0701", R"hk(def p(n: size, A: f32[n]):
    for i in seq(0, n):
        assert i > 0
)hk",
     "this `assert` does not stand at the head of the proc", 3, 9},
    {"P0702", R"hk(def g(A: f32[8]):
    pass

def p(n: size, A: f32[n, n]):
    g(A)
)hk",
     "argument 1 of `g` is a buffer with 2 dimensions, where f32[_] is needed", 5, 7,
     "1:7 `A` of `g`"},
    {"P0702", R"hk(def g(n: size, A: [f32][n]):
    pass

def p(n: size, A: i32[n]):
    g(n, A)
)hk",
     "argument 2 of `g` is a buffer of i32, where [f32][_] is needed", 5, 10, "1:16 `A` of `g`"},
    {"P0702", R"hk(def g(n: size, A: f32[n]):
    pass

def p(n: size, A: f32[n, n]):
    g(n, A[0:n, 3])
)hk",
     "argument 2 of `g` is a window, where f32[_] is needed", 5, 10,
     "1:16 `A` of `g`\nnote: `A: [f32][_]` would take it"},
    {"P0702", R"hk(def g(n: size, A: f32[n]):
    pass

def p(n: size, A: f32[n]):
    g(n, 1.0)
)hk",
     "argument 2 of `g` is the number `1.0`, where f32[_] is needed", 5, 10, "1:16 `A` of `g`"},
    {"P0703", R"hk(def p(n: size, A: f32[n]):
    for i in seq(0, n):
        i = 3
)hk",
     "`i` is a loop variable and cannot be stored to", 3, 9, "2:9 `i` is defined here"},
    {"P0703", R"hk(def p(n: size, a: f32):
    a = 3.0
)hk",
     "`a` is a parameter and cannot be stored to", 2, 5, "1:16 `a` is defined here"},
    {"P0703", R"hk(def p(n: size):
    let a = n + 1
    a += 1
)hk",
     "`a` is a value of `let` and cannot be stored to", 3, 5, "2:9 `a` is defined here"},
    {"P0704", R"hk(@instr(nop)
def p(n: size):
    pass
)hk",
     "`@instr` takes a C template in quotes, then `features=` and `global=`, each in quotes", 1, 2},
    {"P0704", R"hk(@instr("nop;", features=avx2)
def p(n: size):
    pass
)hk",
     "`@instr` takes a C template in quotes, then `features=` and `global=`, each in quotes", 1, 2},
    {"P0704", R"hk(@instr("nop;", global="a", global="b")
def p(n: size):
    pass
)hk",
     "`@instr` takes a C template in quotes, then `features=` and `global=`, each in quotes", 1, 2},
    {"P0705",
     R"hk(def p(m: index, n: index, st: index, a: [u8][n], m2: index, n2: index, f: [u8][n]):
    entry p:
        input a:
            dim(m, n, st) needs [m, m + n - 1]
        output f:
            dim(m2, n2, st) needs [m2, m2 + n2 - 1]
    pass
)hk",
     "the entry of `p` gives `f` other extents than its shape, the last one first", 5, 16,
     "1:72 `f` is defined here"},
    {"P0705", R"hk(flat def p(n: index, A: f32[n]):
    entry q:
        output B:
            dim(_, n, _)
    A[0] = 1.0
)hk",
     "the entry of `p` names `B`, which is no parameter", 3, 16},
    {"P0705", R"hk(flat def p(n: index, A: f32[n]):
    entry q:
        scalar A
    A[0] = 1.0
)hk",
     "the entry of `p` takes the buffer `A` as a scalar", 3, 16, "1:22 `A` is defined here"},
    {"P0705", R"hk(flat def p(n: index, A: f32[n]):
    entry q:
        output A:
            dim(_, m, _)
    A[0] = 1.0
)hk",
     "the entry of `p` has a dimension that no index parameter carries", 4, 20},
    {"P0705", R"hk(flat def p(n: index, A: f32[n]):
    entry q:
        output A:
            dim(_, n, _)
        check n == 3, -8, "n", A[1]
    A[0] = 1.0
)hk",
     "the entry of `p` has a check of a dimension that no argument has", 5, 32},
    {"P0705", R"hk(flat def p(n: index, A: f32[n]):
    entry q:
        output A:
            dim(_, n, _)
        check n == 3, -8, "n", n
    A[0] = 1.0
)hk",
     "the entry of `p` has a check of a dimension that no argument has", 5, 32},
    {"P0201", R"hk(def p(n: size, A: f32[n]):
    check n == 3, -8, "n", A[0]
)hk",
     "`A[...]` where the end of the line is expected", 2, 28},
    {"P0706", R"hk(def p(n: size, A: f32[n]):
    A[0] = ramp(0, 1, 8)
)hk",
     "`ramp` stands outside a flat proc", 2, 12},
    {"P0706", R"hk(flat def p(n: index, A: f32[n]):
    A[ramp(0, 1, 1)] = 1.0
)hk",
     "the number of lanes is no number from 2 to 65535", 2, 18},
    {"P0706", R"hk(pipeline p() -> f:
    f(x) = f32x8(x)
)hk",
     "the vector type `f32x8` stands outside a flat proc", 2, 12},
    {"P0706", R"hk(flat def p(n: index, A: f32[n]):
    A[ramp(0, 1, 8), when=broadcast(n > 0, 4)] = 1.0
)hk",
     "the predicate has 4 lanes and the access 8", 2, 27},
    {"P0706", R"hk(flat def p(n: index, A: f32[n]):
    A[ramp(0, 1, 4)] = shuffle(A[ramp(0, 1, 4)], [0, 1, 2, 4])
)hk",
     "`shuffle` names a lane that none of its vectors has", 2, 60},
    {"P0706", R"hk(flat def p(n: index, A: f32[n]):
    A[0, align=n] = 1.0
)hk",
     "the alignment is no number of at most 2^30", 2, 10},
    {"P0706", R"hk(def p(n: size):
    A: f32x8[n]
)hk",
     "the vector type `f32x8` stands outside a flat proc", 2, 8},
    {"P0303", R"hk(flat def p(A: i32[8]):
    A[0] = i32(A.extent(0))
)hk",
     "`A` is a buffer, used as a window with that extent", 2, 18, "1:12 `A` is defined here"},
    {"P0303", R"hk(flat def p(A: i32[8]):
    A[0] = i32(stride(A, 0))
)hk",
     "`A` is a buffer, used as a window with that stride", 2, 16, "1:12 `A` is defined here"},
    // Control that reads memory: bounds, shapes, windows, arguments for sizes.
    {"P0707", R"hk(def p(A: i32[8], I: i32[1]):
    for i in seq(0, index(I[0]) % 8):
        A[i] += 1
)hk",
     "a bound of the loop `i` reads memory, `I[0]`", 2, 33,
     "note: bind it first, `let m: index = index(I[0]) % 8`, and use `m`"},
    {"P0707", R"hk(def p(A: i32[8], n: i32 @ DRAM):
    for i in seq(index(n) % 8, 8):
        A[i] += 1
)hk",
     "a bound of the loop `i` reads memory, `n`", 2, 27,
     "note: bind it first, `let m: index = index(n) % 8`, and use `m`"},
    {"P0707", R"hk(def p(I: i32[1]):
    t: i32[2, index(I[0]) % 4 + 1]
)hk",
     "the shape of `t` reads memory, `I[0]`", 2, 31,
     "note: bind it first, `let m: index = index(I[0]) % 4 + 1`, and use `m`"},
    {"P0707", R"hk(def p(A: i32[8], I: i32[1]):
    w = A[index(I[0]) % 4:8]
)hk",
     "a window of `A` reads memory, `I[0]`", 2, 23,
     "note: bind it first, `let m: index = index(I[0]) % 4`, and use `m`"},
    {"P0707", R"hk(def g(w: [i32][1]):
    w[0] = 7

def p(A: i32[8, 8], I: i32[1]):
    g(A[0:1, index(I[0]) % 8])
)hk",
     "a window of `A` reads memory, `I[0]`", 5, 26,
     "note: bind it first, `let m: index = index(I[0]) % 8`, and use `m`"},
    {"P0707", R"hk(def g(n: size, A: i32[8]):
    A[0] = 7

def p(A: i32[8], I: i32[1]):
    g(index(I[0]) % 8 + 1, A)
)hk",
     "argument 1 of `g` reads memory, `I[0]`", 5, 23,
     "note: bind it first, `let m: index = index(I[0]) % 8 + 1`, and use `m`"},
    {"P0707", R"hk(flat def p(A: i32[8], I: i32[1]):
    for i in seq(0, index(I[0]) % 8):
        A[i] += 1
)hk",
     "a bound of the loop `i` reads memory, `I[0]`", 2, 33,
     "note: bind it first, `let m: index = index(I[0]) % 8`, and use `m`"},
};

TEST(Refusals, ControlThatReadsMemorySaysHowToBindIt) {
  const auto r = parse(
      "def p(A: i32[8], I: i32[1]):\n    for i in seq(0, index(I[0]) % 8):\n"
      "        A[i] += 1\n",
      "a.hk");
  ASSERT_FALSE(r.ok());
  ASSERT_EQ(r.error().notes.size(), 1u);
  EXPECT_EQ(r.error().notes[0], "bind it first, `let m: index = index(I[0]) % 8`, and use `m`");
  EXPECT_TRUE(parse("def p(A: i32[8], I: i32[1]):\n    let m: index = index(I[0]) % 8\n"
                    "    for i in seq(0, m):\n        A[i] += 1\n",
                    "a.hk")
                  .ok());
}

// A buffer has the extents of its shape, a window those of its intervals.
TEST(Loops, ExtentsAreThoseOfTheShape) {
  const auto r = parse(R"hk(def p(n: size, m: size, A: f32[n, m + 1], x: [f32][n]):
    assert A.extent(0) == x.extent(0)
    t: f32[2, m]
    w = A[1:n, 0:m]
    for i in seq(0, A.extent(1)):
        x[A.min(0)] = f32(t.extent(1)) + f32(w.extent(0))
)hk",
                       "a.hk");
  ASSERT_TRUE(r.ok()) << r.error().message();
  EXPECT_EQ(ir::to_text(*r->proc("p")), R"hk(def p(n: size, m: size, A: f32[n, m + 1], x: [f32][n]):
    assert n == n
    t: f32[2, m] @ DRAM
    w = A[1:n, 0:m]
    for i in seq(0, m + 1):
        x[0] = f32(m) + f32(n - 1)
)hk");
}

TEST(Refusals, Loops) {
  for (const testing_text::Refused& r : kRefused) testing_text::expect_refused(r);
}

}  // namespace
}  // namespace hocket::text
