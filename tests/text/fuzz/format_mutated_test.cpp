// `hocket fmt` on texts that were broken: it never crashes, what it makes has the same comments and
// reads as the same program, or is refused where the text was, and is a fixed point.
#include <gtest/gtest.h>

#include <random>

#include "../text_testing.h"
#include "ir/read/lexer.h"
#include "text/format.h"

namespace hocket::text {
namespace {

// Tokens and comments, one a line; nothing where the text does not lex.
std::string content(const std::string& text) {
  const ir::read::Source source(text, "t.hk");
  const auto tokens = ir::read::lex(source);
  if (!tokens.ok()) return "";
  std::string out;
  for (const ir::read::Comment& c : tokens->comments) out += c.text + "\n";
  for (const ir::read::Token& t : tokens->tokens)
    if (!t.text.empty() && t.kind != ir::read::TokenKind::Newline &&
        t.kind != ir::read::TokenKind::Indent && t.kind != ir::read::TokenKind::Dedent)
      out += std::string(t.text) + "\n";
  return out;
}

// How a text reads: the program, or the code of its refusal.
std::string reading(const std::string& text) {
  const auto file = parse(text, "t.hk");
  return file.ok() ? to_text(*file) : std::string(file.error().kind->code);
}

struct Seen {
  int read = 0, refused = 0, not_formatted = 0;
};

void expect_well_formatted(const std::string& text, Seen& seen) {
  const auto after = format(text, "t.hk");
  const std::string before = reading(text);
  const bool reads = parse(text, "t.hk").ok();
  if (!after.ok()) {
    ++seen.not_formatted;
    EXPECT_FALSE(reads) << text;
    return;
  }
  ++(reads ? seen.read : seen.refused);
  EXPECT_EQ(content(*after), content(text)) << text;
  EXPECT_EQ(parse(*after, "t.hk").ok(), reads) << text << "\n---- becomes\n" << *after;
  if (reads) EXPECT_EQ(reading(*after), before) << text << "\n---- becomes\n" << *after;
  const auto twice = format(*after, "t.hk");
  ASSERT_TRUE(twice.ok()) << text;
  EXPECT_EQ(*twice, *after) << text;
}

std::string mutated(std::string text, std::minstd_rand& random) {
  static const std::string kBytes = " \n#():,.`\"=+x1";
  const auto below = [&](size_t n) { return n == 0 ? 0 : random() % n; };
  for (size_t changes = 1 + below(3); changes > 0 && !text.empty(); --changes) {
    const size_t at = below(text.size());
    switch (below(6)) {
      case 0:
        text.erase(at, 1 + below(4));  // one draw a statement: the same mutants by every compiler
        break;
      case 1:
        text.insert(at, 1, kBytes[below(kBytes.size())]);
        break;
      case 2:
        text[at] = kBytes[below(kBytes.size())];
        break;
      case 3: {
        const size_t from = below(text.size());
        const size_t count = below(12);
        text.insert(at, text.substr(from, count));
        break;
      }
      case 4:
        text.insert(at, " # of a mutant\n");
        break;
      default:
        text.insert(at, "\n");
        break;
    }
  }
  return text;
}

// Dots that would run together.
TEST(FormatMutated, TokensStayApart) {
  Seen seen;
  for (const char* value : {"1 . 5", ". ...", "... .", ". . .", "x . 5", "1 .x", "g(y= =2)",
                            "g(y == =2)", "- =", "+ = 1", "- > 2", "~ = 3", "g(- = 1)", "< <= 1"})
    expect_well_formatted("pipeline p() -> f:\n    f(x) = " + std::string(value) + "\n", seen);
}

TEST(FormatMutated, NeverChangesWhatATextSays) {
  std::minstd_rand random(7);
  Seen seen;
  for (const std::string& name : testing_text::sample_names()) {
    SCOPED_TRACE(name);
    const std::string text = testing_text::sample(name);
    for (int n = 0; n < 400 && !::testing::Test::HasFailure(); ++n)
      expect_well_formatted(mutated(text, random), seen);
  }
  // Each of the three ways was taken often enough to say something.
  EXPECT_GT(seen.read, 100);
  EXPECT_GT(seen.refused, 100);
  EXPECT_GT(seen.not_formatted, 20);
}

}  // namespace
}  // namespace hocket::text
