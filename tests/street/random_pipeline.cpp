#include "random_pipeline.h"

#include <memory>

namespace hocket::street {

using namespace ir;
using interp::Random;

namespace {

class Maker {
 public:
  Maker(uint64_t seed, const PipelineOptions& options)
      : r_(seed * 2654435761u + 17), options_(options) {}

  AlgorithmRef make() {
    a_->name = "p";
    int inputs = static_cast<int>(r_.between(1, 2));
    for (int i = 0; i < inputs; ++i) {
      ImageParam p;
      p.sym = Symbol::fresh(i == 0 ? "in" : "aux", type());
      p.dims = r_.one_in(4) ? std::vector<std::string>{"x"} : std::vector<std::string>{"x", "y"};
      a_->inputs.push_back(p);
    }
    if (r_.one_in(3)) {
      ScalarParam p;
      p.sym = Symbol::fresh("k", Type::i(32));
      p.min = make_int(Type::i(32), -5);
      p.max = make_int(Type::i(32), 5);
      a_->params.push_back(p);
    }
    const bool chain = options_.max_funcs > 2 && r_.one_in(3);
    int funcs = static_cast<int>(r_.between(chain ? 3 : 1, options_.max_funcs));
    for (int i = 0; i < funcs; ++i) {
      if (chain)
        add_link(i);
      else
        add_func(i, i + 1 == funcs);
    }
    a_->outputs.push_back(a_->funcs.back().sym);
    if (funcs > 2 && r_.one_in(5))
      a_->outputs.push_back(a_->funcs[static_cast<size_t>(r_.below(funcs - 1))].sym);
    return a_;
  }

 private:
  Type type() {
    static const Type all[] = {Type::u(8), Type::u(16), Type::i(32), Type::i(16), Type::u(32),
                               Type::i(8), Type::i(64), Type::u(64), Type::f(32), Type::f(64)};
    if (options_.floats && r_.one_in(24)) return r_.one_in(2) ? Type::f(16) : Type::bf16();
    return all[r_.below(options_.floats ? 10 : 8)];
  }

  // A value small enough that sums and products of a few stay in range.
  Expr tame(Expr e) {
    if (e.type().is_float() || e.type().wraps()) return e;
    Type t = e.type();
    return make_binary(BinaryOp::Max, make_binary(BinaryOp::Min, std::move(e), make_int(t, 1000)),
                       make_int(t, -1000));
  }

  Expr literal(Type t) {
    if (t.is_float()) return make_float(t, static_cast<double>(r_.between(-16, 16)) / 4);
    return make_int(t, t.is_uint() ? r_.between(0, 9) : r_.between(-9, 9));
  }

  Expr through_bits(const Expr& v) {
    switch (r_.below(4)) {
      case 0:
        return make_unary(UnaryOp::Abs, v);
      case 1:
        return make_unary(UnaryOp::BitNot, v);
      case 2:
        return make_binary(BinaryOp::Shr, v, make_index(1));
      default:
        return make_binary(BinaryOp::BitAnd, v, make_index(r_.between(0, 7)));
    }
  }

  // A coordinate over the Func's variables. Every form stays near the consumer's box.
  Expr coordinate(size_t d) {
    Expr v = make_var(vars_[d % vars_.size()]);
    switch (r_.below(12)) {
      case 10:
        return through_bits(v);
      case 11:
        if (!narrow_.empty() && r_.one_in(2)) return of_values();
        return v;
      case 0:
        return v * make_index(2) + make_index(r_.between(-1, 1));
      case 1:
        return v / make_index(2) + make_index(r_.between(-1, 1));
      case 2:
        return make_binary(BinaryOp::Max, make_binary(BinaryOp::Min, v, make_index(5)),
                           make_index(-1));
      case 3:
        return vars_.size() > 1 && r_.one_in(3) ? make_var(vars_[(d + 1) % vars_.size()]) : v;
      case 4:
        return r_.one_in(4) ? make_index(r_.between(-2, 2)) : v;
      default:
        return v + make_index(r_.between(-2, 2));
    }
  }

  // What a Func of few values says.
  Expr of_values() {
    const Func& f =
        a_->funcs[narrow_[static_cast<size_t>(r_.below(static_cast<int64_t>(narrow_.size())))]];
    std::vector<Expr> args;
    for (size_t d = 0; d < f.args.size(); ++d)
      args.push_back(make_var(vars_[d % vars_.size()]) + make_index(r_.between(-1, 1)));
    return make_cast(Type::index(), make_call(f.sym, f.types[0], args));
  }

