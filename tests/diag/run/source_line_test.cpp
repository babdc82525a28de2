// C++ places show the line of their source where it is certain, and nothing where it is not.
#include "diag/source_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>

#include "diag/kinds_driver.h"
#include "diag/render.h"
#include "support/strings.h"

namespace hocket::diag {
namespace {

namespace fs = std::filesystem;
using ::testing::EndsWith;
using ::testing::HasSubstr;

Place verb(std::source_location where = std::source_location::current()) {
  return Place::of(where);
}

std::string shown(const Place& place) {
  return render_text(Diagnostic(kind::unknown_code, place));
}

// A file of its own, made a while before (or after) the test's program, and a place in its line 2.
class Written {
 public:
  Written(const std::string& text, int column, int seconds_after) {
    const fs::path file =
        fs::path(::testing::TempDir()) / ("written_" + std::to_string(getpid()) + ".cpp");
    std::ofstream(file) << text;
    fs::last_write_time(
        file, fs::last_write_time("/proc/self/exe") + std::chrono::seconds(seconds_after));
    path_[file.string().copy(path_, sizeof path_ - 1)] = '\0';
    place.file = "mine.cpp";
    place.line = 2;
    place.cpp = {path_, column};
  }
  ~Written() { fs::remove(path_); }
  Written(const Written&) = delete;
  Written& operator=(const Written&) = delete;

  Place place;

 private:
  static inline char path_[4096];  // in the program's own memory, as a compiler's literal is
};

constexpr const char* kText = "// head\n  f.tile(x, y);\n";
constexpr const char* kShown = "  --> mine.cpp:2   f.tile(x, y);\n  |                  ^^^^\n";

TEST(SourceLine, ShowsTheCallWithCaretsUnderTheVerb) {
  const Place place = verb();  // this very line
  const std::vector<std::string> lines = support::split_lines(shown(place));
  ASSERT_EQ(lines.size(), 3u) << shown(place);
  const std::string line = "   const Place place = verb();  // this very line";
  EXPECT_EQ(lines[1], "  --> source_line_test.cpp:" + std::to_string(place.line) + line);
  const std::size_t at = lines[1].find("verb");
  EXPECT_EQ(lines[2], "  |" + std::string(at - 3, ' ') + "^^^^");
  EXPECT_THAT(render_json(Diagnostic(kind::unknown_code, place)), HasSubstr("// this very line"));
}

TEST(SourceLine, LabelsAndContextShowTheirsAsWell) {
  const Place label = verb(), context = verb();  // two verbs
  Diagnostic diagnostic(kind::unknown_code);
  diagnostic.label(label, "first");
  EXPECT_THAT(render_text(diagnostic), HasSubstr("// two verbs   <- first\n"));
  EXPECT_THAT(shown(context), HasSubstr("context = verb();"));
}

TEST(SourceLine, BothCompilersColumnsMeanTheVerb) {
  EXPECT_THAT(shown(Written(kText, 5, -1).place), HasSubstr(kShown));  // clang: its first letter
  EXPECT_THAT(shown(Written(kText, 9, -1).place), HasSubstr(kShown));  // gcc: its parenthesis
  // gcc's column of an operator is the last character: a line, no carets.
  EXPECT_THAT(shown(Written("\n  f(x) = a + V{};\n", 16, -1).place),
              EndsWith("  --> mine.cpp:2   f(x) = a + V{};\n"));
}

TEST(SourceLine, AFileNewerThanTheProgramShowsNoLine) {
  EXPECT_THAT(shown(Written(kText, 5, 0).place), HasSubstr(kShown));
  EXPECT_THAT(shown(Written(kText, 5, 1).place), EndsWith("  --> mine.cpp:2\n"));
}

TEST(SourceLine, TextThatCannotBeTheCallIsNotShown) {
  EXPECT_THAT(shown(Written(kText, 40, -1).place), EndsWith("  --> mine.cpp:2\n"));   // too short
  EXPECT_THAT(shown(Written(kText, 1, -1).place), EndsWith("  --> mine.cpp:2\n"));    // a blank
  EXPECT_THAT(shown(Written("one\n", 1, -1).place), EndsWith("  --> mine.cpp:2\n"));  // no line 2
}

TEST(SourceLine, WhatIsNoReadableFileIsPassedOverInSilence) {
  Written gone(kText, 5, -1);
  fs::remove(gone.place.cpp.path);
  EXPECT_THAT(shown(gone.place), EndsWith("  --> mine.cpp:2\n"));
  fs::create_directory(gone.place.cpp.path);
  EXPECT_THAT(shown(gone.place), EndsWith("  --> mine.cpp:2\n"));
  const std::string elsewhere = kText;  // a path outside any program: its library is gone
  gone.place.cpp.path = elsewhere.c_str();
  EXPECT_THAT(shown(gone.place), EndsWith("  --> mine.cpp:2\n"));
}

TEST(SourceLine, MakesNoDifferenceToWhatIsEqual) {
  EXPECT_EQ(Written(kText, 5, -1).place, (Place{"mine.cpp", 2}));
}

}  // namespace
}  // namespace hocket::diag
