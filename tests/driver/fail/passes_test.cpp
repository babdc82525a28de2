// The wrapper around every pass: what a broken pass leaves is found, and the pass is named.
#include "driver/passes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "text/parser.h"

namespace hocket::driver {
namespace {

ir::ProcRef copy_loop() {
  return text::parse(
             "def p(n: size, a: f32[n], b: f32[n]):\n"
             "    for i in seq(0, n):\n        b[i] = a[i]\n",
             "t.hk")
      .value()
      .procs()
      .front();
}

// A pass that forgets what the body needs.
diag::Result<ir::ProcRef> broken(const ir::ProcRef& proc) {
  return ir::edited(proc, [](ir::Proc& p) { p.params.pop_back(); });
}

TEST(Passes, ABrokenPassIsFoundAndNamed) {
  PassOptions options;
  options.verify = true;
  std::string shown;
  options.dump = [&](const std::string& pass, const ir::ProcRef&) { shown += pass + " "; };
  Passes passes(options);
  const ir::ProcRef proc = copy_loop();
  EXPECT_TRUE(passes.run("sound", [&] { return diag::Result<ir::ProcRef>(proc); }).ok());
  const auto made = passes.run("broken", [&] { return broken(proc); });
  ASSERT_FALSE(made.ok());
  EXPECT_EQ(made.error().kind->code[0], 'V');
  EXPECT_THAT(made.error().message(), ::testing::HasSubstr("`b`"));
  EXPECT_THAT(made.error().notes, ::testing::Contains("after pass `broken`"));
  EXPECT_EQ(shown, "sound broken ");
}

TEST(Passes, VerifyAsTheyAreAsked) {
  PassOptions options;
  options.verify = false;
  const ir::ProcRef proc = copy_loop();
  EXPECT_TRUE(Passes(options).run("broken", [&] { return broken(proc); }).ok());
  // Between passes vectors may stand in what is no flat form; whatever else holds is asked.
  options.verify = true;
  const ir::ProcRef half = ir::edited(proc, [](ir::Proc& p) {
    p.body = {ir::edited<ir::For>(p.body[0], [](ir::For& f) {
      f.body = {ir::edited<ir::Store>(f.body[0], [](ir::Store& s) { s.align = 4; })};
    })};
  });
  const auto leave = [&](const ir::ProcRef& p, ir::Stand stand) {
    return Passes(options)
        .run(
            "half way", [&] { return diag::Result<ir::ProcRef>(p); }, stand)
        .ok();
  };
  EXPECT_TRUE(leave(half, ir::Stand::BetweenPasses));
  EXPECT_FALSE(leave(half, ir::Stand::AtADoor));
  EXPECT_FALSE(leave(*broken(proc), ir::Stand::BetweenPasses));
}

}  // namespace
}  // namespace hocket::driver
