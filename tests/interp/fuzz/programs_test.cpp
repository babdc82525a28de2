// Random loop programs, run by the interpreter and by a second one that is as plain as can be: it
// walks the ir nodes, keeps memory in a map, and knows no slots, views, caches or lanes.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "interp/make.h"
#include "ir/print.h"
#include "ir/verify.h"

namespace hocket::interp {
namespace {

using namespace make;
using ir::Scalar;
using Ints = std::vector<int64_t>;

// ---- The plain interpreter ----------------------------------------------------------------------

struct Fault {};  // an access outside, or poison where it matters

class Plain {
 public:
  struct Array {
    Type type;
    Ints extents;
    std::map<Ints, Scalar> cells;
  };
  struct Seen {  // a window: for each dimension of the array a coordinate, some of them open
    Array* array = nullptr;
    Ints base;
    std::vector<int> open;  // array dimension of each window dimension
    Ints extents;
  };
  std::map<Symbol, Scalar> values;
  std::map<Symbol, Seen> buffers;

  static Seen whole(Array& a) {
    Seen s{&a, Ints(a.extents.size(), 0), {}, a.extents};
    for (size_t d = 0; d < a.extents.size(); ++d) s.open.push_back(static_cast<int>(d));
    return s;
  }

  int64_t index(const Expr& e) {
    const Scalar s = eval(e);
    if (s.poison) throw Fault{};
    return s.i;
  }
  Scalar* cell(const Symbol& b, const std::vector<Expr>& indices) {
    const Seen& s = buffers.at(b);
    Ints at = s.base;
    for (size_t d = 0; d < indices.size(); ++d) {
      const int64_t i = index(indices[d]);
      if (i < 0 || i >= s.extents[d]) throw Fault{};
      at[static_cast<size_t>(s.open[d])] += i;
    }
    const auto it = s.array->cells.try_emplace(at, Scalar::of_poison(s.array->type)).first;
    return &it->second;
  }
  Scalar eval(const Expr& e) {
    if (const auto* x = e.as<ir::IntImm>()) return Scalar::of_int(x->type, x->value);
    if (const auto* x = e.as<ir::VarRef>()) return values.at(x->sym);
    if (const auto* x = e.as<ir::Unary>()) return ir::eval_unary(x->op, eval(x->a));
    if (const auto* x = e.as<ir::Binary>()) return ir::eval_binary(x->op, eval(x->a), eval(x->b));
    if (const auto* x = e.as<ir::Cast>()) return ir::eval_cast(x->type, eval(x->a));
    if (const auto* x = e.as<ir::Select>()) {
      const Scalar c = eval(x->cond);
      if (c.poison) return Scalar::of_poison(x->type);
      return eval(c.truth() ? x->t : x->f);
    }
    const auto* l = e.as<ir::Load>();
    return *cell(l->buffer, l->indices);
  }
  Seen window(const Expr& e) {
    if (const auto* v = e.as<ir::VarRef>()) return buffers.at(v->sym);
    const auto* w = e.as<ir::Window>();
    const Seen from = buffers.at(w->buffer);
    Seen to{from.array, from.base, {}, {}};
    for (size_t d = 0; d < w->dims.size(); ++d) {
      const int64_t lo = index(w->dims[d].lo),
                    hi = w->dims[d].is_point() ? lo + 1 : index(w->dims[d].hi);
      if (lo < 0 || hi < lo || hi > from.extents[d]) throw Fault{};
      to.base[static_cast<size_t>(from.open[d])] += lo;
      if (w->dims[d].is_point()) continue;
      to.open.push_back(from.open[d]);
      to.extents.push_back(hi - lo);
    }
    return to;
  }
  void run(const Body& body) {
    std::vector<std::unique_ptr<Array>> local;
    for (const Stmt& s : body) {
      if (const auto* f = s.as<ir::For>()) {
        const int64_t lo = index(f->lo), hi = index(f->hi);
        for (int64_t i = lo; i < hi; ++i) {
          values[f->var] = Scalar::of_int(Type::index(), i);
          run(f->body);
        }
      } else if (const auto* f = s.as<ir::If>()) {
        const Scalar c = eval(f->cond);
        if (c.poison) throw Fault{};
        run(c.truth() ? f->then_body : f->else_body);
      } else if (const auto* l = s.as<ir::Let>()) {
        values[l->sym] = eval(l->value);
      } else if (const auto* a = s.as<ir::Alloc>()) {
        local.push_back(std::make_unique<Array>());
        local.back()->type = a->buffer.type();
        for (const Expr& e : a->shape) local.back()->extents.push_back(index(e));
        buffers[a->buffer] = whole(*local.back());
      } else if (const auto* w = s.as<ir::WindowStmt>()) {
        buffers[w->sym] = window(w->window);
      } else if (const auto* c = s.as<ir::CallStmt>()) {
        for (size_t k = 0; k < c->args.size(); ++k) {
          const ir::Param& p = c->callee->params[k];
          if (p.kind == ir::ParamKind::Buffer) {
            buffers[p.sym] = window(c->args[k]);
          } else {
            values[p.sym] = eval(c->args[k]);
          }
        }
        run(c->callee->body);
      } else if (const auto* st = s.as<ir::Store>()) {
        const Scalar v = eval(st->value);
        Scalar* to = cell(st->buffer, st->indices);
        switch (st->op) {
          case StoreOp::Assign:
            *to = v;
            break;
          case StoreOp::Add:
            *to = ir::eval_binary(BinaryOp::Add, *to, v);
            break;
          case StoreOp::Mul:
            *to = ir::eval_binary(BinaryOp::Mul, *to, v);
            break;
          case StoreOp::Min:
            *to = ir::eval_binary(BinaryOp::Min, *to, v);
            break;
          case StoreOp::Max:
            *to = ir::eval_binary(BinaryOp::Max, *to, v);
            break;
        }
      }
    }
  }
};

// ---- The generator ------------------------------------------------------------------------------

class Generator {
 public:
  explicit Generator(uint64_t seed) : random_(seed) {}

