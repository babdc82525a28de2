// N indices become one, buffers become rows of elements.
//
//   A[i, k]  with A: f32[n, m]      ->  A[m * i + k]
//   w[i, k]  with w: [f32][n, m]    ->  w[stride(w, 0) * i + stride(w, 1) * k]
//
// Strides that are known (`assert stride(A, 1) == 1`, checks at the entry of pipelines) are put in
// as numbers, so that neighbours are seen as such: a ramp of stride 1 is a dense load. Terms stand
// in the order of the loops they belong to, outermost first, the constant last, so that what does
// not change in a loop is a sub-expression that can leave it, and neighbours differ in the
// constant. From here on the proc is in flat form, its Allocs keep their memories until
// place_allocs.
#include <algorithm>
#include <unordered_map>

#include "analysis/bound_search.h"
#include "analysis/order.h"
#include "lower/flat/fact_walk.h"
#include "lower/flat/lanes.h"
#include "lower/flat/passes.h"
#include "lower/flat/tidy.h"

namespace hocket::lower {

using namespace ir;
using analysis::Affine;
using support::BigInt;

namespace {

constexpr int64_t kSmallTile = 16 << 10;  // bytes
constexpr int64_t kAllocAlign = 64;       // bytes; every Alloc starts at a multiple of it

class Flattener : public FactWalk {
 public:
  using FactWalk::rewrite;

  explicit Flattener(const Proc& proc) : FactWalk(proc), expand_(!proc.entry) {
    for (const Expr& e : proc.preconditions) learn(e);
    if (proc.entry)
      for (const EntryCheck& c : proc.entry->checks) learn(c.cond);
    for (const Param& p : proc.params) {
      depth_.emplace(p.sym, 0);
      if (p.kind == ParamKind::Buffer) parameter(proc, p);
    }
  }

  const Body& prelude() const { return prelude_; }

 protected:
  Expr visit(const Expr& e) override {
    if (const auto* b = e.as<BufferField>()) return field(*b);
    Expr r = recurse(e);
    if (const auto* l = r.as<Load>()) {
      const Expr at = flat(l->buffer, l->indices);
      return make_load(l->buffer, l->type, {at}, l->predicate, align(l->buffer, at));
    }
    return r;
  }

  void visit(const Stmt& s, Body& out) override {
    if (const auto* f = s.as<For>()) {
      depth_.emplace(f->var, ++nesting_);
      FactWalk::visit(s, out);
      out.back() = edited<For>(out.back(), [](For& n) {
        HOCKET_ASSERT(n.loop != LoopKind::Vectorized && n.loop != LoopKind::Unrolled,
                      "a vector or unrolled loop is left in flatten");
        if (n.loop == LoopKind::Unordered) n.loop = LoopKind::Seq;
      });
      --nesting_;
      return;
    }
    if (const auto* l = s.as<Let>()) depth_.emplace(l->sym, nesting_);
    if (const auto* a = s.as<Alloc>()) {
      alloc(s, *a, out);
      return;
    }
    FactWalk::visit(s, out);
    if (const auto* l = out.back().as<Let>(); l && expand_ && !reads_memory(l->value))
      lets_.emplace(l->sym, substitute(l->value, lets_));
    if (const auto* st = out.back().as<Store>()) {
      const Expr at = flat(st->buffer, st->indices);
      out.back() = edited<Store>(out.back(), [&](Store& n) {
        n.indices = {at};
        n.align = align(n.buffer, at);
      });
    }
  }

 private:
  struct Layout {
    std::vector<Expr> strides;
    std::vector<Expr> mins, extents;  // what BufferFields mean
    bool local = false;
  };

  // `x == 8` and `8 == x`, in conjunctions too: x is a stride or a parameter that carries one.
  void learn(const Expr& e) {
    const auto* b = e.as<Binary>();
    if (!b) return;
    if (b->op == BinaryOp::And) {
      learn(b->a);
      learn(b->b);
    } else if (b->op == BinaryOp::Eq) {
      int64_t v = 0;
      if (is_int(b->b, &v)) known_.emplace_back(b->a, make_index(v));
      if (is_int(b->a, &v)) known_.emplace_back(b->b, make_index(v));
    }
  }

  Expr known(const Expr& e) const {
    for (const auto& [what, value] : known_)
      if (analysis::same(what, e)) return value;
    return e;
  }

