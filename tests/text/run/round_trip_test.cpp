#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "../text_testing.h"
#include "diag/render.h"
#include "ir/equal.h"
#include "ir/print.h"
#include "ir/verify.h"
#include "support/strings.h"
#include "testing/golden.h"
#include "testing/source_dir.h"
#include "text/parser.h"

namespace hocket::text {
namespace {

// Every sample: read, verified, printed, read again as the same program, printed as the same text.
TEST(Samples, RoundTrip) {
  int count = 0;
  for (const std::string& name : testing_text::sample_names()) {
    SCOPED_TRACE(name);
    const std::string source = testing_text::sample(name);
    diag::Result<File> file = parse(source, name);
    ASSERT_TRUE(file.ok()) << diag::render_text(file.error());
    testing_text::expect_verified(*file);
    const std::string printed = to_text(*file);
    diag::Result<File> again = parse(printed, name);
    ASSERT_TRUE(again.ok()) << diag::render_text(again.error()) << printed;
    testing_text::expect_equal(*file, *again);
    EXPECT_EQ(to_text(*again), printed);
    ++count;
  }
  EXPECT_GE(count, 10);
}

TEST(Samples, PrintAsTheGoldenText) {
  for (const std::string& name : testing_text::sample_names()) {
    diag::Result<File> file = parse(testing_text::sample(name), name);
    ASSERT_TRUE(file.ok()) << diag::render_text(file.error());
    EXPECT_GOLDEN("text/golden/" + name + ".printed", to_text(*file));
  }
}

// Arguments of steps are named by any word, reserved ones too; what is no word stands in backticks.
TEST(Samples, NamesOfArguments) {
  const std::string source =
      "trace t for p:\n    expand_dim(a, extent=8, index=i)\n    partial_eval(size=n, `a b`=3, "
      "`ramp`=4)\n";
  diag::Result<File> file = parse(source, "t.hk");
  ASSERT_TRUE(file.ok()) << file.error().message();
  const std::string text = ir::to_text(*file->trace("t"));
  EXPECT_EQ(
      text,
      "trace t for p:\n    expand_dim(a, extent=8, index=i)\n    partial_eval(size=n, `a b`=3, "
      "ramp=4)\n");
  diag::Result<File> again = parse(text, "t.hk");
  ASSERT_TRUE(again.ok()) << again.error().message();
  EXPECT_TRUE(ir::equal(*file->trace("t"), *again->trace("t")));
}

}  // namespace
}  // namespace hocket::text
