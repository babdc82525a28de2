// hocket run on images: which box is computed, element types, channels, several outputs, numbers.
#include "../command_fixture.h"

namespace hocket::tools {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

std::string out_path(const std::string& name) {
  return (scratch() / name).string();
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

// Files are as deep as the deepest image, or as was asked for; what they cannot hold is told.
TEST(Picture, DepthOfWhatIsWritten) {
  const std::string p = file("hocket_depth.hk",
                             "pipeline bright(input: u8(x, y)) -> f:\n"
                             "    f(x, y) = i32(input(x, y)) * 300 - 300\n\n"
                             "pipeline both(a: u8(x, y), b: u16(x, y)) -> f:\n"
                             "    f(x, y) = b(x, y) + a(x, y)\n");
  image::Image shallow(image::Sample::u8, 3, 1, 1), deep(image::Sample::u16, 3, 1, 1);
  for (int x = 0; x < 3; ++x) {
    shallow.set_value(x, 0, 0, x);
    deep.set_value(x, 0, 0, 1000 * x);
  }
  const std::string s = (scratch() / "shallow.pgm").string(), d = (scratch() / "deep.pgm").string(),
                    o = (scratch() / "depth.pgm").string();
  ASSERT_TRUE(image::save(shallow, s));
  ASSERT_TRUE(image::save(deep, d));
  Said said = hocket({"run", p, "-p", "bright", s, "-o", o});
  EXPECT_EQ(said.code, 0);
  EXPECT_THAT(said.err, HasSubstr("warning[D0117]: 2 of 3 values of `f` are no samples of 8 bits "
                                  "and are cut to 0 and 255\nhelp: --depth 16"));
  EXPECT_EQ(image::load(o)->value(2, 0, 0), 255);
  said = hocket({"run", p, "-p", "bright", s, "--depth", "16", "-o", o});
  EXPECT_THAT(said.err, HasSubstr("1 of 3 values of `f` are no samples of 16 bits"));
  EXPECT_EQ(image::load(o)->value(2, 0, 0), 300);
  said = hocket({"run", p, "-p", "both", s, d, "-o", o});
  EXPECT_EQ(said.err, "");
  EXPECT_EQ(image::load(o)->sample, image::Sample::u16);
  EXPECT_EQ(image::load(o)->value(2, 0, 0), 2002);
  EXPECT_EQ(hocket({"run", p, "-p", "both", s, d, "--depth", "8", "-o", o}).code, 0);
  EXPECT_EQ(image::load(o)->sample, image::Sample::u8);
  expect_refused({"run", p, "-p", "both", s, d, "--depth", "12", "-o", o}, "D0110", {"8 or 16"});
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

TEST(Picture, ASizeAloneIsPlacedWhereItFits) {
  const image::Image out = run_body("input(x - 1, y - 2)", {"--output-size", "20x7"});
  EXPECT_EQ(out.width, 20);
  EXPECT_EQ(out.height, 7);
  EXPECT_EQ(out.value(0, 0), 0);
  // Two dimensions read along one of the input: where the box lies decides whether it fits.
  EXPECT_EQ(run_body("input(x - y, y)", {"--output-size", "20x7"}).width, 20);
}

TEST(Picture, APlaceAloneGetsTheRest) {
  const image::Image out = run_body("input(x + 1, y)", {"--output-min", "10,4"});
  EXPECT_EQ(out.width, 53);
  EXPECT_EQ(out.height, 44);
  EXPECT_EQ(out.value(0, 0), 11 * 3 + 4 * 5);
}

// Each output has its own largest box; one that another output reads is large enough for it.
TEST(Picture, OutputsOfTheirOwnSizes) {
  const std::string p = file("hocket_boxes.hk",
                             "pipeline p(a: u8(x, y)) -> (f, g):\n    f(x, y) = a(x, y) + 1\n"
                             "    g(x, y) = f(x - 1, y) + f(x + 1, y)\n\n"
                             "schedule s for p:\n    f.split(x, xo, xi, 8, round_up)\n");
  const std::string f = out_path("hocket_boxes_f.png"), g = out_path("hocket_boxes_g.png");
  const std::string in = picture_of("hocket_boxes_in.png", 64, 48);
  const auto run = [&](std::vector<std::string> more) {
    std::vector<std::string> words = {"run", p, in, "-o", f, "-o", g};
    words.insert(words.end(), more.begin(), more.end());
    const Said said = hocket(words);
    EXPECT_EQ(said.code, 0) << said.err;
    return std::regex_replace(said.out, std::regex("[^ \\n]*/|, [0-9.]* ms"), "");
  };
  EXPECT_EQ(run({}), "hocket_boxes_f.png: 64 x 48\nhocket_boxes_g.png: 62 x 48\n");
  EXPECT_EQ(run({"-s", "s"}), "hocket_boxes_f.png: 64 x 48\nhocket_boxes_g.png: 62 x 48\n");
  EXPECT_EQ(run({"--pad"}), "hocket_boxes_f.png: 64 x 48\nhocket_boxes_g.png: 62 x 48\n");
  EXPECT_EQ(run({"--output-size", "g=10x5", "--output-min", "g=3,2"}),
            "hocket_boxes_f.png: 64 x 48\nhocket_boxes_g.png: 10 x 5\n");
  EXPECT_EQ(image::load(g).value().value(0, 0), (2 * 3 + 2 * 5 + 1) + (4 * 3 + 2 * 5 + 1));
  EXPECT_EQ(run({"--output-size", "f=20x9"}),
            "hocket_boxes_f.png: 20 x 9\nhocket_boxes_g.png: 18 x 9\n");
  const Said judged = hocket({"check", p});
  EXPECT_EQ(judged.code, 0) << judged.err;
}

// Tiles of outputs that read each other end at the same points.
TEST(Picture, OutputsOfOneScheduleInTiles) {
  const std::string p = file("hocket_tiles.hk",
                             "pipeline p(a: u8(x, y)) -> (f, g):\n"
                             "    f(x, y) = a(x, y) + a(x + 2, y)\n    g(x, y) = f(x, y) * 2\n\n"
                             "schedule s for p:\n    f.tile(x, y, xi, yi, 16, 16, round_up)\n"
                             "    g.vectorize(x, 8, round_up)\n");
  const std::string in = picture_of("hocket_tiles_in.png", 64, 48);
  const std::string f = out_path("hocket_tiles_f.png"), g = out_path("hocket_tiles_g.png");
  EXPECT_THAT(hocket({"run", p, "-s", "s", in, "-o", f, "-o", g}).out,
              ::testing::ContainsRegex("_f.png: 48 x 48.*\n.*_g.png: 48 x 48"));
  // Words that are offered work.
  const std::vector<std::string> words = {"run",           p,      "-s", "s", in, "-o", f, "-o", g,
                                          "--output-size", "30x30"};
  expect_refused(
      words, "D0107",
      {"no output as asked for of `p` fits into an image of 64 x 48",
       "split(x, ..., 16, round_up) wants x of `f` to span a multiple of 16 (`guard` takes any",
       "help: --output-size 48x48"});
  EXPECT_EQ(hocket({"run", p, "-s", "s", in, "-o", f, "-o", g, "--output-size", "48x48"}).code, 0);
}

// Boxes of outputs with tiles of their own are found, although they lie far below the largest ones.
TEST(Picture, OutputsInTilesOfTheirOwn) {
  const std::string p = file("hocket_own_tiles.hk",
                             "pipeline n(input: u8(x, y)) -> (b, c):\n"
                             "    b(x, y) = u16(input(x, y)) + input(x - 1, y)\n"
                             "    c(x, y) = b(x, y) + b(x + 2, y)\n\n"
                             "schedule s for n:\n    b.vectorize(x, 4, round_up)\n"
                             "    c.vectorize(x, 4, round_up)\n");
  const std::string b = out_path("hocket_own_b.png"), c = out_path("hocket_own_c.png");
  for (const auto& [width, sizes] :
       {std::pair{9, "8 x 3.*\n.*4 x 3"}, {12, "8 x 3.*\n.*4 x 3"}, {16, "12 x 3.*\n.*8 x 3"}}) {
    const std::string in = picture_of("hocket_own_in.png", width, 3);
    EXPECT_THAT(hocket({"run", p, "-s", "s", in, "-o", b, "-o", c}).out,
                ::testing::ContainsRegex(sizes));
  }
}

// Three outputs, one of another rank, that read each other: sizes are found for the runs of check.
TEST(Picture, OutputsThatReadEachOtherAreChecked) {
  const std::string p = file("hocket_three.hk",
                             "pipeline p(a: u8(x, y)) -> (f, g, h):\n    f(x, y) = a(x, y) + 1\n"
                             "    g(x, y) = f(x - 1, y) + f(x + 1, y)\n"
                             "    h(x) = g(x, 0) + f(x, 2)\n    rdom r(0, 4)\n"
                             "    h(x) += g(x, r)\n");
  const Said judged = hocket({"check", p});
  EXPECT_EQ(judged.code, 0) << judged.err;
  EXPECT_THAT(judged.out, HasSubstr("runs agree with the algorithm"));
  const Said timed = hocket({"bench", p, "--size", "64x48", "--seconds", "0.01"});
  EXPECT_EQ(timed.code, 0) << timed.err;
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
  // Each output has its own box: the one of g begins at -1.
  EXPECT_EQ(image::load(b).value().value(0, 0), 0);
  EXPECT_EQ(image::load(b).value().width, 20);
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

TEST(Picture, OrdersOfUpdates) {
  const std::string p = file("hocket_update_order.hk",
                             "pipeline p() -> f:\n    f(x, y) = 0\n    f(x, 0) += 1\n"
                             "    rdom r(0, 2)\n    f(r, y) += 1\n\n"
                             "schedule s for p:\n    f.reorder(y, x)\n"
                             "    f.update(1).reorder(y, r)\n");
  const std::string pure = "1\t2\n3\t4\n", first = "1\t2\n", second = "1\t3\n2\t4\n";
  EXPECT_EQ(hocket({"show", p, "--order", "--size", "2"}).out,
            "# f\n" + pure + "\n# f.update(0)\n" + first + "\n# f.update(1)\n1\t2\n3\t4\n");
  const std::vector<std::string> words = {"show", p, "-s", "s", "--order", "--size", "2", "--func"};
  const auto stage = [&](const std::string& name) {
    std::vector<std::string> all = words;
    all.push_back(name);
    return hocket(all).out;
  };
  EXPECT_EQ(stage("f"), second);
  EXPECT_EQ(stage("f.update(0)"), first);
  EXPECT_EQ(stage("f.update(1)"), second);
  expect_refused({"show", p, "--order", "--func", "f.update(2)"}, "D0104",
                 {"Func or stage `f.update(2)` is not one of f, f.update(0), f.update(1)"});
  expect_refused({"show", p, "--func", "f"}, "D0110", {"--func", "without --order"});
}

TEST(Picture, FlatProgramsAreTheirOwnLoops) {
  const std::string p =
      file("hocket_flat.hk", hocket({"show", "apps/blur/blur.hk", "--form", "flat"}).out);
  EXPECT_THAT(hocket({"show", p, "--form", "loops"}).out, HasSubstr("flat def blur("));
}

}  // namespace
}  // namespace hocket::tools
