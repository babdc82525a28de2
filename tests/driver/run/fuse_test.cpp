// Fused loops: regions are those of the loops before they were fused, under every tail. What is
// compiled computes what the default schedule computes, on the outputs that a query asks for.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diag/render.h"
#include "driver/agreement.h"
#include "driver/callable.h"
#include "text/parser.h"

namespace hocket::driver {
namespace {

using ::testing::ElementsAre;

constexpr const char* kPipeline = R"hk(pipeline g(a: u16(x, y, c)) -> f:
    h(x, y, c) = a(x, y, c) + a(x + 1, y, c)
    f(x, y, c) = h(x, y, c) + h(x, y + 1, c) * 3

schedule s for g:
)hk";

// A buffer over (x, y, c), dense.
struct Volume {
  hocket_dim_t dim[3] = {};
  std::vector<uint16_t> values;
  hocket_buffer_t buffer = {};

  Volume() {
    buffer.dim = dim;
    buffer.dimensions = 3;
    buffer.type = hocket_type(HOCKET_TYPE_UINT, 16);
  }
  Volume(const Volume&) = delete;

  void fill() {
    for (int d = 0; d < 3; ++d) dim[d].stride = d == 0 ? 1 : dim[d - 1].stride * dim[d - 1].extent;
    values.resize(static_cast<size_t>(dim[2].stride * dim[2].extent));
    size_t i = 0;
    for (int64_t c = 0; c < dim[2].extent; ++c)
      for (int64_t y = 0; y < dim[1].extent; ++y)
        for (int64_t x = 0; x < dim[0].extent; ++x)
          values[i++] = static_cast<uint16_t>((dim[0].min + x) * 7 + (dim[1].min + y) * 301 +
                                              (dim[2].min + c) * 5003 + 11);
    buffer.host = values.data();
  }
};

struct Filled {
  std::vector<int64_t> out, in;  // x and y: min and extent
  std::vector<uint16_t> values;
};

// The output that a query makes of these extents, filled.
Filled filled(const Callable& code, std::vector<int64_t> box) {
  Volume a, f;
  for (int d = 0; d < 3; ++d) f.dim[d] = {box[2 * d], box[2 * d + 1], 0};
  void* args[] = {&a.buffer, &f.buffer};
  const auto asked = code.run(args);
  EXPECT_TRUE(asked.ok()) << asked.error().message();
  Filled out;
  for (int d = 0; d < 3; ++d) {
    out.out.insert(out.out.end(), {f.dim[d].min, f.dim[d].extent});
    out.in.insert(out.in.end(), {a.dim[d].min, a.dim[d].extent});
  }
  a.fill();
  f.fill();
  const auto ran = code.run(args);
  EXPECT_TRUE(ran.ok()) << ran.error().message();
  out.values = f.values;
  return out;
}

class Fused : public ::testing::TestWithParam<const char*> {};

TEST_P(Fused, ComputesWhatTheDefaultComputes) {
  const text::File file = text::parse(std::string(kPipeline) + GetParam(), "t.hk").value();
  const ir::AlgorithmRef g = file.pipeline("g");
  diag::Result<Callable> code = Callable::make(Source(g, *file.schedule("s")));
  ASSERT_TRUE(code.ok()) << diag::render_text(code.error());
  const Callable plain = Callable::make(Source(g)).value();
  for (const std::vector<int64_t>& box :
       {std::vector<int64_t>{0, 5, 0, 7, 0, 2}, {3, 13, -2, 9, 1, 3}, {0, 32, 0, 16, 0, 1}}) {
    const Filled got = filled(*code, box), want = filled(plain, got.out);
    EXPECT_EQ(got.values, want.values);
  }
  Agreement runs;
  const auto agree = check_agreement(*code->artifact().loops, *g, "s", 5, runs);
  EXPECT_TRUE(agree.ok()) << diag::render_text(agree.error());
  EXPECT_GT(runs.count, 0) << runs.skipped;
}

INSTANTIATE_TEST_SUITE_P(
    All, Fused,
    ::testing::Values(
        "    f.fuse(x, y, t)\n", "    f.fuse(x, y, t).parallel(t, 8)\n",
        "    f.fuse(x, y, t).split(t, to, ti, 8, guard)\n    h.compute_at(f, to)\n",
        "    f.fuse(x, y, t).split(t, to, ti, 8, round_up).vectorize(ti)\n    h.compute_at(f, "
        "to)\n",
        "    f.fuse(x, y, t).fuse(t, c, u).split(u, uo, ui, 8, shift_inwards)\n"
        "    h.compute_at(f, uo)\n",
        "    f.split(y, yo, yi, 4, round_up).reorder(yi, x, yo).fuse(x, yo, t)\n",
        "    f.split(y, yo, yi, 4, shift_inwards).reorder(yi, x, yo).fuse(x, yo, t)"
        ".fuse(yi, t, z).vectorize(z, 8)\n    h.store_root().compute_at(f, c)\n",
        "    f.fuse(x, y, t)\n    h.compute_at(f, t).fuse(x, y, t).split(t, to, ti, 4, round_up)\n",
        "    f.tile(x, y, xi, yi, 4, 2, guard).fuse(x, y, t).parallel(t)\n"
        "    h.compute_at(f, t).fuse(x, y, t).split(t, to, ti, 4, shift_inwards).vectorize(ti)\n",
        "    h.compute_root().fuse(x, y, t).fuse(t, c, u).split(u, uo, ui, 16, round_up)\n",
        "    h.compute_root().fuse(x, y, t).parallel(t, 8)\n",
        "    f.fuse(x, y, t)\n    h.store_at(f, c).compute_at(f, t)\n"));

// What is computed inside loops has as many lanes and copies as its region there.
INSTANTIATE_TEST_SUITE_P(
    Lanes, Fused,
    ::testing::Values("    h.compute_at(f, y).unroll(y)\n",
                      "    f.tile(x, y, xi, yi, 4, 4, round_up)\n"
                      "    h.compute_at(f, x).unroll(y).vectorize(x)\n",
                      "    f.tile(x, y, xi, yi, 4, 4, shift_inwards)\n"
                      "    h.compute_at(f, x).unroll(x).vectorize(y)\n",
                      "    f.bound(x, 0, 32)\n    h.compute_at(f, y).vectorize(x)\n",
                      "    f.tile(x, y, xi, yi, 4, 4, round_up)\n"
                      "    h.compute_at(f, x).fuse(x, y, t).vectorize(t)\n"));

Filled run_of(const std::string& directives, const std::vector<int64_t>& box) {
  const text::File file = text::parse(kPipeline + directives, "t.hk").value();
  return filled(Callable::make(Source(file.pipeline("g"), *file.schedule("s"))).value(), box);
}

TEST(FusedRegions, AreThoseOfTheLoopsBefore) {
  const std::vector<int64_t> box = {0, 40, 0, 30, 0, 2};
  EXPECT_THAT(run_of("    f.fuse(x, y, t)\n", box).in, ElementsAre(0, 41, 0, 31, 0, 2));
  EXPECT_THAT(run_of("    f.fuse(x, y, t).parallel(t, 8)\n", box).in,
              ElementsAre(0, 41, 0, 31, 0, 2));
  EXPECT_THAT(run_of("    h.compute_root().fuse(x, y, t).fuse(t, c, u)\n", box).in,
              ElementsAre(0, 41, 0, 31, 0, 2));
  // A tail below runs on in the last row.
  EXPECT_THAT(run_of("    h.compute_root().fuse(x, y, t).split(t, to, ti, 16, round_up)\n", box).in,
              ElementsAre(0, 41, 0, 32, 0, 2));
}

TEST(FusedRegions, RoundedUpOutputsGrowByRowsUntilTheTailFits) {
  const Filled odd =
      run_of("    f.fuse(x, y, t).split(t, to, ti, 16, round_up)\n", {0, 101, 0, 33, 0, 1});
  EXPECT_THAT(odd.out, ElementsAre(0, 101, 0, 48, 0, 1));
}

}  // namespace
}  // namespace hocket::driver
