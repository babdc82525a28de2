// Refusals of the command line: code, words, place, exit code.
#include "../command_fixture.h"

namespace hocket::tools {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

std::string picture(int w, int h) {
  const std::string p = (scratch() / "hocket_fail_in.png").string();
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
  EXPECT_EQ(hocket({"show", p}).code, 2);
}

TEST(CommandFail, UnknownWords) {
  expect_refused({"show", kBlur, "--form", "looops"}, "D0104",
                 {"form `looops` is not one of algorithm, loops", "did you mean `loops`?"});
  expect_refused({"run", "apps/hist/hist.hk", picture(4, 4), "-o", "x.png", "--set", "gamma=2"},
                 "D0104", {"parameter of `equalise`: `gamma` is not known: there is none"});
}

TEST(CommandFail, ASchedulesOfAnotherProgram) {
  const std::string p = file("hocket_owners.hk",
                             "def p(a: f32[4]):\n    for i in seq(0, 4):\n        a[i] = 1.0\n\n"
                             "def q(a: f32[4]):\n    for j in seq(0, 4):\n        a[j] = 1.0\n\n"
                             "trace t for q:\n    unroll(j)\n\n"
                             "pipeline f() -> g:\n    g(x) = x\n\n"
                             "pipeline h() -> g:\n    g(x) = x\n\n"
                             "schedule s for h:\n    g.parallel(x)\n");
  expect_refused({"show", p, "-p", "p", "-t", "t"}, "D0102",
                 {"has no trace of `p` called `t`", "note: `t` is a trace of `q`",
                  "help: --program q --trace t"});
  expect_refused({"show", p, "-p", "f", "-s", "s"}, "D0102",
                 {"has no schedule of `f` called `s`", "note: `s` is a schedule of `h`",
                  "help: --program h --schedule s"});
  expect_refused({"show", p, "-p", "f", "-t", "t"}, "D0102",
                 {"has no trace of `f` called `t`", "note: `f` is a pipeline: it has schedules"});
  EXPECT_EQ(hocket({"show", p, "--program", "q", "--trace", "t"}).code, 0);
}

// 2 where the words of the command line are refused, 1 where a program or a file is, 0 else.
TEST(CommandFail, EveryStatus) {
  const std::string in = picture(8, 8);
  const std::string broken = file("hocket_broken.hk", "pipeline p(\n");
  const std::pair<int, std::vector<std::string>> table[] = {
      {0, {"show", kBlur}},
      {0, {"explain", "S0412"}},
      {1, {"show", "nowhere.hk"}},
      {1, {"show", broken}},
      {1, {"run", kBlur, "nowhere.png", "-o", "x.png"}},
      {1, {"show", "examples/refusals/refusals.hk", "-s", "racing"}},
      {2, {"show", kBlur, "--form", "xyz"}},
      {2, {"compile", kBlur, "--emit", "foo"}},
      {2, {"check", kBlur, "--size", "0"}},
      {2, {"bench", kBlur, "--threads", "0"}},
      {2, {"bench", kBlur, "--size", "64"}},
      {2, {"run", kBlur, in}},
      {2, {"run", kBlur, "-o", "x.png"}},
      {2, {"run", kBlur, in, "-o", "x.png", "--set", "k=1"}},
      {2, {"show", kBlur, "--target", "foo"}},
      {2, {"show", kBlur, "--target", "x86-64-foo"}},
      {2, {"show", kBlur, "--schedule", "foo"}},
      {2, {"show", kBlur, "--program", "foo"}},
      {2, {"show", kBlur, "--trace", "foo"}},
      {2, {"show", kBlur, "--after", "foo"}},
      {2, {"show", kBlur, "--func", "bh"}},
      {2, {"show", kBlur, "--size", "4"}},
      {2, {"show", kBlur, "--order", "--size", "0"}},
      {2, {"show", kBlur, "--order", "--func", "foo"}},
      {2, {"explain", "S9999"}},
      {2, {"show", kBlur, "--foo"}},
      {2, {"shwo", kBlur}},
      {2, {"show"}},
      {2, {}}};
  for (const auto& [status, words] : table) {
    std::string line;
    for (const std::string& w : words) line += " " + w;
    EXPECT_EQ(hocket(words).code, status) << "hocket" << line;
  }
}

// What `./dev demo` shows as refused is refused with a witness.
TEST(CommandFail, TheRefusalsOfTheDemo) {
  const std::string p = "examples/refusals/refusals.hk";
  expect_refused({"show", p, "--schedule", "racing"}, "S0109", {":10:", "witness: "});
  expect_refused({"show", p, "--schedule", "narrow"}, "S0302", {":18:", "witness: "});
  expect_refused({"show", p, "--schedule", "shared"}, "S0205", {":23:", "witness: "});
  expect_refused({"show", p, "--trace", "early"}, "R0201", {":33:", "witness: "});
}

TEST(CommandFail, ARefusedScheduleIsNotTimed) {
  const std::string p = file("hocket_bench_bad.hk",
                             "pipeline p() -> h:\n    f(x, y) = x + y\n    g(x, y) = f(x, y) * 2\n"
                             "    h(x, y) = f(x, y) + g(x, y)\n\n"
                             "schedule bad for p:\n    g.compute_root()\n    f.compute_at(h, x)\n\n"
                             "schedule good for p:\n    h.vectorize(x, 8)\n");
  const Said said = hocket({"bench", p, "--size", "64x64", "--seconds", "0.01"});
  EXPECT_EQ(said.code, 1);
  EXPECT_THAT(said.err, HasSubstr("error[S0412]"));
  EXPECT_THAT(said.out, ::testing::ContainsRegex("good .* ms least"));
  EXPECT_THAT(said.out, ::testing::EndsWith("not timed: bad, refused with S0412\n"));
  const std::string l = file("hocket_bench_loop.hk",
                             "def p(n: size, a: f32[n]):\n    for i in seq(0, n):\n"
                             "        a[i + 1] = 1.0\n");
  const Said loop = hocket({"bench", l, "--seconds", "0.01"});
  EXPECT_EQ(loop.code, 1);
  EXPECT_EQ(loop.out, "not timed: (default), refused with C0101\n");
}

TEST(CommandFail, ImagesThatAreMissing) {
  expect_refused({"run", kBlur, "-o", "x.png"}, "D0105",
                 {"`blur` takes 1 image, it is", "given 0"});
  expect_refused({"run", kBlur, picture(8, 8)}, "D0105", {"help: -o out.png"});
  expect_refused({"run", kBlur, "nowhere.png", "-o", "x.png"}, "I0001", {"nowhere.png"});
}

TEST(CommandFail, OutputsThatAreNoImage) {
  const std::string p = file("hocket_many.hk",
                             "pipeline many(input: u8(x, y)) -> f:\n"
                             "    f(x, y, z, w) = input(x, y)\n");
  expect_refused({"run", p, picture(8, 8), "-o", "x.png"}, "D0106", {"`f` has 4 dimensions"});
}

TEST(CommandFail, NothingFits) {
  expect_refused({"run", kBlur, picture(2, 9), "-o", "x.png"}, "D0107",
                 {"no output of `blur` fits into an image of 2 x 9", "help: --pad"});
}

// A warning: the file is written.
TEST(CommandFail, D0117SamplesThatAreCut) {
  const std::string p = file("hocket_cut.hk",
                             "pipeline bright(input: u8(x, y)) -> f:\n"
                             "    f(x, y) = i32(input(x, y)) - 1000\n");
  const Said said =
      hocket({"run", p, picture(4, 3), "-o", (scratch() / "hocket_cut.pgm").string()});
  EXPECT_EQ(said.code, 0);
  EXPECT_THAT(said.err,
              HasSubstr("warning[D0117]: 12 of 12 values of `f` are no samples of 8 bits"));
  EXPECT_EQ(said.err.find("  --> "), std::string::npos) << said.err;
  EXPECT_EQ(said.err.find("help"), std::string::npos) << said.err;  // 16 bits cut them all as well
}

// Where a schedule wants more than there is, the directive is named.
TEST(CommandFail, NothingFitsATile) {
  expect_refused({"run", kBlur, "--schedule", "tiled", picture(40, 30), "-o", "x.png"}, "D0107",
                 {"split(x, ..., 256, shift_inwards) wants x of `bv` to span at least 256",
                  "note: `input` is read from"});
}

// What the schedule bounds is no matter of choice.
TEST(CommandFail, AnotherBoxThanTheScheduleBounds) {
  const std::string p = file("hocket_bounded.hk",
                             "pipeline b(input: u8(x, y)) -> out:\n"
                             "    out(x, y) = input(x, y)\n"
                             "schedule s for b:\n    out.bound(x, 0, 8)\n");
  const std::string in = picture(13, 7), out = (scratch() / "hocket_bounded.png").string();
  expect_refused(
      {"run", p, "-s", "s", in, "-o", out, "--output-size", "5x3"}, "D0110",
      {"--output-size takes the size to which the schedule bounds `out`, 8x3", "it is given 5"});
  expect_refused({"run", p, "-s", "s", in, "-o", out, "--output-min", "2,0"}, "D0110",
                 {"--output-min takes the min to which the schedule bounds `out`, 0,0"});
  EXPECT_EQ(hocket({"run", p, "-s", "s", in, "-o", out, "--output-size", "8x3"}).code, 0);
}

// Every file or none.
TEST(CommandFail, TheSecondOfTwoFilesCannotBeWritten) {
  const std::string p = file("hocket_two_files.hk",
                             "pipeline m(input: u8(x, y)) -> (f, h):\n"
                             "    f(x, y) = input(x, y)\n    h(x, y) = input(x, y) + 1\n");
  const std::string first = file("hocket_first.pgm", "old");
  expect_refused({"run", p, picture(4, 3), "-o", first, "-o", "/nowhere/h.pgm"}, "I0007",
                 {"/nowhere/h.pgm"});
  std::filesystem::create_directories(scratch() / "hocket_folder.pgm");
  expect_refused(
      {"run", p, picture(4, 3), "-o", first, "-o", (scratch() / "hocket_folder.pgm").string()},
      "I0007", {"Is a directory"});
  std::filesystem::create_symlink("/dev/full", scratch() / "hocket_full.pgm");
  expect_refused(
      {"run", p, picture(4, 3), "-o", first, "-o", (scratch() / "hocket_full.pgm").string()},
      "I0007", {"No space left on device"});
  std::ifstream in(first);
  std::string word;
  in >> word;
  EXPECT_EQ(word, "old");
}

// A pipeline and a loop program of one name: neither is passed over.
TEST(CommandFail, D0103TwoProgramsOfOneName) {
  const std::string p = file("hocket_same.hk",
                             "pipeline p(a: u8(x)) -> out:\n    out(x) = a(x)\n"
                             "def p(n: size, A: u8[n]):\n    for i in seq(0, n):\n"
                             "        A[i + 1] = 1\n");
  for (const char* verb : {"check", "compile", "show"})
    expect_refused({verb, p}, "D0103", {"a pipeline and a loop program that are both called `p`"});
}

// What is needed and what is there, input by input, and words that work.
TEST(CommandFail, ABoxThatDoesNotFit) {
  const std::string in = picture(64, 48);
  expect_refused({"run", kBlur, in, "-o", "x.png", "--output-size", "20x7", "--output-min", "0,0"},
                 "D0107",
                 {"no output of 20 x 7 at 0,0 of `blur` fits into an image of 64 x 48",
                  "note: `input` is read from -1 to 20 in dimension 0, the image holds 0 to 63",
                  "note: `input` is read from -1 to 7 in dimension 1, the image holds 0 to 47",
                  "help: --output-min 1,1", "help: --pad"});
  expect_refused({"run", kBlur, in, "-o", "x.png", "--output-size", "70x7"}, "D0107",
                 {"no output of 70 x 7 of `blur` fits", "help: --output-size 62x46"});
  const std::string out = (scratch() / "hocket_helped.png").string();
  EXPECT_EQ(
      hocket({"run", kBlur, in, "-o", out, "--output-size", "20x7", "--output-min", "1,1"}).code,
      0);
  EXPECT_EQ(hocket({"run", kBlur, in, "-o", out, "--output-size", "62x46"}).code, 0);
}

TEST(CommandFail, WordsOfBoxes) {
  const std::string in = picture(64, 48);
  expect_refused({"run", kBlur, in, "-o", "x.png", "--output-size", "20xx7"}, "D0110",
                 {"--output-size takes whole numbers as 640x480, or NAME=640x480", "`20xx7`"});
  expect_refused({"run", kBlur, in, "-o", "x.png", "--output-size", "=20x7"}, "D0110", {"`=20x7`"});
  expect_refused({"run", kBlur, in, "-o", "x.png", "--output-size", "bw=20x7"}, "D0104",
                 {"output `bw` is not one of bv", "did you mean `bv`?"});
  expect_refused({"run", kBlur, in, "-o", "x.png", "--output-min", "1,2,3"}, "D0110",
                 {"--output-min takes at most 2 numbers"});
}

TEST(CommandFail, CannotWrite) {
  expect_refused({"compile", kBlur, "-o", "/nowhere/blur"}, "D0108",
                 {"cannot write `/nowhere/blur.o`", "No such file or directory"});
}

TEST(CommandFail, AValueIsMissing) {
  const std::string p = file("hocket_gain.hk",
                             "pipeline g(input: u8(x, y), gain: i32) -> f:\n"
                             "    f(x, y) = i32(input(x, y)) * gain\n");
  expect_refused({"run", p, picture(4, 4), "-o", "x.png"}, "D0109",
                 {"`g` needs a value for `gain`: --set gain=VALUE"});
}

// A text that is refused is left as it was, to the byte.
// Every file is met: one that is refused does not hide the next.
TEST(CommandFail, EveryFileIsFormattedOrRefused) {
  const std::string bad = file("hocket_fmt_a.hk", "def p(\n"),
                    loose = file("hocket_fmt_b.hk", "def q( n:size ):\n    pass\n"),
                    worse = file("hocket_fmt_c.hk", "def r(\n");
  const Said said = hocket({"fmt", bad, loose, worse});
  EXPECT_EQ(said.code, 1);
  EXPECT_THAT(said.err, HasSubstr(bad + ":1:6"));
  EXPECT_THAT(said.err, HasSubstr(worse + ":1:6"));
  EXPECT_EQ(hocket({"fmt", "--check", loose}).code, 0);
}

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
  expect_refused({"check", p}, "D0103", {"holds no program to work on"});
  EXPECT_EQ(hocket({"check", p}).code, 1);
  EXPECT_EQ(hocket({"fmt", p}).code, 0);
}

