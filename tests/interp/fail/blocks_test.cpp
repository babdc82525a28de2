// Blocks: stores of wrong points, steps left out, made twice, out of order; and what is right.
#include <gtest/gtest.h>

#include "interp/pipeline.h"

namespace hocket::interp {
namespace {

using namespace make;
using Ints = std::vector<int64_t>;

const Type kI = Type::i(32), kF = Type::f(32);

struct Bench {
  AlgorithmMaker m;
  Bindings bindings;

  Outcome go(const ir::ProcRef& p, const Arguments& a) {
    RunOptions options;
    options.blocks = BlockCheck{&m.algorithm, &bindings, {}, {}};
    return run(*p, a, options);
  }
};

Finding only(const Outcome& out) {
  EXPECT_EQ(out.findings.size(), 1u) << out.text();
  return out.findings.empty() ? Finding{} : out.findings[0];
}

TEST(Blocks, AWrongPointOfAPureStage) {
  Bench b;
  const Symbol x = sym("x");
  const Symbol f = b.m.pure("f", {x}, ir::make_cast(kI, v(x) * v(x)));
  b.m.output(f);
  const Symbol i = sym("i"), buf = sym("f", kI);
  const auto p = [&](int64_t off) {
    return proc("p", {buffer(buf, {ix(5)})},
                {loop(i, 0, 5,
                      {block_store(buf, {v(i)}, ir::make_cast(kI, (v(i) + ix(2)) * (v(i) + ix(2))),
                                   header(f, 0, {v(i) + ix(off)}))})});
  };
  Tensor t = Tensor::row_major(kI, {5});
  EXPECT_TRUE(b.go(p(2), {t}).ok());
  const Finding bad = only(b.go(p(3), {t}));
  EXPECT_EQ(bad.kind, FindingKind::BlockValue);
  EXPECT_EQ(bad.func, f);
  EXPECT_EQ(bad.stage, 0);
  EXPECT_EQ(bad.point, (Ints{3}));
  EXPECT_EQ(bad.expected.i, 9);
  EXPECT_EQ(bad.actual.i, 4);
  EXPECT_EQ(iterations(bad), (Ints{0}));
  EXPECT_EQ(bad.text().substr(0, 44), "block value: `f` at (3) is 9, `f` gets 4; at");
}

TEST(Blocks, OverComputedPoisonIsNotCompared) {
  Bench b;
  const Symbol x = sym("x"), in = b.m.input("in", kI, {"x"});
  const Symbol f = b.m.pure("f", {x}, b.m.call(in, {v(x)}));
  b.m.output(f);
  b.bindings.image(in, Tensor::of_box(kI, {0}, {3}).fill(i32(5)));
  const Symbol i = sym("i"), buf = sym("f", kI), src = sym("in", kI);
  // Clamped reads past the input's end: the evaluator has no value there, the program some.
  const auto p =
      proc("p", {buffer(src, {ix(3)}), buffer(buf, {ix(4)})},
           {loop(i, 0, 4,
                 {block_store(buf, {v(i)}, load(src, {min(v(i), ix(2))}), header(f, 0, {v(i)}))})});
  Tensor a = numbers(kI, {5, 5, 5}), t = Tensor::row_major(kI, {4});
  EXPECT_TRUE(b.go(p, {a, t}).ok());
}

// f(x) = 0; f(x) += x * r over r in 0..3
struct Sum : Bench {
  Symbol x = sym("x"), f, buf;
  ir::RVar r = m.rvar("r", 0, 4);
  Symbol i = sym("i"), k = sym("k"), acc;
  Type type;

