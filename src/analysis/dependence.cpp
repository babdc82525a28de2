#include "analysis/dependence.h"

#include <algorithm>
#include <functional>

#include "analysis/data.h"
#include "analysis/evaluate.h"
#include "analysis/order.h"
#include "analysis/simplify.h"
#include "ir/print.h"

namespace hocket::analysis {

using namespace ir;

namespace {

Expr lt(const Expr& a, const Expr& b) {
  return make_binary(BinaryOp::Lt, a, b);
}

Symbol again(const Symbol& s) {
  return Symbol::derived(s.name(), s.type(), s, "instance of");
}

// One run of an access: its loops and the names of data it depends on, renamed.
struct Instance {
  const Access* access = nullptr;
  Substitution names;
  std::vector<std::pair<Symbol, Symbol>> loops;  // the program's variable, the instance's
  std::vector<Expr> indices;
};

// A renamed copy of one expression; what it reads from memory becomes a value of its own.
Expr renamed(const Expr& e, const Substitution& names) {
  Expr r = substitute(e, names);
  if (!reads_memory(r)) return r;
  std::vector<std::pair<Expr, Expr>> loads;
  return map_exprs(r, [&](const Expr& n) -> Expr {
    if (n.kind() != ExprKind::Load && n.kind() != ExprKind::Call) return n;
    for (const auto& [load, value] : loads) {
      if (same(load, n)) return value;
    }
    Expr v = make_var(Symbol::fresh("loaded", n.type()));
    loads.emplace_back(n, v);
    return v;
  });
}

// The facts of the path, in the instance's names, added one step after the other.
Instance instantiate(const Access& a, const Effects& effects, const Substitution& outer,
                     Facts& facts) {
  Instance r;
  r.access = &a;
  r.names = outer;
  for (const auto& [s, range] : effects.data_names) {
    Symbol own = again(s);
    r.names[s] = make_var(own);
    if (s.type().is_integral() && (range.has_min() || range.has_max())) {
      auto end = [&](const Expr& e) { return e.defined() ? renamed(e, r.names) : Expr(); };
      facts.bound(own, end(range.min), end(range.max));
    }
  }
  for (const PathStep& p : a.path) {
    if (p.var.defined()) {
      Symbol own = again(p.var);
      bound_loop(own, renamed(p.lo, r.names), renamed(p.hi, r.names), facts);
      r.names[p.var] = make_var(own);
      r.loops.emplace_back(p.var, own);
    } else {
      facts.assume(renamed(p.cond, r.names));
    }
  }
  for (const Expr& i : a.indices) r.indices.push_back(renamed(i, r.names));
  return r;
}

bool touches_memory_of(const Access& a, const Access& b) {
  if (!(a.buffer == b.buffer)) return false;
  return a.kind != AccessKind::Read || b.kind != AccessKind::Read;
}

bool reductions_commute(const Access& a, const Access& b, Reductions allowed) {
  if (a.kind != AccessKind::Reduce || b.kind != AccessKind::Reduce || a.op != b.op) return false;
  if (allowed == Reductions::None) return false;
  return allowed == Reductions::All || exact_in_any_order(a.op, a.type);
}

std::string words(AccessKind kind) {
  switch (kind) {
    case AccessKind::Read:
      return "reads";
    case AccessKind::Write:
      return "writes";
    case AccessKind::Reduce:
      return "updates";
  }
  return "";
}

// Loops of one name are told apart by their lines.
std::string words(const Iteration& it) {
  std::string s;
  for (const auto& [sym, v] : it) {
    if (!s.empty()) s += ", ";
    const auto alike = std::count_if(
        it.begin(), it.end(), [&](const auto& other) { return other.first.name() == sym.name(); });
    s += sym.name();
    if (const int line = sym.place().line; alike > 1 && line > 0)
      s += " of line " + std::to_string(line);
    s += "=" + std::to_string(v);
  }
  return s;
}

Answer refused(std::string why) {
  Answer a;
  a.missing = std::move(why);
  return a;
}

// A name that the first statements bind and the second use.
std::optional<Symbol> carried_name(const Effects& first, const Body& second) {
  for (const Symbol& s : first.bound) {
    bool used = uses(second, s, false);
    for_each_stmt(second, [&](const Stmt& st) {
      if (const auto* store = st.as<Store>()) used = used || store->buffer == s;
      if (const auto* call = st.as<CallStmt>()) {
        for (const Expr& arg : call->args) used = used || uses(arg, s);
      }
      return true;
    });
    for_each_root(second, [&](const Expr& root) {
      for_each(root, [&](const Expr& e) {
        if (const auto* l = e.as<Load>()) used = used || l->buffer == s;
        if (const auto* w = e.as<Window>()) used = used || w->buffer == s;
        if (const auto* f = e.as<BufferField>()) used = used || f->buffer == s;
      });
    });
    if (used) return s;
  }
  return std::nullopt;
}

}  // namespace

std::string Clash::to_string() const {
  std::string where = buffer.name();
  if (!element.empty()) {
    where += "[";
    for (size_t i = 0; i < element.size(); i++) {
      where += (i ? ", " : "") + std::to_string(element[i]);
    }
    where += "]";
  }
  auto side = [](const Side& s) {
    if (!s.iteration.empty()) return "iteration " + words(s.iteration);
    const int line = s.stmt.defined() ? s.stmt.place().line : 0;
    return line > 0 ? "line " + std::to_string(line) : std::string("one run");
  };
  std::string s = side(first) + " " + words(first.kind) + " " + where + ", which " + side(second) +
                  " " + words(second.kind);
  if (!sizes.empty()) s += " (" + words(sizes) + ")";
  return s;
}

// How the two sides of a question are related.
struct Dependence::Pair {
  const Scope* scope = nullptr;
  Facts facts;                 // that both sides share
  Substitution first, second;  // the loops that the question is about, renamed for each side
  // The same loops for the witness: the program's variable and each side's own.
  std::vector<std::pair<Symbol, Symbol>> first_loops, second_loops;
  Reductions reductions = Reductions::None;
  // Whether the pair is of interest at all.
  std::function<bool(const Access&, const Access&)> skip = {};
};

Dependence::Dependence(const ProveOptions& options) : prover_(options) {}

Answer Dependence::from(Proof p, std::string missing) {
  Answer a;
  a.verdict = p.verdict;
  a.how = p.how;
  if (p.verdict == Verdict::Unknown) a.missing = std::move(p.missing);
  if (p.verdict == Verdict::Refuted) a.missing = std::move(missing);
  a.proof = std::move(p);
  return a;
}

Answer Dependence::no_clash(const Effects& first, const Effects& second, const Pair& how) {
  Answer result;
  result.verdict = Verdict::Proved;
  result.how = "affine";
  std::optional<Answer> unknown;
  for (const Access& a : first.accesses) {
    for (const Access& b : second.accesses) {
      if (!touches_memory_of(a, b) || a.local || b.local) continue;
      if (reductions_commute(a, b, how.reductions)) continue;
      if (how.skip && how.skip(a, b)) continue;
      Facts facts = how.facts;
      Instance x = instantiate(a, first, how.first, facts);
      Instance y = instantiate(b, second, how.second, facts);
      Expr apart = make_bool(false);
      for (size_t d = 0; d < std::min(x.indices.size(), y.indices.size()); d++) {
        Expr differ = make_binary(BinaryOp::Ne, x.indices[d], y.indices[d]);
        apart = d == 0 ? differ : make_binary(BinaryOp::Or, apart, differ);
      }
      Proof p = prover_.prove(apart, facts);
      if (p.proved()) {
        if (p.how == "z3") result.how = "z3";
        continue;
      }
      bool exact = a.exact && b.exact;
      if (p.refuted() && exact) {
        Clash c;
        c.buffer = a.buffer;
        auto value = [&](const Symbol& s) -> int64_t {
          auto it = p.model.find(s);
          return it == p.model.end() ? 0 : it->second;
        };
        auto side = [&](const Access& acc, const Instance& in,
                        const std::vector<std::pair<Symbol, Symbol>>& loops) {
          Clash::Side s;
          s.kind = acc.kind;
          s.op = acc.op;
          s.stmt = acc.stmt;
          for (const auto& [program, own] : loops) s.iteration.emplace_back(program, value(own));
          for (const auto& [program, own] : in.loops) s.iteration.emplace_back(program, value(own));
          return s;
        };
        c.first = side(a, x, how.first_loops);
        c.second = side(b, y, how.second_loops);
        std::vector<Symbol> own;
        using Loops = std::vector<std::pair<Symbol, Symbol>>;
        for (const Loops* loops : std::initializer_list<const Loops*>{
                 &how.first_loops, &how.second_loops, &x.loops, &y.loops}) {
          for (const auto& [program, symbol] : *loops) own.push_back(symbol);
        }
        for (const auto& [s, v] : p.model) {
          if (std::find(own.begin(), own.end(), s) == own.end()) c.sizes.emplace_back(s, v);
        }
        std::sort(c.sizes.begin(), c.sizes.end(),
                  [](const auto& p1, const auto& p2) { return p1.first.name() < p2.first.name(); });
        for (const Expr& i : x.indices) {
          auto v = evaluate(i, [&](const Expr& e) -> std::optional<BigInt> {
            if (const auto* var = e.as<VarRef>()) return BigInt(value(var->sym));
            for (const auto& [f, n] : p.fields) {
              if (same(f, e)) return BigInt(n);
            }
            return BigInt(0);
          });
          c.element.push_back(v && v->fits_int64() ? *v->to_int64() : 0);
        }
        Answer clash;
        clash.verdict = Verdict::Refuted;
        clash.how = p.how;
        clash.clash = std::move(c);
        clash.proof = std::move(p);
        return clash;
      }
      if (!unknown) {
        std::string why = p.missing;
        if (p.refuted()) why = "data decides where or whether `" + a.buffer.name() + "` is touched";
        unknown = refused(std::move(why));
      }
    }
  }
  return unknown ? *unknown : result;
}

Answer Dependence::commutes(const Body& a, const Body& b, const Scope& scope,
                            Reductions reductions) {
  Effects ea = effects_of(a, scope), eb = effects_of(b, scope);
  if (auto s = carried_name(ea, b)) {
    return refused("`" + s->name() + "` is made by the first statements and used by the second");
  }
  if (ea.may_leave || eb.may_leave) return refused("a check may leave the proc in between");
  Pair p;
  p.scope = &scope;
  p.facts = scope.facts;
  p.reductions = reductions;
  return no_clash(ea, eb, p);
}

Answer Dependence::disjoint(const Body& a, const Body& b, const Scope& scope) {
  return commutes(a, b, scope, Reductions::None);
}

namespace {

// Two iterations of a loop, the first before the second, and what both know.
struct TwoIterations {
  Symbol first, second;
  Facts facts;
};

TwoIterations earlier_and_later(const For& loop, const Scope& scope) {
  TwoIterations t{again(loop.var), again(loop.var), scope.facts};
  Expr lo = scope.resolve(loop.lo), hi = scope.resolve(loop.hi);
  bound_loop(t.first, lo, hi, t.facts);
  bound_loop(t.second, lo, hi, t.facts);
  t.facts.assume(lt(make_var(t.first), make_var(t.second)));
  return t;
}

}  // namespace

// What the first list does in the earlier iteration against what the second does in the later one.
Dependence::Pair Dependence::of_two_iterations(const For& loop, const Scope& scope,
                                               Reductions reductions) {
  TwoIterations t = earlier_and_later(loop, scope);
  Pair p;
  p.scope = &scope;
  p.facts = std::move(t.facts);
  p.reductions = reductions;
  p.first = {{loop.var, make_var(t.first)}};
  p.second = {{loop.var, make_var(t.second)}};
  p.first_loops = {{loop.var, t.first}};
  p.second_loops = {{loop.var, t.second}};
  return p;
}

Answer Dependence::iterations_independent(const Stmt& stmt, const Scope& scope,
                                          Reductions reductions) {
  const auto* loop = stmt.as<For>();
  HOCKET_ASSERT(loop, "independence of something that is no loop");
  Scope inner = inside_loop(*loop, stmt, scope);
  Effects e = effects_of(loop->body, inner);
  if (e.may_leave) return refused("a check may leave the proc in between");
  return no_clash(e, e, of_two_iterations(*loop, scope, reductions));
}

Answer Dependence::can_interchange(const Stmt& outer, const Scope& scope, Reductions reductions) {
  const auto* x = outer.as<For>();
  HOCKET_ASSERT(x, "interchange of something that is no loop");
  const auto* y = x->body.size() == 1 ? x->body[0].as<For>() : nullptr;
  if (!y) return refused("the outer loop holds more than the inner loop");
  for (const Expr* bound : {&y->lo, &y->hi}) {
    Expr b = scope.resolve(*bound);
    if (uses(b, x->var)) {
      return refused("the bounds of `" + y->var.name() + "` hang on `" + x->var.name() + "`");
    }
    if (reads_memory(b)) return refused("the bounds of `" + y->var.name() + "` read memory");
  }
  for (const Expr* bound : {&x->lo, &x->hi}) {
    // Then the bounds of the outer loop would be read once per inner iteration.
    if (reads_memory(scope.resolve(*bound))) {
      return refused("the bounds of `" + x->var.name() + "` read memory");
    }
  }
  Scope inner = inside_loop(*y, x->body[0], inside_loop(*x, outer, scope));
  Effects e = effects_of(y->body, inner);
  if (e.may_leave) return refused("a check may leave the proc in between");

  // Iterations (x, y) and (x', y') with x < x' and y > y' change places.
  TwoIterations tx = earlier_and_later(*x, scope);
  Scope with_x = scope;
  with_x.facts = tx.facts;
  TwoIterations ty = earlier_and_later(*y, with_x);
  Pair p;
  p.scope = &scope;
  p.facts = ty.facts;
  p.reductions = reductions;
  p.first = {{x->var, make_var(tx.first)}, {y->var, make_var(ty.second)}};
  p.second = {{x->var, make_var(tx.second)}, {y->var, make_var(ty.first)}};
  p.first_loops = {{x->var, tx.first}, {y->var, ty.second}};
  p.second_loops = {{x->var, tx.second}, {y->var, ty.first}};
  return no_clash(e, e, p);
}

Answer Dependence::can_fission(const Stmt& stmt, size_t at, const Scope& scope,
                               Reductions reductions) {
  const auto* loop = stmt.as<For>();
  HOCKET_ASSERT(loop && at <= loop->body.size(), "fission of something that is no loop");
  Body one(loop->body.begin(), loop->body.begin() + static_cast<ptrdiff_t>(at));
  Body two(loop->body.begin() + static_cast<ptrdiff_t>(at), loop->body.end());
  Scope inner = inside_loop(*loop, stmt, scope);
  Effects e1 = effects_of(one, inner);
  if (auto s = carried_name(e1, two)) {
    return refused("`" + s->name() + "` is made before the cut and used after it");
  }
  Scope after = inner;
  for (const Stmt& s : one) pass(s, after);
  Effects e2 = effects_of(two, after);
  if (e1.may_leave || e2.may_leave) return refused("a check may leave the proc in between");
  // The second loop reads its bounds after the first has run.
  for (const Expr* bound : {&loop->lo, &loop->hi}) {
    if (reads_memory(scope.resolve(*bound))) {
      return refused("the bounds of `" + loop->var.name() + "` read memory");
    }
  }
  // s2 of an earlier iteration and s1 of a later one change places.
  return no_clash(e2, e1, of_two_iterations(*loop, scope, reductions));
}

Answer Dependence::can_fuse(const Stmt& first, const Stmt& second, const Scope& scope,
                            Reductions reductions) {
  const auto *a = first.as<For>(), *b = second.as<For>();
  HOCKET_ASSERT(a && b, "fusion of something that is no loop");
  for (auto [x, y] : {std::pair{&a->lo, &b->lo}, std::pair{&a->hi, &b->hi}}) {
    Expr p = scope.resolve(*x), q = scope.resolve(*y);
    if (reads_memory(p) || reads_memory(q)) return refused("the bounds of a loop read memory");
    Answer equal = holds(make_binary(BinaryOp::Eq, p, q), scope);
    if (!equal.proved()) {
      if (equal.refuted()) equal.missing = "the loops run over different ranges";
      return equal;
    }
  }
  Scope in_a = inside_loop(*a, first, scope), in_b = inside_loop(*b, second, scope);
  Effects e1 = effects_of(a->body, in_a), e2 = effects_of(b->body, in_b);
  if (e1.may_leave || e2.may_leave) return refused("a check may leave the proc in between");
  // Today every s1 runs before every s2; fused, an s2 runs before the s1 of later iterations.
  TwoIterations t = earlier_and_later(*a, scope);
  Pair p;
  p.scope = &scope;
  p.facts = t.facts;
  p.reductions = reductions;
  p.first = {{a->var, make_var(t.second)}};
  p.second = {{b->var, make_var(t.first)}};
  p.first_loops = {{a->var, t.second}};
  p.second_loops = {{b->var, t.first}};
  return no_clash(e1, e2, p);
}

Answer Dependence::can_fission_branch(const Stmt& stmt, size_t at, const Scope& scope) {
  const auto* branch = stmt.as<If>();
  HOCKET_ASSERT(branch && at <= branch->then_body.size(), "fission of something that is no if");
  Body one(branch->then_body.begin(), branch->then_body.begin() + static_cast<ptrdiff_t>(at));
  Body two(branch->then_body.begin() + static_cast<ptrdiff_t>(at), branch->then_body.end());
  Scope inner = inside_branch(branch->cond, true, scope);
  Effects e1 = effects_of(one, inner);
  if (auto s = carried_name(e1, two)) {
    return refused("`" + s->name() + "` is made before the cut and used after it");
  }
  if (e1.may_leave) return refused("a check may leave the proc in between");
  Effects condition = effects_of({make_if(branch->cond, {})}, scope);
  Pair p;
  p.scope = &scope;
  p.facts = inner.facts;
  return no_clash(e1, condition, p);
}

namespace {

// Whether every run of the read is preceded, in the same run of the statements, by a write of the
// same element: the write stands earlier, outside nothing that the read is not inside of, and
// names the same element.
bool covered(const Access& read, const Effects& e) {
  for (const Access& w : e.accesses) {
    if (w.kind != AccessKind::Write || !(w.buffer == read.buffer) || w.order >= read.order)
      continue;
    if (!w.exact || w.path.size() > read.path.size()) continue;
    bool prefix = true;
    for (size_t i = 0; i < w.path.size() && prefix; i++) {
      const PathStep &p = w.path[i], &q = read.path[i];
      prefix = p.stmt.same_as(q.stmt) && p.var == q.var && p.cond.defined() == q.cond.defined() &&
               (!p.cond.defined() || same(p.cond, q.cond));
    }
    if (!prefix || w.indices.size() != read.indices.size()) continue;
    bool equal = true;
    for (size_t d = 0; d < w.indices.size() && equal; d++) {
      equal = affine_of(w.indices[d]) == affine_of(read.indices[d]);
    }
    if (equal) return true;
  }
  return false;
}

bool contains(const Stmt& root, uint64_t id) {
  bool found = false;
  for_each_stmt({root}, [&](const Stmt& s) {
    found = found || s.id() == id;
    return !found;
  });
  return found;
}

// Reads of what the statements have not made themselves; an update reads what it updates.
Effects only_reads(const Effects& e) {
  Effects r = e;
  std::erase_if(r.accesses,
                [&](const Access& a) { return a.kind == AccessKind::Write || covered(a, e); });
  return r;
}

Effects only_writes(const Effects& e) {
  Effects r = e;
  std::erase_if(r.accesses, [](const Access& a) { return a.kind == AccessKind::Read; });
  return r;
}

}  // namespace

Answer Dependence::idempotent(const Body& body, const Scope& scope) {
  Effects e = effects_of(body, scope);
  if (e.may_leave) return refused("a check may leave the proc in between");
  // What the second run reads, the first has not changed (or the second has made it anew). A
  // largest value does not change where the same values are taken again.
  Pair p;
  p.scope = &scope;
  p.facts = scope.facts;
  p.skip = [](const Access& a, const Access& b) {
    const bool extremes = a.op == b.op && (a.op == StoreOp::Max || a.op == StoreOp::Min);
    return extremes && reductions_commute(a, b, Reductions::Exact);
  };
  return no_clash(only_writes(e), only_reads(e), p);
}

Answer Dependence::iterations_idempotent(const Stmt& stmt, const Scope& scope) {
  const auto* loop = stmt.as<For>();
  HOCKET_ASSERT(loop, "idempotence of something that is no loop");
  Scope inner = inside_loop(*loop, stmt, scope);
  Answer own = idempotent(loop->body, inner);
  if (!own.proved()) return own;
  Answer others = iterations_independent(stmt, scope, Reductions::None);
  if (others.proved() && own.how == "z3") others.how = "z3";
  return others;
}

Answer Dependence::runs_at_least_once(const Stmt& stmt, const Scope& scope) {
  const auto* loop = stmt.as<For>();
  HOCKET_ASSERT(loop, "trip count of something that is no loop");
  return holds(lt(loop->lo, loop->hi), scope);
}

Answer Dependence::holds(const Expr& condition, const Scope& scope) {
  Expr c = scope.resolve(condition);
  return from(prover_.prove(c, scope.facts), "`" + to_text(condition) + "` does not always hold");
}

Answer Dependence::in_bounds(const Access& access, const Effects& effects,
                             const std::vector<Expr>& shape, const Scope& scope) {
  Answer result;
  result.verdict = Verdict::Proved;
  result.how = "affine";
  Facts facts = scope.facts;
  for (const auto& [s, range] : effects.data_names)
    if (s.type().is_integral()) facts.bound(s, range.min, range.max);
  for (const PathStep& p : access.path) {
    if (p.var.defined()) {
      bound_loop(p.var, p.lo, p.hi, facts);
    } else {
      facts.assume(p.cond);
    }
  }
  for (size_t d = 0; d < std::min(access.indices.size(), shape.size()); d++) {
    const Expr& i = access.indices[d];
    for (const Expr& c : {make_binary(BinaryOp::Le, make_index(0), i), lt(i, shape[d])}) {
      Proof p = prover_.prove(c, facts);
      if (p.proved()) {
        if (p.how == "z3") result.how = "z3";
        continue;
      }
      if (p.refuted() && !access.exact)
        p = Proof::unknown("data decides where `" + access.buffer.name() + "` is touched");
      return from(std::move(p), "`" + to_text(c) + "` does not always hold");
    }
  }
  return result;
}

Answer Dependence::dead_after(const Body& body, const Symbol& buffer, uint64_t after,
                              const Scope& scope) {
  auto inside = [&](const Stmt& root) { return contains(root, after); };
  auto reads = [&](const Access& a) { return a.kind != AccessKind::Write && a.buffer == buffer; };
  // The first statement of the list that reads what was left: one that follows, or, where a loop
  // comes round, any. What a list writes itself before it reads was not left.
  std::function<std::optional<Stmt>(const Body&, bool)> reader =
      [&](const Body& list, bool in_loop) -> std::optional<Stmt> {
    size_t at = 0;
    while (at < list.size() && list[at].id() != after && !inside(list[at])) at++;
    if (at == list.size()) return std::nullopt;
    const Stmt& s = list[at];
    if (s.id() != after) {
      if (const auto* l = s.as<For>()) {
        if (auto r = reader(l->body, true)) return r;
      }
      if (const auto* i = s.as<If>()) {
        if (auto r = reader(i->then_body, in_loop)) return r;
        if (auto r = reader(i->else_body, in_loop)) return r;
      }
    }
    Effects all = effects_of(list, scope);
    Effects rest = all;
    std::erase_if(rest.accesses, [&](const Access& a) {
      for (size_t k = 0; k <= at; k++) {
        if (a.stmt.id() == list[k].id() || contains(list[k], a.stmt.id())) return true;
      }
      return false;
    });
    for (const Access& a : rest.accesses) {
      if (reads(a) && !covered(a, rest)) return a.stmt;
    }
    if (!in_loop) return std::nullopt;
    for (const Access& a : all.accesses) {
      if (reads(a) && !covered(a, all)) return a.stmt;
    }
    return std::nullopt;
  };
  if (auto s = reader(body, false)) {
    Answer a = refused("`" + buffer.name() + "` is read after");
    a.clash.emplace();
    a.clash->buffer = buffer;
    a.clash->second.stmt = *s;
    return a;
  }
  Answer yes;
  yes.verdict = Verdict::Proved;
  yes.how = "affine";
  return yes;
}

}  // namespace hocket::analysis