  Expr call(Type want) {
    std::vector<Expr> args;
    Expr e;
    if (!a_->funcs.empty() && !r_.one_in(4)) {
      size_t n = a_->funcs.size();
      const Func& f =
          a_->funcs[r_.one_in(3) ? static_cast<size_t>(r_.below(static_cast<int64_t>(n))) : n - 1];
      for (size_t d = 0; d < f.args.size(); ++d) args.push_back(coordinate(d));
      e = make_call(f.sym, f.types[0], args);
    } else {
      const ImageParam& p =
          a_->inputs[static_cast<size_t>(r_.below(static_cast<int64_t>(a_->inputs.size())))];
      for (size_t d = 0; d < p.dims.size(); ++d) args.push_back(coordinate(d));
      if (r_.one_in(6)) {  // repeat edge
        for (size_t d = 0; d < args.size(); ++d) {
          Expr lo = make_buffer_field(p.sym, BufferFieldKind::Min, static_cast<int>(d));
          Expr hi = lo + make_buffer_field(p.sym, BufferFieldKind::Extent, static_cast<int>(d)) -
                    make_index(1);
          args[d] = make_binary(BinaryOp::Max, make_binary(BinaryOp::Min, args[d], hi), lo);
        }
      }
      e = make_call(p.sym, p.sym.type(), args);
    }
    return make_cast(want, e);
  }

  Expr value(Type t, int depth) {
    if (depth == 0) return r_.one_in(5) ? leaf(t) : tame(call(t));
    Expr a = value(t, depth - 1), b = value(t, r_.one_in(2) ? 0 : depth - 1);
    if (r_.one_in(4)) return t.is_float() ? float_corner(a, b) : integer_corner(a, b);
    switch (r_.below(t.is_float() ? 8 : 12)) {
      case 0:
      case 1:
        return a + b;
      case 2:
        return a - b;
      case 3:
        return t.is_float() || t.wraps() ? a * b : tame(a) + b;
      case 4:
        return make_binary(BinaryOp::Min, a, b);
      case 5:
        return make_binary(BinaryOp::Max, a, b);
      case 6:
        return make_select(condition(a, b), b, value(t, 0));
      case 7:
        return t.is_float() ? make_fma(a, b, value(t, 0)) : (a + b) / make_int(t, r_.between(1, 7));
      case 8:
        return a / make_binary(BinaryOp::Max, b, literal(t));
      case 9:
        return make_binary(BinaryOp::BitXor, a, b);
      case 10:
        return make_binary(BinaryOp::Shr, a, make_int(t, r_.between(0, 3)));
      default:
        return a % make_int(t, r_.between(1, 9));
    }
  }

  // Comparisons, of floats that may be no numbers, and what joins them.
  Expr condition(const Expr& a, const Expr& b) {
    static const BinaryOp all[] = {BinaryOp::Lt, BinaryOp::Le, BinaryOp::Gt,
                                   BinaryOp::Ge, BinaryOp::Eq, BinaryOp::Ne};
    const Expr one = make_binary(r_.one_in(2) ? BinaryOp::Lt : all[r_.below(6)], a, b);
    if (!r_.one_in(5)) return one;
    const Expr two = make_binary(all[r_.below(6)], b, literal(b.type()));
    if (r_.one_in(3)) return make_unary(UnaryOp::Not, two);
    return make_binary(r_.one_in(2) ? BinaryOp::And : BinaryOp::Or, one, two);
  }

  // Where the meaning has corners: divisors of zero and below, counts beyond the width, signs.
  Expr integer_corner(const Expr& a, const Expr& b) {
    const Type t = a.type();
    switch (r_.below(8)) {
      case 0:
        return tame(a) / tame(b);
      case 1:
        return tame(a) % tame(b);
      case 2:  // of a value that no shift takes out of range
        return make_binary(BinaryOp::Shl, t.wraps() ? a : a % make_int(t, 8), b % make_int(t, 12));
      case 3:
        return make_binary(BinaryOp::Shr, a, r_.one_in(2) ? b : b % make_int(t, 70));
      case 4:
        return make_binary(r_.one_in(2) ? BinaryOp::BitAnd : BinaryOp::BitOr, a, b);
      case 5:
        return make_unary(UnaryOp::BitNot, a);
      case 6:
        return make_unary(t.is_uint() ? UnaryOp::BitNot : UnaryOp::Abs, tame(a));
      default:  // a float out of range, or none
        return make_cast(t, make_cast(Type::f(32), a) /
                                make_cast(Type::f(32), make_binary(BinaryOp::BitXor, a, b)));
    }
  }

  Expr float_corner(const Expr& a, const Expr& b) {
    static const UnaryOp all[] = {UnaryOp::Neg,  UnaryOp::Abs,   UnaryOp::Sqrt, UnaryOp::Floor,
                                  UnaryOp::Ceil, UnaryOp::Trunc, UnaryOp::Round};
    const int64_t pick = r_.below(10);
    if (pick < 7) return make_unary(all[pick], a);
    if (pick == 7) return make_binary(BinaryOp::Mod, a, b);
    return a / b;
  }

