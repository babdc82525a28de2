// The command line as a user meets it: what each verb prints, writes and returns.
#include "../command_fixture.h"

namespace hocket::tools {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
namespace fs = std::filesystem;

class Command : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = scratch() / (std::string("hocket_") +
                           ::testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string file(const std::string& name, const std::string& text) const {
    std::ofstream(path(name)) << text;
    return path(name);
  }
  // A small image of known samples.
  std::string picture(int w, int h, int channels) const {
    image::Image im(image::Sample::u8, w, h, channels);
    for (int c = 0; c < channels; ++c)
      for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x) im.set_value(x, y, c, (x * 31 + y * 17 + c * 101) % 256);
    const std::string p = path("in.png");
    EXPECT_TRUE(image::save(im, p).ok());
    return p;
  }
  fs::path folder_;
};

constexpr const char* kBlur = "apps/blur/blur.hk";

int64_t blurred(const image::Image& im, int64_t x, int64_t y, int c) {
  auto h = [&](int64_t yy) {
    return (im.value(x - 1, yy, c) + im.value(x, yy, c) + im.value(x + 1, yy, c)) / 3;
  };
  return (h(y - 1) + h(y) + h(y + 1)) / 3;
}

TEST_F(Command, RunBlursEveryChannelUnderEverySchedule) {
  const std::string in = picture(300, 70, 3);
  const image::Image im = image::load(in).value();
  for (const char* schedule : {"root", "inline", "sliding", "tiled", "strips"}) {
    const Said said = hocket({"run", kBlur, "--schedule", schedule, in, "-o", path("out.png")});
    ASSERT_EQ(said.code, 0) << said.err;
    const image::Image out = image::load(path("out.png")).value();
    ASSERT_EQ(out.width, 298);  // what fits: the frame of one pixel is read
    ASSERT_EQ(out.height, 68);
    ASSERT_EQ(out.channels, 3);
    for (int c = 0; c < 3; ++c)
      for (int64_t y = 0; y < out.height; ++y)
        for (int64_t x = 0; x < out.width; ++x)
          ASSERT_EQ(out.value(x, y, c), blurred(im, x + 1, y + 1, c)) << schedule;
  }
}

TEST_F(Command, RunPadsTheEdgeWhereAsked) {
  const std::string in = picture(20, 10, 1);
  const Said said = hocket({"run", kBlur, in, "--pad", "-o", path("out.png")});
  ASSERT_EQ(said.code, 0) << said.err;
  const image::Image im = image::load(in).value(), out = image::load(path("out.png")).value();
  EXPECT_EQ(out.width, 20);
  EXPECT_EQ(out.height, 10);
  EXPECT_EQ(out.value(5, 5), blurred(im, 5, 5, 0));
}

TEST_F(Command, RunEqualisesAHistogram) {
  const std::string in = picture(40, 30, 1);
  const Said said = hocket({"run", "apps/hist/hist.hk", in, "-o", path("out.png")});
  ASSERT_EQ(said.code, 0) << said.err;
  const image::Image im = image::load(in).value(), out = image::load(path("out.png")).value();
  int64_t cdf[256] = {};
  for (int y = 0; y < 30; ++y)
    for (int x = 0; x < 40; ++x) ++cdf[im.value(x, y)];
  for (int i = 1; i < 256; ++i) cdf[i] += cdf[i - 1];
  for (int y = 0; y < 30; ++y)
    for (int x = 0; x < 40; ++x) ASSERT_EQ(out.value(x, y), cdf[im.value(x, y)] * 255 / (40 * 30));
}

TEST_F(Command, RunALoopProgram) {
  const std::string p = file("add.hk",
                             "def add(n: size, a: f32[n], b: f32[n]):\n"
                             "    for i in seq(0, n):\n        b[i] = a[i] - a[i]\n");
  const Said said = hocket({"run", p, "--set", "n=3"});
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_THAT(said.out, HasSubstr("b[3]: 0 0 0\n"));
}

