#include "rewrite/unify.h"

#include <unordered_map>
#include <unordered_set>

#include "analysis/simplify.h"
#include "ir/equal.h"
#include "ir/print.h"
#include "ir/visit.h"
#include "rewrite/edit.h"

namespace hocket::rewrite {

using namespace ir;

namespace {

struct WindowOf {
  Symbol buffer;
  std::vector<Expr> offsets;  // one per dimension of the buffer
  std::vector<int> own;       // the parameter's dimension, -1 for a point
};

// A number without its type.
std::string plain(const Expr& e) {
  int64_t n = 0;
  return is_int(e, &n) ? std::to_string(n) : to_text(e);
}

class Unifier {
 public:
  Unifier(const Proc& callee, const analysis::Facts& facts) : callee_(callee), facts_(facts) {
    for (const Param& p : callee.params) params_[p.sym] = &p;
  }

  Unified run(const Body& block) {
    Unified out;
    if (!match(callee_.body, block)) {
      out.reason = reason_.empty() ? "the statements differ" : reason_;
      out.matched = matched_;
      return out;
    }
    for (const Param& p : callee_.params) {
      Expr arg = p.kind == ParamKind::Buffer ? window(p) : scalar(p);
      if (!arg.defined()) {
        out.reason = "nothing says what `" + p.sym.name() + "` is";
        return out;
      }
      out.args.push_back(arg);
    }
    return out;
  }

 private:
  bool fail(const std::string& why) {
    if (reason_.empty()) reason_ = why;
    return false;
  }

  // An index expression of the callee in the caller's symbols; undefined where one is not bound.
  Expr carried(const Expr& e) const {
    bool open = false;
    Expr r = map_exprs(e, [&](const Expr& n) -> Expr {
      const auto* v = n.as<VarRef>();
      if (!v) return n;
      if (auto it = vars_.find(v->sym); it != vars_.end()) return make_var(it->second);
      if (auto it = scalars_.find(v->sym); it != scalars_.end()) return it->second;
      if (params_.count(v->sym)) open = true;
      return n;
    });
    return open ? Expr() : r;
  }
  // The same with what is open left as it is: it does not change inside.
  Expr variables(const Expr& e) const {
    return map_exprs(e, [&](const Expr& n) -> Expr {
      const auto* v = n.as<VarRef>();
      const auto it = v ? vars_.find(v->sym) : vars_.end();
      return it == vars_.end() ? n : make_var(it->second);
    });
  }
  bool is_fixed(const Expr& e) const {
    bool fixed = true;
    for_each(e, [&](const Expr& n) {
      if (const auto* v = n.as<VarRef>()) fixed &= !inner_.count(v->sym);
      if (const auto* l = n.as<Load>()) fixed &= !inner_.count(l->buffer);
    });
    return fixed;
  }
  bool same(const Expr& a, const Expr& b) const {
    return equal(a, b) || is_int_equal(analysis::simplify(a - b, facts_), 0);
  }
  const Param* open_param(const Expr& e) const {
    const auto* v = e.as<VarRef>();
    if (!v) return nullptr;
    auto it = params_.find(v->sym);
    return it == params_.end() || scalars_.count(v->sym) ? nullptr : it->second;
  }

  bool match_index(const Expr& e, const Expr& f) {
    ++matched_;
    if (const Param* p = open_param(e)) {
      const Expr value = analysis::simplify(f, facts_);
      if (!is_fixed(value)) return fail("`" + p->sym.name() + "` would change inside the block");
      scalars_[p->sym] = value;
      return true;
    }
    const Expr mine = carried(e);
    if (mine.defined())
      return same(mine, f) || fail("`" + plain(f) + "` is not `" + plain(mine) + "`");
    if (const auto* b = e.as<Binary>()) {
      if (const Param* p = summand(e)) return solve_sum(*p, e, f);
      // i % n here i % 7: part by part.
      const auto* g = f.as<Binary>();
      if (g && g->op == b->op) return match_index(b->a, g->a) && match_index(b->b, g->b);
    }
    return fail("`" + to_text(e) + "` cannot be solved");
  }

  // The parameter that a sum holds once, as it is, where it is the only one not bound.
  const Param* summand(const Expr& e) const {
    const Param* found = nullptr;
    int count = 0;
    for_each(e, [&](const Expr& n) {
      if (const Param* p = open_param(n)) {
        found = p;
        ++count;
      }
    });
    if (count != 1) return nullptr;
    const analysis::Affine form = analysis::parse_affine(e);
    for (const analysis::Affine::Term& t : form.terms())
      if (open_param(t.atom) == found && t.coef == analysis::BigInt(1)) return found;
    return nullptr;
  }