  Expr leaf(Type t) {
    if (!a_->params.empty() && r_.one_in(2)) return make_cast(t, make_var(a_->params[0].sym));
    if (r_.one_in(2))
      return make_cast(
          t,
          make_cast(
              Type::i(32),
              make_var(vars_[static_cast<size_t>(r_.below(static_cast<int64_t>(vars_.size())))])));
    return literal(t);
  }

  void add_func(int number, bool last) {
    Func f;
    Type t = type();
    f.sym = Symbol::fresh("f" + std::to_string(number), t);
    size_t dims = r_.one_in(4) ? 1 : r_.one_in(6) ? 3 : 2;
    static const char* names[] = {"x", "y", "z"};
    vars_.clear();
    for (size_t d = 0; d < dims; ++d) vars_.push_back(Symbol::fresh(names[d], Type::index()));
    f.args = vars_;
    f.types = {t};
    for (const Symbol& v : vars_) f.pure.args.push_back(make_var(v));
    f.pure.values = {value(t, static_cast<int>(r_.between(0, last ? 2 : 1)))};
    if (options_.updates && r_.one_in(3)) {
      int count = static_cast<int>(r_.between(1, 2));
      for (int u = 0; u < count; ++u) f.updates.push_back(update(f, u));
    }
    if (f.updates.empty() && t.is_integral() && r_.one_in(5)) {
      Expr& v = f.pure.values[0];
      v = make_binary(BinaryOp::Min, v, make_int(t, r_.between(3, 6)));
      if (!t.is_uint()) v = make_binary(BinaryOp::Max, v, make_int(t, r_.between(-2, 1)));
      narrow_.push_back(a_->funcs.size());
    }
    a_->funcs.push_back(std::move(f));
  }

  // A Func of two dimensions that reads a few neighbours in the one before: what slides does so
  // along several of them.
  void add_link(int number) {
    Func f;
    const Type t = r_.one_in(2) ? Type::u(16) : Type::u(32);
    f.sym = Symbol::fresh("f" + std::to_string(number), t);
    vars_ = {Symbol::fresh("x", Type::index()), Symbol::fresh("y", Type::index())};
    f.args = vars_;
    f.types = {t};
    for (const Symbol& v : vars_) f.pure.args.push_back(make_var(v));
    Expr sum = neighbour(t, {});
    for (int64_t n = r_.between(1, 2); n > 0; --n) sum = sum + neighbour(t, {});
    f.pure.values = {sum};
    if (options_.updates && r_.one_in(3)) {
      Definition d;
      RVar r;
      r.sym = Symbol::fresh("r", Type::index());
      r.min = make_index(r_.between(-1, 0));
      r.extent = make_index(r_.between(1, 3));
      d.domain.vars.push_back(r);
      d.args = f.pure.args;
      d.values = {make_call(f.sym.without_payload(), t, d.args) + neighbour(t, r.sym)};
      f.updates.push_back(std::move(d));
    }
    a_->funcs.push_back(std::move(f));
  }

  // The Func before, or an input, beside the point; one coordinate may have the variable added.
  Expr neighbour(Type t, const Symbol& r) {
    std::vector<Expr> at;
    const bool scaled = r_.one_in(4);
    for (const Symbol& v : vars_) {
      Expr e = make_var(v);
      if (scaled && !r_.one_in(3)) {
        const Expr by = make_index(r_.between(2, 3));
        e = r_.one_in(2) ? e * by : e / by;
      }
      at.push_back(e + make_index(r_.between(-1, 2)));
    }
    if (r.defined()) {
      Expr& e = at[static_cast<size_t>(r_.below(2))];
      e = e + make_var(r);
    }
    if (a_->funcs.empty()) {
      const ImageParam& p = a_->inputs[0];
      at.resize(p.dims.size());
      return make_cast(t, make_call(p.sym, p.sym.type(), at));
    }
    const Func& before = a_->funcs.back();
    return make_cast(t, make_call(before.sym, before.types[0], at));
  }

