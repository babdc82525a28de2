#include "rewrite/random.h"

#include "ir/visit.h"
#include "rewrite/edit.h"

namespace hocket::rewrite::testing {

using namespace ir;

namespace {

// def p(n: size, m: size, A: i16[n + 2, m + 2], B: f32[n + 2, m + 2], Q: f32[m + 2])
class Maker {
 public:
  explicit Maker(interp::Random& r) : r_(r) {}

  ProcRef make() {
    auto p = support::Ref<Proc>(new Proc);
    p->sym = Symbol::fresh("p", Type::i(32));
    n_ = Symbol::fresh("n", Type::index());
    m_ = Symbol::fresh("m", Type::index());
    p->params.push_back({n_, ParamKind::Size, {}, false, "DRAM"});
    p->params.push_back({m_, ParamKind::Size, {}, false, "DRAM"});
    const Expr rows = make_var(n_) + make_index(2), columns = make_var(m_) + make_index(2);
    a_ = Symbol::fresh("A", Type::i(16));
    b_ = Symbol::fresh("B", Type::f(32));
    row_ = Symbol::fresh("Q", Type::f(32));
    p->params.push_back({a_, ParamKind::Buffer, {rows, columns}, false, "DRAM"});
    p->params.push_back({b_, ParamKind::Buffer, {rows, columns}, false, "DRAM"});
    p->params.push_back({row_, ParamKind::Buffer, {columns}, false, "DRAM"});
    const int64_t nests = r_.between(1, 2);
    for (int64_t i = 0; i < nests; ++i) p->body.push_back(loop(n_, "i", true));
    return ProcRef(p.get());
  }

 private:
  Stmt loop(const Symbol& size, const char* name, bool outer) {
    const Symbol v = Symbol::fresh(name, Type::index());
    (outer ? i_ : j_) = make_var(v);
    const Expr lo = make_index(r_.one_in(4) ? 1 : 0);
    const Expr hi = r_.one_in(3) ? make_var(size) + make_index(1) : make_var(size);
    Body body;
    if (outer) {
      if (r_.one_in(2)) {
        scratch_ = Symbol::fresh("t", Type::f(32));
        body.push_back(make_alloc(scratch_, {}));
        body.push_back(make_store(scratch_, {}, make_float(Type::f(32), 0.5)));
      } else {
        scratch_ = {};
      }
      body.push_back(loop(m_, "j", false));
      if (r_.one_in(3)) body.push_back(loop(m_, "j", false));
    } else {
      const int64_t stores = r_.between(1, 3);
      for (int64_t k = 0; k < stores; ++k) body.push_back(guarded(store()));
    }
    return make_for(v, lo, hi, LoopKind::Seq, body);
  }

  Stmt guarded(Stmt s) {
    if (!r_.one_in(4)) return s;
    return make_if(make_binary(BinaryOp::Lt, r_.one_in(2) ? i_ : j_, make_index(r_.between(1, 4))),
                   {s});
  }
  Expr shifted(const Expr& e) { return r_.one_in(3) ? e + make_index(1) : e; }

  Expr value(Type type, int depth) {
    if (depth == 0 || r_.one_in(3)) {
      if (type == Type::i(16)) return make_load(a_, type, {shifted(i_), shifted(j_)});
      if (scratch_.defined() && r_.one_in(3)) return make_load(scratch_, type, {});
      if (r_.one_in(3)) return make_load(row_, type, {shifted(j_)});
      if (r_.one_in(4))
        return make_cast(type, make_load(a_, Type::i(16), {shifted(i_), shifted(j_)}));
      return make_load(b_, type, {shifted(i_), shifted(j_)});
    }
    const BinaryOp op = r_.one_in(2) ? BinaryOp::Add : r_.one_in(2) ? BinaryOp::Mul : BinaryOp::Max;
    return make_binary(op, value(type, depth - 1), value(type, depth - 1));
  }

  Stmt store() {
    const StoreOp op = r_.one_in(2) ? StoreOp::Assign : r_.one_in(3) ? StoreOp::Max : StoreOp::Add;
    switch (r_.below(scratch_.defined() ? 4 : 3)) {
      case 0:
        return make_store(a_, {shifted(i_), shifted(j_)}, value(Type::i(16), 2), op);
      case 1:
        return make_store(row_, {shifted(j_)}, value(Type::f(32), 2), op);
      case 2:
        return make_store(b_, {shifted(i_), shifted(j_)}, value(Type::f(32), 2), op);
      default:
        return make_store(scratch_, {}, value(Type::f(32), 2), op);
    }
  }