  explicit Sum(Type t) : type(t) {
    f = m.pure("f", {x}, num(t, 0));
    m.update(f, {v(x)}, m.call(f, {v(x)}) + ir::make_cast(t, v(x) * v(r.sym)), {r});
    m.output(f);
    buf = sym("f", t);
    acc = sym("acc", t);
  }
  Stmt init(Expr point) {
    return block_store(buf, {v(i)}, num(type, 0), header(f, 0, {std::move(point)}));
  }
  Stmt step(Expr at) {
    return block_store(buf, {v(i)}, ir::make_cast(type, v(i) * at), header(f, 1, {v(i)}, {at}),
                       StoreOp::Add);
  }
  Outcome go(Body body) {
    Tensor t = Tensor::row_major(type, {3});
    return Bench::go(proc("p", {buffer(buf, {ix(3)})}, {loop(i, 0, 3, std::move(body))}), {t});
  }
};

TEST(Blocks, EveryStepOnceInOrder) {
  for (const Type t : {kI, kF}) {
    Sum s(t);
    const Outcome out = s.go({s.init(v(s.i)), loop(s.k, 0, 4, {s.step(v(s.k))})});
    EXPECT_TRUE(out.ok()) << out.text();
  }
}

TEST(Blocks, AMissingStep) {
  for (const Type t : {kI, kF}) {
    Sum s(t);
    Finding f = only(s.go({s.init(v(s.i)), loop(s.k, 0, 3, {s.step(v(s.k))})}));  // the last
    EXPECT_EQ(f.kind, FindingKind::StepMissing);
    EXPECT_EQ(f.point, (Ints{0}));
    EXPECT_EQ(f.expected_reduction, (Ints{3}));
    f = only(s.go({s.init(v(s.i)), loop(s.k, 1, 4, {s.step(v(s.k))})}));  // the first
    EXPECT_EQ(f.kind, t.is_float() ? FindingKind::StepOrder : FindingKind::StepMissing);
    EXPECT_EQ(f.expected_reduction, (Ints{0}));
    f = only(s.go({s.init(v(s.i))}));  // all
    EXPECT_EQ(f.kind, FindingKind::StepMissing);
  }
}

TEST(Blocks, ADoubleStep) {
  for (const Type t : {kI, kF}) {
    Sum s(t);
    const Finding f =
        only(s.go({s.init(v(s.i)), loop(s.k, 0, 4, {s.step(v(s.k)), s.step(v(s.k))})}));
    EXPECT_EQ(f.kind, FindingKind::StepTwice);
    EXPECT_EQ(f.point, (Ints{0}));
    EXPECT_EQ(f.reduction, (Ints{0}));
  }
}

TEST(Blocks, OrderMattersForFloatsAlone) {
  Sum ints(kI), floats(kF);
  EXPECT_TRUE(
      ints.go({ints.init(v(ints.i)), loop(ints.k, 0, 4, {ints.step(ix(3) - v(ints.k))})}).ok());
  const Finding f = only(floats.go(
      {floats.init(v(floats.i)), loop(floats.k, 0, 4, {floats.step(ix(3) - v(floats.k))})}));
  EXPECT_EQ(f.kind, FindingKind::StepOrder);
  EXPECT_EQ(f.reduction, (Ints{3}));
  EXPECT_EQ(f.expected_reduction, (Ints{0}));
  // Allowed by name.
  RunOptions options;
  options.blocks = BlockCheck{&floats.m.algorithm, &floats.bindings, {}, {floats.f}};
  Tensor t = Tensor::row_major(kF, {3});
  EXPECT_TRUE(run(*proc("p", {buffer(floats.buf, {ix(3)})},
                        {loop(floats.i, 0, 3,
                              {floats.init(v(floats.i)),
                               loop(floats.k, 0, 4, {floats.step(ix(3) - v(floats.k))})})}),
                  {t}, options)
                  .ok());
}

TEST(Blocks, OutOfOrderTilesOfIntegersStillNeedEachStepOnce) {
  Sum s(kI);
  const Symbol o = sym("o");
  // 1 3 0 2: a legal order; 1 3 1 3: each twice.
  EXPECT_TRUE(s.go({s.init(v(s.i)),
                    loop(o, 0, 2, {loop(s.k, 0, 2, {s.step(v(s.k) * ix(2) + ix(1) - v(o))})})})
                  .ok());
  EXPECT_EQ(only(s.go({s.init(v(s.i)),
                       loop(o, 0, 2, {loop(s.k, 0, 2, {s.step(v(s.k) * ix(2) + ix(1))})})}))
                .kind,
            FindingKind::StepTwice);
}

TEST(Blocks, InitInsideTheReduction) {
  Sum s(kF);
  const Finding f = only(s.go({loop(s.k, 0, 4, {s.init(v(s.i)), s.step(v(s.k))})}));
  EXPECT_EQ(f.kind, FindingKind::StepOrder);
  EXPECT_EQ(f.reduction, (Ints{1}));
}

TEST(Blocks, AStepThatTheDefinitionDoesNotMake) {
  Sum s(kI);
  const Finding f = only(s.go({s.init(v(s.i)), loop(s.k, 0, 5, {s.step(v(s.k))})}));
  EXPECT_EQ(f.kind, FindingKind::StepUnknown);
  EXPECT_EQ(f.reduction, (Ints{4}));
}

TEST(Blocks, AStepWithAWrongValue) {
  for (const Type t : {kI, kF}) {
    Sum s(t);
    const Stmt wrong = block_store(s.buf, {v(s.i)}, ir::make_cast(t, (v(s.i) + ix(1)) * v(s.k)),
                                   header(s.f, 1, {v(s.i)}, {v(s.k)}), StoreOp::Add);
    const Finding f = only(s.go({s.init(v(s.i)), loop(s.k, 0, 4, {wrong})}));
    EXPECT_EQ(f.kind, FindingKind::BlockValue);
    EXPECT_EQ(f.point, (Ints{0}));
    // In order, the first wrong step is caught; else the sum.
    EXPECT_EQ(f.reduction, (Ints{t.is_float() ? 1 : 3}));
  }
}

TEST(Blocks, TagsTravelWithCopies) {
  Sum s(kF);
  const auto in_register = [&](int64_t from, int64_t to) {
    // init in memory; per half: copy in, two steps in a register, copy out.
    const Symbol h = sym("h");
    const Stmt step = block_store(s.acc, {}, ir::make_cast(kF, v(s.i) * v(s.k)),
                                  header(s.f, 1, {v(s.i)}, {v(s.k)}), StoreOp::Add);
    return Body{s.init(v(s.i)),
                loop(h, from, to,
                     {ir::make_alloc(s.acc, {}), store(s.acc, {}, load(s.buf, {v(s.i)})),
                      loop(s.k, v(h) * ix(2), v(h) * ix(2) + ix(2), {step}),
                      store(s.buf, {v(s.i)}, load(s.acc, {}))})};
  };
  const Outcome right = s.go(in_register(0, 2));
  EXPECT_TRUE(right.ok()) << right.text();
  EXPECT_EQ(only(s.go(in_register(0, 1))).kind, FindingKind::StepMissing);
  EXPECT_EQ(only(s.go(in_register(1, 2))).kind, FindingKind::StepOrder);
}

TEST(Blocks, TagsTravelThroughInstructionCallsAndLets) {
  Sum s(kF);
  const Symbol d = sym("d", kF), a = sym("a", kF), j = sym("j");
  const auto move = proc("move", {buffer(d, {ix(1)}, true), buffer(a, {ix(1)}, true)},
                         {loop(j, 0, 1, {store(d, {v(j)}, load(a, {v(j)}))})});
  const Symbol t = sym("t", kF), reg = sym("reg", kF);
  const auto one = [&](const Symbol& b, Expr i) {
    return ir::make_window(b, kF, {{i, i + ix(1)}});
  };
  const Body body{s.init(v(s.i)), ir::make_alloc(reg, {ix(4)}),
                  ir::make_call(move, {one(reg, ix(2)), one(s.buf, v(s.i))}),
                  loop(s.k, 0, 4,
                       {ir::make_let(t, load(reg, {ix(2)})),
                        block_store(reg, {ix(2)}, v(t) + ir::make_cast(kF, v(s.i) * v(s.k)),
                                    header(s.f, 1, {v(s.i)}, {v(s.k)}))}),
                  ir::make_call(move, {one(s.buf, v(s.i)), one(reg, ix(2))})};
  const Outcome out = s.go(body);
  EXPECT_TRUE(out.ok()) << out.text();
}

TEST(Blocks, AnUpdateFromNowhere) {
  Sum s(kF);
  // Starts from another point's sum.
  const Stmt stray =
      block_store(s.buf, {v(s.i)}, load(s.acc, {}) + num(kF, 0), header(s.f, 1, {v(s.i)}, {ix(0)}));
  const Finding f =
      only(s.go({ir::make_alloc(s.acc, {}),
                 block_store(s.acc, {}, num(kF, 0), header(s.f, 0, {v(s.i) + ix(1)})), stray}));
  EXPECT_EQ(f.kind, FindingKind::StepSource);
}

TEST(Blocks, StagesInOrder) {
  Bench b;
  const Symbol x = sym("x"), i = sym("i"), buf = sym("f", kI);
  const Symbol f = b.m.pure("f", {x}, num(kI, 1));
  b.m.update(f, {v(x)}, b.m.call(f, {v(x)}) + num(kI, 5), {});
  b.m.update(f, {v(x)}, b.m.call(f, {v(x)}) * num(kI, 3), {});
  b.m.output(f);
  const Stmt init = block_store(buf, {v(i)}, num(kI, 1), header(f, 0, {v(i)}));
  const Stmt add = block_store(buf, {v(i)}, num(kI, 5), header(f, 1, {v(i)}), StoreOp::Add);
  const Stmt mul = block_store(buf, {v(i)}, num(kI, 3), header(f, 2, {v(i)}), StoreOp::Mul);
  const auto go = [&](Body body) {
    Tensor t = Tensor::row_major(kI, {2});
    return b.go(proc("p", {buffer(buf, {ix(2)})}, {loop(i, 0, 2, std::move(body))}), {t});
  };
  EXPECT_TRUE(go({init, add, mul}).ok());
  EXPECT_TRUE(go({init, add, mul, init, add, mul}).ok());  // computed again
  Finding bad = only(go({init, mul}));
  EXPECT_EQ(bad.kind, FindingKind::StepMissing);
  EXPECT_EQ(bad.stage, 1);
  bad = only(go({init, add, mul, add}));
  EXPECT_EQ(bad.kind, FindingKind::StageOrder);
  bad = only(go({init, add}));
  EXPECT_EQ(bad.kind, FindingKind::StepMissing);
  EXPECT_EQ(bad.stage, 2);
}

// f(x) = 1; f(x) += 5; f(x) *= 3, of which the middle is made at x = 0 alone: the others rounded up
// their loops. What nobody needs may stay so.
struct HalfMade : Bench {
  Symbol x = sym("x"), i = sym("i"), scratch, out, f, g;
  Type type;