// Several outputs: nothing is written where one of the files cannot be, and each is its own.
TEST(CommandFail, OutputsAreWrittenTogether) {
  const std::string p = file("hocket_pair.hk",
                             "pipeline p(a: u8(x, y)) -> (f, g):\n    f(x, y) = a(x, y)\n"
                             "    g(x, y) = a(x, y) + 1\n");
  const std::string f = (scratch() / "hocket_pair_f.png").string();
  fs::remove(f);
  expect_refused({"run", p, picture(4, 4), "-o", f, "-o", "g.jpg"}, "I0008", {"g.jpg"});
  EXPECT_FALSE(fs::exists(f));
  expect_refused({"run", p, picture(4, 4), "-o", f, "-o", f}, "D0110",
                 {"-o takes a file of its own for every output", "once more"});
  EXPECT_FALSE(fs::exists(f));
}

// A full disk: what is printed is not all there.
TEST(CommandFail, AnOutputThatTakesNothing) {
  std::ostringstream err;
  std::ofstream full("/dev/full");
  if (!full) GTEST_SKIP() << "there is no /dev/full";
  const char* words[] = {"hocket", "explain", "S0412"};
  EXPECT_EQ(run_command(3, words, full, err), 1);
  EXPECT_THAT(err.str(), HasSubstr("error[D0108]: cannot write `standard output`"));
}

