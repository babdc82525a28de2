// Random programs, random steps: what is applied keeps every bit, what is refused changes nothing,
// and a refusal that claims a witness is never wrong about the program as it stands.
// HOCKET_FUZZ_COUNT makes it longer, HOCKET_FUZZ_SEED starts it elsewhere.
#include <cstdlib>
#include <map>

#include "ir/print.h"
#include "ir/verify.h"
#include "rewrite/random.h"
#include "rewrite/support.h"

namespace hocket::rewrite::testing {
namespace {

uint64_t env(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

TEST(RewriteFuzz, AppliedStepsKeepTheResult) {
  const uint64_t first = env("HOCKET_FUZZ_SEED", 1), count = env("HOCKET_FUZZ_COUNT", 1000);
  std::map<std::string, int> applied, tried;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    interp::Random random(seed);
    const ir::ProcRef start = random_program(random);
    ASSERT_TRUE(ir::verify(*start).ok()) << ir::to_text(*start);
    // Some programs read what was never written; those say nothing.
    bool runs = true;
    for (const auto& s : {std::vector<int64_t>{1, 1}, {2, 3}, {5, 4}})
      runs &= difference(*start, *start, s, seed).empty();
    if (!runs) continue;
    State state = State::begin(start);
    for (int k = 0; k < 6; ++k) {
      const ir::TraceStep step = random_step(*state.proc(), random);
      ++tried[step.op];
      auto next = apply(state, step, {});
      if (!next.ok()) {
        ASSERT_NE(next.error().kind->category, diag::Category::internal)
            << "seed " << seed << ": " << next.error().message();
        continue;
      }
      ++applied[step.op];
      for (const auto& s : {std::vector<int64_t>{1, 1}, {2, 3}, {5, 4}, {3, 7}}) {
        const std::string d = difference(*state.proc(), *next->proc(), s, seed);
        ASSERT_EQ(d, "") << "seed " << seed << ", sizes " << s[0] << " " << s[1] << ", "
                         << ir::to_text(step) << "\n"
                         << ir::to_text(*state.proc()) << "\n"
                         << ir::to_text(*next->proc());
      }
      state = std::move(next).value();
    }
  }
  if (std::getenv("HOCKET_SHOW"))
    for (const auto& [op, n] : tried) printf("%s %d of %d\n", op.c_str(), applied[op], n);
  // Every operator that is tried often is applied sometimes: the test tests something. Elsewhere
  // chance may have it otherwise.
  if (first != 1 || count < 1000) return;
  for (const auto& [op, n] : tried)
    if (n >= 200) EXPECT_GT(applied[op], 0) << op << " was tried " << n << " times";
}

}  // namespace
}  // namespace hocket::rewrite::testing