  // n + 1 here 9: n is 8.
  bool solve_sum(const Param& p, const Expr& e, const Expr& f) {
    const Expr rest = carried(substitute(e, {{p.sym, make_index(0)}}));
    const Expr value = analysis::affine_of(f - rest, facts_).to_expr();
    if (!is_fixed(value)) return fail("`" + p.sym.name() + "` would change inside the block");
    scalars_[p.sym] = value;
    return true;
  }

  bool match_access(const Symbol& b, const std::vector<Expr>& e, const Symbol& cb,
                    const std::vector<Expr>& f) {
    if (auto it = locals_.find(b); it != locals_.end()) {
      if (!(it->second == cb) || e.size() != f.size()) return fail("other buffers");
      for (size_t i = 0; i < e.size(); ++i)
        if (!match_index(e[i], f[i])) return false;
      return true;
    }
    if (inner_.count(cb)) return fail("`" + cb.name() + "` is allocated inside the block");
    auto bound = windows_.find(b);
    if (bound == windows_.end()) {
      WindowOf w;
      w.buffer = cb;
      w.own.assign(f.size(), -1);
      w.offsets.resize(f.size());
      if (e.size() > f.size()) return fail("`" + cb.name() + "` has too few dimensions");
      // From the last dimension: an index that varies in the callee meets one that varies here.
      size_t d = f.size();
      for (size_t j = e.size(); j-- > 0;) {
        Expr mine = carried(e[j]);
        const bool varies = !is_fixed(mine.defined() ? mine : variables(e[j]));
        for (;;) {
          if (d <= j) return fail("the indices of `" + cb.name() + "` do not fit");
          --d;
          if (d == j || !varies || !is_fixed(f[d])) break;
        }
        // Where a size of the callee is still open it is what makes both the same.
        if (!mine.defined()) {
          if (!match_index(e[j], f[d])) return false;
          mine = carried(e[j]);
        }
        w.own[d] = static_cast<int>(j);
        w.offsets[d] = analysis::affine_of(f[d] - mine, facts_).to_expr();
      }
      for (size_t k = 0; k < f.size(); ++k) {
        if (w.own[k] < 0) w.offsets[k] = f[k];
        if (!is_fixed(w.offsets[k]))
          return fail("index `" + to_text(f[k]) + "` of `" + cb.name() +
                      "` moves otherwise than in `" + callee_.name() + "`");
      }
      windows_[b] = std::move(w);
      return true;
    }
    const WindowOf& w = bound->second;
    if (!(w.buffer == cb))
      return fail("`" + b.name() + "` would be both `" + w.buffer.name() + "` and `" + cb.name() +
                  "`");
    for (size_t k = 0; k < f.size(); ++k) {
      Expr mine = w.offsets[k];
      if (w.own[k] >= 0) {
        const Expr own = carried(e[static_cast<size_t>(w.own[k])]);
        if (!own.defined()) return fail("an index cannot be solved");
        mine = mine + own;
      }
      if (!same(mine, f[k]))
        return fail("`" + cb.name() + "` is accessed at `" + to_text(f[k]) + "`, not at `" +
                    to_text(mine) + "`");
    }
    return true;
  }

  bool match_value(const Expr& e, const Expr& f) {
    ++matched_;
    if (e.type() != f.type())
      return fail("types differ: " + e.type().name() + " and " + f.type().name());
    if (e.type().is_index()) return match_index(e, f);
    if (const Param* p = open_param(e)) {
      if (!is_fixed(f)) return fail("`" + p->sym.name() + "` would change inside the block");
      scalars_[p->sym] = f;
      return true;
    }
    if (const auto* v = e.as<VarRef>()) {
      auto it = scalars_.find(v->sym);
      return (it != scalars_.end() && equal(it->second, f)) || fail("values differ");
    }
    if (e.kind() != f.kind())
      return fail("`" + to_text(f) + "` is not of the form `" + to_text(e) + "`");
    if (const auto* l = e.as<Load>()) {
      const auto* m = f.as<Load>();
      return match_access(l->buffer, l->indices, m->buffer, m->indices);
    }
    if (const auto* b = e.as<Binary>(); b && b->op != f.as<Binary>()->op)
      return fail("operators differ");
    if (const auto* u = e.as<Unary>(); u && u->op != f.as<Unary>()->op)
      return fail("operators differ");
    const std::vector<Expr> x = children(e), y = children(f);
    if (x.empty()) return equal(e, f) || fail("values differ");
    for (size_t i = 0; i < x.size(); ++i)
      if (!match_condition(x[i], y[i])) return false;
    return true;
  }

