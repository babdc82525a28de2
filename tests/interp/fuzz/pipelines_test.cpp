// Random algorithms, lowered in the plainest way (each Func over the whole box, at the root), run
// with blocks in every order: the evaluator and the interpreter must agree. Then the lowered
// program is damaged in one place: the damage is found, or the outputs are right all the same.
#include <gtest/gtest.h>

#include "interp/pipeline.h"
#include "ir/print.h"
#include "ir/visit.h"

namespace hocket::interp {
namespace {

using namespace make;

constexpr int64_t kSide = 4;  // every Func is computed over 0 .. kSide - 1

class RandomPipeline {
 public:
  explicit RandomPipeline(uint64_t seed) : random_(seed) {
    const Type types[] = {Type::i(32), Type::u(8), Type::i(16), Type::f(32), Type::i(64)};
    type_ = types[random_.below(5)];
    input_ = m.input("in", type_, {"x", "y"});
    known_.push_back({input_, 2});
    const int64_t funcs = random_.between(1, 3);
    for (int64_t k = 0; k < funcs; ++k) func("f" + std::to_string(k));
    m.output(known_.back().first);
    const ir::Func* out = m.algorithm.find(known_.back().first);
    lower(*out);
  }

  AlgorithmMaker m;
  ir::ProcRef proc;
  Type type_;
  int rank_out = 0;
  Random& random() { return random_; }

 private:
  Expr wrapped(Expr e) { return std::move(e) % ix(kSide); }
  Expr coordinate(const std::vector<Symbol>& vars) {
    if (vars.empty() || random_.one_in(6)) return ix(random_.below(kSide));
    const Expr x = v(vars[static_cast<size_t>(random_.below(static_cast<int64_t>(vars.size())))]);
    if (random_.one_in(3)) return wrapped(x + ix(random_.between(-2, 2)));
    if (random_.one_in(4)) return min(max(x + ix(random_.between(-2, 2)), ix(0)), ix(kSide - 1));
    return x;
  }
  Expr number(int64_t n) { return ir::make_const(type_, n); }
  Expr value(const std::vector<Symbol>& vars, int depth) {
    if (depth == 0 || random_.one_in(4)) {
      if (random_.one_in(4)) return number(random_.between(-3, 3));
      if (random_.one_in(4) && !vars.empty())
        return ir::make_cast(
            type_, v(vars[static_cast<size_t>(random_.below(static_cast<int64_t>(vars.size())))]));
      const auto [f, rank] =
          known_[static_cast<size_t>(random_.below(static_cast<int64_t>(known_.size())))];
      std::vector<Expr> at;
      for (int d = 0; d < rank; ++d) at.push_back(coordinate(vars));
      return m.call(f, std::move(at));
    }
    const Expr a = value(vars, depth - 1), b = value(vars, depth - 1);
    switch (random_.below(7)) {
      case 0:
        return ir::make_select(lt(a, b), value(vars, depth - 1), b);
      case 1:
        return a * b;
      case 2:
        return min(a, b);
      case 3:
        return a - b;
      case 4:
        return a / (max(b, number(1)));
      default:
        return a + b;
    }
  }
  void func(const std::string& name) {
    std::vector<Symbol> args;
    for (int64_t r = random_.between(0, 2); r > 0; --r) args.push_back(sym(r == 2 ? "x" : "y"));
    const Symbol f = m.pure(name, args, value(args, 2));
    for (int64_t u = random_.between(0, 2); u > 0; --u) {
      std::vector<ir::RVar> vars;
      std::vector<Symbol> all = args, reduction;
      for (int64_t r = random_.between(0, 2); r > 0; --r) {
        vars.push_back(m.rvar("r" + std::to_string(r), random_.below(2), random_.between(1, 3)));
        all.push_back(vars.back().sym);
        reduction.push_back(vars.back().sym);
      }
      std::vector<Expr> at, self;
      for (const Symbol& a : args) {
        const bool pure = reduction.empty() || random_.one_in(2);
        at.push_back(pure ? v(a) : coordinate(reduction));
        // Another point may be read only along dimensions that are not pure.
        self.push_back(pure || random_.one_in(2) ? at.back()
                                                 : wrapped(at.back() + ix(random_.between(-1, 1))));
      }
      // Variables of dimensions that are not pure mean nothing in the update.
      std::vector<Symbol> meant = reduction;
      for (size_t d = 0; d < args.size(); ++d) {
        if (at[d].as<ir::VarRef>() && at[d].as<ir::VarRef>()->sym == args[d])
          meant.push_back(args[d]);
      }
      const Expr e = value(meant, 1), old = m.call(f, self);
      Expr total = random_.one_in(3) ? min(old, e) : random_.one_in(3) ? e - old : old + e;
      Expr where;
      if (!reduction.empty() && random_.one_in(3))
        where = op(BinaryOp::Ne, v(reduction[0]) % ix(3), ix(random_.below(3)));
      m.update(f, at, total, vars, where);
    }
    known_.push_back({f, static_cast<int>(args.size())});
  }

