#include "lower/flat/fuzz/random_loops.h"

#include <algorithm>

#include "interp/value.h"
#include "lower/flat/build.h"

namespace hocket::lower {

using namespace build;
using interp::Random;

namespace {

class Generator {
 public:
  explicit Generator(uint64_t seed) : r_(seed) {}

  ProcRef make() {
    x_ = index_symbol("x");
    y_ = index_symbol("y");
    Body body;
    if (r_.one_in(3)) {
      body = staged();
    } else {
      body = nest();
    }
    std::vector<Expr> pre;
    if (!r_.one_in(3))
      pre.push_back(
          make_binary(BinaryOp::Eq, make_buffer_field(w_, BufferFieldKind::Stride, 1), num(1)));
    return proc(
        "random",
        {size_param(n_), size_param(m_), buffer_param(a_, {v(n_) + num(3), v(m_) + num(3)}),
         buffer_param(b_, {v(n_) + num(3), v(m_) + num(3)}), buffer_param(w_, {v(n_), v(m_)}, true),
         buffer_param(t_, {num(256)}), buffer_param(o_, {v(n_), v(m_)}),
         buffer_param(p_, {v(n_), v(m_)}), buffer_param(q_, {v(n_), v(m_)})},
        std::move(body), std::move(pre));
  }

 private:
  struct Level {
    Symbol var;
    Expr lo, hi;
    bool constant = false;
    Expr guard;  // needed inside this loop and the others of its dimension
    int dim = 0;
  };

  // The loops of one dimension; `at` is its coordinate.
  void loops_of(int dim, const Symbol& name, const Expr& extent, std::vector<Level>& out,
                Expr& at) {
    if (r_.one_in(3)) {
      Symbol s = Symbol::fresh(name.name(), Type::index());
      out.push_back({s, num(0), extent, false, {}, dim});
      at = v(s);
      return;
    }
    const int64_t factors[] = {1, 2, 3, 4, 8, 16};
    const int64_t f = factors[r_.below(6)];
    Symbol o = Symbol::fresh(name.name() + "o", Type::index()),
           i = Symbol::fresh(name.name() + "i", Type::index());
    out.push_back({o, num(0), (extent + num(f - 1)) / num(f), false, {}, dim});
    if (r_.one_in(4)) {
      // The tail as a bound of the inner loop.
      out.push_back({i, num(0), min_of(num(f), extent - v(o) * num(f)), false, {}, dim});
      at = v(o) * num(f) + v(i);
      return;
    }
    at = v(o) * num(f) + v(i);
    out.push_back({i, num(0), num(f), true, lt(at, extent), dim});
  }

  LoopKind kind_of(const Level& l, bool innermost) {
    if (l.constant) {
      const LoopKind kinds[] = {LoopKind::Vectorized, LoopKind::Vectorized, LoopKind::Vectorized,
                                LoopKind::Unrolled, LoopKind::Seq};
      LoopKind k = kinds[r_.below(5)];
      if (k == LoopKind::Unrolled && unrolled_++ > 1) k = LoopKind::Seq;
      return k;
    }
    (void)innermost;
    const LoopKind kinds[] = {LoopKind::Seq, LoopKind::Seq, LoopKind::Parallel,
                              LoopKind::Unordered};
    return kinds[r_.below(4)];
  }

  Body nest() {
    std::vector<Level> levels, xs;
    Expr y, x;
    loops_of(0, y_, v(n_), levels, y);
    loops_of(1, x_, v(m_), xs, x);
    // Merge the two dimensions at random, each in its own order.
    std::vector<Level> order;
    size_t i = 0, j = 0;
    while (i < levels.size() || j < xs.size()) {
      const bool first = j == xs.size() || (i < levels.size() && !r_.one_in(3));
      order.push_back(first ? levels[i++] : xs[j++]);
    }
    at_y_ = y;
    at_x_ = x;
    Body body = statements(3, 2);
    for (size_t k = order.size(); k-- > 0;) {
      if (order[k].guard.defined()) body = {make_if(order[k].guard, std::move(body))};
      body = {loop(order[k].var, order[k].lo, order[k].hi, kind_of(order[k], k + 1 == order.size()),
                   std::move(body))};
    }
    return body;
  }

