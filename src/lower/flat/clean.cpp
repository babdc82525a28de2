// What nobody reads disappears: lets without a use, local buffers that are never loaded from (with
// the stores to them), branches never taken, loops without iterations or with a single one, empty
// loops and branches. The last pass, after all that makes such things.
#include <unordered_set>

#include "ir/visit.h"
#include "lower/flat/passes.h"
#include "lower/flat/tidy.h"

namespace hocket::lower {

using namespace ir;

namespace {

struct Uses {
  std::unordered_set<Symbol> values;  // VarRefs
  std::unordered_set<Symbol> loaded;  // buffers read, or named in a way that is no store
  std::unordered_set<Symbol> allocs;
};

Uses collect(const Body& body) {
  Uses u;
  for_each_root(body, [&](const Expr& root) {
    for_each(root, [&](const Expr& e) {
      if (const auto* v = e.as<VarRef>()) u.values.insert(v->sym);
      if (const auto* l = e.as<Load>()) u.loaded.insert(l->buffer);
      if (const auto* b = e.as<BufferField>()) u.loaded.insert(b->buffer);
    });
  });
  for_each_stmt(body, [&](const Stmt& s) {
    if (const auto* a = s.as<Alloc>()) u.allocs.insert(a->buffer);
    return true;
  });
  return u;
}

class Cleaner : public Rewriter {
 public:
  using Rewriter::rewrite;
  explicit Cleaner(const Uses& u) : u_(u) {}
  bool changed = false;

 protected:
  void visit(const Stmt& s, Body& out) override {
    switch (s.kind()) {
      case StmtKind::Pass:
        changed = true;
        return;
      case StmtKind::Let:
        if (!u_.values.count(s.as<Let>()->sym)) {
          changed = true;
          return;
        }
        break;
      case StmtKind::Alloc:
        if (is_dead(s.as<Alloc>()->buffer)) {
          changed = true;
          return;
        }
        break;
      case StmtKind::Free:
        if (is_dead(s.as<Free>()->buffer)) return;
        break;
      case StmtKind::Store:
        if (is_dead(s.as<Store>()->buffer)) return;
        break;
      case StmtKind::Check:
        if (is_int_equal(tidy(s.as<Check>()->cond), 1)) return;
        break;
      case StmtKind::If:
        branch(s, out);
        return;
      case StmtKind::For:
        loop(s, out);
        return;
      default:
        break;
    }
    out.push_back(recurse(s));
  }

 private:
  static Body tidied(const Body& body) {
    struct Tidy : Rewriter {
      using Rewriter::rewrite;
      Expr visit(const Expr& e) override { return tidy(e); }
    };
    return Tidy().rewrite(body);
  }

  bool is_dead(const Symbol& buffer) const {
    return u_.allocs.count(buffer) && !u_.loaded.count(buffer);
  }

  void branch(const Stmt& s, Body& out) {
    Stmt r = recurse(s);
    const auto* i = r.as<If>();
    int64_t c = 0;
    const Expr cond = tidy(i->cond);
    if (is_int(cond, &c)) {
      changed = true;
      const Body& taken = c ? i->then_body : i->else_body;
      out.insert(out.end(), taken.begin(), taken.end());
      return;
    }
    if (i->then_body.empty() && i->else_body.empty()) {
      changed = true;
      return;
    }
    out.push_back(r);
  }

  void loop(const Stmt& s, Body& out) {
    Stmt r = recurse(s);
    const auto* f = r.as<For>();
    const auto extent = constant(f->hi - f->lo);
    if (f->body.empty() || (extent && *extent <= 0)) {
      changed = true;
      return;
    }
    if (extent && *extent == 1 && f->loop == LoopKind::Seq) {
      changed = true;
      const Body one = tidied(substitute(f->body, {{f->var, f->lo}}));
      out.insert(out.end(), one.begin(), one.end());
      return;
    }
    out.push_back(r);
  }

  const Uses& u_;
};

}  // namespace

diag::Result<ProcRef> clean(const ProcRef& proc, const FlatContext&) {
  Body body = proc->body;
  for (bool changed = true; changed;) {
    const Uses u = collect(body);
    Cleaner c(u);
    body = c.rewrite(body);
    changed = c.changed;
  }
  return edited(proc, [&](Proc& p) { p.body = std::move(body); });
}

}  // namespace hocket::lower