  Definition update(const Func& f, int number) {
    Definition d;
    Type t = f.types[0];
    RVar r;
    r.sym = Symbol::fresh("r" + std::to_string(number), Type::index());
    r.min = make_index(r_.between(-1, 1));
    r.extent = make_index(r_.one_in(8) ? 0 : r_.between(1, 6));
    d.domain.vars.push_back(r);
    if (r_.one_in(3)) {
      RVar s;
      s.sym = Symbol::fresh("s" + std::to_string(number), Type::index());
      s.min = make_index(0);
      s.extent = make_index(r_.between(1, 4));
      d.domain.vars.push_back(s);
      if (r_.one_in(2))
        d.domain.where = make_binary(BinaryOp::Le, make_var(r.sym), make_var(s.sym));
    }
    if (r_.one_in(4)) {  // what values say
      std::vector<Symbol> saved = std::exchange(vars_, {});
      for (const RVar& v : d.domain.vars) vars_.push_back(v.sym);
      Expr holds = make_binary(BinaryOp::Lt, call(Type::u(8)), make_int(Type::u(8), 150));
      vars_ = std::move(saved);
      d.domain.where =
          d.domain.where.defined() ? make_binary(BinaryOp::And, d.domain.where, holds) : holds;
    }
    std::vector<Expr> point;
    for (const Symbol& v : f.args) point.push_back(make_var(v));
    std::vector<Expr> read = point;
    size_t moved = static_cast<size_t>(r_.below(static_cast<int64_t>(point.size())));
    int form = static_cast<int>(r_.below(4));
    if (form == 1) {  // scan along one dimension
      point[moved] = make_var(r.sym);
      read[moved] = make_var(r.sym) - make_index(1);
    } else if (form == 2) {  // scatter
      point[moved] = read[moved] =
          make_cast(Type::index(), make_cast(Type::u(8), call_at(r.sym))) % make_index(7);
    } else if (form == 3) {
      point[moved] = read[moved] = make_var(r.sym) * make_index(r_.between(1, 2));
    }
    std::vector<Symbol> saved = vars_;
    for (size_t i = 0; i < vars_.size(); ++i)
      if (form != 0 && i == moved) vars_[i] = r.sym;
    if (form == 0) vars_.push_back(r.sym);
    Expr self = make_call(f.sym.without_payload(), t, read);
    Expr term = tame(call(t));
    vars_ = saved;
    BinaryOp op = r_.one_in(3) ? BinaryOp::Max : r_.one_in(3) ? BinaryOp::Min : BinaryOp::Add;
    d.args = point;
    d.values = {make_binary(op, self, term)};
    return d;
  }

  // An input at coordinates made of a reduction variable.
  Expr call_at(const Symbol& r) {
    const ImageParam& p = a_->inputs[0];
    std::vector<Expr> args(p.dims.size(), make_var(r));
    return make_call(p.sym, p.sym.type(), args);
  }

  Random r_;
  PipelineOptions options_;
  std::shared_ptr<Algorithm> a_ = std::make_shared<Algorithm>();
  std::vector<Symbol> vars_;
  std::vector<size_t> narrow_;  // Funcs whose values lie close together
};

}  // namespace

AlgorithmRef random_pipeline(uint64_t seed, const PipelineOptions& options) {
  return Maker(seed, options).make();
}

void keep_bounds(Schedule& schedule, const Algorithm& algorithm,
                 std::vector<std::vector<std::pair<int64_t, int64_t>>>& outputs, Random& r) {
  for (Directive& d : schedule.directives) {
    if (d.verb != Verb::Bound) continue;
    const Func& f = *algorithm.find(d.func);
    size_t dim = 0;
    while (f.args[dim].name() != d.names[0]) ++dim;
    bool is_output = false;
    for (size_t o = 0; o < algorithm.outputs.size(); ++o) {
      if (!(algorithm.outputs[o] == f.sym)) continue;
      is_output = true;
      is_int(d.exprs[0], &outputs[o][dim].first);
      is_int(d.exprs[1], &outputs[o][dim].second);
    }
    if (is_output) continue;
    // A producer near the first output.
    const auto [min, extent] = outputs[0][dim % outputs[0].size()];
    const int64_t more = r.between(0, 3);
    d.exprs = {make_index(min - more), make_index(extent + more + r.between(0, 3))};
  }
}

int64_t random_extent(Random& r) {
  static const int64_t all[] = {0, 1, 2, 3, 4, 5, 7, 8, 11, 13, 16, 17};
  return all[r.below(12)];
}

int64_t random_min(Random& r) {
  return r.one_in(2) ? 0 : r.between(-4, 4);
}

Scalar input_value(Type type, uint64_t seed, std::span<const int64_t> point) {
  uint64_t h = seed + 0x1234567;
  for (int64_t c : point)
    h = (h ^ static_cast<uint64_t>(c + 1000)) * 0x9E3779B97F4A7C15u + (h >> 29);
  Random r(h);
  // One case in eight has values at the ends of their types, infinities and no numbers among them.
  if (seed % 8 == 7 && r.one_in(4) && (type.is_float() || type.wraps())) return r.corner(type);
  if (type.is_float()) return Scalar::of_float(type, static_cast<double>(r.between(-64, 64)) / 8);
  if (!type.wraps()) return Scalar::of_int(type, r.between(-1000, 1000));
  return Scalar::of_int(type, static_cast<int64_t>(r.next()));
}

}  // namespace hocket::street
