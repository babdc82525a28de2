// stream_stores() as a directive: what it leaves in loop form and in code for a machine that has
// such stores, and that without the word there is none.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diag/render.h"
#include "driver/compile.h"
#include "ir/print.h"
#include "text/parser.h"

namespace hocket::driver {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// Every product is made for x86-64-v3, whatever runs the test.
Artifact made(const std::string& directives, Product product) {
  const diag::Result<text::File> file = text::parse(
      "pipeline p(input: f32(x)) -> f:\n    f(x) = input(x) * 2.0\n\nschedule s for p:\n    " +
          directives + "\n",
      "test.hk");
  EXPECT_TRUE(file.ok()) << (file.ok() ? "" : diag::render_text(file.error()));
  Options options;
  options.target = target::parse_target("x86-64-v3").value();
  return compile(Source(file->pipeline("p"), *file->schedule("s")), product, options).value();
}

TEST(StreamStores, AreNonTemporalInLlvmText) {
  EXPECT_THAT(made("f.vectorize(x, 8).stream_stores()", Product::LlvmText).text,
              HasSubstr("!nontemporal"));
  EXPECT_THAT(made("f.vectorize(x, 8)", Product::LlvmText).text, Not(HasSubstr("nontemporal")));
}

// A fence makes them seen before the entry returns.
TEST(StreamStores, AreTheMachinesOwnWithAFenceBehind) {
  const std::string streamed = made("f.vectorize(x, 8).stream_stores()", Product::Assembly).text,
                    usual = made("f.vectorize(x, 8)", Product::Assembly).text;
  EXPECT_THAT(streamed, HasSubstr("vmovntps"));
  EXPECT_THAT(streamed, HasSubstr("sfence"));
  EXPECT_THAT(usual, Not(HasSubstr("vmovnt")));
  EXPECT_THAT(usual, Not(HasSubstr("sfence")));
}

TEST(StreamStores, StandInLoopForm) {
  EXPECT_THAT(ir::to_text(*made("f.stream_stores()", Product::Loops).loops),
              HasSubstr("stream f["));
  EXPECT_THAT(ir::to_text(*made("f.serial(x)", Product::Loops).loops), Not(HasSubstr("stream")));
}

}  // namespace
}  // namespace hocket::driver