TEST_F(Command, ShowTheOrdersOfTheSeeds) {
  const std::string p = file("order.hk",
                             "pipeline p() -> f:\n    f(x, y) = x + y\n\n"
                             "schedule xy for p:\n    f.reorder(y, x)\n\n"
                             "schedule vector for p:\n    f.vectorize(x, 4)\n\n"
                             "schedule threads for p:\n    f.vectorize(x, 4).parallel(y)\n\n"
                             "schedule tiles for p:\n    f.tile(x, y, xi, yi, 2, 2)\n\n"
                             "schedule past for p:\n    f.split(x, xo, xi, 4, round_up)\n");
  const std::string rows = hocket({"show", p, "--order"}).out;
  EXPECT_THAT(rows, HasSubstr("1\t2\t3\t4\t5\t6\t7\t8\n9\t10"));
  EXPECT_THAT(rows, HasSubstr("\n57\t58\t59\t60\t61\t62\t63\t64\n"));
  const std::string columns = hocket({"show", p, "--order", "-s", "xy"}).out;
  EXPECT_THAT(columns, HasSubstr("1\t9\t17\t25\t33\t41\t49\t57\n2\t10"));
  EXPECT_THAT(hocket({"show", p, "--order", "-s", "vector"}).out, HasSubstr("1\t2\n3\t4\n5\t6\n"));
  EXPECT_EQ(hocket({"show", p, "--order", "-s", "threads"}).out,
            "1\t2\n1\t2\n1\t2\n1\t2\n1\t2\n1\t2\n1\t2\n1\t2\n");
  EXPECT_THAT(hocket({"show", p, "--order", "-s", "tiles"}).out,
              HasSubstr("1\t2\t5\t6\t9\t10\t13\t14\n3\t4\t7\t8\t11\t12\t15\t16\n17\t18\t21"));
  EXPECT_EQ(hocket({"show", p, "--order", "-s", "past", "--size", "2"}).out,
            "1\t2\t3\t4\n5\t6\t7\t8\n"
            "# 4 of 8 points lie past the size of 2: tails write them too\n");
}

TEST_F(Command, ShowEveryForm) {
  const std::pair<const char*, const char*> expected[] = {{"algorithm", "schedule tiled for blur:"},
                                                          {"loops", "for y in parallel(0,"},
                                                          {"flat", "flat def blur("},
                                                          {"llvm", "define"},
                                                          {"asm", "blur__body"},
                                                          {"c", "int32_t blur("}};
  for (const auto& [form, words] : expected) {
    const Said said = hocket({"show", kBlur, "-s", "tiled", "--form", form});
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(said.out, HasSubstr(words)) << form;
  }
}

TEST_F(Command, ShowsWhatAStepOfTheLoweringLeaves) {
  EXPECT_THAT(hocket({"show", kBlur, "-s", "sliding", "--after", "slide"}).out,
              HasSubstr("# after slide\nbv\n  nothing slides\nbh\n  y slides: from "));
  EXPECT_THAT(hocket({"show", kBlur, "-s", "sliding", "--after", "place_storage"}).out,
              HasSubstr("folded by 3"));
  EXPECT_THAT(hocket({"show", kBlur, "--times"}).out, HasSubstr("# infer_region "));
}

TEST_F(Command, CheckRunsEverySchedule) {
  const Said said = hocket({"check", kBlur, "--size", "5"});
  EXPECT_EQ(said.code, 0) << said.err;
  for (const char* schedule : {"(default)", "root", "inline", "sliding", "tiled", "strips"})
    EXPECT_THAT(said.out, HasSubstr(std::string("schedule ") + schedule + ": invariants hold"));
  EXPECT_THAT(said.out, Not(HasSubstr(" 0 runs")));
}

// An output that reads one of a fixed region is placed where that has what it reads.
TEST_F(Command, CheckOfSeveralOutputsOfWhichOneIsBound) {
  const std::string p = file("bound2.hk",
                             "pipeline p(input: u8(x, y)) -> (a, b):\n"
                             "    a(x, y) = input(x, y) + 1\n"
                             "    b(y, x) = a(x + 1, y) + a(x - 1, y)\n\n"
                             "schedule far for p:\n    a.bound(x, 5, 10)\n\n"
                             "schedule near for p:\n    a.bound(x, -7, 3).bound(y, 2, 9)\n\n"
                             "schedule none for p:\n    a.bound(x, 0, 2)\n");
  for (const char* schedule : {"far", "near"}) {
    const Said said = hocket({"check", p, "-s", schedule});
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(said.out, HasSubstr("12 runs agree with the algorithm"));
  }
  // Two of `a` are never enough.
  const Said none = hocket({"check", p, "-s", "none"});
  EXPECT_EQ(none.code, 1);
  EXPECT_THAT(none.err, HasSubstr("x of `a` must be 0 to 1"));
}

// Iterations of updates are judged as those of loop programs: odd from even points, a permutation,
// squares, points that a condition keeps apart.
TEST_F(Command, CheckOfUpdatesThatTouchDifferentPoints) {
  const std::string p =
      file("apart.hk",
           "pipeline p(input: u8(x, y)) -> f:\n    f(x, y) = input(x, y)\n"
           "    rdom e(0, input.width() / 2)\n    f(2 * e + 1, y) = f(2 * e, y) + 1\n"
           "    rdom q(0, 16)\n    f(q * 5 % 16, y) += 3\n"
           "    rdom z(0, 8)\n    f(z * z, y) = f(z * z, y) * 7\n"
           "    rdom w(0, 16) where w % 2 == 0\n    f(w, y) = f(w + 1, y)\n\n"
           "schedule s for p:\n    f.update(0).vectorize(e, 4, guard).parallel(y)\n"
           "    f.update(1).parallel(q)\n    f.update(2).vectorize(z)\n"
           "    f.update(3).split(w, wo, wi, 4, guard).parallel(wo).vectorize(wi)\n");
  const Said said = hocket({"check", p, "-s", "s"});
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_THAT(said.out, HasSubstr("runs agree with the algorithm"));
}

