#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diag/kinds_target.h"
#include "diag/render.h"
#include "target/memory.h"
#include "target/target.h"

namespace hocket::target {
namespace {

using ::testing::HasSubstr;

support::Place at(const char* text, int column) {
  support::Place p;
  p.file = "a.hk";
  p.line = 3;
  p.column = column;
  p.text = text;
  return p;
}

TEST(TargetFail, UnknownArchitecture) {
  auto r = parse_target("x86_64-avx2", at("target x86_64-avx2", 8));
  ASSERT_FALSE(r.ok());
  EXPECT_TRUE(r.error().is(diag::kind::unknown_target));
  const std::string text = diag::render_text(r.error());
  EXPECT_THAT(text, HasSubstr("error[T0001]: no target starts as `x86_64-avx2` does"));
  EXPECT_THAT(text, HasSubstr("a.hk:3"));
  EXPECT_THAT(text, HasSubstr("help: x86-64"));
  EXPECT_FALSE(parse_target("").ok());
  EXPECT_FALSE(parse_target("x86-64x").ok());
}

TEST(TargetFail, UnknownFeature) {
  auto r = parse_target("x86-64-axv2-fma", at("target x86-64-axv2-fma", 8));
  ASSERT_FALSE(r.ok());
  EXPECT_TRUE(r.error().is(diag::kind::unknown_target_feature));
  const std::string text = diag::render_text(r.error());
  EXPECT_THAT(text, HasSubstr("error[T0002]: `axv2` in target `x86-64-axv2-fma` is no feature"));
  EXPECT_THAT(text, HasSubstr("a.hk:3"));
  EXPECT_THAT(text, HasSubstr("help: x86-64-avx2-fma"));
  EXPECT_FALSE(parse_target("x86-64-").ok());
  EXPECT_FALSE(parse_target("x86-64-neon").ok());
  EXPECT_FALSE(parse_target("x86-64-avx2-no_no_fma").ok());
}

TEST(TargetFail, UnknownMemory) {
  auto r = memory("AVX521", at("A: f32[16] @ AVX521", 14));
  ASSERT_FALSE(r.ok());
  EXPECT_TRUE(r.error().is(diag::kind::unknown_memory));
  const std::string text = diag::render_text(r.error());
  EXPECT_THAT(text, HasSubstr("error[T0003]: no memory is called `AVX521`"));
  EXPECT_THAT(text, HasSubstr("a.hk:3"));
  EXPECT_THAT(text, HasSubstr("help: did you mean `AVX512`?"));
}

TEST(TargetFail, BufferThatIsNoRegister) {
  auto r =
      check_memory(*find_memory("AVX512"), "A", ir::Type::f(32), 8, at("A: f32[8] @ AVX512", 1));
  ASSERT_FALSE(r.ok());
  EXPECT_TRUE(r.error().is(diag::kind::buffer_does_not_fit_memory));
  const std::string text = diag::render_text(r.error());
  EXPECT_THAT(text, HasSubstr("error[T0004]: `A` does not fit memory `AVX512`: it is f32[..., 8]"));
  EXPECT_THAT(text, HasSubstr("a.hk:3"));
  EXPECT_THAT(text, HasSubstr("f32[..., 16]"));
}

}  // namespace
}  // namespace hocket::target
