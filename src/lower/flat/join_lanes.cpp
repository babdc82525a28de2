// Vectors shorter than the machine's registers, joined over neighbouring iterations.
//
//   for x in seq(0, 32):                          for x in seq(0, 16):
//     g[ramp(8 * x, 1, 8)] = ...           ->       g[ramp(16 * x, 1, 16)] = ...
//
// What is asked for in lanes is what each iteration computes; a register that holds two iterations
// of it does both at once. In: innermost loops of dense stores of vectors, where nothing that is
// stored is read in the loop and each iteration goes on where the one before ended. Lanes keep
// their own arithmetic, so every bit stays. Iterations left over keep the old loop. Other systems
// call it widening or re-vectorisation. Pass of to_flat.h.
#include <algorithm>

#include "analysis/affine.h"
#include "lower/flat/fact_walk.h"
#include "lower/flat/passes.h"

namespace hocket::lower {

using namespace ir;

namespace {

// Rebuilds vectors of `lanes` lanes as vectors of `lanes * times`; fails where a vector does not
// continue from one iteration to the next.
class Joiner {
 public:
  // `first`: the first of the iterations that are joined, over the variable of the new loop.
  Joiner(const For& loop, Expr first, int lanes, int times, const analysis::Facts& facts)
      : loop_(loop), first_(std::move(first)), lanes_(lanes), times_(times), facts_(facts) {}

  // Undefined where it cannot be.
  Expr join(const Expr& e) {
    if (!e.type().is_vector()) return uses(e, loop_.var) ? Expr() : e;
    if (e.type().lanes != lanes_) return {};
    auto it = memo_.find(e.get());
    if (it == memo_.end()) it = memo_.emplace(e.get(), join_vector(e)).first;
    return it->second;
  }

 private:
  Expr join_vector(const Expr& e) {
    const int lanes = lanes_ * times_;
    switch (e.kind()) {
      case ExprKind::Ramp: {
        const auto* r = e.as<Ramp>();
        const Expr next = substitute(r->base, loop_.var, make_var(loop_.var) + make_index(1));
        const Expr step = analysis::simplify(next - r->base, facts_);
        int64_t stride = 0, moved = 0;
        if (!is_int(r->stride, &stride) || !is_int(step, &moved) || moved != stride * lanes_)
          return {};
        return make_ramp(analysis::simplify(substitute(r->base, loop_.var, first_), facts_),
                         r->stride, lanes);
      }
      case ExprKind::Broadcast: {
        const Expr value = join(e.as<Broadcast>()->value);
        return value.defined() ? make_broadcast(value, lanes) : Expr();
      }
      case ExprKind::Load: {
        const auto* l = e.as<Load>();
        if (l->predicate.defined() || !dense(l->indices)) return {};
        const Expr at = join(l->indices[0]);
        if (!at.defined()) return {};
        return make_load(l->buffer, l->type.with_lanes(lanes), {at}, {}, l->align);
      }
      case ExprKind::Unary:
      case ExprKind::Binary:
      case ExprKind::Fma:
      case ExprKind::Select:
      case ExprKind::Cast:
        return join_lanewise(e);
      default:
        return {};
    }
  }

  Expr join_lanewise(const Expr& e) {
    std::vector<Expr> parts;
    for (const Expr& c : children(e)) {
      parts.push_back(join(c));
      if (!parts.back().defined()) return {};
    }
    switch (e.kind()) {
      case ExprKind::Unary:
        return make_unary(e.as<Unary>()->op, parts[0]);
      case ExprKind::Binary:
        return make_binary(e.as<Binary>()->op, parts[0], parts[1]);
      case ExprKind::Fma:
        return make_fma(parts[0], parts[1], parts[2]);
      case ExprKind::Select:
        return make_select(parts[0], parts[1], parts[2]);
      default:
        return make_cast(e.type().with_lanes(lanes_ * times_), parts[0]);
    }
  }

