// Loop programs from their text, three ways: the interpreter, LLVM after lower/flat, and C straight
// from loop form by gcc and clang. All agree bit for bit.
#include "../support/agree.h"
#include "../support/compile_c.h"
#include "codegen/c/source.h"
#include "ir/verify.h"
#include "lower/flat/to_flat.h"
#include "support/strings.h"
#include "text/parser.h"

namespace hocket::codegen::testing {

namespace {

TEST(LoopText, Gemm) {
  const char* source = R"(
def gemm(M: size, N: size, K: size, A: f32[M, K], B: f32[K, N], C: f32[M, N]):
    for i in seq(0, M):
        for j in seq(0, N):
            for k in seq(0, K):
                C[i, j] += A[i, k] * B[k, j]
)";
  for (int64_t n : {1, 5, 16}) {
    agree(source, "gemm", {n, n + 2, 3},
          {matrix(Type::f(32), {n, 3}, 1), matrix(Type::f(32), {3, n + 2}, 2),
           matrix(Type::f(32), {n, n + 2}, 3)});
  }
}

TEST(LoopText, CallsWindowsAndScratch) {
  const char* source = R"(
def row_sum(n: size, x: [i32][n], out: i32 @ DRAM):
    out = 0
    for i in seq(0, n):
        out += x[i]

def scale(n: size, m: size, x: [i32][n, m], by: i32):
    for i in seq(0, n):
        for j in seq(0, m):
            x[i, j] *= by

def outer(N: size, A: i32[N, N], Q: i32[N]):
    t: i32
    big: i32[N, 3] @ DRAM
    for i in parallel(0, N):
        s: i32
        w = A[i, 0:N]
        row_sum(N, w, s)
        Q[i] = s
    for i in seq(0, N):
        row_sum(N, A[0:N, i], t)
        for j in seq(0, 3):
            big[i, j] = t + Q[i]
    if N > 1:
        scale(N, 2, A[0:N, 0:2], 3)
    for i in seq(0, N):
        v = big[i, 1:3]
        A[i, i] = v[0] + v[1]
)";
  for (int64_t n : {2, 7}) {
    agree(source, "outer", {n},
          {interp::Tensor::row_major(Type::i(32), {n, n}).fill_random(1, -50, 50),
           interp::Tensor::row_major(Type::i(32), {n}).fill_random(2, 0, 9)});
  }
}

TEST(LoopText, NarrowTypesWrap) {
  const char* source = R"(
def mix(N: size, a: u8[N], b: i16[N], c: bf16[N], d: bool[N]):
    for i in seq(0, N):
        a[i] += a[i]
        b[i] *= b[i]
        c[i] += c[i] * c[i]
        d[i] = a[i] < u8(i32(i))
        if d[i]:
            b[i] = min(b[i], i16(a[i]))
)";
  agree(source, "mix", {50},
        {matrix(Type::u(8), {50}, 1), matrix(Type::i(16), {50}, 2), matrix(Type::bf16(), {50}, 3),
         matrix(Type::boolean(), {50}, 4)});
}

int occurrences(const std::string& text, const std::string& word) {
  int n = 0;
  for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++n;
  return n;
}

const char* const kAvx = R"(
@instr("{dst_data} = _mm256_loadu_ps(&{src_data});", features="avx2", global="#include <immintrin.h>")
def load8(dst: [f32][8] @ AVX2, src: [f32][8]):
    assert stride(src, 0) == 1
    for i in seq(0, 8):
        dst[i] = src[i]

@instr("_mm256_storeu_ps(&{dst_data}, {src_data});", features="avx2", global="#include <immintrin.h>")
def store8(dst: [f32][8], src: [f32][8] @ AVX2):
    assert stride(dst, 0) == 1
    for i in seq(0, 8):
        dst[i] = src[i]

@instr("{dst_data} = _mm256_fmadd_ps({a_data}, {b_data}, {dst_data});", features="avx2,fma", global="#include <immintrin.h>")
def fma8(dst: [f32][8] @ AVX2, a: [f32][8] @ AVX2, b: [f32][8] @ AVX2):
    for i in seq(0, 8):
        dst[i] += a[i] * b[i]

