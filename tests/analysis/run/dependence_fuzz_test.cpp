// Random loop programs against execution: what is proved to commute gives the same memory in both
// orders, where every value remembers all that it was computed from; every clash is one.
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "analysis/dependence.h"
#include "ir/print.h"
#include "ir/semantics.h"

namespace hocket::analysis {
namespace {

using namespace ir;

using Env = std::map<uint64_t, int64_t>;
using Memory = std::map<std::pair<uint64_t, int64_t>, uint64_t>;

uint64_t mix(uint64_t a, uint64_t b) {
  a ^= b + 0x9e3779b97f4a7c15u + (a << 6) + (a >> 2);
  a ^= a >> 31;
  return a * 0xbf58476d1ce4e5b9u;
}

int64_t index_of(const Expr& e, const Env& env) {
  if (const auto* i = e.as<IntImm>()) return i->value;
  if (const auto* v = e.as<VarRef>()) return env.at(v->sym.id());
  const auto* b = e.as<Binary>();
  return eval_binary(b->op, Scalar::of_int(b->a.type(), index_of(b->a, env)),
                     Scalar::of_int(b->b.type(), index_of(b->b, env)))
      .i;
}

struct Machine {
  bool sums;  // updates are sums, which may come in any order
  Memory memory;

  uint64_t value(const Expr& e, const Env& env) {
    if (const auto* l = e.as<Load>()) return cell(l->buffer, index_of(l->indices[0], env));
    if (const auto* b = e.as<Binary>()) return mix(value(b->a, env), value(b->b, env));
    return 17;
  }
  uint64_t& cell(const Symbol& buffer, int64_t at) {
    auto [it, made] = memory.try_emplace({buffer.id(), at});
    if (made) it->second = mix(buffer.id(), static_cast<uint64_t>(at));
    return it->second;
  }
  void run(const Body& body, Env& env) {
    for (const Stmt& s : body) {
      if (const auto* l = s.as<For>()) {
        int64_t lo = index_of(l->lo, env), hi = index_of(l->hi, env);
        for (int64_t k = lo; k < hi; k++) {
          env[l->var.id()] = k;
          run(l->body, env);
        }
      } else if (const auto* i = s.as<If>()) {
        run(index_of(i->cond, env) ? i->then_body : i->else_body, env);
      } else if (const auto* st = s.as<Store>()) {
        uint64_t v = mix(s.id(), value(st->value, env));
        uint64_t& c = cell(st->buffer, index_of(st->indices[0], env));
        if (st->op == StoreOp::Assign) {
          c = v;
        } else {
          c = sums ? c + v : mix(c, v);
        }
      }
    }
  }
};

// The memory after all; cells that were only read count as untouched.
Memory after(const Body& body, int64_t n, const Symbol& sn, bool sums, const Env& given = {}) {
  Machine m{sums, {}};
  Env env = given;
  env[sn.id()] = n;
  m.run(body, env);
  return m.memory;
}
bool same_memory(const Memory& a, const Memory& b) {
  for (const auto* m : {&a, &b}) {
    for (const auto& [key, v] : *m) {
      for (const auto* other : {&a, &b}) {
        auto it = other->find(key);
        uint64_t w =
            it != other->end() ? it->second : mix(key.first, static_cast<uint64_t>(key.second));
        if (w != v) return false;
      }
    }
  }
  return true;
}

struct World {
  std::mt19937 random;
  Symbol sn = Symbol::fresh("n", Type::index()), si = Symbol::fresh("i", Type::index()),
         sj = Symbol::fresh("j", Type::index());
  Symbol buffers[2] = {Symbol::fresh("A", Type::f(32)), Symbol::fresh("B", Type::f(32))};
  Expr n = make_var(sn), i = make_var(si), j = make_var(sj);

  explicit World(unsigned seed) : random(seed) {}
  int64_t pick(int64_t lo, int64_t hi) {
    return lo + static_cast<int64_t>(random() % static_cast<uint64_t>(hi - lo + 1));
  }
  static Expr c(int64_t v) { return make_index(v); }

  Expr index(bool inner) {
    Expr e = i * c(pick(-1, 2));
    if (inner) e = e + j * c(pick(-1, 2));
    if (random() % 4 == 0) e = e + n;
    e = e + c(pick(-2, 2));
    if (random() % 6 == 0) e = e % c(pick(1, 4));
    if (random() % 8 == 0) e = e / c(pick(1, 3));
    if (random() % 8 == 0) e = make_binary(BinaryOp::Min, e, n);
    return e;
  }
  Expr load(bool inner) {
    const Symbol& b = buffers[random() % 2];
    return make_load(b, b.type(), {index(inner)});
  }
  Stmt store(bool inner) {
    const Symbol& b = buffers[random() % 2];
    Expr v = random() % 3 ? load(inner) : make_float(Type::f(32), 1);
    if (random() % 3 == 0) v = v * load(inner);
    auto op = random() % 3 == 0 ? StoreOp::Add : StoreOp::Assign;
    Stmt s = make_store(b, {index(inner)}, v, op);
    if (random() % 5 == 0) {
      Expr cond =
          make_binary(random() % 2 ? BinaryOp::Lt : BinaryOp::Eq, inner ? j : i, c(pick(0, 3)));
      return make_if(cond, {s}, random() % 2 ? Body{store(inner)} : Body{});
    }
    return s;
  }
  Expr lower() { return c(pick(0, 1)); }
  Expr upper() { return random() % 3 ? n : n - c(pick(0, 2)); }