  // ---- lowering ----
  Expr lowered(const Expr& e) {
    return ir::map_exprs(e, [&](const Expr& x) {
      const auto* c = x.as<ir::Call>();
      if (!c) return x;
      const auto it = place_.find(c->func);
      return load(it->second.first, at(c->func, c->args));
    });
  }
  std::vector<Expr> at(const Symbol& f, std::vector<Expr> point) {
    const PipelineMaker::Image* image = place_.at(f).second;
    if (image) return image->at(std::move(point));
    return {point.rbegin(), point.rend()};
  }
  Stmt stage(const ir::Func& f, int k) {
    const ir::Definition& d = f.stage(k);
    ir::Substitution map;
    std::vector<std::pair<Symbol, std::pair<Expr, Expr>>> loops;  // innermost first
    std::vector<Expr> reduction;
    for (const ir::RVar& r : d.domain.vars) {
      const Symbol i = sym(r.sym.name());
      map[r.sym] = v(i);
      loops.push_back({i, {r.min, r.min + r.extent}});
      reduction.push_back(v(i));
    }
    for (size_t n = 0; n < f.args.size(); ++n) {
      const auto* var = d.args[n].as<ir::VarRef>();
      if (!var || !(var->sym == f.args[n])) continue;
      const Symbol i = sym(f.args[n].name());
      map[f.args[n]] = v(i);
      loops.push_back({i, {ix(0), ix(kSide)}});
    }
    std::vector<Expr> point;
    for (const Expr& a : d.args) point.push_back(ir::substitute(lowered(a), map));
    Stmt s =
        block_store(place_.at(f.sym).first, at(f.sym, point),
                    ir::substitute(lowered(d.values[0]), map), header(f.sym, k, point, reduction));
    if (d.domain.where.defined())
      s = ir::make_if(ir::substitute(lowered(d.domain.where), map), {s});
    // Pure dimensions outermost: their order is free.
    for (size_t n = 0; n < loops.size(); ++n) {
      const bool pure = n >= d.domain.vars.size();
      s = loop(
          loops[n].first, loops[n].second.first, loops[n].second.second, {s},
          pure ? (random_.one_in(2) ? LoopKind::Parallel : LoopKind::Unordered) : LoopKind::Seq);
    }
    return s;
  }
  void lower(const ir::Func& out) {
    PipelineMaker p;
    const auto in = p.input("in", type_, 2),
               result = p.output(out.name(), type_, static_cast<int>(out.args.size()));
    rank_out = static_cast<int>(out.args.size());
    for (size_t d = 0; d < 2; ++d) p.require(in, d, ix(0), ix(kSide - 1));
    for (size_t d = 0; d < out.args.size(); ++d) p.require(result, d, ix(0), ix(kSide - 1));
    place_[input_] = {in.sym, &in};
    Body body;
    for (const ir::Func& f : m.algorithm.funcs) {
      if (f.sym == out.sym) {
        place_[f.sym] = {result.sym, &result};
      } else {
        const Symbol b = sym(f.name(), type_);
        place_[f.sym] = {b, nullptr};
        body.push_back(ir::make_alloc(b, std::vector<Expr>(f.args.size(), ix(kSide))));
      }
      for (int k = 0; k < f.num_stages(); ++k) body.push_back(stage(f, k));
    }
    proc = p.proc(body);
  }