TEST(CommandFail, UnknownCodeAndVerb) {
  expect_refused({"explain", "S9999"}, "D0001", {"S9999"});
  const Said said = hocket({"shwo"});
  EXPECT_EQ(said.code, 2);
  EXPECT_THAT(said.err,
              HasSubstr("error[D0113]: there is no verb `shwo`: run, show, check, bench,"));
  EXPECT_THAT(said.err, HasSubstr("did you mean `hocket show`?"));
  EXPECT_THAT(said.err, ::testing::Not(HasSubstr("  --> ")));
  EXPECT_EQ(hocket({"show"}).code, 2);
  EXPECT_THAT(hocket({"show"}).err, HasSubstr("error[D0113]: file is required\n"));
  EXPECT_THAT(hocket({}).err, HasSubstr("error[D0113]: a verb is missing: run, show,"));
}

TEST(CommandFail, ARefusedScheduleShowsItsPlace) {
  const std::string p = file("hocket_bad.hk",
                             "pipeline p() -> h:\n    f(x, y) = x + y\n    g(x, y) = f(x, y) * 2\n"
                             "    h(x, y) = f(x, y) + g(x, y)\n\n"
                             "schedule bad for p:\n    g.compute_root()\n    f.compute_at(h, x)\n");
  expect_refused({"show", p, "-s", "bad"}, "S0412",
                 {"cannot compute `f` at loop `x` of `h`: `g` also reads `f`",
                  ":8:", "outside of all loops: f.compute_root()"});
}