  // A row of a producer computed inside the loops of its consumer.
  Body staged() {
    Symbol t = Symbol::fresh("row", Type::u(16)), y = index_symbol("y"), xo = index_symbol("xo"),
           xi = index_symbol("xi"), p = index_symbol("p");
    const int64_t f = r_.one_in(2) ? 8 : 4;
    at_y_ = v(y);
    at_x_ = v(xo) * num(f) + v(p);
    const bool whole = r_.one_in(2);  // rows of the whole width, or tiles
    Expr x = v(xo) * num(f) + v(xi);
    auto read = [&](int64_t d) { return at(t, {whole ? x + num(d) : v(xi) + num(d)}); };
    Body consume = {
        make_if(lt(x, v(m_)),
                {set(p_, {v(y), x}, read(0) + read(1) * make_int(Type::u(16), 3) + read(2))})};
    Stmt consumer = loop(xi, num(0), num(f), LoopKind::Vectorized, consume);
    const LoopKind outer = r_.one_in(2) ? LoopKind::Parallel : LoopKind::Seq;
    if (whole) {
      at_x_ = v(p);
      Expr px = v(p);
      Stmt produce = loop(p, num(0), v(m_) + num(2), LoopKind::Seq,
                          {set(t, {px}, make_cast(Type::u(16), at(a_, {v(y), px})))});
      return {loop(y, num(0), v(n_), outer,
                   {make_alloc(t, {(v(m_) + num(f - 1)) / num(f) * num(f) + num(2)}), produce,
                    loop(xo, num(0), (v(m_) + num(f - 1)) / num(f), LoopKind::Seq, {consumer})})};
    }
    const bool fits = r_.one_in(2);
    Expr px = v(xo) * num(f) + v(p);
    Expr clamped = min_of(px, v(m_) + num(1));
    Expr size = fits ? min_of(num(f), v(m_) - v(xo) * num(f)) + num(2) : num(f + 2);
    // Tiles at the edge may be computed only as far as they go.
    Stmt produce =
        fits ? loop(p, num(0), size, LoopKind::Seq,
                    {set(t, {v(p)}, make_cast(Type::u(16), at(a_, {v(y), px})))})
             : loop(p, num(0), size, r_.one_in(3) ? LoopKind::Unrolled : LoopKind::Vectorized,
                    {set(t, {v(p)}, make_cast(Type::u(16), at(a_, {v(y), clamped})))});
    return {loop(y, num(0), v(n_), outer,
                 {loop(xo, num(0), (v(m_) + num(f - 1)) / num(f), LoopKind::Seq,
                       {make_alloc(t, {size}), produce, consumer})})};
  }

  // ---- The body: at_y_, at_x_ are the point that belongs to it.

  Body statements(int count, int depth) {
    Body out;
    const size_t lets = lets_.size(), temps = temps_.size();
    for (int k = static_cast<int>(r_.between(1, count)); k > 0; --k) statement(out, depth);
    lets_.resize(lets);
    temps_.resize(temps);
    return out;
  }

  void statement(Body& out, int depth) {
    switch (r_.below(depth > 0 ? 9 : 4)) {
      case 0:
      case 1:
      case 2:
        out.push_back(store());
        return;
      case 3: {
        Symbol s = Symbol::fresh("v", r_.one_in(3) ? Type::index() : data_type());
        out.push_back(make_let(s, s.type().is_index() ? coordinate() : value(s.type(), 2)));
        lets_.push_back(s);
        return;
      }
      case 4: {
        out.push_back(make_if(condition(), statements(2, depth - 1),
                              r_.one_in(2) ? statements(2, depth - 1) : Body{}));
        return;
      }
      case 5: {  // a private scalar, accumulated
        Symbol t = Symbol::fresh("t", data_type());
        out.push_back(make_alloc(t, {}));
        out.push_back(set(t, {}, value(t.type(), 1)));
        temps_.push_back(t);
        inner(t, depth, out);
        return;
      }
      case 6: {  // a private array, filled and read
        Symbol t = Symbol::fresh("u", data_type()), i = index_symbol("i");
        const int64_t size = r_.between(1, 4);
        out.push_back(make_alloc(t, {num(size)}));
        out.push_back(loop(i, num(0), num(size), r_.one_in(2) ? LoopKind::Unrolled : LoopKind::Seq,
                           {set(t, {v(i)}, value(t.type(), 2))}));
        Symbol s = Symbol::fresh("s", t.type());
        out.push_back(make_let(s, at(t, {coordinate() % num(size)})));
        lets_.push_back(s);
        return;
      }
      case 7:
        inner(Symbol(), depth, out);
        return;
      default:
        out.push_back(store());
        return;
    }
  }