  Random random_;
  Symbol input_;
  std::vector<std::pair<Symbol, int>> known_;
  std::unordered_map<Symbol, std::pair<Symbol, const PipelineMaker::Image*>> place_;
};

// One place of the program changed: an index, a constant, a store, a loop.
class Damage : public ir::Rewriter {
 public:
  explicit Damage(int64_t where) : left_(where) {}
  bool done = false;

 protected:
  bool in_blocks() const override { return false; }
  bool here() { return left_-- == 0 && (done = true); }
  Expr visit(const Expr& e) override {
    const auto* i = e.as<ir::IntImm>();
    if (i && !i->type.is_bool() && here()) return ir::make_int(i->type, i->value + 1);
    if (const auto* b = e.as<ir::Binary>(); b && b->op == BinaryOp::Sub && here())
      return recurse(op(BinaryOp::Add, b->a, b->b));
    return recurse(e);
  }
  void visit(const Stmt& s, Body& out) override {
    if (const auto* f = s.as<ir::For>(); f && here()) {
      out.push_back(ir::edited<ir::For>(s, [](ir::For& n) { n.lo = n.lo + ix(1); }));
      return;
    }
    if (s.as<ir::Store>() && here()) {
      out.push_back(s);
      out.push_back(s);
      return;
    }
    if (s.as<ir::Store>() && here()) return;
    out.push_back(recurse(s));
  }

 private:
  int64_t left_;
};

TEST(RandomPipelines, EvaluatorAndInterpreterAgreeAndDamageIsFound) {
  int poison = 0, clean = 0, damaged = 0, found = 0;
  for (uint64_t seed = 1; seed <= 400; ++seed) {
    RandomPipeline p(seed);
    Tensor in = Tensor::of_box(p.type_, {0, 0}, {kSide, kSide});
    if (p.type_.is_float() || seed % 8 == 0) {  // whole range: overflow reaches some outputs
      in.fill_random(seed);
    } else {
      in.fill_random(seed, p.type_.is_uint() ? 0 : -50, 50);
    }
    const std::vector<int64_t> zeros(static_cast<size_t>(p.rank_out), 0),
        sides(static_cast<size_t>(p.rank_out), kSide);
    Bindings bindings;
    bindings.image("in", in);
    auto expected = evaluate(p.m.algorithm, bindings, {{zeros, sides}});
    for (const Order order : {Order::Forward, Order::Reverse, Order::Random}) {
      RunOptions options;
      options.order = order;
      options.seed = seed;
      options.blocks = BlockCheck{&p.m.algorithm, nullptr, {}, {}};
      Tensor out = Tensor::of_box(p.type_, zeros, sides);
      const Outcome o = run_pipeline(*p.proc, {in, out}, options);
      if (!expected.ok()) {  // integer overflow reaches the output
        ASSERT_EQ(o.findings.size(), 1u) << "seed " << seed << ir::to_text(p.m.algorithm);
        ASSERT_EQ(o.findings[0].kind, FindingKind::PoisonOutput) << o.text();
        ++poison;
        continue;
      }
      ASSERT_TRUE(o.ok()) << "seed " << seed << "\n"
                          << o.text() << ir::to_text(p.m.algorithm) << ir::to_text(*p.proc);
      ASSERT_EQ(first_difference(out, (*expected)[0]), std::nullopt);
      ++clean;
    }
    if (!expected.ok()) continue;
    for (int64_t where = 0; where < 60; ++where) {
      Damage d(where);
      const ir::ProcRef bad =
          ir::edited(p.proc, [&](ir::Proc& q) { q.body = d.ir::Rewriter::rewrite(q.body); });
      if (!d.done) break;
      RunOptions options;
      options.blocks = BlockCheck{&p.m.algorithm, nullptr, {}, {}};
      Tensor out = Tensor::of_box(p.type_, zeros, sides);
      const Outcome o = run_pipeline(*bad, {in, out}, options);
      ++damaged;
      found += !o.ok();
      // What nobody complains of is right.
      if (o.ok()) ASSERT_EQ(first_difference(out, (*expected)[0]), std::nullopt) << seed;
    }
  }
  EXPECT_GT(clean, 900);
  EXPECT_GT(poison, 3);
  EXPECT_GT(damaged, 2000);
  EXPECT_GT(found, damaged / 2);
}

}  // namespace
}  // namespace hocket::interp
