// Refusals of the command line: code, words, place, exit code.
#include "../command_fixture.h"

namespace hocket::tools {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

std::string picture(int w, int h) {
  const std::string p = (fs::temp_directory_path() / "hocket_fail_in.png").string();
  EXPECT_TRUE(image::save(image::Image(image::Sample::u8, w, h, 1), p).ok());
  return p;
}

constexpr const char* kBlur = "apps/blur/blur.hk";

TEST(CommandFail, NoSuchFile) {
  expect_refused({"show", "nowhere.hk"}, "D0101", {"cannot read `nowhere.hk`"});
}

TEST(CommandFail, NoSuchProgramOrSchedule) {
  expect_refused({"show", kBlur, "-s", "tield"}, "D0102",
                 {"has no schedule `tield`", "did you mean `tiled`?", "there is `root`"});
  expect_refused({"show", kBlur, "-p", "blurr"}, "D0102", {"has no program `blurr`", "`blur`?"});
}

TEST(CommandFail, WhichProgramIsMeant) {
  const std::string p = file("hocket_two.hk",
                             "pipeline a() -> f:\n    f(x) = x\n\n"
                             "pipeline b() -> g:\n    g(x) = x\n");
  expect_refused({"show", p}, "D0103",
                 {"holds 2 programs", "help: --program a", "help: --program b"});
}

TEST(CommandFail, UnknownWords) {
  expect_refused({"show", kBlur, "--form", "looops"}, "D0104",
                 {"form `looops` is not one of algorithm, loops", "did you mean `loops`?"});
  expect_refused({"run", "apps/hist/hist.hk", picture(4, 4), "-o", "x.png", "--set", "gamma=2"},
                 "D0104", {"parameter of `equalise`"});
}

TEST(CommandFail, ImagesThatAreMissing) {
  expect_refused({"run", kBlur, "-o", "x.png"}, "D0105", {"`blur` takes 1 image(s)", "given 0"});
  expect_refused({"run", kBlur, picture(8, 8)}, "D0105", {"help: -o out.png"});
  expect_refused({"run", kBlur, "nowhere.png", "-o", "x.png"}, "I0001", {"nowhere.png"});
}

TEST(CommandFail, OutputsThatAreNoImage) {
  const std::string p =
      file("hocket_line.hk", "pipeline line(input: u8(x, y)) -> f:\n    f(x) = input(x, 0)\n");
  expect_refused({"run", p, picture(8, 8), "-o", "x.png"}, "D0106", {"`f` has 1 dimensions"});
}

TEST(CommandFail, NothingFits) {
  expect_refused({"run", kBlur, picture(2, 9), "-o", "x.png"}, "D0107",
                 {"no output of `blur` fits into an image of 2 x 9", "help: --pad"});
}

TEST(CommandFail, CannotWrite) {
  expect_refused({"compile", kBlur, "-o", "/nowhere/blur"}, "D0108",
                 {"cannot write `/nowhere/blur.o`"});
}

TEST(CommandFail, AValueIsMissing) {
  const std::string p = file("hocket_gain.hk",
                             "pipeline g(input: u8(x, y), gain: i32) -> f:\n"
                             "    f(x, y) = i32(input(x, y)) * gain\n");
  expect_refused({"run", p, picture(4, 4), "-o", "x.png"}, "D0109",
                 {"`g` needs a value for `gain`: --set gain=VALUE"});
}

// A text that is refused is left as it was, to the byte.
TEST(CommandFail, FmtLeavesABrokenFileAlone) {
  const std::string text = "pipeline p() -> f:\n  f(x)=x\n\nschedule s for p:\n  f.split(x,\n";
  const std::string p = file("hocket_half.hk", text);
  expect_refused({"fmt", p}, "P0108", {"`(` is never closed", ":5:10"});
  std::ifstream in(p);
  std::ostringstream after;
  after << in.rdbuf();
  EXPECT_EQ(after.str(), text);
}

TEST(CommandFail, AnEmptyFileIsRead) {
  const std::string p = file("hocket_empty.hk", "");
  expect_refused({"check", p}, "D0103", {"holds 0 programs"});
  EXPECT_EQ(hocket({"fmt", p}).code, 0);
}

TEST(CommandFail, UnknownCodeAndVerb) {
  expect_refused({"explain", "S9999"}, "D0001", {"S9999"});
  EXPECT_EQ(hocket({"shwo"}).code, 2);
  EXPECT_EQ(hocket({"show"}).code, 2);
}

TEST(CommandFail, ARefusedScheduleShowsItsPlace) {
  const std::string p = file("hocket_bad.hk",
                             "pipeline p() -> h:\n    f(x, y) = x + y\n    g(x, y) = f(x, y) * 2\n"
                             "    h(x, y) = f(x, y) + g(x, y)\n\n"
                             "schedule bad for p:\n    g.compute_root()\n    f.compute_at(h, x)\n");
  expect_refused({"show", p, "-s", "bad"}, "S0412",
                 {"cannot compute `f` at loop `x` of `h`: `g` also reads `f`",
                  ":8:", "help: or outside of all loops: f.compute_root()"});
}

TEST(CommandFail, ARaceHasAWitness) {
  const std::string p = file("hocket_race.hk",
                             "pipeline p() -> f:\n    rdom r(0, 8)\n    f(x) = 0\n"
                             "    f(r / 2) = f(r / 2) * 2 + r\n\n"
                             "schedule bad for p:\n    f.update(0).parallel(r)\n");
  expect_refused({"show", p, "-s", "bad"}, "S0109",
                 {":7:", "witness: smallest sizes that show it", "race"});
}

}  // namespace
}  // namespace hocket::tools