  // A loop inside, over constant, run-time or lane-dependent bounds; what memory holds is bound
  // before it, in `out`.
  void inner(const Symbol& acc, int depth, Body& out) {
    Symbol k = index_symbol("k");
    Expr lo = num(0), hi;
    switch (r_.below(5)) {
      case 0:
        hi = num(r_.between(0, 4));
        break;
      case 1:
        hi = min_of(v(n_), num(3));
        break;
      case 2:
        hi = at_x_ % num(4);
        break;
      case 3:
        lo = min_of(at_x_, num(2));
        hi = min_of(at_x_ + num(1), num(5));
        break;
      default: {
        const Symbol held = index_symbol("held");
        out.push_back(make_let(held, make_cast(Type::index(), at(a_, {at_y_, at_x_})) % num(4)));
        hi = v(held);
        break;
      }
    }
    Body body;
    inner_.push_back(k);
    if (acc.defined()) {
      const bool fused = acc.type().is_float() && r_.one_in(2);
      Expr e = fused ? value(acc.type(), 1) * value(acc.type(), 1) : value(acc.type(), 2);
      body.push_back(add(acc, {}, e, fused));
      if (r_.one_in(3)) body.push_back(make_if(condition(), {set(acc, {}, value(acc.type(), 1))}));
    } else {
      body = statements(2, depth - 1);
    }
    inner_.pop_back();
    out.push_back(loop(k, lo, hi, LoopKind::Seq, std::move(body)));
  }

  Stmt store() {
    const Symbol& s = r_.one_in(3) ? o_ : r_.one_in(2) ? p_ : q_;
    if (s.type().is_float() && r_.one_in(4))
      return add(s, {at_y_, at_x_}, value(s.type(), 1) * value(s.type(), 1), true);
    Stmt st = set(s, {at_y_, at_x_}, value(s.type(), 3));
    // Only types that cannot overflow are accumulated.
    if (s.type() == Type::u(16) || s.type().is_float()) {
      const StoreOp ops[] = {StoreOp::Assign, StoreOp::Assign, StoreOp::Add, StoreOp::Max,
                             StoreOp::Min};
      const StoreOp op = ops[r_.below(5)];
      st = edited<Store>(st, [&](Store& n) { n.op = op; });
    }
    return st;
  }

  Type data_type() {
    const Type types[] = {Type::f(32), Type::u(16), Type::u(8), Type::i(16), Type::u(32)};
    return types[r_.below(5)];
  }

  // In 0 .. small, or a coordinate of the point.
  Expr coordinate() {
    switch (r_.below(6)) {
      case 0:
        return at_x_;
      case 1:
        return at_y_;
      case 2:
        return at_x_ / num(2);
      case 3:
        return inner_.empty() ? num(r_.below(3)) : v(inner_.back());
      case 4:
        for (const Symbol& s : lets_)
          if (s.type().is_index()) return v(s);
        return num(1);
      default:
        return max_of(at_x_ - num(r_.below(3)), num(0));
    }
  }
  Expr column() {  // inside m + 3
    switch (r_.below(6)) {
      case 0:
        return at_x_;
      case 1:
        return at_x_ + num(r_.below(3));
      case 2:
        return max_of(min_of(at_x_ + num(r_.between(-2, 2)), v(m_) - num(1)), num(0));
      case 3:
        return coordinate() % (v(m_) + num(3));
      case 4:
        return inner_.empty() ? at_x_ : min_of(at_x_ + v(inner_.back()), v(m_) - num(1));
      default:
        return at_x_ / num(2);
    }
  }
  Expr row() {
    switch (r_.below(3)) {
      case 0:
        return at_y_ + num(r_.below(3));
      case 1:
        return max_of(at_y_ - num(1), num(0));
      default:
        return at_y_;
    }
  }

