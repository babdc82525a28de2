// P01xx: characters, strings, numbers and lines, and what is too deep or too large.
#include <gtest/gtest.h>

#include "../text_testing.h"
#include "text/parser.h"

namespace hocket::text {
namespace {

const testing_text::Refused kRefused[] = {
    {"P0101", R"hk(def p(n: size):
    let a = n $ 2
)hk",
     "`$` is no part of a program here", 2, 15},
    {"P0101", R"hk(def p(n: size):
    let a = n × 2
)hk",
     "`\xc3"
     "\x97"
     "` is no part of a program here",
     2, 15},
    {"P0101",
     "def p(n: size):\n    let a = \x01"
     "\n",
     "the control character 0x01 is no part of a program here", 2, 13},
    {"P0101",
     "def p(n: size):\n    let a = \xff"
     "\n",
     "the byte 0xff is no part of a program here", 2, 13},
    {"P0101",
     "\xef"
     "\xbb"
     "\xbf"
     "def p(n: size):\n    pass\n",
     "a byte order mark is no part of a program here", 1, 1},
    {"P0102", R"hk(def p(n: size):
    check n > 0, "n is positive
)hk",
     "the string that starts here does not end on its line", 2, 18},
    {"P0102", R"hk(def `a b(n: size):
    pass
)hk",
     "the name in backticks that starts here does not end on its line", 1, 5},
    {"P0103", R"hk(def p(n: size):
    check n > 0, "50\% of it"
)hk",
     "`\\%` is no escape", 2, 21},
    {"P0103", R"hk(def p(n: size):
    check n > 0, "\x4"
)hk",
     "`\\x` is no escape", 2, 19},
    {"P0104", R"hk(def p(n: size):
    let a = 18446744073709551616
)hk",
     "the number `18446744073709551616` does not fit 64 bits", 2, 13},
    {"P0104", R"hk(def p(n: size):
    let a = 1e400
)hk",
     "the number `1e400` does not fit f64", 2, 13},
    {"P0104", R"hk(def p(n: size):
    let a = 1 << 64
)hk",
     "the number `64` does not fit a shift of 0 to 63", 2, 15},
    {"P0104", R"hk(def p(n: size):
    let a = 4611686018427387904 * 8
)hk",
     "the result of `*` does not fit 64 bits", 2, 33},
    {"P0104", R"hk(def p(n: size):
    check n > 0, 4294967296
)hk",
     "the number `4294967296` does not fit 32 bits", 2, 18},
    {"P0104", R"hk(pipeline p(k: i64 = 9007199254740993) -> f:
    f(x) = k
)hk",
     "the number `9007199254740993` does not fit a default, which is kept in 53 bits", 1, 21},
    {"P0104", R"hk(pipeline p() -> f:
    f(x) = x

schedule s for p:
    f.split(x, xo, xi, 9223372036854775808)
)hk",
     "the number `9223372036854775808` does not fit a factor", 5, 24},
    {"P0105", R"hk(def p(n: size):
    let a = 12ab
)hk",
     "`12ab` is neither a number nor a name", 2, 13},
    {"P0105", R"hk(def p(n: size):
    let a = 0x
)hk",
     "`0x` is neither a number nor a name", 2, 13},
    {"P0106", R"hk(def p(n: size):
    if n > 0:
        pass
      pass
)hk",
     "this line stands at column 7, where no block is open", 4, 7,
     "note: blocks are open at columns 1, 5"},
    {"P0107", "def p(n: size):\n\tpass\n", "a tab indents this line", 2, 1},
    {"P0108", R"hk(pipeline p() -> f:
    f(x) = max(x, 3
    g(x) = f(x)
)hk",
     "`(` is never closed", 2, 15},
    {"P0108", R"hk(pipeline p() -> f:
    f(x) = max(x, 3]
)hk",
     "`(` is never closed", 2, 15, "2:20 closed by another bracket here"},
};

TEST(Refusals, Characters) {
  for (const testing_text::Refused& r : kRefused) testing_text::expect_refused(r);
}

std::string times(int n, const std::string& text) {
  std::string out;
  for (int i = 0; i < n; ++i) out += text;
  return out;
}

// P0109: whatever nests is refused long before it could exhaust the stack.
TEST(Refusals, Depth) {
  const std::string head = "def p(n: size):\n    let a = ";
  testing_text::expect_refused({"P0109",
                                head + times(100000, "(") + "1" + times(100000, ")") + "\n",
                                "more than 200 levels of brackets", 2, 213});
  testing_text::expect_refused(
      {"P0109", times(100000, "["), "more than 200 levels of brackets", 1, 201});
  testing_text::expect_refused(
      {"P0109", head + times(100000, "-") + "1\n", "more than 200 levels of operators", 2, 213});
  testing_text::expect_refused({"P0109", head + times(100000, "not ") + "true\n",
                                "more than 200 levels of expressions", 2, 813});
  testing_text::expect_refused({"P0109", head + times(100000, "1 + ") + "1\n",
                                "more than 2000 levels of operators", 2, 8011});
  testing_text::expect_refused({"P0109", head + "n" + times(100000, ".a") + "\n",
                                "more than 2000 levels of operators", 2, 4013});
  testing_text::expect_refused({"P0109", head + "n" + times(100000, "()") + "\n",
                                "more than 2000 levels of operators", 2, 13});
  testing_text::expect_refused({"P0109",
                                "def p(n: size):\n    if n > 0:\n        pass\n" +
                                    times(1000, "    elif n > 0:\n        pass\n"),
                                "more than 100 levels of elif", 204, 5});
  std::string blocks = "def p(n: size):\n";
  for (int i = 1; i <= 1000; ++i) blocks += times(i, " ") + "if n > 0:\n";
  testing_text::expect_refused({"P0109", blocks, "more than 100 levels of blocks", 102, 102});
}

TEST(Refusals, Size) {
  testing_text::expect_refused(
      {"P0110", times((8 << 20) + 1, "#"), "the text has 8388609 bytes, more than 8388608", 1, 1});
  EXPECT_TRUE(parse(times(8 << 20, "#"), "t.hk").ok());
}

// What was written is shown cut where it is long, and never within a character.
TEST(Refusals, ShowPartOfWhatIsLong) {
  testing_text::expect_refused(
      {"P0104", "def p(n: size):\n    let a = " + times(1000, "9") + "\n",
       "the number `999999999999999999999999999999999999999999999999999999999999"
       "...` does not fit 64 bits",
       2, 13});
  diag::Result<File> file = parse("\"" + times(1000, "\xc3\xa9") + "\"\n", "t.hk");
  ASSERT_FALSE(file.ok());
  EXPECT_EQ(file.error().message(), "`\"" + times(29, "\xc3\xa9") +
                                        "...` does not start a pipeline, schedule, def or trace");
}

}  // namespace
}  // namespace hocket::text