  // `e1 < n` here `f1 < m`: n is what makes the difference the same.
  bool match_condition(const Expr& e, const Expr& f) {
    const auto *b = e.as<Binary>(), *g = f.as<Binary>();
    if (b && g && is_comparison(b->op) && b->op == g->op && b->a.type().is_index() &&
        g->a.type().is_index()) {
      const Expr left = carried(b->a);
      if (const Param* p = open_param(b->b); p && left.defined()) {
        const Expr value = analysis::affine_of(g->b - (g->a - left), facts_).to_expr();
        if (!is_fixed(value)) return fail("`" + p->sym.name() + "` would change inside the block");
        scalars_[p->sym] = value;
        return true;
      }
      const Expr right = carried(b->b);
      if (left.defined() && right.defined())
        return same(left - right, g->a - g->b) || fail("conditions differ");
    }
    return match_value(e, f);
  }

  bool match(const Body& a, const Body& b) {
    if (a.size() != b.size())
      return fail(std::to_string(b.size()) + " statements instead of " + std::to_string(a.size()));
    for (size_t i = 0; i < a.size(); ++i)
      if (!match(a[i], b[i])) return false;
    return true;
  }

  bool match(const Stmt& a, const Stmt& b) {
    ++matched_;
    if (a.kind() != b.kind()) return fail("`" + spoken(b) + "` is not `" + spoken(a) + "`");
    if (const auto* f = a.as<For>()) {
      const auto* g = b.as<For>();
      if (f->loop != g->loop)
        return fail("a " + std::string(spelling(g->loop)) + " loop instead of " +
                    spelling(f->loop));
      if (!match_index(f->lo, g->lo) || !match_index(f->hi, g->hi)) {
        reason_ = "loop `" + g->var.name() + "` has other bounds than `" + f->var.name() +
                  "`: " + reason_;
        return false;
      }
      vars_[f->var] = g->var;
      inner_.insert(g->var);
      return match(f->body, g->body);
    }
    if (const auto* i = a.as<If>()) {
      const auto* j = b.as<If>();
      return match_condition(i->cond, j->cond) && match(i->then_body, j->then_body) &&
             match(i->else_body, j->else_body);
    }
    if (const auto* s = a.as<Store>()) {
      const auto* t = b.as<Store>();
      if (s->op == t->op && s->fused != t->fused)
        return fail("the product of `" + spoken(b) + "` is " +
                    (t->fused ? "fused" : "rounded by itself (`strict`)") + ", that of `" +
                    callee_.name() + "` is not");
      if (s->op != t->op || s->value.type() != t->value.type())
        return fail("`" + spoken(b) + "` is not `" + spoken(a) + "`");
      return match_access(s->buffer, s->indices, t->buffer, t->indices) &&
             match_value(s->value, t->value);
    }
    if (const auto* x = a.as<Alloc>()) {
      const auto* y = b.as<Alloc>();
      if (x->shape.size() != y->shape.size() || x->buffer.type() != y->buffer.type() ||
          x->memory != y->memory)
        return fail("allocations differ");
      for (size_t d = 0; d < x->shape.size(); ++d)
        if (!match_index(x->shape[d], y->shape[d])) return false;
      locals_[x->buffer] = y->buffer;
      inner_.insert(y->buffer);
      return true;
    }
    if (a.kind() == StmtKind::Pass) return true;
    return fail("`" + spoken(a) + "` in a callee is not looked through");
  }

  Expr scalar(const Param& p) const {
    auto it = scalars_.find(p.sym);
    return it == scalars_.end() ? Expr() : it->second;
  }
  Expr window(const Param& p) const {
    auto it = windows_.find(p.sym);
    if (it == windows_.end()) return {};
    const WindowOf& w = it->second;
    std::vector<WindowDim> dims;
    for (size_t d = 0; d < w.offsets.size(); ++d) {
      const Expr lo = analysis::simplify(w.offsets[d], facts_);
      if (w.own[d] < 0) {
        dims.push_back({lo, {}});
        continue;
      }
      const Expr extent = carried(p.shape[static_cast<size_t>(w.own[d])]);
      if (!extent.defined()) return {};
      dims.push_back({lo, analysis::simplify(lo + extent, facts_)});
    }
    return make_window(w.buffer, w.buffer.type(), std::move(dims));
  }

  const Proc& callee_;
  analysis::Facts facts_;
  std::unordered_map<Symbol, const Param*> params_;
  std::unordered_map<Symbol, Symbol> vars_, locals_;
  std::unordered_set<Symbol> inner_;  // bound inside the caller's block
  std::unordered_map<Symbol, Expr> scalars_;
  std::unordered_map<Symbol, WindowOf> windows_;
  std::string reason_;
  int matched_ = 0;
};

}  // namespace

Unified unify(const Proc& callee, const Body& block, const analysis::Facts& facts) {
  return Unifier(callee, facts).run(block);
}

}  // namespace hocket::rewrite
