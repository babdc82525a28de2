// Names of C text: none that C, its library, its headers or the text itself has taken.
#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <vector>

#include "codegen/c/text.h"
#include "codegen/common/header_names.h"
#include "codegen/common/words.h"

namespace hocket::codegen {
namespace {

TEST(Names, OneTableOfTheLibraryServesLocalsAndExports) {
  for (const char* taken :
       {"floor", "floorf", "acosl", "fma", "memcpy", "y0", "signgam", "index"}) {
    EXPECT_TRUE(is_library_function(taken)) << taken;
    EXPECT_EQ(CNames().fresh(taken), std::string(taken) + "_1");
  }
}

TEST(Names, KeywordsAndWordsOfTheTextAreTaken) {
  for (const char* taken : {"while", "co_await", "context", "scalars", "NAN", "min", "linux",
                            "int64_t", "INT32_MAX", "size_t"})
    EXPECT_EQ(CNames().fresh(taken), std::string(taken) + "_1");
  EXPECT_EQ(CNames().fresh("M_PI"), "M_PI_1");
  EXPECT_EQ(CNames().fresh("HOCKET_FREE"), "v_HOCKET_FREE");
  EXPECT_EQ(CNames().fresh("hocket_call"), "v_hocket_call");
  EXPECT_EQ(CNames().fresh("__x"), "v___x");
}

bool is_taken(const std::string& name) {
  return is_header_name(name) || is_keyword(name) || is_library_function(name);
}

// What a command prints about the headers that C text includes, line by line.
std::vector<std::string> of_headers(const std::string& command) {
  const std::string headers =
      "cd $(mktemp -d); printf '#include <%s>\\n' math.h stdbool.h stddef.h stdint.h string.h > "
      "names.c; "
      "if [ $(uname -m) = x86_64 ]; then echo '#include <immintrin.h>' >> names.c; fi; ";
  std::vector<std::string> lines;
  FILE* pipe = popen((headers + command).c_str(), "r");
  if (pipe == nullptr) return lines;
  for (char line[4096]; fgets(line, sizeof line, pipe) != nullptr;) {
    lines.emplace_back(line);
    if (lines.back().ends_with('\n')) lines.back().pop_back();
  }
  pclose(pipe);
  return lines;
}

// The compilers of this machine are asked themselves.
TEST(Names, MacrosOfTheHeadersAreTaken) {
  for (const char* compiler : {"gcc", "clang-22"}) {
    size_t macros = 0;
    for (const std::string& line :
         of_headers(std::string(compiler) + " -std=gnu11 -dM -E names.c")) {
      const size_t start = std::string("#define ").size();
      const std::string name = line.substr(start, line.find_first_of(" (", start) - start);
      if (name.starts_with("_")) continue;
      ++macros;
      EXPECT_TRUE(is_taken(name)) << name;
    }
    EXPECT_GT(macros, 100U) << compiler;
  }
}

TEST(Names, FunctionsAndTypesOfTheHeadersAreTaken) {
  size_t names = 0;
  for (const std::string& name :
       of_headers("gcc -std=gnu11 -fsyntax-only -aux-info names.aux names.c; "
                  "grep -oE '[a-zA-Z_0-9]+ [(]' names.aux | tr -d ' ('; "
                  "gcc -std=gnu11 -E names.c | grep -oE '^typedef.* [a-zA-Z_0-9]+;$' | "
                  "grep -oE '[a-zA-Z_0-9]+;$' | tr -d ';'")) {
    if (name.starts_with("_") || name == "void") continue;
    ++names;
    EXPECT_TRUE(is_taken(name)) << name;
  }
  EXPECT_GT(names, 200U);
}

TEST(Names, OthersStayAsTheyAreAndDiffer) {
  CNames names;
  EXPECT_EQ(names.fresh("blur"), "blur");
  EXPECT_EQ(names.fresh("blur"), "blur_1");
  EXPECT_EQ(names.fresh("a b"), "a_b");
}

}  // namespace
}  // namespace hocket::codegen
