// The formatter keeps every token and every comment, and leaves what it made as it is.
#include "text/format.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "ir/read/lexer.h"
#include "testing/source_dir.h"
#include "text/parser.h"

namespace hocket::text {
namespace {

std::string read(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// Every .hk text of the repository, and what the printer makes of some.
std::vector<std::filesystem::path> all_texts() {
  std::vector<std::filesystem::path> out;
  for (const char* folder : {"apps", "examples", "targets", "tests/text/golden"})
    for (const auto& e : std::filesystem::recursive_directory_iterator(
             std::filesystem::path(testing::source_dir()) / folder))
      if (e.path().extension() == ".hk" || e.path().extension() == ".printed")
        out.push_back(e.path());
  return out;
}

// Tokens without places, then comments.
std::vector<std::string> content(const std::string& text) {
  const ir::read::Source source(text, "t.hk");
  const auto tokens = ir::read::lex(source);
  EXPECT_TRUE(tokens.ok());
  std::vector<std::string> out;
  for (const auto& t : tokens->tokens)
    out.push_back(std::to_string(static_cast<int>(t.kind)) + std::string(t.text));
  for (const auto& c : tokens->comments) out.push_back(c.text);
  return out;
}

std::string formatted(const std::string& text) {
  auto out = format(text, "t.hk");
  EXPECT_TRUE(out.ok());
  return out.ok() ? *out : "";
}

TEST(Format, AnOwnLineOfCommentEndsTheBlockOfItsColumn) {
  const std::string text =
      "def p(n: size, x: f32[n]):\n"
      "    for i in seq(0, n):\n"
      "        if i < 3:\n"
      "            x[i] = 1.0\n"
      "            # of the branch\n"
      "        # of the loop\n"
      "    # of the procedure\n"
      "\n"
      "# of the trace\n"
      "trace t for p:\n"
      "    simplify()\n"
      "    # its end\n";
  EXPECT_EQ(formatted(text), text);
}

TEST(Format, ACommentInAChainStandsWithWhatFollows) {
  const std::string text =
      "schedule s for p:\n"
      "    f.split(x, xo, xi, 8)\n"
      "        # why eight\n"
      "        # and not four\n"
      "        .vectorize(xi)\n"
      "        .parallel(y)  # threads\n"
      "    g.tile(x, y,\n"
      "            # the tile\n"
      "            xi, yi, 8, 8)\n";
  EXPECT_EQ(formatted(text), text);
}

TEST(Format, KeepsTokensAndCommentsAndIsAFixedPoint) {
  const auto texts = all_texts();
  ASSERT_GT(texts.size(), 20U);
  for (const auto& path : texts) {
    const std::string before = read(path), after = formatted(before);
    EXPECT_EQ(content(before), content(after)) << path;
    EXPECT_EQ(formatted(after), after) << path;
  }
}

TEST(Format, IsThePrintersShape) {
  for (const auto& path : all_texts())
    if (path.extension() == ".printed") EXPECT_EQ(formatted(read(path)), read(path)) << path;
}

TEST(Format, SpacesIndentsAndCommentsFindTheirPlace) {
  EXPECT_EQ(formatted("# what it is\n"
                      "\n\n"
                      "pipeline  p( input:u16( x,y ) )->f :\n"
                      "  # before g\n"
                      "  g( x , y )=input( x-1,y )+ - 1   # beside g\n"
                      "\n\n\n"
                      "  f(x,y) = (g(x,y)+\n"
                      "     # inside\n"
                      "     g(x,y+1))/2#close\n"
                      "  # the end of p\n"
                      "# of s\n"
                      "schedule s for p:\n"
                      "        f.split( x,xo,xi,8,guard )\n"
                      "          .vectorize( xi )\n"
                      "# the end"),
            "# what it is\n"
            "\n"
            "pipeline p(input: u16(x, y)) -> f:\n"
            "    # before g\n"
            "    g(x, y) = input(x - 1, y) + -1  # beside g\n"
            "\n"
            "    f(x, y) = (g(x, y) +\n"
            "            # inside\n"
            "            g(x, y + 1)) / 2  #close\n"
            "    # the end of p\n"
            "\n"
            "# of s\n"
            "schedule s for p:\n"
            "    f.split(x, xo, xi, 8, guard)\n"
            "        .vectorize(xi)\n"
            "\n"
            "# the end\n");
}

TEST(Format, LoopPrograms) {
  EXPECT_EQ(formatted("@instr( \"f({a_data});\",features='avx2' )\n"
                      "def f(n:size,a:[f32][8]@AVX2,k:i32 in [-5,5]):\n"
                      "  assert stride(a,0)==1 and not n<3\n"
                      "  for i in seq(0,n):\n"
                      "    a[i]+=a[ -i ]*2\n"
                      "trace t for f:\n"
                      "  split( i,8,[ io,ii ],tail = cut )\n"
                      "  stage_mem( 'i #0','a[ 8*io : 8*io+8 ]',b )\n"),
            "@instr(\"f({a_data});\", features='avx2')\n"
            "def f(n: size, a: [f32][8] @ AVX2, k: i32 in [-5, 5]):\n"
            "    assert stride(a, 0) == 1 and not n < 3\n"
            "    for i in seq(0, n):\n"
            "        a[i] += a[-i] * 2\n"
            "\n"
            "trace t for f:\n"
            "    split(i, 8, [io, ii], tail=cut)\n"
            "    stage_mem('i #0', 'a[ 8*io : 8*io+8 ]', b)\n");
}

}  // namespace
}  // namespace hocket::text
