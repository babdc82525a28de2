// Where buffers live, checked on whole procs: message and place of each refusal (T0003 to T0006).
#include "target/check_memories.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diag/render.h"

namespace hocket::target {
namespace {

using namespace ir;
using ::testing::HasSubstr;

support::Place line(int number) {
  support::Place p;
  p.file = "a.hk";
  p.line = number;
  p.column = 5;
  return p;
}

const Symbol kReg = Symbol::fresh("r", Type::f(32), line(2));
const Symbol kMain = Symbol::fresh("x", Type::f(32), line(1));

Stmt alloc(const Symbol& s, int64_t extent, const char* memory) {
  return make_alloc(s, {make_index(extent)}, memory, line(2));
}

ProcRef proc(Body body) {
  auto p = support::make_ref<Proc>();
  p->sym = Symbol::fresh("p", Type());
  p->body = std::move(body);
  return p;
}

void expect(const ProcRef& p, const char* code, const char* words, const char* place) {
  const auto r = check_memories(*p);
  ASSERT_FALSE(r.ok());
  const std::string text = diag::render_text(r.error());
  EXPECT_EQ(std::string(r.error().kind->code), code) << text;
  EXPECT_THAT(text, HasSubstr(words));
  EXPECT_THAT(text, HasSubstr(place));
}

// dst[0:8] = 0 in register `dst`, an instruction or not.
ProcRef zero(bool instruction, const char* memory) {
  auto p = support::make_ref<Proc>();
  p->sym = Symbol::fresh("zero", Type());
  const Symbol dst = Symbol::fresh("dst", Type::f(32), line(7));
  Param d;
  d.sym = dst;
  d.kind = ParamKind::Buffer;
  d.shape = {make_index(8)};
  d.memory = memory;
  d.window = true;
  p->params = {d};
  const Symbol i = Symbol::fresh("i", Type::index());
  p->body = {make_for(
      i, make_index(0), make_index(8), LoopKind::Seq,
      {make_store(dst, {make_var(i)}, make_const(Type::f(32), 0), StoreOp::Assign, {}, line(8))})};
  if (instruction) p->instr = Instr{"zero({dst_data});", "", {}};
  return p;
}

Stmt call(const ProcRef& callee, const Symbol& buffer) {
  return make_call(callee, {make_var(buffer)}, line(4));
}

TEST(CheckMemoriesFail, UnknownMemory) {
  expect(proc({alloc(kReg, 8, "AVX3")}), "T0003", "no memory is called `AVX3`", "a.hk:2");
}

TEST(CheckMemoriesFail, BufferThatIsNoRegister) {
  expect(proc({alloc(kReg, 7, "AVX2")}), "T0004", "f32[..., 7]", "a.hk:2");
}

TEST(CheckMemoriesFail, PlainCodeTouchesARegister) {
  const Expr zero_index = make_index(0);
  expect(proc({alloc(kReg, 8, "AVX2"), make_store(kReg, {zero_index}, make_const(Type::f(32), 0),
                                                  StoreOp::Assign, {}, line(3))}),
         "T0005", "`r` is in `AVX2`, which only instructions touch", "a.hk:3");
  expect(proc({alloc(kReg, 8, "AVX2"), alloc(kMain, 8, "DRAM"),
               make_store(kMain, {zero_index}, make_load(kReg, Type::f(32), {zero_index}),
                          StoreOp::Assign, {}, line(3))}),
         "T0005", "is read by plain code", "a.hk:3");
}

TEST(CheckMemoriesFail, ArgumentInOtherMemory) {
  expect(proc({alloc(kMain, 8, "DRAM"), call(zero(true, "AVX2"), kMain)}), "T0006",
         "`x` is in `DRAM` and is given to `dst` of `zero`, which wants `AVX2`", "a.hk:4");
}

TEST(CheckMemoriesFail, CallsWithOneBuffer) {
  const auto p = proc({alloc(kMain, 8, "DRAM"), call(zero(true, "AVX2"), kMain)});
  EXPECT_FALSE(check_calls(*p, kMain).ok());
  EXPECT_TRUE(check_calls(*p, kReg).ok());
}

TEST(CheckMemoriesFail, WhatIsCalledIsCheckedToo) {
  expect(proc({alloc(kReg, 8, "AVX2"), call(zero(false, "AVX2"), kReg)}), "T0005",
         "`dst` is in `AVX2`", "a.hk:8");
}

TEST(CheckMemories, InstructionsAndPlainMemoriesPass) {
  EXPECT_TRUE(check_memories(*proc({alloc(kReg, 8, "AVX2"), call(zero(true, "AVX2"), kReg)})).ok());
  EXPECT_TRUE(
      check_memories(*proc({alloc(kMain, 8, "DRAM_STACK"), call(zero(false, "DRAM"), kMain)}))
          .ok());
}

}  // namespace
}  // namespace hocket::target