  Scope scope() {
    Proc p;
    p.sym = Symbol::fresh("p", Type::index());
    p.params.push_back({sn, ParamKind::Size, {}, false, "DRAM"});
    return scope_of(p);
  }
};

// The clash happens: at these numbers both sides touch the element, one of them writing.
void expect_real(const Clash& clash, const World& w, const std::string& program) {
  Env env;
  for (const auto& [s, v] : clash.sizes) env[s.id()] = v;
  env.try_emplace(w.sn.id(), 1);
  bool writes = false;
  for (const Clash::Side* side : {&clash.first, &clash.second}) {
    Env own = env;
    for (const auto& [s, v] : side->iteration) own[s.id()] = v;
    std::vector<Expr> touched;
    std::function<void(const Expr&)> loads = [&](const Expr& e) {
      if (const auto* l = e.as<Load>(); l && l->buffer == clash.buffer)
        touched.push_back(l->indices[0]);
      if (const auto* b = e.as<Binary>()) {
        loads(b->a);
        loads(b->b);
      }
    };
    const auto* st = side->stmt.as<Store>();
    ASSERT_TRUE(st) << program;
    if (side->kind == AccessKind::Read) {
      loads(st->value);
    } else {
      writes = true;
      touched.push_back(st->indices[0]);
      ASSERT_EQ(st->buffer, clash.buffer);
    }
    bool hit = false;
    for (const Expr& e : touched) hit = hit || index_of(e, own) == clash.element[0];
    EXPECT_TRUE(hit) << clash.to_string() << "\n" << program;
  }
  EXPECT_TRUE(writes);
}

constexpr int64_t kSizes = 6;

TEST(DependenceFuzz, WhatIsProvedKeepsTheMemory) {
  Dependence dep;
  int proved = 0, refuted = 0, unknown = 0;
  for (unsigned seed = 0; seed < 700; seed++) {
    World w(seed);
    Scope scope = w.scope();
    bool sums = seed % 2;
    auto mode = sums ? Reductions::All : Reductions::None;
    auto count = [&](const Answer& a, const Body& before, const Body& changed) {
      std::string program = to_text(before) + "changed to\n" + to_text(changed);
      if (a.proved()) {
        proved++;
        for (int64_t n = 1; n <= kSizes; n++) {
          EXPECT_TRUE(same_memory(after(before, n, w.sn, sums), after(changed, n, w.sn, sums)))
              << program << "n=" << n << " by " << a.how;
        }
      } else if (a.refuted()) {
        refuted++;
        if (a.clash) expect_real(*a.clash, w, program);
      } else {
        unknown++;
      }
    };

    Stmt s1 = w.store(true), s2 = w.store(true);
    Expr jl = w.lower(), ju = w.upper(), il = w.lower(), iu = w.upper();
    auto loop = [&](const Symbol& v, const Expr& lo, const Expr& hi, Body b) {
      return make_for(v, lo, hi, LoopKind::Seq, std::move(b));
    };
    {
      Body nest = {loop(w.si, il, iu, {loop(w.sj, jl, ju, {s1, s2})})};
      Body swapped = {loop(w.sj, jl, ju, {loop(w.si, il, iu, {s1, s2})})};
      count(dep.can_interchange(nest[0], scope, mode), nest, swapped);
    }
    Stmt t1 = w.store(false), t2 = w.store(false);
    Stmt both = loop(w.si, il, iu, {t1, t2});
    Stmt one = loop(w.si, il, iu, {t1}), two = loop(w.si, il, iu, {t2});
    count(dep.can_fission(both, 1, scope, mode), {both}, {one, two});
    count(dep.can_fuse(one, two, scope, mode), {one, two}, {both});
    count(dep.commutes({one}, {two}, scope, mode), {one, two}, {two, one});
    if (!sums) count(dep.idempotent({both}, scope), {both}, {both, both});
    {
      // Backwards: i becomes lo + hi - 1 - i.
      Stmt back =
          loop(w.si, il, iu, substitute(Body{t1, t2}, {{w.si, il + iu - World::c(1) - w.i}}));
      count(dep.iterations_independent(both, scope, mode), {both}, {back});
    }
    if (!sums) {
      // Every iteration again, later.
      count(dep.iterations_idempotent(both, scope), {both}, {both, both});
    }
    if (::testing::Test::HasFailure()) return;
  }
  // The generator makes both kinds, and the judge rarely gives up.
  EXPECT_GT(proved, 200);
  EXPECT_GT(refuted, 200);
  EXPECT_LT(unknown * 20, proved + refuted) << unknown;
}

}  // namespace
}  // namespace hocket::analysis
