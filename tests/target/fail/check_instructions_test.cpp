// Instructions on targets that lack them (T0007): message and place, through calls.
#include "target/check_instructions.h"

#include <gtest/gtest.h>

namespace hocket::target {
namespace {

using namespace ir;

support::Place line(int number) {
  support::Place p;
  p.file = "a.hk";
  p.line = number;
  p.column = 5;
  return p;
}

ProcRef proc(const char* name, Body body, std::optional<Instr> instr = std::nullopt) {
  auto p = support::make_ref<Proc>();
  p->sym = Symbol::fresh(name, Type());
  p->body = std::move(body);
  p->instr = std::move(instr);
  return p;
}

TEST(CheckInstructions, FeaturesThatTheTargetLacks) {
  const ProcRef wide = proc("wide", {make_pass()}, Instr{"", "", {"avx2", "fma"}});
  const ProcRef through = proc("through", {make_call(wide, {}, line(3))});
  const ProcRef p =
      proc("p", {make_for(Symbol::fresh("i", Type::index()), make_index(0), make_index(2),
                          LoopKind::Seq, {make_call(through, {}, line(7))})});
  const auto refused = check_instructions(*p, *parse_target("x86-64-avx2"));
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(std::string(refused.error().kind->code), "T0007");
  EXPECT_EQ(refused.error().message(),
            "instruction `wide` needs `fma`, which target `x86-64-avx2` does not have");
  EXPECT_EQ(refused.error().place.line, 3);
  EXPECT_TRUE(check_instructions(*p, *parse_target("x86-64-avx2-fma")).ok());
  // The text of an instruction is not what runs.
  EXPECT_TRUE(check_instructions(*wide, *parse_target("x86-64")).ok());
}

}  // namespace
}  // namespace hocket::target