  explicit HalfMade(Type t) : type(t) {
    f = m.pure("f", {x}, num(t, 1));
    m.update(f, {v(x)}, m.call(f, {v(x)}) + num(t, 5), {});
    m.update(f, {v(x)}, m.call(f, {v(x)}) * num(t, 3), {});
    g = m.pure("g", {x}, m.call(f, {v(x)}) - num(t, 1));
    m.output(g);
    scratch = sym("f", t);
    out = sym("g", t);
  }
  Body made() {
    return {ir::make_alloc(scratch, {ix(2)}),
            loop(i, 0, 2, {block_store(scratch, {v(i)}, num(type, 1), header(f, 0, {v(i)}))}),
            loop(i, 0, 1,
                 {block_store(scratch, {v(i)}, num(type, 5), header(f, 1, {v(i)}), StoreOp::Add)}),
            loop(i, 0, 2,
                 {block_store(scratch, {v(i)}, num(type, 3), header(f, 2, {v(i)}), StoreOp::Mul)})};
  }
  // The first `points` of f copied or of g computed.
  Outcome go(int64_t points, bool copied, std::vector<Symbol> reassociated = {}) {
    Body body = made();
    const Expr from = load(scratch, {v(i)});
    body.push_back(
        loop(i, 0, points,
             {copied ? store(out, {v(i)}, from)
                     : block_store(out, {v(i)}, from - num(type, 1), header(g, 0, {v(i)}))}));
    RunOptions options;
    options.blocks = BlockCheck{&m.algorithm, &bindings, {}, std::move(reassociated)};
    Tensor t = Tensor::row_major(type, {points});
    return run(*proc("p", {buffer(out, {ix(points)})}, std::move(body)), {t}, options);
  }
};

TEST(Blocks, PointsThatNobodyNeedsMayBeHalfMade) {
  for (const Type t : {kI, kF}) {
    HalfMade h(t);
    for (const bool copied : {false, true}) {
      const Outcome out = h.go(1, copied);
      EXPECT_TRUE(out.ok()) << out.text();
    }
  }
}

TEST(Blocks, HalfMadePointsThatAreUsed) {
  for (const Type t : {kI, kF}) {
    HalfMade h(t);
    Finding bad = only(h.go(2, true));
    EXPECT_EQ(bad.kind, FindingKind::StepMissing);
    EXPECT_EQ(bad.func.name(), "f");
    EXPECT_EQ(bad.stage, 1);
    EXPECT_EQ(bad.point, (Ints{1}));
    bad = only(h.go(2, false));
    EXPECT_EQ(bad.kind, FindingKind::BlockValue);
    EXPECT_EQ(bad.func.name(), "g");
    // Values of reassociated Funcs are not compared: the point carries what it lacks.
    bad = only(h.go(2, false, {h.f}));
    EXPECT_EQ(bad.kind, FindingKind::StepMissing);
    EXPECT_EQ(bad.func.name(), "f");
    EXPECT_EQ(bad.stage, 1);
  }
}

// f(x) = 1; f(x) += 5 at x = 0 alone; f(x) *= f(0), then *= f(1): the value of another point
// counts.
TEST(Blocks, HalfMadePointsInUpdatesOfTheirOwnFunc) {
  Bench b;
  const Symbol x = sym("x"), i = sym("i"), buf = sym("f", kI), out = sym("g", kI);
  const Symbol f = b.m.pure("f", {x}, num(kI, 1));
  b.m.update(f, {v(x)}, b.m.call(f, {v(x)}) + num(kI, 5), {});
  const ir::RVar r = b.m.rvar("r", 0, 3);
  b.m.update(f, {v(r.sym)}, b.m.call(f, {v(r.sym)}) + b.m.call(f, {v(r.sym) + ix(1)}), {r});
  const Symbol g = b.m.pure("g", {x}, b.m.call(f, {v(x)}));
  b.m.output(g);
  const auto go = [&](int64_t made, int64_t used) {
    Tensor t = Tensor::row_major(kI, {used});
    return b.go(
        proc("p", {buffer(out, {ix(used)})},
             {ir::make_alloc(buf, {ix(4)}),
              loop(i, 0, 4, {block_store(buf, {v(i)}, num(kI, 1), header(f, 0, {v(i)}))}),
              loop(i, 0, made,
                   {block_store(buf, {v(i)}, num(kI, 5), header(f, 1, {v(i)}), StoreOp::Add)}),
              loop(i, 0, 3,
                   {block_store(buf, {v(i)}, load(buf, {v(i) + ix(1)}),
                                header(f, 2, {v(i)}, {v(i)}), StoreOp::Add)}),
              loop(i, 0, used,
                   {block_store(out, {v(i)}, load(buf, {v(i)}), header(g, 0, {v(i)}))})}),
        {t});
  };
  // Point 1 reads point 2, which lacks its first update.
  EXPECT_TRUE(go(2, 1).ok()) << go(2, 1).text();
  const Finding bad = only(go(2, 2));
  EXPECT_EQ(bad.kind, FindingKind::BlockValue);
  EXPECT_EQ(bad.func.name(), "g");
}

TEST(Blocks, ScatterCountsStepsPerPoint) {
  Bench b;
  const Symbol x = sym("x"), k = sym("k"), i = sym("i"), buf = sym("h", kI);
  const Symbol h = b.m.pure("h", {x}, num(kI, 0));
  const ir::RVar r = b.m.rvar("r", 0, 6);
  const Expr bin = v(r.sym) * v(r.sym) % ix(4);  // 0 1 0 1 0 1
  b.m.update(h, {bin}, b.m.call(h, {bin}) + num(kI, 1), {r});
  b.m.output(h);
  const auto go = [&](int64_t n, Expr at) {
    Tensor t = Tensor::row_major(kI, {4});
    return b.go(
        proc(
            "p", {buffer(buf, {ix(4)})},
            {loop(i, 0, 4, {block_store(buf, {v(i)}, num(kI, 0), header(h, 0, {v(i)}))}),
             loop(k, 0, n,
                  {block_store(buf, {at}, num(kI, 1), header(h, 1, {at}, {v(k)}), StoreOp::Add)})}),
        {t});
  };
  EXPECT_TRUE(go(6, v(k) * v(k) % ix(4)).ok());
  Finding f = only(go(5, v(k) * v(k) % ix(4)));
  EXPECT_EQ(f.kind, FindingKind::StepMissing);
  EXPECT_EQ(f.point, (Ints{1}));
  EXPECT_EQ(f.expected_reduction, (Ints{5}));
  f = only(go(6, v(k) % ix(4)));
  EXPECT_EQ(f.kind, FindingKind::StepUnknown);
  EXPECT_EQ(f.point, (Ints{2}));
}

TEST(Blocks, AScanAcrossPoints) {
  Bench b;
  const Symbol x = sym("x"), k = sym("k"), i = sym("i"), buf = sym("f", kF);
  const Symbol f = b.m.pure("f", {x}, ir::make_cast(kF, v(x)));
  const ir::RVar r = b.m.rvar("r", 1, 4);
  b.m.update(f, {v(r.sym)}, b.m.call(f, {v(r.sym) - ix(1)}) * num(kF, 2) + b.m.call(f, {v(r.sym)}),
             {r});
  b.m.output(f);
  const auto go = [&](Expr at) {
    Tensor t = Tensor::row_major(kF, {5});
    return b.go(
        proc("p", {buffer(buf, {ix(5)})},
             {loop(i, 0, 5,
                   {block_store(buf, {v(i)}, ir::make_cast(kF, v(i)), header(f, 0, {v(i)}))}),
              loop(k, 1, 5,
                   {block_store(buf, {at}, load(buf, {at - ix(1)}) * num(kF, 2) + load(buf, {at}),
                                header(f, 1, {at}, {at}))})}),
        {t});
  };
  EXPECT_TRUE(go(v(k)).ok());
  const Finding bad = only(go(ix(5) - v(k)));  // backwards
  EXPECT_EQ(bad.kind, FindingKind::BlockValue);
  EXPECT_EQ(bad.point, (Ints{4}));
}

}  // namespace
}  // namespace hocket::interp