TEST_F(Command, CheckALoopProgram) {
  const std::string good = file("good.hk",
                                "def add(n: size, a: f32[n], b: f32[n]):\n"
                                "    for i in seq(0, n):\n        b[i] = a[i]\n");
  const Said said = hocket({"check", good});
  EXPECT_EQ(said.code, 0) << said.out << said.err;
  EXPECT_THAT(said.out, HasSubstr("claims proved, 0 refuted, 0 unknown"));
}

// Windows have the strides that the asserts ask for; where none fit, the line says that nothing
// ran.
TEST_F(Command, CheckALoopProgramOfStrides) {
  const auto with = [this](const std::string& name, const std::string& asserted) {
    return hocket({"check", file(name,
                                 "def f(n: size, w: [f32][n, 2], y: f32[n]):\n"
                                 "    assert " +
                                     asserted +
                                     "\n"
                                     "    for i in seq(0, n):\n        y[i] = w[i, 1]\n")});
  };
  const Said three = with("three.hk", "stride(w, 1) == 3 and stride(w, 0) == 2 * n + 4");
  EXPECT_THAT(three.out, HasSubstr("0 refuted, 0 unknown, 8 runs\n")) << three.err;
  EXPECT_THAT(three.out, Not(HasSubstr("not run")));
  const Said none = with("none.hk", "stride(w, 1) == 0");
  EXPECT_THAT(none.out, HasSubstr("0 runs\n  not run: no data that were tried keep the asserts\n"));
}

// What of a condition reads no memory is known below it, whatever stands beside it.
TEST_F(Command, CheckALoopProgramUnderDataAndIndices) {
  const Said said =
      hocket({"check", file("guard.hk",
                            "def g(n: size, m: size, A: f32[m], D: f32[n]):\n"
                            "    for i in seq(0, n):\n"
                            "        if i < m and D[i] > 0.0:\n"
                            "            D[i] = A[i]\n"
                            "        if i >= m or D[i] > 0.0:\n"
                            "            D[i] = 0.0\n"
                            "        else:\n"
                            "            D[i] = A[i]\n"
                            "        D[i] = select(D[i] > 1.0 and i < m, A[i], 2.0)\n")});
  EXPECT_EQ(said.code, 0) << said.out << said.err;
  const Said wrong = hocket({"check", file("wrong.hk",
                                           "def g(n: size, m: size, A: f32[m], D: f32[n]):\n"
                                           "    for i in seq(0, n):\n"
                                           "        if i < m or D[i] > 0.0:\n"
                                           "            D[i] = A[i]\n")});
  EXPECT_EQ(wrong.code, 1);
  EXPECT_THAT(wrong.err, HasSubstr("C0101"));
}

// Nothing is said of memory that a program allocates where no run was made.
TEST_F(Command, CheckALoopProgramThatIsTooLargeToRun) {
  const auto with = [this](const std::string& name, const std::string& size) {
    return hocket({"check", file(name, "def f(A: f32[" + size +
                                           "], B: f32[1]):\n"
                                           "    t: f32[2]\n"
                                           "    t[0] = A[0]\n"
                                           "    B[0] = t[1]\n")});
  };
  const Said large = with("large.hk", "65537");
  EXPECT_EQ(large.code, 1);
  EXPECT_THAT(large.err, HasSubstr("C0103"));
  const Said huge = with("huge.hk", "100000000");
  EXPECT_EQ(huge.code, 1);
  EXPECT_THAT(huge.err, HasSubstr("C0102"));
  EXPECT_THAT(huge.err, HasSubstr("with argument `A` there would be more than 4194304 elements"));
  EXPECT_THAT(huge.out, HasSubstr("not run: with argument `A`"));
}

// A run that was given up says nothing, and what a callee allocates counts.
TEST_F(Command, CheckALoopProgramWhoseRunIsGivenUp) {
  const Said steps = hocket({"check", file("steps.hk",
                                           "def f(B: f32[1]):\n"
                                           "    t: f32[2]\n"
                                           "    B[0] = 0.0\n"
                                           "    for i in seq(0, 20000000):\n"
                                           "        B[0] += 1.0\n"
                                           "    B[0] = t[1]\n")});
  EXPECT_EQ(steps.code, 1) << steps.out;
  EXPECT_THAT(steps.err, HasSubstr("a run takes more steps or memory than one may"));
  const Said callee = hocket({"check", "-p", "f",
                              file("callee.hk",
                                   "def g(A: f32[100000000], B: f32[1]):\n    t: f32[2]\n"
                                   "    t[0] = A[0]\n    B[0] = t[1]\n"
                                   "def f(A: f32[100000000], B: f32[1]):\n    g(A, B)\n")});
  EXPECT_EQ(callee.code, 1) << callee.out;
  EXPECT_THAT(callee.err, HasSubstr("`t`: it is neither proved nor refuted"));
}

