// A lowered program that does not do what its algorithm says is found by a small run.
#include <gtest/gtest.h>

#include "driver/agreement.h"
#include "driver/compile.h"
#include "driver/dry_run.h"
#include "ir/visit.h"
#include "text/parser.h"

namespace hocket::driver {
namespace {

TEST(SmallRunFail, AWrongStoreIsFoundWithItsSizes) {
  const text::File file = std::move(
      text::parse("pipeline p(input: u8(x)) -> f:\n    f(x) = input(x) + 1\n", "p.hk").value());
  const Artifact made = compile(Source(file.pipeline("p")), Product::Loops).value();
  // Every 1 of type u8 becomes a 2: the values stored are one too large.
  const ir::ProcRef wrong = ir::edited(made.loops, [&](ir::Proc& p) {
    p.body = ir::map_exprs(p.body, [](const ir::Expr& e) {
      auto* i = e.as<ir::IntImm>();
      return i && i->type == ir::Type::u(8) && i->value == 1 ? ir::make_int(i->type, 2) : e;
    });
  });
  const SmallRun run = run_small(*wrong, *file.pipeline("p"), {3}, 1);
  EXPECT_FALSE(run.clean());
  const std::vector<std::string> lines = witness_of(run);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0], "smallest sizes that show it: f 3, input 3");
  EXPECT_EQ(run.outcome.findings[0].kind, interp::FindingKind::BlockValue);

  Agreement runs;
  const diag::Result<void> checked = check_agreement(*wrong, *file.pipeline("p"), "", 5, runs);
  ASSERT_FALSE(checked.ok());
  EXPECT_EQ(checked.error().kind->code, "D0202");
  EXPECT_EQ(checked.error().message(), "`p` under schedule `(default)` does not do what it says");
  EXPECT_FALSE(checked.error().place.known());  // no line of the user's is at fault
  ASSERT_EQ(checked.error().witness.size(), 2u);
  EXPECT_EQ(checked.error().witness[0], "smallest sizes that show it: f 4, input 4");
  EXPECT_TRUE(checked.error().witness[1].starts_with("block value: `f` at (0) is "))
      << checked.error().witness[1];
}

}  // namespace
}  // namespace hocket::driver