  struct Buffer {
    Symbol sym;
    std::vector<int64_t> extents;  // smallest that may be assumed
  };

  ir::ProcRef program() {
    std::vector<ir::Param> params;
    for (int k = 0; k < 3; ++k) {
      Buffer b{sym("a" + std::to_string(k), type()), {}};
      std::vector<Expr> shape;
      for (int64_t r = random_.between(0, 2); r > 0; --r) {
        b.extents.push_back(random_.between(1, 6));
        shape.push_back(ix(b.extents.back()));
      }
      params.push_back(buffer(b.sym, shape));
      buffers_.push_back(b);
    }
    const Symbol n = sym("n");
    params.push_back(make::index(n));
    vars_.push_back({n, 4});
    return proc("p", params, body(3));
  }

 private:
  Type type() {
    return std::vector<Type>{Type::i(32), Type::u(8), Type::i(16),
                             Type::i(64)}[static_cast<size_t>(random_.below(4))];
  }

  // Mostly inside 0 .. extent - 1.
  Expr index(int64_t extent) {
    Expr e = ix(random_.below(extent));
    if (vars_.empty()) return e;
    const auto& [s, limit] =
        vars_[static_cast<size_t>(random_.below(static_cast<int64_t>(vars_.size())))];
    switch (random_.below(6)) {
      case 0:
        return e;
      case 1:
        return (v(s) * ix(random_.between(-2, 3)) + ix(random_.between(-3, 9))) % ix(extent);
      case 2:
        return min(max(v(s) - ix(random_.below(3)), ix(0)), ix(extent - 1));
      case 3:
        return random_.one_in(3) ? v(s) + ix(random_.between(-1, 1)) : v(s) % ix(extent);
      case 4:
        return v(s) / ix(random_.between(1, 3)) % ix(extent);
      default:
        return limit <= extent ? v(s) : v(s) % ix(extent);
    }
  }
  const Buffer& any_buffer() {
    return buffers_[static_cast<size_t>(random_.below(static_cast<int64_t>(buffers_.size())))];
  }
  std::vector<Expr> indices(const Buffer& b) {
    std::vector<Expr> i;
    for (const int64_t e : b.extents) i.push_back(index(std::max<int64_t>(e, 1)));
    return i;
  }
  Expr value(Type t, int depth) {
    if (depth == 0 || random_.one_in(4)) {
      if (random_.one_in(3)) return ir::make_int(t, random_.between(-9, 9));
      if (random_.one_in(3) && !vars_.empty())
        return ir::make_cast(
            t,
            v(vars_[static_cast<size_t>(random_.below(static_cast<int64_t>(vars_.size())))].first));
      const Buffer& b = any_buffer();
      return ir::make_cast(t, load(b.sym, indices(b)));
    }
    switch (random_.below(8)) {
      case 0: {  // shared
        const Expr e = value(t, depth - 1);
        return (e + e) - min(e, ir::make_int(t, 3));
      }
      case 1:
        return ir::make_select(lt(value(t, depth - 1), value(t, depth - 1)), value(t, depth - 1),
                               value(t, depth - 1));
      case 2:
        return ir::make_unary(random_.one_in(2) ? UnaryOp::Neg : UnaryOp::Abs, value(t, depth - 1));
      case 3: {
        const Type u = type();
        return ir::make_cast(t, value(u, depth - 1));
      }
      default: {
        static const BinaryOp ops[] = {BinaryOp::Add, BinaryOp::Sub,    BinaryOp::Mul,
                                       BinaryOp::Div, BinaryOp::Mod,    BinaryOp::Min,
                                       BinaryOp::Max, BinaryOp::BitXor, BinaryOp::Shr};
        return op(ops[random_.below(9)], value(t, depth - 1), value(t, depth - 1));
      }
    }
  }
  Body body(int depth) {
    const size_t buffers = buffers_.size(), vars = vars_.size();
    Body out;
    for (int64_t n = random_.between(1, 4); n > 0; --n) statement(out, depth);
    buffers_.resize(buffers);
    vars_.resize(vars);
    return out;
  }
  void statement(Body& out, int depth) {
    const int64_t kind = depth == 0 ? 9 : random_.below(14);
    if (kind <= 2) {
      const Symbol i = sym("i");
      const int64_t lo = random_.between(-1, 2), hi = random_.between(-1, 5);
      vars_.push_back({i, std::max<int64_t>(hi, 1)});
      Body in = body(depth - 1);
      vars_.pop_back();
      out.push_back(loop(i, lo, hi, std::move(in)));
    } else if (kind == 3) {
      Body t = body(depth - 1), f = random_.one_in(2) ? body(depth - 1) : Body{};
      out.push_back(ir::make_if(lt(value(Type::i(32), 1), value(Type::i(32), 1)), std::move(t),
                                std::move(f)));
    } else if (kind == 4) {
      const Symbol s = sym("t", Type::index());
      out.push_back(ir::make_let(s, index(5)));
      vars_.push_back({s, 5});
    } else if (kind <= 6) {
      Buffer b{sym("m", type()), {}};
      std::vector<Expr> shape;
      for (int64_t r = random_.between(0, 2); r > 0; --r) {
        b.extents.push_back(random_.between(1, 4));
        shape.push_back(ix(b.extents.back()));
      }
      out.push_back(ir::make_alloc(b.sym, shape));
      buffers_.push_back(b);
      if (!b.extents.empty()) return;
      out.push_back(store(b.sym, {}, ir::make_int(b.sym.type(), 1)));
    } else if (kind == 7) {
      Buffer from = any_buffer();
      if (from.extents.empty()) return;
      Buffer to{sym("w", from.sym.type()), {}};
      const Expr w = window(from, &to.extents);
      out.push_back(ir::make_window_stmt(to.sym, w));
      buffers_.push_back(to);
    } else if (kind == 8) {
      call(out, depth);
    } else {
      const Buffer b = any_buffer();
      const StoreOp o =
          random_.one_in(3) ? static_cast<StoreOp>(random_.below(5)) : StoreOp::Assign;
      out.push_back(store(b.sym, indices(b), value(b.sym.type(), 2), o));
    }
  }
  Expr window(const Buffer& from, Ints* extents) {
    std::vector<ir::WindowDim> dims;
    for (const int64_t e : from.extents) {
      if (random_.one_in(3)) {
        dims.push_back({index(e), {}});
        continue;
      }
      const int64_t lo = random_.below(e),
                    hi = random_.between(lo + 1, random_.one_in(20) ? e + 1 : e);
      dims.push_back({ix(lo), ix(hi)});
      extents->push_back(hi - lo);
    }
    return ir::make_window(from.sym, from.sym.type(), dims);
  }
  void call(Body& out, int depth) {
    Buffer from = any_buffer();
    Ints extents;
    const Expr w = window(from, &extents);
    Buffer p{sym("q", from.sym.type()), extents};
    std::vector<Expr> shape;
    for (const int64_t e : extents) shape.push_back(ix(e));
    const Symbol k = sym("k");
    // The callee sees its parameters alone.
    std::vector<Buffer> buffers{p};
    std::vector<std::pair<Symbol, int64_t>> vars{{k, 3}};
    std::swap(buffers, buffers_);
    std::swap(vars, vars_);
    Body in = body(std::min(depth - 1, 1));
    std::swap(buffers, buffers_);
    std::swap(vars, vars_);
    out.push_back(ir::make_call(
        proc("f", {buffer(p.sym, shape, true), make::index(k)}, std::move(in)), {w, index(4)}));
  }