TEST_F(Command, BenchTimesEverySchedule) {
  const Said said = hocket({"bench", kBlur, "--size", "512x64", "--seconds", "0.01"});
  EXPECT_EQ(said.code, 0) << said.err;
  for (const char* schedule : {"root", "sliding", "tiled", "strips"})
    EXPECT_THAT(said.out, HasSubstr(schedule));
  EXPECT_THAT(said.out, HasSubstr("ms middle"));
}

// What is too much to inline runs under a schedule that inlines less.
TEST_F(Command, RunOfWhatIsTooLargeToInline) {
  std::string text = "pipeline deep(input: i32(x)) -> f9:\n    f0(x) = input(x) * 3 / 2\n";
  for (int i = 1; i < 10; ++i) {
    const std::string below = "f" + std::to_string(i - 1);
    text += "    f" + std::to_string(i) + "(x) = " + below + "(x - 1) + " + below + "(x) * 2 + " +
            below + "(x + 1) + " + below + "(x + 2)\n";
  }
  text += "\nschedule s for deep:\n    f3.compute_root()\n    f6.compute_root()\n";
  const std::string p = file("deep.hk", text);
  EXPECT_THAT(hocket({"bench", p, "--size", "64", "--seconds", "0.01"}).err, HasSubstr("S0305"));
  const Said said = hocket({"bench", p, "-s", "s", "--size", "64", "--seconds", "0.01"});
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_THAT(said.out, HasSubstr("ms middle"));
}

// Without --size a schedule that bounds its output is timed at that size, and the line says so.
TEST_F(Command, BenchOfABound) {
  const std::string p = file("bound.hk",
                             "pipeline twice(input: u8(x, y)) -> f:\n"
                             "    f(x, y) = input(x, y) * 2\n\n"
                             "schedule plain for twice:\n"
                             "    f.vectorize(x, 16)\n\n"
                             "schedule fixed for twice:\n"
                             "    f.bound(x, 0, 64).bound(y, 0, 8).vectorize(x, 16)\n");
  const Said said = hocket({"bench", p, "--seconds", "0.01"});
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_THAT(said.out, HasSubstr("ms to compile, f 64 x 8 as `bound` asks\n"));
  EXPECT_THAT(said.out, HasSubstr("plain"));
  const Said sized = hocket({"bench", p, "--size", "32x8", "--seconds", "0.01"});
  EXPECT_EQ(sized.code, 1);
  EXPECT_THAT(sized.err, HasSubstr("x of `f` must be 0 to 63, is 0 to 31"));
}

TEST_F(Command, CompileWritesObjectAndHeader) {
  const Said said = hocket({"compile", kBlur, "-s", "tiled", "-o", path("blur")});
  ASSERT_EQ(said.code, 0) << said.err;
  EXPECT_GT(fs::file_size(path("blur.o")), 500u);
  std::ifstream in(path("blur.h"));
  std::ostringstream text;
  text << in.rdbuf();
  EXPECT_THAT(text.str(), HasSubstr("int32_t blur(hocket_buffer_t* input, hocket_buffer_t* bv);"));
}

// A pipeline and a loop program: C text has the header of the object beside it.
TEST_F(Command, CompileToCWritesTheSameHeader) {
  for (const char* program : {kBlur, "apps/gemm/gemm.hk"}) {
    const auto header = [&](const std::string& name, const char* product) {
      const Said said = hocket({"compile", program, "--emit", product, "-o", path(name)});
      EXPECT_EQ(said.code, 0) << said.err;
      EXPECT_THAT(said.out, HasSubstr(name + ".h\n"));
      std::ifstream in(path(name + ".h"));
      std::ostringstream text;
      text << in.rdbuf();
      return text.str();
    };
    EXPECT_EQ(header("as_c", "c"), header("as_object", "object"));
    EXPECT_GT(fs::file_size(path("as_c.c")), 500u);
    EXPECT_THAT(header("as_c", "c"), HasSubstr("int32_t "));
  }
}

TEST_F(Command, ExplainPrintsThePage) {
  const Said said = hocket({"explain", "S0412"});
  EXPECT_EQ(said.code, 0);
  EXPECT_THAT(said.out, HasSubstr("compute_at"));
}

}  // namespace
}  // namespace hocket::tools
