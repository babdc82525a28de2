// Tails at the ends of what there is: queries of empty outputs, loops shorter than their factor,
// bounds without room past them.
#include <gtest/gtest.h>

#include <array>

#include "driver/agreement.h"
#include "driver/callable.h"
#include "text/parser.h"

namespace hocket::driver {
namespace {

constexpr const char* kPipeline =
    "pipeline p(a: u8(x, y)) -> f:\n"
    "    f(x, y) = a(x, y) + a(x + 1, y)\n"
    "schedule s for p:\n";

Callable made(const std::string& directives) {
  const text::File file = text::parse(kPipeline + directives, "t.hk").value();
  return Callable::make(Source(file.pipeline("p"), *file.schedule("s"))).value();
}

// What the caller asked for, or what a query of these extents makes of it.
struct Answer {
  std::array<hocket_dim_t, 2> in = {}, out = {};
};
Answer answer(const Callable& code, int64_t w, int64_t h) {
  Answer r;
  r.out = {{{5, w, 1}, {-3, h, w}}};
  hocket_buffer_t in = {}, out = {};
  in.dim = r.in.data();
  out.dim = r.out.data();
  in.dimensions = out.dimensions = 2;
  in.type = out.type = hocket_type(HOCKET_TYPE_UINT, 8);
  void* args[] = {&in, &out};
  const diag::Result<void> asked = code.run(args);
  EXPECT_TRUE(asked.ok()) << asked.error().message();
  return r;
}

// An empty output stays as it is, and needs nothing: a tile shifted inwards lies before it.
TEST(Tails, AQueryOfAnEmptyOutputRests) {
  for (const char* directives :
       {"    f.vectorize(x, 16)\n", "    f.tile(x, y, xi, yi, 8, 4)\n",
        "    f.fuse(x, y, t).vectorize(t, 8)\n", "    f.split(x, xo, xi, 8, round_up)\n"}) {
    const Callable code = made(directives);
    for (const auto& [w, h] : {std::pair{0, 0}, {0, 9}, {17, 0}}) {
      const Answer r = answer(code, w, h);
      EXPECT_EQ(r.in[0].extent * r.in[1].extent, 0) << directives << w << " x " << h;
      EXPECT_EQ(r.out[0].extent * r.out[1].extent, 0) << directives << w << " x " << h;
      if (w == 0) EXPECT_EQ(r.out[0].min, 5) << directives;
      if (h == 0) EXPECT_EQ(r.out[1].min, -3) << directives;
    }
  }
}

// An update at a constant writes also where the loops of its Func find nothing to do.
TEST(Tails, AnEmptyOutputThatIsWrittenIsAskedFor) {
  const text::File file =
      text::parse(
          "pipeline p(a: u8(x)) -> (f, g):\n    f(x) = u8(1)\n    f(0) = u8(9)\n"
          "    g(x) = a(x)\n",
          "t.hk")
          .value();
  const Callable code = Callable::make(Source(file.pipeline("p"))).value();
  std::array<uint8_t, 8> memory = {};
  hocket_dim_t a_dim = {0, 3, 1}, f_dim = {5, 0, 1}, g_dim = {0, 3, 1};
  hocket_buffer_t a = {}, f = {}, g = {};
  a.dim = &a_dim;
  f.dim = &f_dim;
  g.dim = &g_dim;
  for (hocket_buffer_t* b : {&a, &f, &g}) {
    b->dimensions = 1;
    b->type = hocket_type(HOCKET_TYPE_UINT, 8);
    b->host = memory.data();
  }
  std::array<uint8_t, 3> out = {};
  g.host = out.data();
  f.host = memory.data() + 7;
  void* args[] = {&a, &f, &g};
  const diag::Result<void> ran = code.run(args);
  ASSERT_FALSE(ran.ok());
  EXPECT_NE(ran.error().message().find("`f`"), std::string::npos) << ran.error().message();
  EXPECT_EQ(memory[2], 0);
}

// Outputs that may be empty, each on its own: a fused loop is made of loops that run.
TEST(Tails, FusedHalvesOfOneOfTwoOutputs) {
  for (const char* directives :
       {"    d.split(x, xo, xi, 4).fuse(xo, y, z)\n", "    d.vectorize(x, 8).fuse(x, y, z)\n",
        "    d.tile(x, y, xi, yi, 4, 2, guard).fuse(x, y, z)\n",
        "    d.split(x, xo, xi, 4, round_up).fuse(xo, y, z)\n"}) {
    const text::File file =
        text::parse(std::string("pipeline p(i: u8(x, y)) -> (c, d):\n    c(x, y) = i(x, y) * 2\n"
                                "    d(x, y) = i(x, y) + 1\nschedule s for p:\n") +
                        directives,
                    "t.hk")
            .value();
    const ir::AlgorithmRef p = file.pipeline("p");
    const auto flat = compile(Source(p, *file.schedule("s")), Product::Flat);
    ASSERT_TRUE(flat.ok()) << directives << flat.error().message();
    Agreement runs;
    const diag::Result<void> checked = check_agreement(*flat->flat, *p, "s", 7, runs);
    EXPECT_TRUE(checked.ok()) << directives << checked.error().message();
    EXPECT_FALSE(runs.none()) << directives << runs.skipped;
  }
}

// No size fits a tile of 8 into a loop of 4, nor a rounded extent into a bound: these are guarded.
TEST(Tails, WithoutRoomAreGuarded) {
  for (const char* directives : {"    f.tile(x, y, xi, yi, 4, 4).vectorize(xi, 8)\n",
                                 "    f.split(x, xo, xi, 2, guard).vectorize(xi, 4)\n",
                                 "    f.bound(x, 0, 8).vectorize(x, 16)\n",
                                 "    f.bound(x, 0, 8).split(x, xo, xi, 6, round_up)\n"}) {
    const text::File file = text::parse(std::string(kPipeline) + directives, "t.hk").value();
    const ir::AlgorithmRef p = file.pipeline("p");
    const Artifact flat = compile(Source(p, *file.schedule("s")), Product::Flat).value();
    Agreement runs;
    const diag::Result<void> checked = check_agreement(*flat.flat, *p, "s", 7, runs);
    EXPECT_TRUE(checked.ok()) << directives << checked.error().message();
    EXPECT_FALSE(runs.none()) << directives << runs.skipped;
  }
}

// A tail that was asked for by name is told to be none.
TEST(Tails, WithoutRoomAreWarnedOf) {
  const auto warned = [](const std::string& directives) {
    const text::File file = text::parse(kPipeline + directives, "t.hk").value();
    const Artifact made =
        compile(Source(file.pipeline("p"), *file.schedule("s")), Product::Loops).value();
    std::string all;
    for (const diag::Diagnostic& w : made.warnings)
      all += std::string(w.kind->code) + " " + w.message() + "\n";
    return all;
  };
  EXPECT_EQ(warned("    f.split(x, xo, xi, 4, guard).vectorize(xi, 8)\n"), "");
  EXPECT_NE(warned("    f.split(x, xo, xi, 4, guard).vectorize(xi, 8, shift_inwards)\n")
                .find("it has 4 iterations, and no 8 of them fit"),
            std::string::npos);
  EXPECT_NE(warned("    f.bound(x, 0, 8).split(x, xo, xi, 6, round_up)\n")
                .find("`f` is bounded in `x`, and there is no room past that"),
            std::string::npos);
}

}  // namespace
}  // namespace hocket::driver