  Expr condition() {
    switch (r_.below(7)) {
      case 0:
        return lt(at_x_, num(r_.between(1, 9)));
      case 1:
        return make_binary(BinaryOp::Eq, at_x_ % num(2), num(r_.below(2)));
      case 2:
        return lt(at(a_, {row(), column()}), make_int(Type::u(8), 128));
      case 3:
        return lt(at_y_, at_x_);
      case 4:
        return make_binary(BinaryOp::And, le(num(1), at_x_), lt(at_x_, v(m_) - num(1)));
      case 5:
        return make_binary(BinaryOp::Gt, value(Type::f(32), 1), make_float(Type::f(32), 0));
      default:
        return make_unary(UnaryOp::Not, lt(coordinate(), num(3)));
    }
  }

  Expr leaf(Type t) {
    std::vector<Expr> choices;
    for (const Symbol& s : lets_)
      if (s.type() == t) choices.push_back(v(s));
    for (const Symbol& s : temps_)
      if (s.type() == t) choices.push_back(at(s, {}));
    if (!choices.empty() && r_.one_in(2))
      return choices[static_cast<size_t>(r_.below(static_cast<int64_t>(choices.size())))];
    switch (r_.below(5)) {
      case 0:
        return t.is_float() ? make_float(t, static_cast<double>(r_.between(-8, 8)) / 4)
                            : make_const(t, r_.below(100));
      case 1:
        return make_cast(t, at(a_, {row(), column()}));
      case 2:
        return t.is_float()
                   ? make_cast(t, at(b_, {row(), column()}))
                   : make_cast(t, at(t_, {make_cast(Type::index(), at(a_, {row(), column()}))}));
      case 3:
        return make_cast(t, at(w_, {at_y_, max_of(min_of(column(), v(m_) - num(1)), num(0))}));
      default:
        return make_cast(t, make_cast(Type::i(32), r_.one_in(2) ? at_x_ : at_y_));
    }
  }

  Expr value(Type t, int depth) {
    if (depth == 0 || r_.one_in(4)) return leaf(t);
    switch (r_.below(8)) {
      case 0: {
        // Read behind a condition that keeps it inside.
        Expr far = at_x_ + num(r_.between(2, 6));
        return make_select(lt(far, v(m_)), make_cast(t, at(a_, {at_y_, far})), value(t, depth - 1));
      }
      case 1:
        return make_select(condition(), value(t, depth - 1), value(t, depth - 1));
      case 2:
        return make_binary(BinaryOp::Min, value(t, depth - 1), value(t, depth - 1));
      case 3: {
        Type u = data_type();
        return make_cast(t, value(u, depth - 1));
      }
      case 4:
        if (t.is_float())
          return make_fma(value(t, depth - 1), value(t, depth - 1), value(t, depth - 1));
        return make_binary(BinaryOp::Max, value(t, depth - 1), leaf(t));
      default:
        break;
    }
    if (t == Type::i(32))
      return make_cast(t, value(Type::i(16), depth - 1)) +
             make_cast(t, value(Type::u(8), depth - 1));
    const BinaryOp ops[] = {BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul, BinaryOp::Div};
    return make_binary(ops[r_.below(4)], value(t, depth - 1), value(t, depth - 1));
  }

  Random r_;
  Symbol n_ = index_symbol("n"), m_ = index_symbol("m");
  Symbol a_ = Symbol::fresh("A", Type::u(8)), b_ = Symbol::fresh("B", Type::f(32)),
         w_ = Symbol::fresh("W", Type::i(16));
  Symbol t_ = Symbol::fresh("T", Type::u(16));
  Symbol o_ = Symbol::fresh("O", Type::f(32)), p_ = Symbol::fresh("P", Type::u(16)),
         q_ = Symbol::fresh("Q", Type::i(32));
  Symbol x_, y_;
  Expr at_x_, at_y_;
  std::vector<Symbol> lets_, temps_, inner_;
  int unrolled_ = 0;
};

}  // namespace

ProcRef random_loops(uint64_t seed) {
  return Generator(seed).make();
}

}  // namespace hocket::lower