TEST(CommandFail, ARaceHasAWitness) {
  const std::string p = file("hocket_race.hk",
                             "pipeline p() -> f:\n    rdom r(0, 8)\n    f(x) = 0\n"
                             "    f(r / 2) = f(r / 2) * 2 + r\n\n"
                             "schedule bad for p:\n    f.update(0).parallel(r)\n");
  expect_refused({"show", p, "-s", "bad"}, "S0109",
                 {":7:", "witness: smallest sizes that show it", "race"});
}

TEST(CommandFail, ValuesThatATypeDoesNotTake) {
  const std::string p = file("hocket_types.hk",
                             "pipeline v(k: u8, big: u64 = 1, b: bool = true, x: f32 = 1.0) -> f:\n"
                             "    f() = k\n");
  const std::pair<const char*, const char*> cases[] = {
      {"k=256", "`u8` is a whole number from 0 to 255"},
      {"k=-1", "from 0 to 255"},
      {"k=1.5", "from 0 to 255"},
      {"k=", "from 0 to 255"},
      {"big=18446744073709551616", "to 18446744073709551615"},
      {"big=99999999999999999999999", "to 18446744073709551615"},
      {"b=2", "a bool is true, false, 0 or 1"},
      {"x=1e60", "within its range"}};
  for (const auto& [word, why] : cases) {
    std::vector<std::string> words = {"run", p, "--set", word};
    if (word[0] != 'k') words.insert(words.end(), {"--set", "k=1"});
    expect_refused(words, "D0111", {why});
  }
  expect_refused({"run", p, "--set", "k=1", "--set", "k=2"}, "D0111", {"it was set to `1` before"});
  expect_refused({"run", p, "--set", "k"}, "D0111", {"it reads NAME=VALUE"});
}

