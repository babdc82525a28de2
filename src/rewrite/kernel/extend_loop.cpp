// extend_loop(loop, hi)
//
//   t: f32[16]                               t: f32[16]
//   for j in seq(0, n): t[j] += s      ->    for j in seq(0, 16): t[j] += s
//   for j in seq(0, n): x[j] = t[j]          for j in seq(0, n): x[j] = t[j]
//
// Whole registers at a tail: what the new iterations compute is thrown away. Conditions: hi is at
// least the old end; the new iterations stay inside every buffer that they touch (their own ones
// included, whose extents stay at least 0) and are steered by no memory; they write buffers of the
// proc alone, and there elements that nothing else touches, from the allocation to the end of its
// list. Elsewhere: round_loop of Exo's libraries,
// predication.
#include "rewrite/kernel/operators.h"

namespace hocket::rewrite {

using namespace ir;

namespace {

// The writes of a body alone, with no values: what the new iterations could disturb.
class WritesOf : public Rewriter {
 public:
  explicit WritesOf(const Symbol& buffer) : buffer_(buffer) {}

 protected:
  void visit(const Stmt& s, Body& out) override {
    if (const auto* st = s.as<Store>()) {
      if (st->buffer == buffer_)
        out.push_back(make_store(buffer_, st->indices, make_const(buffer_.type(), 0)));
      return;
    }
    out.push_back(recurse(s));
  }

 private:
  Symbol buffer_;
};

bool reads_memory(const Expr& e) {
  bool reads = false;
  for_each(e, [&](const Expr& n) { reads |= n.kind() == ExprKind::Load; });
  return reads;
}

}  // namespace

Outcome extend_loop(Context& c) {
  HOCKET_TRY(Located at, c.loop("loop"));
  HOCKET_TRY(Expr hi, c.index("hi", at));
  const auto* loop = at.stmt.as<For>();
  std::vector<Symbol> written, inner;
  std::string refused;
  for_each_stmt(loop->body, [&](const Stmt& s) {
    if (const auto* a = s.as<Alloc>()) {
      inner.push_back(a->buffer);
      for (const Expr& e : a->shape)
        if (reads_memory(e)) refused = "an extent reads memory";
    }
    if (const auto* st = s.as<Store>()) {
      written.push_back(st->buffer);
      if (st->block) refused = "the loop computes points of a stage";
      for (const Expr& i : st->indices)
        if (reads_memory(i)) refused = "an index reads memory";
    }
    if (const auto* b = s.as<If>(); b && reads_memory(b->cond))
      refused = "a condition reads memory";
    if (const auto* f = s.as<For>(); f && (reads_memory(f->lo) || reads_memory(f->hi)))
      refused = "a bound reads memory";
    if (s.kind() == StmtKind::Call || s.kind() == StmtKind::Check ||
        s.kind() == StmtKind::WindowStmt || s.kind() == StmtKind::Let)
      refused = "the loop holds `" + spoken(s) + "`";
    return true;
  });
  if (!refused.empty()) return c.cannot(refused);

  const analysis::Scope scope = c.scope_before(c.proc(), at.stmt.id());
  std::vector<Claim> claims;
  claims.push_back({"the new end of `" + loop->var.name() + "` is not before the old one",
                    c.dependence().holds(make_binary(BinaryOp::Ge, hi, loop->hi), scope)});
  // The new iterations alone.
  const Symbol var =
      Symbol::derived(loop->var.name(), Type::index(), loop->var, "more of", c.step.place);
  auto more = [&](const Body& body) {
    return make_for(var, make_binary(BinaryOp::Max, loop->lo, loop->hi), hi, LoopKind::Seq,
                    body_at(body, loop->var, make_var(var), true), c.step.place);
  };
  const Stmt added = more(loop->body);
  // What the new iterations allocate themselves, seen from inside them.
  const ProcRef both = with_list(c.proc(), at.stmt.id(), [&](Body& list, size_t i) {
    list.insert(list.begin() + static_cast<std::ptrdiff_t>(i) + 1, added);
  });
  std::unordered_map<Symbol, std::vector<Expr>> own;
  for_each_stmt({added}, [&](const Stmt& s) {
    const auto* a = s.as<Alloc>();
    if (!a) return true;
    own.emplace(a->buffer, a->shape);
    const analysis::Scope there = c.scope_before(both, s.id());
    for (const Expr& e : a->shape)
      claims.push_back(
          {"the extents of `" + a->buffer.name() + "` are at least 0 in the new iterations",
           c.dependence().holds(make_binary(BinaryOp::Ge, e, make_index(0)), there)});
    return true;
  });
  const analysis::Effects effects = analysis::effects_of({added}, scope);
  for (const analysis::Access& a : effects.accesses) {
    if (!a.exact) return c.cannot("an index of `" + a.buffer.name() + "` reads memory");
    auto mine = own.find(a.buffer);
    auto b = scope.buffers.find(a.buffer);
    if (mine == own.end() && b == scope.buffers.end())
      return c.cannot("`" + a.buffer.name() + "` is not known there");
    const std::vector<Expr>& shape = mine != own.end() ? mine->second : b->second.shape;
    claims.push_back({"the new iterations stay inside `" + a.buffer.name() + "`",
                      c.dependence().in_bounds(a, effects, shape, scope)});
  }
  for (const Symbol& w : written) {
    bool is_inner = false;
    for (const Symbol& s : inner) is_inner |= s == w;
    if (is_inner) continue;
    Stmt alloc;
    for (const Stmt& s : at.before)
      if (const auto* a = s.as<Alloc>(); a && a->buffer == w) alloc = s;
    if (!alloc.defined()) return c.cannot("`" + w.name() + "` is not allocated in the procedure");
    const Located home = *locate(*c.proc(), alloc.id());
    // The new writes at every iteration of the loops between the allocation and here.
    Body nest{more(WritesOf(w).rewrite(loop->body))};
    for (size_t d = at.parents.size(); d-- > home.parents.size();) {
      const Stmt& p = at.parents[d];
      if (const auto* f = p.as<For>()) {
        const Symbol v =
            Symbol::derived(f->var.name(), Type::index(), f->var, "copy of", c.step.place);
        nest = {make_for(v, f->lo, f->hi, LoopKind::Seq, body_at(nest, f->var, make_var(v), true),
                         c.step.place)};
      } else if (const auto* b = p.as<If>()) {
        const bool in_else = d + 1 < at.parents.size() ? [&] {
          for (const Stmt& s : b->else_body)
            if (s.id() == at.parents[d + 1].id()) return true;
          return false;
        }()
                                                       : at.in_else;
        nest = in_else ? Body{make_if(b->cond, {make_pass()}, nest)} : Body{make_if(b->cond, nest)};
      }
    }
    analysis::Scope inside = c.scope_before(c.proc(), alloc.id());
    analysis::pass(alloc, inside);
    const Body rest(home.list.begin() + static_cast<std::ptrdiff_t>(home.at) + 1, home.list.end());
    claims.push_back({"nothing else touches what the new iterations write to `" + w.name() + "`",
                      c.dependence().disjoint(nest, rest, inside)});
  }
  ProcRef after = with_list(c.proc(), at.stmt.id(), [&](Body& list, size_t i) {
    list[i] = edited<For>(at.stmt, [&](For& f) { f.hi = hi; });
  });
  std::vector<Stmt> around = at.parents;
  around.push_back(at.stmt);
  claim_no_races(c, after, around, claims);
  return c.judge.accept(c.proc(), after, std::move(claims));
}

}  // namespace hocket::rewrite
