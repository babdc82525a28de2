// What a schedule asks of an output's size: the refusal names Func, dimension, wanted and given.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "driver/agreement.h"
#include "driver/callable.h"
#include "text/parser.h"

namespace hocket::driver {
namespace {

text::File program(const std::string& directives) {
  return text::parse(
             "pipeline p(a: u8(x, y)) -> o:\n"
             "    h(x, y) = a(x, y) + 1\n"
             "    o(x, y) = h(x, y) + h(x + 1, y)\n\n"
             "schedule s for p:\n" +
                 directives,
             "t.hk")
      .value();
}

enum class Way { Run, Raw };

// What a call with these boxes of input and output says; `Raw` as from C, without what
// Callable::run adds.
std::string said_of(const std::string& directives, std::array<hocket_dim_t, 2> in_dim,
                    std::array<hocket_dim_t, 2> out_dim, Way way) {
  const text::File file = program(directives);
  const Callable code = Callable::make(Source(file.pipeline("p"), *file.schedule("s"))).value();
  std::vector<uint8_t> in(1 << 16), out(1 << 16);
  hocket_buffer_t a = {}, o = {};
  a.host = in.data();
  o.host = out.data();
  a.dim = in_dim.data();
  o.dim = out_dim.data();
  a.dimensions = o.dimensions = 2;
  a.type = o.type = hocket_type(HOCKET_TYPE_UINT, 8);
  void* args[] = {&a, &o};
  if (way == Way::Run) {
    const diag::Result<void> ran = code.run(args);
    return ran.ok() ? "" : ran.error().message();
  }
  if (code.call(args, nullptr) == 0) return "";
  char line[256];
  hocket_error_message(hocket_last_error(), line, sizeof line);
  return line;
}

// An output of this size, and the input that it needs.
std::string said(const std::string& directives, int64_t width, int64_t height) {
  return said_of(directives, {{{0, width + 1, 1}, {0, height, width + 1}}},
                 {{{0, width, 1}, {0, height, width}}}, Way::Run);
}

TEST(EntryChecks, BoundOfAnOutput) {
  const std::string bound = "    o.bound(x, 0, 64)\n";
  EXPECT_EQ(said(bound, 64, 3), "");
  EXPECT_EQ(said(bound, 65, 3), "`p`: x of `o` must be 0 to 63, is 0 to 64");
  EXPECT_EQ(said(bound, 10, 3), "`p`: x of `o` must be 0 to 63, is 0 to 9");
}

// The input is larger than asked for.
std::string said_raw(const std::string& directives, int64_t width) {
  return said_of(directives, {{{-100, 300, 1}, {0, 3, 300}}}, {{{0, width, 1}, {0, 3, width}}},
                 Way::Raw);
}

TEST(EntryChecks, ARawCallSaysWhatIsGiven) {
  EXPECT_EQ(said_raw("    o.bound(x, 0, 64)\n", 64), "");
  EXPECT_EQ(said_raw("    o.bound(x, 0, 64)\n", 65), "`p`: x of `o` must be 0 to 63, is 0 to 64");
  EXPECT_EQ(said_raw("    o.bound(x, 0, 64)\n", 10),
            "`p`: `o` needs 0 to 63 in dimension 0, has 0 to 9");
  const std::string split = "    o.split(x, xo, xi, 32, shift_inwards)\n";
  EXPECT_EQ(said_raw(split, 32), "");
  EXPECT_EQ(said_raw(split, 20), "`p`: `o` needs -12 to 19 in dimension 0, has 0 to 19");
}

TEST(EntryChecks, BoundOfAFuncInside) {
  const std::string bound = "    h.compute_root().bound(x, 0, 64)\n";
  EXPECT_EQ(said(bound, 63, 3), "");
  EXPECT_EQ(said(bound, 64, 3), "`p`: x of `h` is bounded to 0 to 63, and more of it is needed");
}

TEST(EntryChecks, TilesThatAreShiftedInwards) {
  const std::string split = "    o.split(x, xo, xi, 32, shift_inwards)\n";
  EXPECT_EQ(said(split, 32, 3), "");
  EXPECT_EQ(said(split, 20, 3),
            "`p`: split(x, ..., 32, shift_inwards) wants x of `o` to span at least 32 (`guard` "
            "takes any size), is 0 to 19");
  EXPECT_EQ(said("    o.split(x, xo, xi, 32, guard)\n", 20, 3), "");
}

Agreement agreed(const std::string& directives) {
  const text::File file = program(directives);
  const ir::AlgorithmRef p = file.pipeline("p");
  const Artifact made = compile(Source(p, *file.schedule("s")), Product::Flat).value();
  Agreement runs;
  const diag::Result<void> checked = check_agreement(*made.flat, *p, "s", 9, runs);
  EXPECT_TRUE(checked.ok()) << checked.error().message();
  return runs;
}

TEST(EntryChecks, AgreementFindsSizesThatAreTaken) {
  for (const char* directives :
       {"    o.bound(x, 0, 64)\n", "    o.bound(x, -3, 7).bound(y, 2, 3).unroll(x)\n",
        "    o.split(x, xo, xi, 12, round_up).split(y, yo, yi, 5, round_up)\n",
        "    o.tile(x, y, xi, yi, 32, 8, shift_inwards)\n"}) {
    const Agreement runs = agreed(directives);
    EXPECT_FALSE(runs.none()) << directives << runs.skipped;
  }
}

TEST(EntryChecks, AgreementSaysWhyNothingRan) {
  const Agreement runs = agreed("    h.compute_root().bound(y, 5, 1)\n");
  EXPECT_TRUE(runs.none());
  EXPECT_EQ(runs.skipped,
            "sizes are refused at entry: y of `h` is bounded to 5 to 5, and more of it is needed");
}

TEST(StoreIn, AFrameOfUnknownSizePointsAtTheDirective) {
  const text::File file = program("    h.compute_root().store_in(DRAM_STACK)\n");
  const auto made = compile(Source(file.pipeline("p"), *file.schedule("s")), Product::Flat);
  ASSERT_FALSE(made.ok());
  EXPECT_EQ(made.error().kind->code, "L0005");
  EXPECT_EQ(made.error().place.line, 6);
  EXPECT_EQ(made.error().place.column, 22);
}

TEST(EntryChecks, AgreementOfManyDimensionsStaysSmall) {
  std::string dims = "x0";
  for (int d = 1; d < 32; ++d) dims += ", x" + std::to_string(d);
  const text::File file = text::parse("pipeline wide(a: u8(" + dims + ")) -> f:\n    f(" + dims +
                                          ") = a(" + dims + ")\n",
                                      "t.hk")
                              .value();
  const ir::AlgorithmRef wide = file.pipeline("wide");
  const Artifact made = compile(Source(wide), Product::Loops).value();
  Agreement runs;
  EXPECT_TRUE(check_agreement(*made.loops, *wide, "", 3, runs).ok());
  EXPECT_FALSE(runs.none()) << runs.skipped;
}

}  // namespace
}  // namespace hocket::driver