TEST(CommandFail, SizesThatMemoryDoesNotHold) {
  const std::string p = file("hocket_large.hk",
                             "def c(n: size, a: f32[n, n], b: f32[n]):\n"
                             "    for i in seq(0, n):\n        b[i] = a[i, i]\n");
  for (const char* n : {"n=4294967296", "n=9223372036854775807"})
    expect_refused({"run", p, "--set", n}, "D0112", {"no memory for `a`", "more than 2^63"});
  expect_refused({"bench", p, "--set", "n=1000000000"}, "D0112",
                 {"no memory for `a`: it takes 4000000000000000000 bytes"});
  expect_refused({"bench", kBlur, "--size", "4294967296x4294967296"}, "D0112", {"more than 2^63"});
  const std::string far = file("hocket_wide.hk",
                               "pipeline w(input: u8(x, y)) -> f:\n"
                               "    f(x, y) = input(x, y) + input(x + 1000000000000, y)\n");
  expect_refused({"run", far, picture(64, 64), "--pad", "-o", "x.png"}, "D0112", {"`input`"});
}

TEST(CommandFail, SamplesThatAnInputDoesNotHold) {
  const std::string p =
      file("hocket_deep.hk", "pipeline d(input: u8(x, y)) -> f:\n    f(x, y) = input(x, y)\n");
  const std::string deep = picture_of("hocket_deep.png", 100, 100, image::Sample::u16);
  expect_refused({"run", p, deep, "-o", "x.png"}, "D0114",
                 {"has a sample of 258: `input` is u8 and holds at most 255"});
}

