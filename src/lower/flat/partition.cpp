// Guarded loops are split where the guard changes, so that the steady part has none.
//
//   for xo in seq(0, (n + 7) / 8):      let q = ...
//     if 8 * xo + 8 <= n:               for xo in seq(0, q): A
//       A                          ->   for xo in seq(q, (n + 7) / 8): B
//     else:
//       B
//
// Conditions that bound the loop variable from both sides (clamps at two edges) give a part before,
// a steady part and a part after. Only loops in order, only conditions that stand directly in the
// loop and are affine in its variable; a loop is copied at most twice, and only where it is small.
// Parallel loops stay whole: a second round of tasks costs more than a branch per task.
#include <algorithm>

#include "lower/flat/fact_walk.h"
#include "lower/flat/lanes.h"
#include "lower/flat/passes.h"
#include "lower/flat/tidy.h"

namespace hocket::lower {

using namespace ir;
using analysis::Affine;
using support::BigInt;

namespace {

constexpr int kMaxStatements = 400;

int count(const Body& body) {
  int n = 0;
  for_each_stmt(body, [&](const Stmt&) { return ++n, true; });
  return n;
}

// Where a condition holds: var in [p, q) for some p in `from` and q in `to`; `rest` is what it says
// beyond the loop variable.
struct Split {
  std::vector<Expr> from, to;
  Expr rest;  // undefined: nothing
};

void conjuncts(const Expr& e, std::vector<Expr>& out) {
  const auto* b = e.as<Binary>();
  if (b && b->op == BinaryOp::And && !b->type.is_vector()) {
    conjuncts(b->a, out);
    conjuncts(b->b, out);
  } else {
    out.push_back(e);
  }
}

// var >= the answer (lower) or var < the answer, from form >= 0; false where form is not affine.
bool solve(const Affine& form, const Symbol& var, Split& out) {
  const Expr v = make_var(var);
  const BigInt c = form.coefficient(var);
  const Affine rest = form.without(v);
  if (c.is_zero() || rest.mentions(var)) return false;
  if (c.sign() > 0) {  // c * var + rest >= 0: var >= -floor(rest / c)
    out.from.push_back(tidy(make_index(0) - rest.to_expr() / analysis::index_expr(c)));
  } else {  // var <= floor(rest / |c|)
    out.to.push_back(tidy(rest.to_expr() / analysis::index_expr(-c) + make_index(1)));
  }
  return true;
}

Split split_of(const Expr& cond, const Symbol& var) {
  std::vector<Expr> parts;
  conjuncts(cond, parts);
  Split out;
  for (const Expr& p : parts) {
    const auto* b = p.as<Binary>();
    bool solved = false;
    if (b && b->a.type() == Type::index() && uses(p, var) && !reads_memory(p)) {
      const Affine x = analysis::parse_affine(b->a), y = analysis::parse_affine(b->b);
      const Affine one(BigInt(1));
      switch (b->op) {
        case BinaryOp::Lt:
          solved = solve(y - x - one, var, out);
          break;
        case BinaryOp::Le:
          solved = solve(y - x, var, out);
          break;
        case BinaryOp::Gt:
          solved = solve(x - y - one, var, out);
          break;
        case BinaryOp::Ge:
          solved = solve(x - y, var, out);
          break;
        default:
          break;
      }
    }
    if (!solved) out.rest = out.rest.defined() ? make_binary(BinaryOp::And, out.rest, p) : p;
  }
  return out;
}

bool outside(const Expr& e, const Body& body) {
  bool ok = true;
  for_each_stmt(body, [&](const Stmt& s) {
    if (const auto* l = s.as<Let>()) ok = ok && !uses(e, l->sym);
    if (const auto* f = s.as<For>()) ok = ok && !uses(e, f->var);
    return ok;
  });
  return ok;
}

class Partitioner : public FactWalk {
 public:
  using FactWalk::FactWalk;
  using FactWalk::rewrite;

 protected:
  void visit(const Stmt& s, Body& out) override {
    FactWalk::visit(s, out);
    const Stmt done = out.back();
    const auto* f = done.as<For>();
    if (!f || f->loop != LoopKind::Seq) return;
    out.pop_back();
    if (!split(done, *f, out)) out.push_back(done);
  }

 private:
  bool split(const Stmt& s, const For& f, Body& out) {
    std::vector<Expr> from, to;
    std::vector<size_t> guards;  // positions in the body
    Body steady;
    for (size_t k = 0; k < f.body.size(); ++k) {
      const Stmt& inner = f.body[k];
      const auto* i = inner.as<If>();
      Split where;
      if (i) where = split_of(i->cond, f.var);
      bool usable = !where.from.empty() || !where.to.empty();
      for (const auto* list : {&where.from, &where.to})
        for (const Expr& e : *list) usable = usable && outside(e, f.body);
      if (!usable) {
        steady.push_back(inner);
        continue;
      }
      guards.push_back(k);
      from.insert(from.end(), where.from.begin(), where.from.end());
      to.insert(to.end(), where.to.begin(), where.to.end());
      if (where.rest.defined()) {
        steady.push_back(edited<If>(inner, [&](If& n) { n.cond = where.rest; }));
      } else {
        steady.insert(steady.end(), i->then_body.begin(), i->then_body.end());
      }
    }
    if (guards.empty() || count(f.body) > kMaxStatements) return false;

    auto bound = [&](const char* what, const Expr& value) {
      const Expr t = simple(value);
      if (t.kind() == ExprKind::IntImm || t.kind() == ExprKind::VarRef) return t;
      Symbol sym = Symbol::derived(f.var.name() + "_" + what, Type::index(), f.var,
                                   "steady part of", s.place());
      out.push_back(make_let(sym, t, s.place()));
      return make_var(sym);
    };
    Expr p = f.lo, q = f.hi;
    if (!from.empty()) {
      for (const Expr& e : from) p = make_binary(BinaryOp::Max, p, e);
      p = bound("from", make_binary(BinaryOp::Min, p, f.hi));
    }
    if (!to.empty()) {
      for (const Expr& e : to) q = make_binary(BinaryOp::Min, q, e);
      q = bound("to", make_binary(BinaryOp::Max, q, p));
    }
    bool first = true;
    auto loop = [&](const Expr& lo, const Expr& hi, Body body) {
      Body one{edited<For>(s, [&](For& n) {
        n.lo = lo;
        n.hi = hi;
        n.body = std::move(body);
      })};
      if (!first) one = fresh_copy(one);  // binders and identities of statements stay unique
      first = false;
      out.push_back(one[0]);
    };
    // A single guard is false outside of the steady part, on both sides.
    Body other = f.body;
    if (guards.size() == 1) {
      const auto* i = f.body[guards[0]].as<If>();
      const auto at = other.begin() + static_cast<ptrdiff_t>(guards[0]);
      other.insert(other.erase(at), i->else_body.begin(), i->else_body.end());
    }
    if (!from.empty()) loop(f.lo, p, other);
    loop(p, q, std::move(steady));
    if (!to.empty()) loop(q, f.hi, other);
    return true;
  }
};

}  // namespace

diag::Result<ProcRef> partition(const ProcRef& proc, const FlatContext& context) {
  if (!context.options.partition) return proc;
  return edited(proc, [&](Proc& p) { p.body = Partitioner(*proc).rewrite(proc->body); });
}

}  // namespace hocket::lower