  void parameter(const Proc& proc, const Param& p) {
    const EntryArg* arg = nullptr;
    if (proc.entry)
      for (const EntryArg& a : proc.entry->args)
        if (a.sym == p.sym) arg = &a;
    Layout l;
    const size_t rank = p.shape.size();
    l.extents = p.shape;
    l.mins.assign(rank, make_index(0));
    if (arg && arg->dims.size() == rank && arg->kind != EntryArg::Kind::Scalar) {
      for (size_t d = 0; d < rank; ++d) {
        const EntryDim& dim = arg->dims[rank - 1 - d];  // the user's order is fastest first
        l.strides.push_back(known(make_var(dim.stride)));
        depth_.emplace(dim.stride, 0);
      }
    } else if (p.window) {
      for (size_t d = 0; d < rank; ++d)
        l.strides.push_back(
            known(make_buffer_field(p.sym, BufferFieldKind::Stride, static_cast<int>(d))));
    } else {
      l.strides = row_major(p.sym, p.shape, prelude_);
    }
    layouts_.emplace(p.sym, std::move(l));
  }

  // Products of the inner extents; those that are no number and no name get one.
  std::vector<Expr> row_major(const Symbol& buffer, const std::vector<Expr>& shape, Body& lets) {
    std::vector<Expr> strides(shape.size());
    Expr stride = make_index(1);
    for (size_t d = shape.size(); d-- > 0;) {
      strides[d] = stride;
      if (d == 0) break;
      stride = simple(stride * shape[d]);
      if (stride.kind() == ExprKind::IntImm || stride.kind() == ExprKind::VarRef) continue;
      Symbol s = Symbol::derived(buffer.name() + "_stride", Type::index(), buffer, "stride of");
      depth_.emplace(s, nesting_);
      lets.push_back(make_let(s, stride));
      stride = make_var(s);
    }
    return strides;
  }

  void alloc(const Stmt& s, const Alloc& a, Body& out) {
    std::vector<Expr> shape;
    Expr most = make_index(1);  // product of constant upper bounds; undefined where one has none
    for (const Expr& e : a.shape) {
      shape.push_back(simple(rewrite(e)));
      const auto bound = analysis::upper_bound(analysis::affine_of(shape.back(), facts()), facts());
      const bool usable = most.defined() && bound && *bound < BigInt(1 << 20);
      most = usable ? simple(most * analysis::index_expr(*bound)) : Expr();
    }
    // The size is a product of the extents themselves, taken before a name for a part of it has
    // been computed: back ends refuse what 64 bits do not hold (a name would have wrapped).
    Layout l;
    Body names;
    l.strides = row_major(a.buffer, shape, names);
    l.extents = shape;
    l.mins.assign(shape.size(), make_index(0));
    l.local = true;
    Expr total = make_index(1);
    for (const Expr& e : shape) total = total * substitute(e, lets_);
    total = simple(total);
    // A tile that is smaller at the edges has the size of a full one: it can live on the stack.
    int64_t bytes = 0;
    if (total.kind() != ExprKind::IntImm && most.defined() && is_int(most, &bytes) &&
        bytes * a.buffer.type().element().bytes() <= kSmallTile)
      total = most;
    layouts_.insert_or_assign(a.buffer, std::move(l));
    out.push_back(edited<Alloc>(s, [&](Alloc& n) { n.shape = {total}; }));
    out.insert(out.end(), names.begin(), names.end());
  }

  Expr field(const BufferField& b) const {
    auto it = layouts_.find(b.buffer);
    HOCKET_ASSERT(it != layouts_.end(), "a field of a buffer that is not known");
    const auto d = static_cast<size_t>(b.dim);
    switch (b.field) {
      case BufferFieldKind::Min:
        return it->second.mins[d];
      case BufferFieldKind::Extent:
        return it->second.extents[d];
      case BufferFieldKind::Stride:
        return it->second.strides[d];
    }
    HOCKET_UNREACHABLE("no such field");
  }

  Expr flat(const Symbol& buffer, const std::vector<Expr>& indices) const {
    auto it = layouts_.find(buffer);
    HOCKET_ASSERT(it != layouts_.end(), "an access of a buffer that is not known");
    const Layout& l = it->second;
    HOCKET_ASSERT(l.strides.size() == indices.size(), "an access with a wrong number of indices");
    Affine base, step;
    Expr rest;  // lanes that are no ramp
    int lanes = 1;
    for (size_t d = 0; d < indices.size(); ++d) {
      const Expr& i = indices[d];
      const Affine stride = analysis::parse_affine(l.strides[d]);
      lanes = std::max<int>(lanes, i.type().lanes);
      if (const auto* r = i.as<Ramp>()) {
        base.add(multiply(analysis::parse_affine(tidy(r->base)), stride));
        step.add(multiply(analysis::parse_affine(tidy(r->stride)), stride));
      } else if (i.type().is_vector()) {
        const Expr term =
            is_int_equal(l.strides[d], 1) ? i : lanes_binary(BinaryOp::Mul, i, l.strides[d]);
        rest = rest.defined() ? lanes_binary(BinaryOp::Add, rest, term) : term;
      } else {
        base.add(multiply(analysis::parse_affine(tidy(i)), stride));
      }
    }
    Expr at = by_depth(base);
    if (!step.is_constant() || !step.constant().is_zero())
      at = make_ramp(at, by_depth(step), lanes);
    if (rest.defined()) {
      if (is_int_equal(at, 0)) return rest;
      at = make_binary(BinaryOp::Add, as_vector(at, lanes), rest);
    } else if (lanes > 1 && !at.type().is_vector()) {
      at = make_broadcast(at, lanes);  // every lane the same element
    }
    return at;
  }

