// What C text looks like: a loop program as a person would write it, a pipeline with vectors.
#include "../support/blur.h"
#include "codegen/c/source.h"
#include "testing/golden.h"
#include "text/parser.h"

namespace hocket::codegen::testing {

namespace {

TEST(CText, LoopProgram) {
  auto file = text::parse(R"(
def clamp_rows(n: size, m: size, x: [f32][n, m], lo: f32 @ DRAM, sums: f32[n]):
    assert m % 4 == 0
    t: f32[n, 4] @ DRAM
    for i in parallel(0, n):
        row = x[i, 0:m]
        sums[i] = 0.0
        for k in seq(0, 4):
            t[i, k] = lo
        for jo in seq(0, m / 4):
            for ji in vectorize(0, 4):
                t[i, ji] max= row[4 * jo + ji]
        for k in seq(0, 4):
            sums[i] += t[i, k]
)",
                          "rows.hk");
  ASSERT_TRUE(file.ok()) << file.error().message();
  const auto c = c_source({file->proc("clamp_rows")});
  ASSERT_TRUE(c.ok()) << c.error().message();
  EXPECT_GOLDEN("codegen/golden/clamp_rows.c.txt", *c);
}

TEST(CText, Pipeline) {
  COptions options;
  options.target = "x86-64-avx2";
  const auto c = c_source({blur_pipeline()}, options);
  ASSERT_TRUE(c.ok()) << c.error().message();
  EXPECT_GOLDEN("codegen/golden/blur.c.txt", *c);
}

}  // namespace

}  // namespace hocket::codegen::testing