def axpy(N: size, x: f32[N], y: f32[N], z: f32[N]):
    assert N % 16 == 0
    r: f32[3, 2, 8] @ AVX2
    for io in seq(0, N / 16):
        for k in unroll(0, 2):
            load8(r[0, k, 0:8], x[16 * io + 8 * k:16 * io + 8 * k + 8])
            load8(r[1, k, 0:8], y[16 * io + 8 * k:16 * io + 8 * k + 8])
            load8(r[2, k, 0:8], z[16 * io + 8 * k:16 * io + 8 * k + 8])
            fma8(r[2, k, 0:8], r[0, k, 0:8], r[1, k, 0:8])
            store8(z[16 * io + 8 * k:16 * io + 8 * k + 8], r[2, k, 0:8])
)";

TEST(LoopText, InstructionsAreTheirTemplates) {
  if (!target::host().has(target::Feature::Fma)) GTEST_SKIP() << "no fma here";
  std::vector<interp::Tensor> tensors;
  for (uint64_t seed = 0; seed < 3; ++seed) tensors.push_back(matrix(Type::f(32), {48}, seed));
  agree(kAvx, "axpy", {48}, tensors, "-mavx2 -mfma");
  tensors.assign(3, matrix(Type::f(32), {40}, 5));
  agree(kAvx, "axpy", {40}, tensors, "-mavx2 -mfma", HOCKET_ERROR_USER_CHECK_FAILED);
  const auto text = c_source({parsed(kAvx, "axpy")});
  EXPECT_NE(text->find("__m256 r[3][2];"), std::string::npos) << *text;
  EXPECT_NE(text->find("r[2][k] = _mm256_fmadd_ps(r[0][k], r[1][k], r[2][k]);"), std::string::npos)
      << *text;
}

// A template of several statements declares what it likes, also where it stands twice in a block.
TEST(LoopText, TemplatesOfSeveralStatements) {
  const std::string source = R"(
@instr("float t = {src_data}; {dst_data} = t + t;")
def twice(dst: [f32][1], src: [f32][1]):
    for i in seq(0, 1):
        dst[i] = src[i] + src[i]

def all_twice(N: size, x: f32[N], y: f32[N], z: f32[N]):
    for i in seq(0, N):
        twice(y[i:i + 1], x[i:i + 1])
        twice(z[i:i + 1], y[i:i + 1])
)";
  agree(source, "all_twice", {7},
        {matrix(Type::f(32), {7}, 1), matrix(Type::f(32), {7}, 2), matrix(Type::f(32), {7}, 3)});
}

// One lane of a vector that was made narrower: its neighbours in memory stay as they are (LLVM 22
// stores the wider element for AVX-512).
TEST(LoopText, OneLaneOfATruncatedVector) {
  const std::string source = R"(
def one(x: i32[24], z: i64[24], y: u8[24], w: i16[24]):
    for o in seq(0, 3):
        for i in vectorize(0, 8):
            if 8 * o + i < 17:
                y[8 * o + i] = u8(x[8 * o + i] >> 3)
                w[8 * o + i] = i16(z[8 * o + i] >> 3)
)";
  agree(source, "one", {},
        {matrix(Type::i(32), {24}, 1), matrix(Type::i(64), {24}, 2), matrix(Type::u(8), {24}, 3),
         matrix(Type::i(16), {24}, 4)});
}

// What a template calls by a name is not what the program calls so: loops, lets, buffers, tasks.
TEST(LoopText, NamesOfTemplatesAreTheirOwn) {
  const std::string source = R"(
@instr("for (int i = 0; i < 4; ++i) (&{dst_data})[i] = (&{src_data})[i];")
def copy4(dst: [u32][4], src: [u32][4]):
    assert stride(dst, 0) == 1
    assert stride(src, 0) == 1
    for i in seq(0, 4):
        dst[i] = src[i]

@instr("uint32_t t = 5; uint32_t A = scaled({v}); {dst_data} = A + t + {dst_data};",
       global="static uint32_t scaled(uint32_t j) { return 3 * j; }")
def add(dst: [u32][1], v: u32):
    for i in seq(0, 1):
        dst[i] = v * 3 + 5 + dst[i]

def scaled(n: size, x: [u32][n]):
    for j in seq(0, n):
        x[j] = x[j] * 2

def rows(n: size, A: u32[n, 4], B: u32[n, 4]):
    for i in parallel(0, n):
        copy4(A[i, 0:4], B[i, 0:4])
    for i in seq(0, n):
        copy4(A[i, 0:4], B[i, 0:4])
        let t: u32 = B[i, 1]
        add(A[i, 0:1], t)
    scaled(n, A[0:n, 2])
)";
  agree(source, "rows", {5}, {matrix(Type::u(32), {5, 4}, 1), matrix(Type::u(32), {5, 4}, 2)});
}