  int depth(const Expr& atom) const {
    int deepest = 0;
    for_each(atom, [&](const Expr& e) {
      if (const auto* v = e.as<VarRef>()) {
        auto it = depth_.find(v->sym);
        deepest = std::max(deepest, it == depth_.end() ? nesting_ : it->second);
      } else if (e.kind() == ExprKind::Load) {
        deepest = std::max(deepest, nesting_);
      }
    });
    return deepest;
  }

  Expr by_depth(const Affine& a) const {
    std::vector<Affine::Term> terms = analysis::written_order(a);
    std::stable_sort(terms.begin(), terms.end(), [&](const Affine::Term& x, const Affine::Term& y) {
      return depth(x.atom) < depth(y.atom);
    });
    Expr sum;
    for (const Affine::Term& t : terms) {
      const BigInt size = abs(t.coef);
      Expr e = size == BigInt(1) ? t.atom : t.atom * analysis::index_expr(size);
      if (!sum.defined()) {
        sum = t.coef.sign() > 0 ? e : make_index(0) - e;
      } else {
        sum = t.coef.sign() > 0 ? sum + e : sum - e;
      }
    }
    const BigInt& c = a.constant();
    if (!sum.defined()) return analysis::index_expr(c);
    if (c.is_zero()) return sum;
    return c.sign() > 0 ? sum + analysis::index_expr(c) : sum - analysis::index_expr(-c);
  }

  // Known alignment of lane 0 in bytes; 0 where it is only the element's.
  int64_t align(const Symbol& buffer, const Expr& at) const {
    auto it = layouts_.find(buffer);
    if (!it->second.local || !at.type().is_vector()) return 0;
    const auto* r = at.as<Ramp>();
    if (!r) return 0;
    const BigInt bytes(buffer.type().element().bytes());
    const Affine base = analysis::parse_affine(r->base);
    BigInt g = gcd(BigInt(kAllocAlign), base.constant() * bytes);
    for (const Affine::Term& t : base.terms()) g = gcd(g, t.coef * bytes);
    const int64_t known = *g.to_int64();
    return known > buffer.type().element().bytes() ? known : 0;
  }

  // In loop programs names may stand for what has overflowed; a pipeline's are checked at entry.
  bool expand_;
  std::unordered_map<Symbol, Expr> lets_;
  std::vector<std::pair<Expr, Expr>> known_;
  std::unordered_map<Symbol, Layout> layouts_;
  std::unordered_map<Symbol, int> depth_;
  int nesting_ = 0;
  Body prelude_;
};

// Asserts are checked before anything has a name: strides of dense parameters are products of their
// extents there. Those of windows are values of the run.
Expr at_entry(const Expr& assertion, const Proc& proc) {
  return map_exprs(assertion, [&](const Expr& e) -> Expr {
    const auto* f = e.as<BufferField>();
    if (!f || f->field != BufferFieldKind::Stride) return e;
    for (const Param& p : proc.params) {
      if (!(p.sym == f->buffer) || p.window) continue;
      Expr stride = make_index(1);
      for (size_t d = static_cast<size_t>(f->dim) + 1; d < p.shape.size(); ++d)
        stride = tidy(stride * p.shape[d]);
      return stride;
    }
    return e;
  });
}

}  // namespace

diag::Result<ProcRef> flatten(const ProcRef& proc, const FlatContext&) {
  return edited(proc, [&](Proc& p) {
    Flattener f(*proc);
    Body body = f.rewrite(proc->body);
    p.body = f.prelude();
    p.body.insert(p.body.end(), body.begin(), body.end());
    p.form = Form::Flat;
    if (!p.entry)
      for (Expr& e : p.preconditions) e = at_entry(e, *proc);
  });
}

}  // namespace hocket::lower
