// The matrix product from C++: three loops, rewritten by proved steps into instructions of AVX2.
// Called as: 02_gemm OUTPUT. Prints the program before and after, the trace, and times; checks that
// the bits are the same, natively and in the interpreter; writes OUTPUT.o, OUTPUT.h and OUTPUT.c;
// shows a step that is refused.
#include <hocket/hocket.h>

#include <array>
#include <chrono>
#include <iostream>
#include <vector>

using namespace hocket;

namespace {

Proc gemm() {
  ProcBuilder b("gemm");
  const Expr M = b.size("M"), N = b.size("N"), K = b.size("K");
  const Tensor A = b.tensor("A", Float(32), {M, K});
  const Tensor B = b.tensor("B", Float(32), {K, N});
  const Tensor C = b.tensor("C", Float(32), {M, N});
  b.seq("i", 0, M, [&](Expr i) {
    b.seq("j", 0, N,
          [&](Expr j) { b.seq("k", 0, K, [&](Expr k) { C[i][j] += A[i][k] * B[k][j]; }); });
  });
  return b.build();
}

// Six rows by sixteen columns of C stay in registers while k runs; what is left over keeps its
// three loops. Each step is proved before the next one is looked at.
Proc with_registers(const Proc& naive) {
  const Library x86 = Library::target();
  Proc p = naive.rename("gemm_avx2")
               .split("i", 6, {"io", "ii"}, Tail::Cut)
               .reorder("ii", "j")
               .split("io j", 16, {"jo", "ji"}, Tail::Cut)
               .reorder("jo ji", "ii")
               .reorder("jo ii ji", "k")
               .reorder("jo ii", "k")
               .split("jo k ii ji", 8, {"jv", "jl"}, Tail::Perfect);
  const Cursor k = p.find_loop("jo k");  // stays where it is through what follows
  p = p.stage_mem(k, "C[6 * io:6 * io + 6, 16 * jo:16 * jo + 16]", "c")
          .split("jo i1", 8, {"iv", "il"}, Tail::Perfect)  // the copy into c
          .split("jo i1", 8, {"iv", "il"}, Tail::Perfect)  // and back
          .divide_dim("c", 1, 8)
          .set_memory("c", "AVX2")
          .replace_all(x86["mm256_loadu_ps"])
          .replace_all(x86["mm256_storeu_ps"]);
  // Each operand of the multiply-add goes into a register of its own.
  const std::vector<std::array<const char*, 3>> operands = {{"A", "a", "mm256_broadcast_ss"},
                                                            {"B", "b", "mm256_loadu_ps"}};
  for (const auto& [from, name, load] : operands)
    p = p.bind_expr("c[_] += _", from, name)
            .expand_dim(name, 8, "jl")
            .lift_alloc(name)
            .fission(std::string(name) + " = _")
            .set_memory(name, "AVX2")
            .replace_all(x86[load]);
  return p.replace_all(x86["mm256_fmadd_ps"]).simplify();
}

std::vector<float> numbers(int64_t count, uint32_t seed) {
  std::vector<float> out(static_cast<size_t>(count));
  for (float& f : out) {
    seed = seed * 1664525u + 1013904223u;
    f = static_cast<float>(seed >> 8) / 16777216.0f - 0.5f;
  }
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: 02_gemm OUTPUT\n";
    return 2;
  }
  const std::string output = argv[1];
  try {
    const Proc naive = gemm(), tiled = with_registers(naive);
    const Proc fast = tiled.unroll("jo k jv").unroll("jo k ii").simplify();
    std::cout << naive.text() << "\n" << tiled.text_alone() << "\n" << fast.trace_text("registers");

    // The trace is text: replayed on the three loops it gives the same program.
    if (naive.replay(fast.trace_text()).text() != fast.text()) {
      std::cerr << "the replayed trace gives another program\n";
      return 1;
    }

    // A step that would change what is computed is refused, with numbers that show it.
    try {
      std::cout << naive.parallelize("k").text();
      return 1;
    } catch (const Error& e) {
      std::cout << "\n" << e.what();
    }

    // The same bits, by the interpreter with every guard on, and natively where there is AVX2.
    auto product = [](const Proc& p, int64_t m, int64_t n, int64_t k, bool guarded) {
      const std::vector<float> a = numbers(m * k, 1), b = numbers(k * n, 2);
      std::vector<float> c = numbers(m * n, 3);
      const auto start = std::chrono::steady_clock::now();
      if (guarded)
        p.interpret(m, n, k, a.data(), b.data(), c.data());
      else
        p.run(m, n, k, a.data(), b.data(), c.data());
      const std::chrono::duration<double, std::milli> ms = std::chrono::steady_clock::now() - start;
      if (!guarded && m > 100)
        std::cout << p.name() << ": " << ms.count() << " ms, "
                  << 2e-6 * static_cast<double>(m * n * k) / ms.count() << " GFLOP/s\n";
      return c;
    };
    const target::Target host = target::host();
    const bool native = host.has("avx2") && host.has("fma");
    bool same = product(naive, 7, 19, 5, true) == product(fast, 7, 19, 5, true);
    if (native) {
      product(fast, 1, 1, 1, false);  // compiles
      same = same && product(naive, 389, 401, 397, false) == product(fast, 389, 401, 397, false);
    }
    if (!same) {
      std::cerr << "the rewritten program gives other numbers\n";
      return 1;
    }

    fast.compile_to_c(output + ".c");
    if (native) fast.compile_to_object(output);
  } catch (const Error& e) {
    std::cerr << e.what();
    return 1;
  }
}