  Random random_;
  std::vector<Buffer> buffers_;
  std::vector<std::pair<Symbol, int64_t>> vars_;
};

bool is_fault(FindingKind k) {
  return k == FindingKind::OutOfBounds || k == FindingKind::PoisonAddress ||
         k == FindingKind::PoisonBranch || k == FindingKind::PoisonBound;
}

TEST(RandomPrograms, TwoInterpretersAgree) {
  int clean = 0, faults = 0, invalid = 0;
  for (uint64_t seed = 1; seed <= 3000; ++seed) {
    const ir::ProcRef p = Generator(seed).program();
    if (auto v = ir::verify(*p); !v.ok()) {
      ++invalid;
      continue;
    }
    std::vector<Tensor> tensors;
    std::vector<std::unique_ptr<Plain::Array>> arrays;
    Plain plain;
    Arguments args;
    for (const ir::Param& q : p->params) {
      if (q.kind != ir::ParamKind::Buffer) continue;
      Ints extents;
      for (const Expr& e : q.shape) extents.push_back(e.as<ir::IntImm>()->value);
      tensors.push_back(Tensor::row_major(q.type(), extents).fill_random(seed, -20, 20));
      arrays.push_back(std::make_unique<Plain::Array>());
      arrays.back()->type = q.type();
      arrays.back()->extents = extents;
      const Tensor& t = tensors.back();
      t.for_each_point([&](std::span<const int64_t> at) {
        arrays.back()->cells[Ints(at.begin(), at.end())] = t.at(at);
      });
      plain.buffers[q.sym] = Plain::whole(*arrays.back());
    }
    for (Tensor& t : tensors) args.emplace_back(t);
    args.emplace_back(2);
    plain.values[p->params.back().sym] = Scalar::of_int(Type::index(), 2);
    RunOptions options;
    options.check_outputs = false;
    const Outcome out = run(*p, args, options);
    bool fault = false;
    try {
      plain.run(p->body);
    } catch (const Fault&) {
      fault = true;
    }
    if (!out.ok()) {
      // A poison address that is clamped is no fault of ours, so the plain one may find more.
      ASSERT_TRUE(is_fault(out.findings[0].kind)) << out.text() << ir::to_text(*p);
      ASSERT_TRUE(fault) << "seed " << seed << "\n" << out.text() << ir::to_text(*p);
      ++faults;
      continue;
    }
    if (fault) continue;
    ++clean;
    for (size_t k = 0; k < tensors.size(); ++k) {
      tensors[k].for_each_point([&](std::span<const int64_t> at) {
        const Scalar expected = arrays[k]->cells[Ints(at.begin(), at.end())],
                     got = tensors[k].at(at);
        ASSERT_TRUE((expected.poison && got.poison) || ir::same_value(expected, got))
            << "seed " << seed << ": a" << k << spoken(at) << " is " << spoken(expected) << ", got "
            << spoken(got) << "\n"
            << ir::to_text(*p);
      });
      if (HasFatalFailure()) return;
    }
  }
  // Both outcomes are common, or the test would prove little.
  EXPECT_GT(clean, 800) << faults << " " << invalid;
  EXPECT_GT(faults, 200) << clean << " " << invalid;
  EXPECT_LT(invalid, 300);
}

}  // namespace
}  // namespace hocket::interp