TEST(CommandFail, OptionsOutOfRange) {
  expect_refused({"bench", kBlur, "--threads", "0"}, "D0110", {"--threads"});
  expect_refused({"bench", kBlur, "--threads", "-1"}, "D0110", {"--threads"});
  expect_refused({"bench", kBlur, "--seconds", "-1"}, "D0110", {"--seconds"});
  expect_refused({"bench", kBlur, "--seconds", "nan"}, "D0110", {"--seconds"});
  expect_refused({"bench", kBlur, "--size", "64"}, "D0110", {"--size takes 2 extents"});
  expect_refused({"show", kBlur, "--after", "loop"}, "D0104", {"pass `loop`", "`loops`?"});
}

TEST(CommandFail, PicturesOfLoopPrograms) {
  const std::string p = file("hocket_no_picture.hk", "def l(a: f32[1]):\n    a[0] = 1.0\n");
  expect_refused({"run", p, picture(4, 4)}, "D0105", {"as it is a loop program", "given 1"});
  expect_refused({"bench", p, "--size", "4x4"}, "D0110", {"--size", "for a loop program"});
}

TEST(CommandFail, OrdersThatCannotBeDrawn) {
  for (const char* size : {"0", "99999999999"})
    expect_refused({"show", kBlur, "--order", "--size", size}, "D0110", {"from 1 to 256"});
  const std::string p = file("hocket_point.hk", "pipeline z() -> f:\n    f() = 3\n");
  expect_refused({"show", p, "--order"}, "D0116", {"`f`", "it has no dimensions"});
}

TEST(CommandFail, NothingIsHalfWritten) {
  const std::string base = (scratch() / "hocket_half_out").string();
  for (const char* product : {"object", "c"}) {
    const std::string ending = product[0] == 'c' ? ".c" : ".o";
    for (const std::string& blocked : {std::string(".h"), ending}) {
      fs::create_directories(base + blocked);
      expect_refused({"compile", kBlur, "--emit", product, "-o", base}, "D0108", {base + blocked});
      fs::remove(base + blocked);
      EXPECT_FALSE(fs::exists(base + ".h")) << blocked;
      EXPECT_FALSE(fs::exists(base + ending)) << blocked;
    }
  }
  const std::string odd = file("hocket_odd.hk", "def `../x`(a: f32[1]):\n    a[0] = 1.0\n");
  expect_refused({"compile", odd}, "D0115", {"`../x`"});
}

TEST(CommandFail, DiagnosticsAsJson) {
  const Said said = hocket({"show", kBlur, "-s", "tield", "--json"});
  EXPECT_EQ(said.code, 2);
  EXPECT_THAT(said.err, ::testing::StartsWith("{\"code\":\"D0102\""));
  EXPECT_THAT(said.err, ::testing::EndsWith("}\n"));
  const Said line = hocket({"show", "--json"});
  EXPECT_EQ(line.code, 2);
  EXPECT_THAT(line.err, HasSubstr("\"code\":\"D0113\""));
}

}  // namespace
}  // namespace hocket::tools