  interp::Random& r_;
  Symbol n_, m_, a_, b_, row_, scratch_;
  Expr i_, j_;
};

}  // namespace

namespace {

// The pattern of one loop: its name and its number among those of that name.
Literal numbered(const Proc& proc, const Stmt& loop) {
  int64_t before = 0;
  bool found = false;
  const std::string& name = loop.as<For>()->var.name();
  for_each_stmt(proc.body, [&](const Stmt& s) {
    if (s.id() == loop.id()) found = true;
    if (const auto* f = s.as<For>(); f && !found && f->var.name() == name) ++before;
    return true;
  });
  return Literal::string(name + " #" + std::to_string(before));
}

}  // namespace

ProcRef random_program(interp::Random& random) {
  return Maker(random).make();
}

TraceStep random_step(const Proc& proc, interp::Random& random) {
  std::vector<std::string> loops, stores, allocs;
  std::vector<std::pair<std::string, std::string>> nests;
  std::vector<std::pair<Stmt, Stmt>> pairs;  // loops that follow each other
  size_t branches = 0;
  auto neighbours = [&](const Body& list) {
    for (size_t i = 0; i + 1 < list.size(); ++i)
      if (list[i].kind() == StmtKind::For && list[i + 1].kind() == StmtKind::For)
        pairs.emplace_back(list[i], list[i + 1]);
  };
  neighbours(proc.body);
  for_each_stmt(proc.body, [&](const Stmt& s) {
    if (const auto* f = s.as<For>()) {
      loops.push_back(f->var.name());
      if (f->body.size() == 1)
        if (const auto* g = f->body[0].as<For>()) nests.emplace_back(f->var.name(), g->var.name());
    }
    if (const auto* f = s.as<For>()) neighbours(f->body);
    if (s.kind() == StmtKind::Store) stores.push_back(spoken(s));
    if (s.kind() == StmtKind::If) ++branches;
    if (const auto* a = s.as<Alloc>()) allocs.push_back(a->buffer.name());
    return true;
  });
  auto pick = [&](const std::vector<std::string>& v) {
    if (v.empty()) return Literal::string("none");
    const std::string& name = v[static_cast<size_t>(random.below(static_cast<int64_t>(v.size())))];
    int64_t same = 0;
    for (const std::string& o : v) same += o == name;
    return Literal::string(name + " #" + std::to_string(random.below(same)));
  };
  auto loop = [&] { return pick(loops); };
  auto name = [&] {
    return Literal::name(std::string(1, static_cast<char>('a' + random.below(26))) + "x");
  };
  auto number = [&](int64_t lo, int64_t hi) { return Literal::of(random.between(lo, hi)); };
  TraceStep s;
  switch (random.below(16)) {
    case 0:
    case 1: {
      static const char* tails[] = {"guard", "cut", "cut_and_guard", "short", "perfect"};
      s.op = "split";
      s.args = {loop(), number(1, 5), Literal::list({name(), name()})};
      s.keywords = {{"tail", Literal::name(tails[random.below(5)])}};
      break;
    }
    case 2:
    case 3: {
      s.op = "reorder";
      if (nests.empty()) {
        s.args = {loop(), Literal::name("_")};
      } else {
        const auto& nest =
            nests[static_cast<size_t>(random.below(static_cast<int64_t>(nests.size())))];
        s.args = {Literal::string(nest.first), Literal::name("_")};
      }
      break;
    }
    case 4:
      s.op = "unroll";
      s.args = {loop()};
      break;
    case 5:
      s.op = "fission";
      s.args = {pick(stores), number(1, 2)};
      break;
    case 6:
      s.op = "fuse";
      s.args = {loop(), loop()};
      if (!pairs.empty()) {
        const auto& two =
            pairs[static_cast<size_t>(random.below(static_cast<int64_t>(pairs.size())))];
        s.args = {numbered(proc, two.first), numbered(proc, two.second)};
      }
      break;
    case 7:
      s.op = "cut_loop";
      s.args = {loop(), number(0, 2)};
      break;
    case 8:
      s.op = "remove_loop";
      s.args = {loop()};
      break;
    case 9:
      s.op = "lift_if";
      s.args = {Literal::string(
          "if _: _ #" +
          std::to_string(branches ? random.below(static_cast<int64_t>(branches)) : 0))};
      break;
    case 10:
      s.op = "reorder_stmts";
      s.args = {random.one_in(2) ? pick(stores) : loop()};
      break;
    case 11:
      s.op = random.one_in(2) ? "parallelize" : "vectorize";
      s.args = {loop()};
      break;
    case 12: {
      static const char* windows[] = {
          "A[0:n + 2, 0:m + 2]", "B[0:n + 2, 0:m + 2]", "Q[0:m + 2]", "B[i, 0:m + 2]", "B[i, j]",
          "A[i, 1:m + 1]"};
      s.op = "stage_mem";
      s.args = {random.one_in(3) ? pick(stores) : loop(), Literal::string(windows[random.below(6)]),
                name()};
      break;
    }
    case 13: {
      static const char* buffers[] = {"A", "B", "Q", "t"};
      s.op = "bind_expr";
      s.args = {pick(stores), Literal::name(buffers[random.below(4)]), name()};
      break;
    }
    case 14: {
      if (random.one_in(3)) {
        s.op = "expand_dim";
        const bool row = random.one_in(2);
        s.args = {pick(allocs), Literal::string(row ? "n + 2" : "m + 2"),
                  Literal::name(row ? "i" : "j")};
      } else if (random.one_in(2)) {
        s.op = "divide_dim";
        s.args = {pick(allocs), number(0, 1), number(1, 4)};
      } else {
        s.op = "lift_alloc";
        s.args = {pick(allocs), number(1, 2)};
      }
      break;
    }
    default:
      s.op = random.one_in(3) ? "simplify" : "lift_alloc";
      if (s.op == "lift_alloc") s.args = {pick(allocs)};
      break;
  }
  return s;
}

}  // namespace hocket::rewrite::testing