 public:
  static bool dense(const std::vector<Expr>& indices) {
    const auto* r = indices.size() == 1 ? indices[0].as<Ramp>() : nullptr;
    return r && is_int_equal(r->stride, 1);
  }

 private:
  const For& loop_;
  Expr first_;
  int lanes_, times_;
  const analysis::Facts& facts_;
  std::unordered_map<const ExprNode*, Expr> memo_;  // the loop holds the keys
};

// The widest vector of data in the loop, in bytes, and its lanes; 0 where the loop is of another
// kind than this pass knows.
struct Shape {
  int bytes = 0, lanes = 0;
};

Shape shape_of(const For& f) {
  Shape shape;
  std::vector<Symbol> stored;
  for (const Stmt& s : f.body) {
    const auto* store = s.as<Store>();
    if (!store || store->predicate.defined() || !Joiner::dense(store->indices)) return {};
    if (std::count(stored.begin(), stored.end(), store->buffer)) return {};
    stored.push_back(store->buffer);
    const int lanes = store->indices[0].type().lanes;
    if (shape.lanes && lanes != shape.lanes) return {};
    shape.lanes = lanes;
  }
  bool apart = true;
  for_each_root(
      f.body,
      [&](const Expr& root) {
        for_each(root, [&](const Expr& e) {
          if (const auto* l = e.as<Load>())
            apart = apart && !std::count(stored.begin(), stored.end(), l->buffer);
          const Type t = e.type();
          if (t.is_vector() && !t.is_index() && !t.is_bool())
            shape.bytes = std::max(shape.bytes, t.lanes * t.bits / 8);
        });
      },
      false);
  return apart ? shape : Shape{};
}

class LaneJoiner : public FactWalk {
 public:
  LaneJoiner(const Proc& proc, const target::Target& target) : FactWalk(proc), target_(target) {}
  using FactWalk::rewrite;

 protected:
  void visit(const Stmt& s, Body& out) override {
    const auto* f = s.as<For>();
    if (!f || f->loop != LoopKind::Seq || !join(s, *f, out)) FactWalk::visit(s, out);
  }

 private:
  bool join(const Stmt& s, const For& f, Body& out) {
    const Shape shape = shape_of(f);
    if (shape.bytes == 0) return false;
    const Expr extent = simple(f.hi - f.lo);
    int64_t known = 0;
    const bool constant = is_int(extent, &known);
    int times = 1;
    while (shape.bytes * times * 2 <= target_.vector_bytes() && (!constant || times * 2 <= known))
      times *= 2;
    if (times == 1) return false;

    const Symbol var =
        Symbol::derived(f.var.name(), Type::index(), f.var, "iterations joined of", s.place());
    const Expr first = simple(make_var(var) * make_index(times) + f.lo);
    Joiner joiner(f, first, shape.lanes, times, facts());
    Body joined;
    for (const Stmt& inner : f.body) {
      const auto* store = inner.as<Store>();
      const Expr at = joiner.join(store->indices[0]), value = joiner.join(store->value);
      if (!at.defined() || !value.defined()) return false;
      joined.push_back(edited<Store>(inner, [&](Store& n) {
        n.indices = {at};
        n.value = value;
        n.block = {};
      }));
    }
    const Expr whole =
        constant ? make_index(known / times)
                 : simple(make_binary(BinaryOp::Max, extent, make_index(0)) / make_index(times));
    out.push_back(make_for(var, make_index(0), whole, LoopKind::Seq, std::move(joined), s.place()));
    if (constant && known % times == 0) return true;
    const Expr rest = simple(f.lo + whole * make_index(times));
    Body tail{edited<For>(s, [&](For& n) { n.lo = rest; })};
    out.push_back(fresh_copy(tail)[0]);
    return true;
  }

  const target::Target& target_;
};

}  // namespace

diag::Result<ProcRef> join_lanes(const ProcRef& proc, const FlatContext& context) {
  if (!context.options.join_lanes) return proc;
  return edited(proc,
                [&](Proc& p) { p.body = LaneJoiner(*proc, context.target).rewrite(proc->body); });
}

}  // namespace hocket::lower
