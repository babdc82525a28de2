// Every invariant of the verifier, broken once: the code, the words and the place.
#include <gtest/gtest.h>

#include "interp/make.h"
#include "ir/verify.h"
#include "ir/visit.h"

namespace hocket::ir {
namespace {

using namespace interp::make;

const Type kF = Type::f(32);

support::Place here(int line) {
  support::Place p;
  p.file = "a.hk";
  p.line = line;
  return p;
}

// def p(n: size, x: f32[n], y: f32[n, n]): BODY
struct World {
  Symbol n = sym("n"), x = sym("x", kF), y = sym("y", kF), i = sym("i");
  std::vector<Param> params = {size(n), buffer(x, {v(n)}), buffer(y, {v(n), v(n)})};

  ProcRef with(Body body, Form form = Form::Loops) const {
    return edited(proc("p", params, std::move(body), form), [](Proc& p) { p.place = here(1); });
  }
  // x[0] = value, on line 2.
  ProcRef storing(const Expr& value, Form form = Form::Loops) const {
    return with({make_store(x, {ix(0)}, value, StoreOp::Assign, {}, here(2))}, form);
  }
};

void expect(const ProcRef& p, const char* code, const std::string& words, int line) {
  const diag::Result<void> r = verify(*p);
  ASSERT_FALSE(r.ok()) << words;
  EXPECT_EQ(r.error().kind->code, code);
  EXPECT_EQ(r.error().message(), "bug in hocket: " + words);
  EXPECT_EQ(r.error().place.line, line);
}

template <class Node, class... Args>
Expr raw(Args&&... args) {
  return Expr(support::Ref<const ExprNode>(new Node(std::forward<Args>(args)...)));
}

TEST(VerifyFail, V0001Operands) {
  const World w;
  expect(w.storing(raw<Binary>(kF, BinaryOp::Add, make_float(kF, 1), ix(2))), "V0001",
         "operands of `f32(1.0) + 2` have unlike or unfit types", 2);
}

TEST(VerifyFail, V0002Lanes) {
  const World w;
  expect(w.with({edited<Store>(
             make_store(w.x, {ix(0)}, make_float(kF, 1), StoreOp::Assign, {}, here(2)),
             [](Store& s) { s.align = 8; })}),
         "V0002",
         "`x[0, align=8]` is a vector, predicate or alignment outside a flat proc, or has unlike "
         "lanes",
         2);
}

TEST(VerifyFail, V0003Immediate) {
  const World w;
  expect(w.storing(make_cast(kF, raw<IntImm>(Type::u(8), 300))), "V0003",
         "the number `u8(300)` is not a value of its type", 2);
}

TEST(VerifyFail, V0004Scope) {
  const World w;
  expect(w.storing(make_cast(kF, v(w.i))), "V0004", "`i` is used outside its scope, in `i`", 2);
}

TEST(VerifyFail, V0005OneBinder) {
  const World w;
  const Stmt s = make_for(w.i, ix(0), ix(2), LoopKind::Seq, {make_pass()}, here(3));
  expect(w.with({s, s}), "V0005", "`i` is bound twice", 3);
}

TEST(VerifyFail, V0006Reference) {
  const World w;
  expect(w.storing(v(w.x)), "V0006", "`x` refers to `x` as something that it is not", 2);
}

TEST(VerifyFail, V0007Access) {
  const World w;
  expect(w.storing(make_load(w.y, kF, {ix(0)})), "V0007",
         "`y[0]` does not access `y` by its rank and type", 2);
}

TEST(VerifyFail, V0008Form) {
  const World w;
  expect(w.storing(make_call(sym("f", kF), kF, {ix(0)})), "V0008",
         "`f(0)` does not exist in an expression of a proc", 2);
  expect(w.with({make_free(w.x)}), "V0008", "`x` does not exist in loop form", 1);
}

TEST(VerifyFail, V0009Loop) {
  const World w;
  expect(w.with({edited<For>(make_for(w.i, ix(0), ix(2), LoopKind::Seq, {make_pass()}, here(3)),
                             [](For& f) { f.hi = num(Type::i(32), 2); })}),
         "V0009", "the bounds of the loop `i` are no scalars of type index", 3);
}

TEST(VerifyFail, V0010Condition) {
  const World w;
  expect(w.with({edited<If>(make_if(make_bool(true), {make_pass()}, {}, here(3)),
                            [&](If& f) { f.cond = v(w.n); })}),
         "V0010", "the condition `n` is no bool", 3);
}

TEST(VerifyFail, V0011Store) {
  const World w;
  const std::string words =
      "the store `x[0]` gives a value of another type, or fuses what is no float product under +=";
  expect(w.storing(ix(1)), "V0011", words, 2);
  expect(
      w.with({edited<Store>(make_store(w.x, {ix(0)}, make_float(kF, 1), StoreOp::Add, {}, here(2)),
                            [](Store& s) { s.fused = true; })}),
      "V0011", words, 2);
}

TEST(VerifyFail, V0012Call) {
  const World w;
  const Symbol a = sym("a", kF);
  const ProcRef callee = proc("callee", {buffer(a, {ix(4)})}, {make_pass()});
  expect(w.with({make_call(callee, {v(w.y)}, here(4))}), "V0012",
         "argument 1 of a call of `callee` does not fit its parameter", 4);
  expect(w.with({make_call(callee, {}, here(4))}), "V0012",
         "argument 1 of a call of `callee` does not fit its parameter", 4);
}

TEST(VerifyFail, V0013Param) {
  World w;
  w.params.push_back(size(sym("m", Type::i(32))));
  expect(w.with({make_pass()}), "V0013", "the parameter `m` is not of its kind", 1);
}

TEST(VerifyFail, V0014Precondition) {
  const World w;
  expect(edited(w.with({make_pass()}),
                [&](Proc& p) {
                  p.preconditions = {lt(make_float(kF, 0), make_load(w.x, kF, {ix(0)}))};
                }),
         "V0014", "the precondition `0.0 < x[0]` reads what is no parameter", 1);
}

TEST(VerifyFail, V0015Block) {
  const World w;
  expect(w.with({edited<Store>(
             make_store(w.x, {ix(0)}, make_float(kF, 1), StoreOp::Assign, {}, here(2)),
             [](Store& s) { s.block = header(sym("f", kF), -1, {ix(0)}); })}),
         "V0015", "the block of `f` has a stage below 0 or a coordinate that is no index", 2);
}

TEST(VerifyFail, V0016Entry) {
  const World w;
  auto entry = std::make_shared<PipelineEntry>();
  entry->args.emplace_back();
  entry->args.back().sym = sym("z");
  expect(edited(w.with({make_pass()}), [&](Proc& p) { p.entry = entry; }), "V0016",
         "the entry of `p` does not fit its parameters: an argument that is no parameter", 1);
  auto asking = std::make_shared<PipelineEntry>();
  asking->checks.push_back({make_bool(true), -8, "x", w.x, 0});
  expect(
      edited(w.with({make_pass()}), [&](Proc& p) { p.entry = asking; }), "V0016",
      "the entry of `p` does not fit its parameters: a check of a dimension that no argument has",
      1);
}

TEST(VerifyFail, V0017Control) {
  const World w;
  const Expr read = make_cast(Type::index(), make_load(w.x, kF, {ix(0)}));
  const std::string words = "`index(x[0])` steers the program and reads memory";
  expect(w.with({make_for(w.i, ix(0), read, LoopKind::Seq, {make_pass()}, here(3))}), "V0017",
         words, 3);
  expect(w.with({make_for(w.i, read, ix(2), LoopKind::Seq, {make_pass()}, here(3))}), "V0017",
         words, 3);
  expect(w.with({make_alloc(sym("t", kF), {read}, "DRAM", here(4))}), "V0017", words, 4);
  expect(w.with({make_window_stmt(sym("w", kF), make_window(w.x, kF, {{ix(0), read}}), here(5))}),
         "V0017", words, 5);
  const Symbol n = sym("n", Type::index());
  expect(w.with({make_call(proc("callee", {size(n)}, {make_pass()}), {read}, here(6))}), "V0017",
         words, 6);
}

TEST(VerifyFail, V0018Field) {
  const World w;
  expect(w.with({make_store(w.x, {make_buffer_field(w.x, BufferFieldKind::Extent, 0)},
                            make_float(kF, 1), StoreOp::Assign, {}, here(2))}),
         "V0018", "`x.extent(0)` is no run-time value", 2);
}

// f(x) = 1.0; g(x) = f(x), an output; both on lines of their own.
struct Pipe {
  Algorithm a;
  Pipe() {
    a.name = "p";
    a.place = here(1);
    for (const char* name : {"f", "g"}) {
      Func f;
      f.sym = sym(name, kF);
      f.types = {kF};
      f.args = {sym("x")};
      f.pure.args = {v(f.args[0])};
      f.pure.values = {make_float(kF, 1)};
      f.place = f.pure.place = here(static_cast<int>(a.funcs.size()) + 2);
      a.funcs.push_back(f);
    }
    a.funcs[1].pure.values = {make_call(a.funcs[0].sym, kF, {v(a.funcs[1].args[0])})};
    a.outputs = {a.funcs[1].sym};
  }
  void expect(const char* code, const std::string& words, int line) const {
    const diag::Result<void> r = verify(a);
    ASSERT_FALSE(r.ok());
    EXPECT_EQ(r.error().kind->code, code);
    EXPECT_EQ(r.error().message(), "bug in hocket: " + words);
    EXPECT_EQ(r.error().place.line, line);
  }
};

TEST(VerifyFail, ThePipelineIsSoundBeforeItIsBroken) {
  EXPECT_TRUE(verify(Pipe().a).ok());
  EXPECT_TRUE(verify(*World().storing(make_float(kF, 1))).ok());
}

TEST(VerifyFail, V0021Func) {
  Pipe p;
  p.a.funcs[0].pure.values = {ix(1)};
  p.expect("V0021", "the Func `f` is not well formed: a value of another type", 2);
}

TEST(VerifyFail, V0022Order) {
  Pipe p;
  std::swap(p.a.funcs[0], p.a.funcs[1]);
  p.expect("V0022", "`g` reads `f`, which is not defined before it", 3);
}

TEST(VerifyFail, V0023Domain) {
  Pipe p;
  Func& f = p.a.funcs[0];
  Definition u = f.pure;
  u.place = here(7);
  u.domain.vars.push_back({sym("r"), ix(0), num(Type::i(32), 4)});
  f.updates.push_back(u);
  p.expect("V0023",
           "the reduction domain of `f` is not well formed: a bound that is no index over "
           "parameters",
           7);
}

TEST(VerifyFail, V0024Algorithm) {
  Pipe p;
  p.a.outputs = {sym("h", kF)};
  p.expect("V0024", "the pipeline `p` is not well formed: an output that is no Func of it", 1);
}

}  // namespace
}  // namespace hocket::ir
