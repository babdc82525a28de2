// Simplification of statements: what is known grows on the way in.
#include "analysis/data.h"
#include "analysis/interval.h"
#include "analysis/prove.h"
#include "analysis/simplify.h"
#include "ir/visit.h"

namespace hocket::analysis {

using namespace ir;

namespace {

class Statements {
 public:
  Body of(const Body& body, Facts facts) {
    Body out;
    for (const Stmt& s : body) one(s, facts, out);
    bool only_pass = !out.empty();
    for (const Stmt& s : out) only_pass = only_pass && s.kind() == StmtKind::Pass;
    if (!only_pass) {
      std::erase_if(out, [](const Stmt& s) { return s.kind() == StmtKind::Pass; });
    }
    bool same_list = out.size() == body.size();
    for (size_t i = 0; same_list && i < out.size(); i++) same_list = out[i].same_as(body[i]);
    return same_list ? body : out;
  }

 private:
  static bool same_body(const Body& a, const Body& b) {
    if (a.size() != b.size()) return false;
    for (size_t i = 0; i < a.size(); i++) {
      if (!a[i].same_as(b[i])) return false;
    }
    return true;
  }

  void one(const Stmt& s, Facts& facts, Body& out) {
    switch (s.kind()) {
      case StmtKind::For:
        return loop(s, facts, out);
      case StmtKind::If:
        return branch(s, facts, out);
      case StmtKind::Let: {
        const auto* l = s.as<Let>();
        Expr value = simplify(l->value, facts);
        out.push_back(value.same_as(l->value) ? s
                                              : edited<Let>(s, [&](Let& n) { n.value = value; }));
        define_let(l->sym, value, facts);
        return;
      }
      case StmtKind::Check: {
        const auto* c = s.as<Check>();
        Expr cond = simplify(c->cond, facts);
        int64_t truth = 0;
        if (is_int(cond, &truth) && truth) return;
        out.push_back(cond.same_as(c->cond) ? s
                                            : edited<Check>(s, [&](Check& n) { n.cond = cond; }));
        if (!reads_memory(cond)) facts.assume(cond);
        return;
      }
      default: {
        Simplifier simplifier(facts);
        Body mapped = map_roots(s, simplifier);
        out.insert(out.end(), mapped.begin(), mapped.end());
        return;
      }
    }
  }

  static Body map_roots(const Stmt& s, Simplifier& simplifier) {
    class Roots : public Rewriter {
     public:
      explicit Roots(Simplifier& simplifier) : simplifier_(simplifier) {}

     protected:
      Expr visit(const Expr& e) override {
        // A whole buffer or window as an argument is no value.
        if (e.kind() == ExprKind::Window) return recurse(e);
        return simplifier_.simplify(e);
      }
      // A fused product stays one: its factors are simplified, each by itself. (1.0 * x as x would
      // be right, 1.5 * 1.25 as one number would round twice.)
      void visit(const Stmt& s, Body& out) override {
        const auto* st = s.as<Store>();
        if (!st || !st->fused) return out.push_back(recurse(s));
        const auto* product = st->value.as<Binary>();
        out.push_back(edited<Store>(s, [&](Store& n) {
          for (Expr& i : n.indices) i = rewrite(i);
          const Expr a = rewrite(product->a), b = rewrite(product->b);
          if (!a.same_as(product->a) || !b.same_as(product->b))
            n.value = make_binary(BinaryOp::Mul, a, b);
        }));
      }

     private:
      Simplifier& simplifier_;
    };
    return Roots(simplifier).rewrite(Body{s});
  }

  void loop(const Stmt& s, const Facts& facts, Body& out) {
    const auto* l = s.as<For>();
    Expr lo = simplify(l->lo, facts), hi = simplify(l->hi, facts);
    if (can_prove(make_binary(BinaryOp::Le, hi, lo), facts)) return;
    Facts inside = facts;
    bound_loop(l->var, lo, hi, inside);
    Body body = of(l->body, inside);
    if (body.empty()) return;
    if (lo.same_as(l->lo) && hi.same_as(l->hi) && same_body(body, l->body)) {
      out.push_back(s);
      return;
    }
    out.push_back(edited<For>(s, [&](For& n) {
      n.lo = lo;
      n.hi = hi;
      n.body = std::move(body);
    }));
  }

  void branch(const Stmt& s, const Facts& facts, Body& out) {
    const auto* i = s.as<If>();
    Expr cond = simplify(i->cond, facts);
    int64_t truth = 0;
    if (is_int(cond, &truth)) {
      Body taken = of(truth ? i->then_body : i->else_body, facts);
      out.insert(out.end(), taken.begin(), taken.end());
      return;
    }
    Facts yes = facts, no = facts;
    if (!reads_memory(cond)) {
      yes.assume(cond);
      no.assume(make_unary(UnaryOp::Not, cond));
    }
    Body then_body = of(i->then_body, yes), else_body = of(i->else_body, no);
    if (then_body.empty() && else_body.empty()) return;
    if (cond.same_as(i->cond) && same_body(then_body, i->then_body) &&
        same_body(else_body, i->else_body)) {
      out.push_back(s);
      return;
    }
    out.push_back(edited<If>(s, [&](If& n) {
      n.cond = cond;
      if (then_body.empty()) {
        n.cond = simplify(make_unary(UnaryOp::Not, cond), facts);
        n.then_body = std::move(else_body);
        n.else_body.clear();
        return;
      }
      n.then_body = std::move(then_body);
      n.else_body = std::move(else_body);
    }));
  }
};

}  // namespace

Body simplify(const Body& body, const Facts& facts) {
  return Statements().of(body, facts);
}

}  // namespace hocket::analysis
