// What fails is reduced and kept: the judge here says that whatever divides fails, so that the
// answer is known. What is written is read as street_kept reads it.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "fuzz_run.h"
#include "ir/equal.h"
#include "ir/print.h"
#include "kept.h"

namespace hocket::street {
namespace {

constexpr const char* kPipeline = R"(# expect: agree
pipeline p(a: i32(x, y)) -> g:
    f(x, y) = (a(x, y) + a(x + 1, y)) / 3
    g(x, y) = f(x, y) * 2 + f(x, y + 1)
    g(x, y) += a(x, y)

schedule s for p:
    g.split(x, xo, xi, 4).parallel(y)
    f.compute_at(g, y).vectorize(x, 8)

# outputs: [ -3+17 5+9 ] data 12
)";
constexpr const char* kProgram = R"(# expect: agree
def half(x: [i32][4]):
    x[1] = 2

def p(n: size, x: i32[n + 4]):
    for i in seq(0, n):
        x[i] = 3
        if i > 2:
            x[i] = x[i + 1] / 2
    half(x[0:4])

trace t for p:
    split("i #0", 4, [io, ii])
    unroll(ii)

# sizes: [ 7 ] [ 20 ] data 4
)";

template <class C>
Verdict division_fails(const C& c) {
  if (describe(c).find(" / ") == std::string::npos) return {};
  return {Verdict::Kind::Fail, "it divides\nby a number", -1};
}

// What a run with --keep writes of a case that fails; read again.
template <class C>
Kept kept_of(const char* text) {
  const Kept found = read_kept(text);
  EXPECT_EQ(found.wrong, "");
  FuzzOptions options;
  options.keep = ::testing::TempDir() + "kept_" + std::to_string(getpid());
  std::filesystem::create_directories(options.keep);
  FuzzRun run(options);
  run.failure<C>(std::get<C>(found.value), division_fails<C>, 400, "it divides", "7", "small");
  EXPECT_EQ(run.failed(), 1u);
  std::ostringstream written;
  written << std::ifstream(options.keep + "/small.hk").rdbuf();
  std::filesystem::remove_all(options.keep);
  EXPECT_LT(written.str().size(), std::string(text).size()) << written.str();
  return read_kept(written.str());
}

TEST(Reduce, PipelineThatFailsIsKeptAsSmallAsItFails) {
  const Kept kept = kept_of<Case>(kPipeline);
  ASSERT_EQ(kept.wrong, "");
  EXPECT_EQ(kept.expected, "agree");
  const Case& small = std::get<Case>(kept.value);
  EXPECT_EQ(ir::to_text(*small.algorithm),
            "pipeline p(a: i32(x, y)) -> g:\n    f(x, y) = a(x, y) / 3\n    g(x, y) = f(x, y)\n");
  EXPECT_TRUE(small.schedule.directives.empty()) << ir::to_text(small.schedule);
  EXPECT_EQ(small.outputs, (decltype(small.outputs){{{0, 0}, {0, 0}}}));
  EXPECT_EQ(small.data, 12u);
  EXPECT_EQ(division_fails(small).kind, Verdict::Kind::Fail);
}

TEST(Reduce, ProgramThatFailsIsKeptAsSmallAsItFails) {
  const Kept kept = kept_of<ProgramCase>(kProgram);
  ASSERT_EQ(kept.wrong, "");
  EXPECT_EQ(kept.expected, "agree");
  const ProgramCase& small = std::get<ProgramCase>(kept.value);
  EXPECT_EQ(
      ir::to_text(*small.proc),
      "def p(n: size, x: i32[n + 4]):\n    for i in seq(0, n):\n        x[i] = x[i + 1] / 2\n");
  EXPECT_TRUE(small.steps.empty());
  EXPECT_EQ(small.sizes, (decltype(small.sizes){{0}}));
  EXPECT_EQ(small.data, 4u);
  EXPECT_EQ(division_fails(small).kind, Verdict::Kind::Fail);
}

// Not more than it may ask, and what does not fail stays as it is.
TEST(Reduce, AsksAsOftenAsItMay) {
  const Case c = std::get<Case>(read_kept(kPipeline).value);
  int asked = 0;
  const Case same = reduce(
      c,
      [&](const Case& smaller) {
        ++asked;
        return division_fails(smaller);
      },
      1);
  EXPECT_EQ(asked, 1);
  EXPECT_EQ(same.schedule.directives.size() + 1, c.schedule.directives.size());
  const Case good = reduce(c, [](const Case&) { return Verdict(); }, 50);
  EXPECT_EQ(describe(good), describe(c));
}

}  // namespace
}  // namespace hocket::street
