// hocket run on images: which box is computed, element types, channels, several outputs, numbers.
#include "../command_fixture.h"

namespace hocket::tools {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

std::string out_path(const std::string& name) {
  return (fs::temp_directory_path() / name).string();
}

// Runs `f(x, y) = <body>` on a 64 x 48 image and gives the result.
image::Image run_body(const std::string& body, std::vector<std::string> more = {}) {
  const std::string p =
      file("hocket_body.hk", "pipeline p(input: u8(x, y)) -> f:\n    f(x, y) = " + body + "\n");
  std::vector<std::string> words = {"run", p, picture_of("hocket_body_in.png", 64, 48), "-o",
                                    out_path("hocket_body_out.png")};
  words.insert(words.end(), more.begin(), more.end());
  const Said said = hocket(words);
  EXPECT_EQ(said.code, 0) << said.err;
  return image::load(out_path("hocket_body_out.png")).value();
}

TEST(Picture, TheLargestBoxThatFits) {
  struct Case {
    const char* body;
    int64_t width, height, first_x, first_y;  // extents, and where the first point reads
  };
  for (const Case& c : {Case{"input(2 * x, 2 * y)", 32, 24, 0, 0},
                        {"input(2 * x + 1, y)", 32, 48, 1, 0},
                        {"input(x / 2, y / 2)", 128, 96, 0, 0},
                        {"input(x + 100, y)", 64, 48, 0, 0},
                        {"input(x, y - 1000)", 64, 48, 0, 0},
                        {"input(-x, y)", 64, 48, 63, 0},
                        {"input(y, x)", 48, 64, 0, 0},
                        {"input(x + y, y)", 37, 28, 0, 0}}) {
    const image::Image out = run_body(c.body);
    EXPECT_EQ(out.height, c.height) << c.body;
    EXPECT_EQ(out.width, c.width) << c.body;
    EXPECT_EQ(out.value(0, 0), c.first_x * 3 + c.first_y * 5) << c.body;
  }
}

TEST(Picture, ASizeAndAPlaceOfItsOwn) {
  const image::Image out =
      run_body("input(x, y)", {"--output-size", "7x5", "--output-min", "10,4"});
  EXPECT_EQ(out.width, 7);
  EXPECT_EQ(out.height, 5);
  EXPECT_EQ(out.value(0, 0), 10 * 3 + 4 * 5);
}

TEST(Picture, SchedulesThatRoundUpOrBound) {
  const std::string p = file("hocket_rows.hk",
                             "pipeline p(input: u8(x, y)) -> f:\n    f(x, y) = input(x, y)\n\n"
                             "schedule fives for p:\n    f.split(y, yo, yi, 5, round_up)\n\n"
                             "schedule bounded for p:\n    f.bound(x, 10, 20)\n");
  const std::string in = picture_of("hocket_rows_in.png", 64, 48), to = out_path("hocket_rows.png");
  EXPECT_THAT(hocket({"run", p, "-s", "fives", in, "-o", to}).out, HasSubstr(": 64 x 45"));
  EXPECT_THAT(hocket({"run", p, "-s", "bounded", in, "-o", to}).out, HasSubstr(": 20 x 48"));
  EXPECT_EQ(image::load(to).value().value(0, 0), 30);
}

TEST(Picture, SmallFloats) {
  for (const char* type : {"f16", "bf16"}) {
    const std::string p =
        file("hocket_small_float.hk", "pipeline p(input: " + std::string(type) +
                                          "(x, y)) -> f:\n    f(x, y) = input(x, y) * " + type +
                                          "(0.5)\n");
    const Said said =
        hocket({"run", p, picture_of("hocket_sf_in.png", 20, 10), "-o", out_path("hocket_sf.png")});
    ASSERT_EQ(said.code, 0) << said.err;
    EXPECT_EQ(image::load(out_path("hocket_sf.png")).value().value(4, 2), 11) << type;
  }
}

TEST(Picture, GrayOfThreeChannelsIsOneChannel) {
  const std::string p = file("hocket_gray.hk",
                             "pipeline p(input: u8(x, y, c)) -> f:\n"
                             "    f(x, y) = input(x, y, 1)\n");
  const Said said =
      hocket({"run", p, picture_of("hocket_gray_in.png", 20, 10, image::Sample::u8, 3), "-o",
              out_path("hocket_gray.png")});
  ASSERT_EQ(said.code, 0) << said.err;
  const image::Image out = image::load(out_path("hocket_gray.png")).value();
  EXPECT_EQ(out.channels, 1);
  EXPECT_EQ(out.value(2, 1), 2 * 3 + 5 + 7);
}

TEST(Picture, OneFileForEveryOutput) {
  const std::string p = file("hocket_outs.hk",
                             "pipeline p(input: u8(x, y)) -> (f, g):\n"
                             "    f(x, y) = input(x, y) + u8(1)\n    g(x, y) = input(x + 1, y)\n");
  const std::string a = out_path("hocket_outs_a.png"), b = out_path("hocket_outs_b.png");
  const Said said = hocket({"run", p, picture_of("hocket_outs_in.png", 20, 10), "-o", a, "-o", b});
  ASSERT_EQ(said.code, 0) << said.err;
  EXPECT_EQ(image::load(a).value().value(0, 0), 1);
  EXPECT_EQ(image::load(b).value().value(0, 0), 3);
  EXPECT_EQ(image::load(b).value().width, 19);
}

TEST(Picture, NumbersArePrinted) {
  const std::string p = file("hocket_hist.hk",
                             "pipeline h(input: u8(x, y)) -> hist:\n    rdom r(0, 4, 0, 2)\n"
                             "    hist(i) = u32(0)\n    hist(i32(input(r.x, r.y))) += u32(1)\n");
  const Said said = hocket({"run", p, picture_of("hocket_hist_in.png", 4, 2)});
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_THAT(said.out, HasSubstr("hist[256]: 1 0 0 1 0 1 1 0 ...\n"));
  const std::string z = file("hocket_zero.hk", "pipeline z() -> f:\n    f() = 3\n");
  EXPECT_EQ(hocket({"run", z}).out, "f[]: 3\n");
}

TEST(Picture, ValuesAreTakenAsTheyAreGiven) {
  const std::string p = file("hocket_values.hk",
                             "pipeline v(k: u8, big: u64, b: bool, least: i64) -> (f, g, h, i):\n"
                             "    f() = k\n    g() = big\n    h() = b\n    i() = least\n");
  const Said said = hocket({"run", p, "--set", "k=0xff", "--set", "big=18446744073709551615",
                            "--set", "b=true", "--set", "least=-9223372036854775808"});
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_THAT(said.out, HasSubstr("f[]: 255\n"));
  EXPECT_THAT(said.out, HasSubstr("g[]: 18446744073709551615\n"));
  EXPECT_THAT(said.out, HasSubstr("i[]: -9223372036854775808\n"));
}

TEST(Picture, OrdersOfLoopPrograms) {
  const std::string p = file("hocket_loop_order.hk",
                             "def t(n: size, A: f32[n, n], C: f32[n, n]):\n"
                             "    for i in seq(0, n):\n        for j in seq(0, n):\n"
                             "            for k in seq(0, n):\n"
                             "                C[j, i] += A[i, k] * A[k, j]\n");
  EXPECT_EQ(hocket({"show", p, "--order", "--size", "3"}).out, "1\t4\t7\n2\t5\t8\n3\t6\t9\n");
}

TEST(Picture, FlatProgramsAreTheirOwnLoops) {
  const std::string p =
      file("hocket_flat.hk", hocket({"show", "apps/blur/blur.hk", "--form", "flat"}).out);
  EXPECT_THAT(hocket({"show", p, "--form", "loops"}).out, HasSubstr("flat def blur("));
}

}  // namespace
}  // namespace hocket::tools
