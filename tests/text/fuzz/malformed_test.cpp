// Broken texts of every kind: samples cut at every byte, with tokens lost, doubled and exchanged,
// with bytes that no text should hold. None may crash, and each refusal names a place in the text.
#include <gtest/gtest.h>

#include <random>

#include "../text_testing.h"
#include "ir/read/lexer.h"
#include "judge.h"

namespace hocket::text {
namespace {

using Random = std::minstd_rand;

size_t below(Random& random, size_t n) {
  return n == 0 ? 0 : random() % n;
}

void expect_well_met(const std::string& text) {
  const std::string wrong = fuzz::complaint(text);
  EXPECT_EQ(wrong, "") << "of the text:\n" << text.substr(0, 4000);
}

TEST(Malformed, CutAtEveryByte) {
  for (const std::string& name : testing_text::sample_names()) {
    SCOPED_TRACE(name);
    const std::string text = testing_text::sample(name);
    for (size_t n = 0; n < text.size() && !::testing::Test::HasFailure(); ++n)
      expect_well_met(text.substr(0, n));
  }
}

TEST(Malformed, StartingAtEveryLine) {
  for (const std::string& name : testing_text::sample_names()) {
    SCOPED_TRACE(name);
    const std::string text = testing_text::sample(name);
    for (size_t n = 0; n < text.size(); n = text.find('\n', n) + 1) expect_well_met(text.substr(n));
  }
}

struct Piece {
  size_t from, to;
};

// Where the tokens of a text stand, line ends and indentation left out.
std::vector<Piece> pieces(const std::string& text) {
  const ir::read::Source source(text, "t.hk");
  auto tokens = ir::read::lex(source);
  std::vector<Piece> out;
  EXPECT_TRUE(tokens.ok());
  if (!tokens.ok()) return out;
  for (const ir::read::Token& t : tokens->tokens) {
    if (t.text.empty()) continue;
    const size_t from = static_cast<size_t>(t.text.data() - source.text().data());
    out.push_back({from, from + t.text.size()});
  }
  return out;
}

std::string lose(const std::string& text, const Piece& p) {
  return text.substr(0, p.from) + text.substr(p.to);
}
std::string twice(const std::string& text, const Piece& p) {
  return text.substr(0, p.to) + " " + text.substr(p.from);
}
std::string exchange(const std::string& text, Piece a, Piece b) {
  if (a.from > b.from) std::swap(a, b);
  if (a.to > b.from) return text;
  return text.substr(0, a.from) + text.substr(b.from, b.to - b.from) +
         text.substr(a.to, b.from - a.to) + text.substr(a.from, a.to - a.from) + text.substr(b.to);
}

TEST(Malformed, EveryTokenLostAndDoubled) {
  for (const std::string& name : testing_text::sample_names()) {
    SCOPED_TRACE(name);
    const std::string text = testing_text::sample(name);
    for (const Piece& p : pieces(text)) {
      expect_well_met(lose(text, p));
      expect_well_met(twice(text, p));
      if (::testing::Test::HasFailure()) return;
    }
  }
}

TEST(Malformed, TokensExchangedAndPutFromOneSampleIntoAnother) {
  Random random(3);
  const std::vector<std::string> names = testing_text::sample_names();
  for (int round = 0; round < 4000 && !::testing::Test::HasFailure(); ++round) {
    std::string text = testing_text::sample(names[below(random, names.size())]);
    const std::string other = testing_text::sample(names[below(random, names.size())]);
    std::vector<Piece> own = pieces(text), theirs = pieces(other);
    if (round % 2 == 0) {
      const Piece& one = own[below(random, own.size())];
      const Piece& two = own[below(random, own.size())];
      expect_well_met(exchange(text, one, two));
    } else {
      const Piece& p = theirs[below(random, theirs.size())];
      const Piece& at = own[below(random, own.size())];
      text.replace(at.from, at.to - at.from, other.substr(p.from, p.to - p.from));
      expect_well_met(text);
    }
  }
}

TEST(Malformed, BytesThatNoTextShouldHold) {
  static const std::string kPieces[] = {std::string(1, '\0'),
                                        "\t",
                                        "\r",
                                        "\n",
                                        "\"",
                                        "`",
                                        "'",
                                        "\\",
                                        "\x80",
                                        "\xff",
                                        "\xc3",
                                        "\xe2\x82",
                                        "\xf0\x9f\x98\x80",
                                        "#",
                                        "(",
                                        "[",
                                        "}",
                                        "99999999999999999999",
                                        "1e999",
                                        "0x",
                                        "-",
                                        "not ",
                                        ";",
                                        "=",
                                        ".",
                                        "...",
                                        ":",
                                        " ",
                                        "\r\n",
                                        "\n    ",
                                        "@"};
  Random random(5);
  const std::vector<std::string> names = testing_text::sample_names();
  for (int round = 0; round < 6000 && !::testing::Test::HasFailure(); ++round) {
    std::string text = testing_text::sample(names[below(random, names.size())]);
    for (size_t edits = 1 + below(random, 3); edits-- > 0;) {
      const size_t at = below(random, text.size());
      const std::string& piece = kPieces[below(random, std::size(kPieces))];
      text.replace(at, below(random, 3), piece);
    }
    expect_well_met(text);
  }
}

// Line ends of other systems change nothing; a byte of each other kind is refused or kept.
TEST(Malformed, OtherLineEnds) {
  for (const std::string& name : testing_text::sample_names()) {
    const std::string text = testing_text::sample(name);
    std::string windows;
    for (char c : text) windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
    diag::Result<File> a = parse(text, "t.hk"), b = parse(windows, "t.hk");
    ASSERT_TRUE(a.ok() && b.ok()) << name;
    testing_text::expect_equal(*a, *b);
  }
}

TEST(Malformed, AnyBytes) {
  Random random(7);
  for (int round = 0; round < 4000 && !::testing::Test::HasFailure(); ++round) {
    std::string text(below(random, 200), ' ');
    for (char& c : text) c = static_cast<char>(random());
    expect_well_met(text);
  }
}

}  // namespace
}  // namespace hocket::text
