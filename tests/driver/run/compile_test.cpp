// The road: every product, passes that are timed, shown and verified, calls of what comes out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "diag/render.h"
#include "driver/callable.h"
#include "driver/dry_run.h"
#include "driver/header.h"
#include "ir/print.h"
#include "text/parser.h"

namespace hocket::driver {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

text::File parsed(const std::string& source) {
  diag::Result<text::File> file = text::parse(source, "test.hk");
  EXPECT_TRUE(file.ok()) << (file.ok() ? "" : diag::render_text(file.error()));
  return std::move(file.value());
}

constexpr const char* kPair =
    "pipeline pair(input: i32(x)) -> f:\n"
    "    f(x) = input(x) * 2 + input(x + 1)\n\n"
    "schedule lanes for pair:\n"
    "    f.vectorize(x, 8)\n";

TEST(Compile, EveryPassIsTimedShownAndVerified) {
  const text::File file = parsed(kPair);
  std::vector<std::string> shown;
  Options options;
  options.passes.verify = true;
  options.passes.dump = [&](const std::string& pass, const ir::ProcRef& proc) {
    shown.push_back(pass);
    EXPECT_FALSE(ir::to_text(*proc).empty());
  };
  std::vector<std::string> steps;  // inside `loops`, where there is no proc yet
  options.passes.dump_step = [&](const std::string& step, const std::string& text) {
    steps.push_back(step);
    EXPECT_FALSE(text.empty());
  };
  const Artifact made =
      compile(Source(file.pipeline("pair"), *file.schedule("lanes")), Product::Code, options)
          .value();
  EXPECT_EQ(shown.front(), "loops");
  EXPECT_EQ(shown.size(), lower::flat_passes().size() + 1);
  std::vector<std::string> timed;
  for (const PassTime& t : made.times) timed.push_back(t.name);
  EXPECT_EQ(timed.front(), "schedule");
  EXPECT_EQ(timed.back(), "code");
  EXPECT_THAT(steps, ElementsAre("inline_funcs", "infer_region", "slide", "bind_region",
                                 "make_nests", "place_storage"));
  // schedule, memories, instructions, code
  EXPECT_EQ(timed.size(), steps.size() + shown.size() + 4);
  EXPECT_EQ(made.loops->form, ir::Form::Loops);
  EXPECT_EQ(made.flat->form, ir::Form::Flat);
}

TEST(Compile, EveryTextProduct) {
  const Source source(parsed(kPair).pipeline("pair"));
  EXPECT_THAT(compile(source, Product::LlvmText).value().text, HasSubstr("pair__body"));
  EXPECT_THAT(compile(source, Product::Assembly).value().text, HasSubstr("pair__body"));
  EXPECT_THAT(compile(source, Product::CText).value().text, HasSubstr("int32_t pair("));
  EXPECT_EQ(compile(source, Product::Object).value().text.substr(1, 3), "ELF");
  EXPECT_TRUE(compile(source, Product::Loops).value().text.empty());
}

TEST(Callable, RunsAPipeline) {
  const text::File file = parsed(kPair);
  const Callable code =
      Callable::make(Source(file.pipeline("pair"), *file.schedule("lanes"))).value();
  int32_t in[13], out[12];
  for (int i = 0; i < 13; ++i) in[i] = i * i;
  hocket_dim_t in_dim = {0, 13, 1}, out_dim = {0, 12, 1};
  hocket_buffer_t a = {}, b = {};
  a.host = in;
  b.host = out;
  a.dim = &in_dim;
  b.dim = &out_dim;
  a.dimensions = b.dimensions = 1;
  a.type = b.type = hocket_type(HOCKET_TYPE_INT, 32);
  void* args[] = {&a, &b};
  ASSERT_EQ(code.call(args), 0);
  for (int i = 0; i < 12; ++i) EXPECT_EQ(out[i], 2 * i * i + (i + 1) * (i + 1));
  in_dim.extent = 12;  // one too few
  EXPECT_LT(code.call(args), 0);
  const diag::Result<void> refused = code.run(args);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().kind->code, "D0201");
  EXPECT_THAT(refused.error().message(), HasSubstr("input"));
}

TEST(Callable, RunsALoopProgram) {
  const text::File file = parsed(
      "def twice(n: size, a: f32[n]):\n"
      "    for i in seq(0, n):\n        a[i] = a[i] + a[i]\n");
  const Callable code = Callable::make(Source(file.proc("twice"))).value();
  EXPECT_EQ(code.metadata(), nullptr);
  float a[] = {1, 2, 3};
  int64_t n = 3;
  void* args[] = {&n, a};
  ASSERT_EQ(code.call(args), 0);
  EXPECT_EQ(a[2], 6.0f);
}

TEST(Compile, TracesAreReplayedAndKept) {
  const text::File file = parsed(
      "def twice(n: size, a: f32[n]):\n"
      "    for i in seq(0, n):\n        a[i] = a[i] + a[i]\n\n"
      "trace t for twice:\n    split(i, 4, [io, ii], tail=cut)\n");
  const Artifact made =
      compile(Source(file.proc("twice"), *file.trace("t"), file.procs()), Product::Loops).value();
  EXPECT_THAT(ir::to_text(*made.loops), HasSubstr("for io in seq("));
  ASSERT_TRUE(made.trace.has_value());
  EXPECT_EQ(made.trace->steps[0].verdict, ir::Verdict::Proved);
}

TEST(SmallRun, AgreesOnTailsInParallelLoops) {
  const text::File file = parsed(
      "pipeline p(input: u8(x, y)) -> f:\n"
      "    f(x, y) = input(x, y) + 1\n\n"
      "schedule s for p:\n"
      "    f.split(y, yo, yi, 4, shift_inwards).parallel(yo)\n");
  const Artifact made =
      compile(Source(file.pipeline("p"), *file.schedule("s")), Product::Flat).value();
  for (const ir::ProcRef& proc : {made.loops, made.flat}) {
    const SmallRun run = run_small(*proc, *file.pipeline("p"), {5, 7}, 1);
    EXPECT_TRUE(run.clean()) << run.outcome.text() << run.trouble;
    EXPECT_EQ(run.sizes, "f 5 x 7, input 5 x 7");
  }
}

TEST(Header, NamesTheArgumentsInOrder) {
  const text::File file = parsed(
      "pipeline g(input: u8(x, y), gain: f32, on: bool) -> f:\n"
      "    f(x, y) = select(on, f32(input(x, y)) * gain, 0)\n\n"
      "def w(n: size, a: [f32][n, n], b: f32[n]):\n    b[0] = a[0, 0]\n");
  const Artifact made = compile(Source(file.pipeline("g")), Product::Flat).value();
  EXPECT_THAT(header_text(*made.flat),
              HasSubstr("int32_t g(hocket_buffer_t* input, float gain, _Bool on, "
                        "hocket_buffer_t* f);"));
  const std::string w = header_text(*file.proc("w"));
  EXPECT_THAT(w, HasSubstr("int32_t w(const hocket_context_t* context, int64_t n, "
                           "struct hocket_win_f32_2 a, float* b);"));
  EXPECT_THAT(w, HasSubstr("#ifndef HOCKET_WIN_f32_2"));
}

}  // namespace
}  // namespace hocket::driver
