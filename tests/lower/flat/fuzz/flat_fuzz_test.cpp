// Random loop programs before and after every pass, run by the interpreter with all guards on: the
// same outputs, bit for bit, at sizes that hit 1, tails and primes. HOCKET_FUZZ_COUNT makes it
// longer, HOCKET_FUZZ_SEED starts it elsewhere.
#include <gtest/gtest.h>

#include <cstdlib>

#include "interp/run.h"
#include "ir/print.h"
#include "ir/verify.h"
#include "lower/flat/build.h"
#include "lower/flat/fuzz/random_loops.h"

namespace hocket::lower {
namespace {

using interp::Tensor;
using ir::Type;

struct Run {
  std::vector<Tensor> outputs;
  std::string trouble;
};

Run run(const ir::Proc& proc, int64_t n, int64_t m, uint64_t seed) {
  Tensor a = Tensor::row_major(Type::u(8), {n + 3, m + 3}).fill_random(seed);
  Tensor b = Tensor::row_major(Type::f(32), {n + 3, m + 3}).fill_random(seed + 1);
  Tensor w = Tensor::with_strides(Type::i(16), {0, 0}, {n, m}, {m + 5, 1}).fill_random(seed + 2);
  Tensor t = Tensor::row_major(Type::u(16), {256}).fill_random(seed + 3);
  Run r;
  r.outputs = {Tensor::row_major(Type::f(32), {n, m}).fill_random(seed + 4),
               Tensor::row_major(Type::u(16), {n, m}).fill_random(seed + 5),
               Tensor::row_major(Type::i(32), {n, m}).fill_random(seed + 6)};
  interp::RunOptions o;
  o.order = interp::Order::Random;
  o.seed = seed;
  interp::Outcome done =
      interp::run(proc, {n, m, a, b, w, t, r.outputs[0], r.outputs[1], r.outputs[2]}, o);
  if (!done.ok()) r.trouble = done.text() + " (code " + std::to_string(done.code) + ")";
  return r;
}

std::string difference(const ir::ProcRef& before, const ir::Proc& after) {
  const int64_t sizes[][2] = {{1, 1}, {2, 3}, {3, 8}, {5, 17}, {4, 32}, {2, 47}, {17, 5}};
  uint64_t seed = 1;
  for (const auto& s : sizes) {
    Run x = run(*before, s[0], s[1], ++seed), y = run(after, s[0], s[1], seed);
    const std::string at = " at n=" + std::to_string(s[0]) + ", m=" + std::to_string(s[1]);
    if (!x.trouble.empty()) return "the program itself" + at + ": " + x.trouble;
    if (!y.trouble.empty()) return "lowered" + at + ": " + y.trouble;
    for (size_t k = 0; k < 3; ++k)
      if (auto d = interp::first_difference(x.outputs[k], y.outputs[k]))
        return "output " + std::to_string(k) + at + " differs at " + interp::spoken(*d) + ": " +
               interp::spoken(x.outputs[k].at(*d)) + " became " +
               interp::spoken(y.outputs[k].at(*d));
  }
  return {};
}

uint64_t env(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

TEST(FlatFuzz, LoweringKeepsTheMeaning) {
  const uint64_t first = env("HOCKET_FUZZ_SEED", 1), count = env("HOCKET_FUZZ_COUNT", 60);
  const target::Target targets[] = {build::avx512(), build::avx2(),
                                    target::parse_target("x86-64").value()};
  for (uint64_t seed = first; seed < first + count; ++seed) {
    ir::ProcRef p = random_loops(seed);
    auto ok = ir::verify(*p);
    ASSERT_TRUE(ok.ok()) << seed << ": " << ok.error().message() << "\n" << ir::to_text(*p);
    FlatOptions o;
    o.partition = seed % 5 != 0;
    if (seed % 7 == 0) o.max_lanes = 4;
    const FlatContext context{targets[seed % 3], o};
    ir::ProcRef now = p;
    for (const FlatPass& pass : flat_passes()) {
      auto next = pass.run(now, context);
      ASSERT_TRUE(next.ok()) << seed << ", " << pass.name << ": " << next.error().message() << "\n"
                             << ir::to_text(*p);
      now = next.value();
      auto valid = ir::verify(*now, pass.leaves);
      ASSERT_TRUE(valid.ok()) << seed << ", after " << pass.name << ": " << valid.error().message()
                              << "\n"
                              << ir::to_text(*now);
    }
    if (std::getenv("HOCKET_FUZZ_PRINT"))
      std::fprintf(stderr, "seed %llu\n%s\n%s\n", (unsigned long long)seed, ir::to_text(*p).c_str(),
                   ir::to_text(*now).c_str());
    const std::string d = difference(p, *now);
    ASSERT_EQ(d, "") << "seed " << seed << "\n" << ir::to_text(*p) << "\n" << ir::to_text(*now);
  }
}

}  // namespace
}  // namespace hocket::lower