// The size of a callee's frame is its caller's affair; the text of the callee has another memory.
TEST(LoopText, FramesOfCallees) {
  const std::string source = R"(
def main(n: size, w: [f32][n]):
    t: f32[n] @ DRAM_STACK
    u: f32[n] @ DRAM_STATIC
    for i in seq(0, n):
        t[i] = w[i]
        u[i] = w[i]
    for i in seq(0, n):
        w[i] = t[n - 1 - i] + u[i]

def top(A: f32[8]):
    main(8, A[0:8])
)";
  agree(source, "top", {}, {matrix(Type::f(32), {8}, 1)});
}

// A register tile of 6 rows and 16 columns: twelve accumulators that stay in registers.
TEST(LoopText, RegisterTile) {
  if (!target::host().has(target::Feature::Fma)) GTEST_SKIP() << "no fma here";
  const std::string source = std::string(kAvx) + R"(
@instr("{dst_data} = _mm256_broadcast_ss(&{src_data});", features="avx2", global="#include <immintrin.h>")
def broadcast8(dst: [f32][8] @ AVX2, src: [f32][1]):
    for i in seq(0, 8):
        dst[i] = src[0]

def tile(M: size, N: size, K: size, A: f32[M, K], B: f32[K, N], C: f32[M, N]):
    assert M % 6 == 0
    assert N % 16 == 0
    for io in seq(0, M / 6):
        for jo in seq(0, N / 16):
            c: f32[6, 2, 8] @ AVX2
            for i in unroll(0, 6):
                for j in unroll(0, 2):
                    load8(c[i, j, 0:8], C[6 * io + i, 16 * jo + 8 * j:16 * jo + 8 * j + 8])
            for k in seq(0, K):
                b: f32[2, 8] @ AVX2
                for j in unroll(0, 2):
                    load8(b[j, 0:8], B[k, 16 * jo + 8 * j:16 * jo + 8 * j + 8])
                for i in unroll(0, 6):
                    a: f32[8] @ AVX2
                    broadcast8(a[0:8], A[6 * io + i, k:k + 1])
                    for j in unroll(0, 2):
                        fma8(c[i, j, 0:8], a[0:8], b[j, 0:8])
            for i in unroll(0, 6):
                for j in unroll(0, 2):
                    store8(C[6 * io + i, 16 * jo + 8 * j:16 * jo + 8 * j + 8], c[i, j, 0:8])
)";
  agree(source, "tile", {12, 32, 7},
        {matrix(Type::f(32), {12, 7}, 1), matrix(Type::f(32), {7, 32}, 2),
         matrix(Type::f(32), {12, 32}, 3)},
        "-mavx2 -mfma");

  // The inner loop: twelve multiply-adds, nothing that goes to the stack and back.
  const target::Target avx2 = *target::parse_target("x86-64-v3");
  auto flat = lower::to_flat(parsed(source, "tile"), avx2);
  ASSERT_TRUE(flat.ok()) << flat.error().message();
  CodeOptions options;
  options.target = avx2;
  auto module = LlvmModule::build({*flat}, options);
  ASSERT_TRUE(module.ok());
  const auto text = std::move(*module).assembly();
  EXPECT_GE(occurrences(*text, "vfmadd"), 12) << *text;
  for (const std::string& line : support::split_lines(*text)) {
    const bool stack = line.find("(%rsp)") != std::string::npos;
    EXPECT_FALSE(stack && line.find("ymm") != std::string::npos) << line;
  }
}

}  // namespace

}  // namespace hocket::codegen::testing
