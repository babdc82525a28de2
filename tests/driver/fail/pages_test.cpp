// The pages docs/errors/L*.md and those of G that hold a program: what is refused is refused with
// that code at the place of the page's text, what is repaired compiles.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "driver/compile.h"
#include "testing/source_dir.h"
#include "text/parser.h"

namespace hocket::driver {
namespace {

struct Page {
  const char* code;
  Product product;
  int line, column;  // of the refusal in the program of the page
};

std::string page_text(const std::string& code) {
  std::ifstream in(hocket::testing::source_dir() + "/docs/errors/" + code + ".md");
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

std::string block(const std::string& page, const std::string& fence) {
  const size_t at = page.find(fence);
  if (at == std::string::npos) return {};
  const size_t from = page.find('\n', at) + 1;
  return page.substr(from, page.find("```", from) - from);
}

// The last loop program of the text, compiled.
diag::Result<Artifact> compiled(const std::string& program, Product product) {
  HOCKET_TRY(text::File file, text::parse(program, "page.hk"));
  const ir::ProcRef* last = nullptr;
  for (const text::Item& item : file.items)
    if (const auto* p = std::get_if<ir::ProcRef>(&item.value)) last = p;
  EXPECT_NE(last, nullptr);
  Options options;
  options.target = *target::parse_target("x86-64-avx2");
  return compile(Source(*last), product, options);
}

class Pages : public ::testing::TestWithParam<Page> {};

TEST_P(Pages, ProgramsBehaveAsTheySay) {
  const Page& p = GetParam();
  const std::string page = page_text(p.code);
  const std::string bad = block(page, std::string("```hk part refused=") + p.code);
  const std::string good = block(page, "```hk\n");
  ASSERT_FALSE(bad.empty());
  ASSERT_FALSE(good.empty());
  const auto refused = compiled(bad, p.product);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().kind->code, p.code);
  EXPECT_EQ(refused.error().place.line, p.line);
  EXPECT_EQ(refused.error().place.column, p.column);
  // The page begins with the message.
  EXPECT_NE(page.find("error[" + std::string(p.code) + "]: " + refused.error().message() + "\n"),
            std::string::npos)
      << refused.error().message();
  const auto taken = compiled(good, p.product);
  EXPECT_TRUE(taken.ok()) << taken.error().message();
}

INSTANTIATE_TEST_SUITE_P(
    Errors, Pages,
    ::testing::Values(Page{"L0001", Product::Flat, 2, 5}, Page{"L0002", Product::Flat, 2, 5},
                      Page{"L0003", Product::Flat, 2, 5}, Page{"L0004", Product::Flat, 3, 9},
                      Page{"L0005", Product::Flat, 2, 5}, Page{"L0006", Product::Flat, 2, 5},
                      Page{"G0003", Product::CText, 2, 5}, Page{"G0004", Product::CText, 1, 5}),
    [](const auto& info) { return std::string(info.param.code); });

// C text takes what native code takes.
INSTANTIATE_TEST_SUITE_P(
    ErrorsOfC, Pages,
    ::testing::Values(Page{"L0001", Product::CText, 2, 5}, Page{"L0002", Product::CText, 2, 5},
                      Page{"L0003", Product::CText, 2, 5}, Page{"L0004", Product::CText, 3, 9},
                      Page{"L0005", Product::CText, 2, 5}, Page{"L0006", Product::CText, 2, 5}),
    [](const auto& info) { return std::string(info.param.code); });

// Lanes count: each of the copies would be many instructions.
TEST(Errors, L0002CountsLanes) {
  auto file = text::parse(
      "pipeline p(input: u8(x, y)) -> f:\n    f(x, y) = input(x, y) * 2\n\n"
      "schedule few for p:\n    f.vectorize(x, 256).unroll(y, 8)\n\n"
      "schedule many for p:\n    f.vectorize(x, 256).unroll(y, 1025)\n",
      "t.hk");
  ASSERT_TRUE(file.ok());
  EXPECT_TRUE(compile(Source(file->pipeline("p"), *file->schedule("few")), Product::Flat, {}).ok());
  auto refused = compile(Source(file->pipeline("p"), *file->schedule("many")), Product::Flat, {});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().kind->code, "L0002");
  EXPECT_EQ(
      refused.error().message(),
      "cannot unroll `y_unroll`: it would make more than 16384 statements, the limit is 16384");
  EXPECT_EQ(refused.error().place.line, 8);
  EXPECT_EQ(refused.error().place.column, 25);
}

// Memories of pipelines are said in the schedule.
TEST(Errors, L0006OfAPipelineHelpsInItsWords) {
  auto file = text::parse(
      "pipeline p(input: f32(x)) -> g:\n    f(x) = input(x)\n    g(x) = f(x) + f(x + 1)\n\n"
      "schedule s for p:\n"
      "    g.split(x, xo, xi, 100000)\n    f.compute_at(g, xo).store_in(DRAM_STACK)\n",
      "t.hk");
  ASSERT_TRUE(file.ok());
  auto refused = compile(Source(file->pipeline("p"), *file->schedule("s")), Product::Flat, {});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().kind->code, "L0006");
  ASSERT_EQ(refused.error().helps.size(), 1u);
  EXPECT_EQ(refused.error().helps[0], "f.store_in(DRAM)");
}

}  // namespace
}  // namespace hocket::driver
