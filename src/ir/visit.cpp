#include "ir/visit.h"

#include <unordered_set>

namespace hocket::ir {

std::vector<Expr> children(const Expr& e) {
  std::vector<Expr> out;
  auto add = [&](const Expr& c) {
    if (c.defined()) out.push_back(c);
  };
  switch (e.kind()) {
    case ExprKind::IntImm:
    case ExprKind::FloatImm:
    case ExprKind::VarRef:
    case ExprKind::BufferField:
      break;
    case ExprKind::Unary:
      add(e.as<Unary>()->a);
      break;
    case ExprKind::Binary:
      add(e.as<Binary>()->a);
      add(e.as<Binary>()->b);
      break;
    case ExprKind::Fma:
      add(e.as<Fma>()->a);
      add(e.as<Fma>()->b);
      add(e.as<Fma>()->c);
      break;
    case ExprKind::Select:
      add(e.as<Select>()->cond);
      add(e.as<Select>()->t);
      add(e.as<Select>()->f);
      break;
    case ExprKind::Cast:
      add(e.as<Cast>()->a);
      break;
    case ExprKind::Load:
      for (const Expr& i : e.as<Load>()->indices) add(i);
      add(e.as<Load>()->predicate);
      break;
    case ExprKind::Call:
      for (const Expr& i : e.as<Call>()->args) add(i);
      break;
    case ExprKind::Window:
      for (const WindowDim& d : e.as<Window>()->dims) {
        add(d.lo);
        add(d.hi);
      }
      break;
    case ExprKind::Ramp:
      add(e.as<Ramp>()->base);
      add(e.as<Ramp>()->stride);
      break;
    case ExprKind::Broadcast:
      add(e.as<Broadcast>()->value);
      break;
    case ExprKind::Shuffle:
      for (const Expr& v : e.as<Shuffle>()->vectors) add(v);
      break;
  }
  return out;
}

Expr map_children(const Expr& e, const std::function<Expr(const Expr&)>& f) {
  bool changed = false;
  auto map = [&](const Expr& c) {
    if (!c.defined()) return c;
    Expr r = f(c);
    changed |= !r.same_as(c);
    return r;
  };
  auto map_all = [&](const std::vector<Expr>& v) {
    std::vector<Expr> out;
    out.reserve(v.size());
    for (const Expr& c : v) out.push_back(map(c));
    return out;
  };
  switch (e.kind()) {
    case ExprKind::IntImm:
    case ExprKind::FloatImm:
    case ExprKind::VarRef:
    case ExprKind::BufferField:
      return e;
    case ExprKind::Unary: {
      Expr a = map(e.as<Unary>()->a);
      return changed ? make_unary(e.as<Unary>()->op, a) : e;
    }
    case ExprKind::Binary: {
      Expr a = map(e.as<Binary>()->a), b = map(e.as<Binary>()->b);
      return changed ? make_binary(e.as<Binary>()->op, a, b) : e;
    }
    case ExprKind::Fma: {
      Expr a = map(e.as<Fma>()->a), b = map(e.as<Fma>()->b), c = map(e.as<Fma>()->c);
      return changed ? make_fma(a, b, c) : e;
    }
    case ExprKind::Select: {
      Expr c = map(e.as<Select>()->cond), t = map(e.as<Select>()->t), u = map(e.as<Select>()->f);
      return changed ? make_select(c, t, u) : e;
    }
    case ExprKind::Cast: {
      Expr a = map(e.as<Cast>()->a);
      return changed ? make_cast(e.type().with_lanes(a.type().lanes), a) : e;
    }
    case ExprKind::Load: {
      const auto* l = e.as<Load>();
      std::vector<Expr> i = map_all(l->indices);
      Expr p = map(l->predicate);
      return changed ? make_load(l->buffer, l->type, std::move(i), p, l->align) : e;
    }
    case ExprKind::Call: {
      const auto* c = e.as<Call>();
      std::vector<Expr> a = map_all(c->args);
      return changed ? make_call(c->func, c->type, std::move(a), c->value_index) : e;
    }
    case ExprKind::Window: {
      const auto* w = e.as<Window>();
      std::vector<WindowDim> dims;
      for (const WindowDim& d : w->dims) dims.push_back({map(d.lo), map(d.hi)});
      return changed ? make_window(w->buffer, w->type, std::move(dims)) : e;
    }
    case ExprKind::Ramp: {
      Expr b = map(e.as<Ramp>()->base), s = map(e.as<Ramp>()->stride);
      return changed ? make_ramp(b, s, e.type().lanes) : e;
    }
    case ExprKind::Broadcast: {
      Expr v = map(e.as<Broadcast>()->value);
      return changed ? make_broadcast(v, e.type().lanes) : e;
    }
    case ExprKind::Shuffle: {
      std::vector<Expr> v = map_all(e.as<Shuffle>()->vectors);
      return changed ? make_shuffle(std::move(v), e.as<Shuffle>()->lanes) : e;
    }
  }
  return e;
}

namespace {

void walk(const Expr& e, const std::function<void(const Expr&)>& f,
          std::unordered_set<const ExprNode*>& seen) {
  if (!e.defined() || !seen.insert(e.get()).second) return;
  for (const Expr& c : children(e)) walk(c, f, seen);
  f(e);
}

void roots_of(const Stmt& s, const std::function<void(const Expr&)>& f, bool blocks) {
  auto give = [&](const Expr& e) {
    if (e.defined()) f(e);
  };
  if (const auto* l = s.as<For>()) {
    give(l->lo);
    give(l->hi);
  } else if (const auto* i = s.as<If>()) {
    give(i->cond);
  } else if (const auto* l2 = s.as<Let>()) {
    give(l2->value);
  } else if (const auto* a = s.as<Alloc>()) {
    for (const Expr& e : a->shape) give(e);
  } else if (const auto* st = s.as<Store>()) {
    for (const Expr& e : st->indices) give(e);
    give(st->value);
    give(st->predicate);
    if (blocks && st->block.get()) {
      for (const Expr& e : st->block->point) give(e);
      for (const Expr& e : st->block->reduction) give(e);
    }
  } else if (const auto* c = s.as<CallStmt>()) {
    for (const Expr& e : c->args) give(e);
  } else if (const auto* w = s.as<WindowStmt>()) {
    give(w->window);
  } else if (const auto* ch = s.as<Check>()) {
    give(ch->cond);
  }
}

bool names(const Expr& e, const Symbol& s) {
  if (const auto* v = e.as<VarRef>()) return v->sym == s;
  if (const auto* l = e.as<Load>()) return l->buffer == s;
  if (const auto* w = e.as<Window>()) return w->buffer == s;
  if (const auto* b = e.as<BufferField>()) return b->buffer == s;
  if (const auto* c = e.as<Call>()) return c->func == s;
  return false;
}

}  // namespace

void for_each(const Expr& e, const std::function<void(const Expr&)>& f) {
  std::unordered_set<const ExprNode*> seen;
  walk(e, f, seen);
}

void for_each_stmt(const Body& body, const std::function<bool(const Stmt&)>& f) {
  for (const Stmt& s : body) {
    if (!f(s)) continue;
    if (const auto* l = s.as<For>()) {
      for_each_stmt(l->body, f);
    } else if (const auto* i = s.as<If>()) {
      for_each_stmt(i->then_body, f);
      for_each_stmt(i->else_body, f);
    }
  }
}

void for_each_root(const Body& body, const std::function<void(const Expr&)>& f, bool blocks) {
  for_each_stmt(body, [&](const Stmt& s) {
    roots_of(s, f, blocks);
    return true;
  });
}

Expr first_load(const Expr& e) {
  Expr found;
  for_each(e, [&](const Expr& n) {
    if (!found.defined() && n.kind() == ExprKind::Load) found = n;
  });
  return found;
}

bool uses(const Expr& e, const Symbol& s) {
  bool found = false;
  for_each(e, [&](const Expr& n) { found |= names(n, s); });
  return found;
}

bool uses(const Body& body, const Symbol& s, bool blocks) {
  bool found = false;
  for_each_root(body, [&](const Expr& e) { found = found || uses(e, s); }, blocks);
  for_each_stmt(body, [&](const Stmt& st) {
    if (const auto* w = st.as<Store>()) found |= w->buffer == s;
    if (const auto* fr = st.as<Free>()) found |= fr->buffer == s;
    return !found;
  });
  return found;
}

Expr Rewriter::rewrite(const Expr& e) {
  if (!e.defined()) return e;
  auto it = memo_.find(e.get());
  if (it != memo_.end()) return it->second.second;
  Expr r = visit(e);
  memo_.emplace(e.get(), std::make_pair(e, r));
  return r;
}

Expr Rewriter::recurse(const Expr& e) {
  return map_children(e, [this](const Expr& c) { return rewrite(c); });
}

Body Rewriter::rewrite(const Body& body) {
  Body out;
  out.reserve(body.size());
  for (const Stmt& s : body) visit(s, out);
  return out;
}

namespace {
bool same(const Body& a, const Body& b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i)
    if (!a[i].same_as(b[i])) return false;
  return true;
}
bool same(const std::vector<Expr>& a, const std::vector<Expr>& b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i)
    if (!a[i].same_as(b[i])) return false;
  return true;
}
}  // namespace

Stmt Rewriter::recurse(const Stmt& s) {
  auto map_all = [this](const std::vector<Expr>& v) {
    std::vector<Expr> out;
    out.reserve(v.size());
    for (const Expr& e : v) out.push_back(rewrite(e));
    return out;
  };
  switch (s.kind()) {
    case StmtKind::For: {
      const auto* f = s.as<For>();
      Expr lo = rewrite(f->lo), hi = rewrite(f->hi);
      Body body = rewrite(f->body);
      if (lo.same_as(f->lo) && hi.same_as(f->hi) && same(body, f->body)) return s;
      return edited<For>(s, [&](For& n) {
        n.lo = lo;
        n.hi = hi;
        n.body = std::move(body);
      });
    }
    case StmtKind::If: {
      const auto* i = s.as<If>();
      Expr cond = rewrite(i->cond);
      Body t = rewrite(i->then_body), e = rewrite(i->else_body);
      if (cond.same_as(i->cond) && same(t, i->then_body) && same(e, i->else_body)) return s;
      return edited<If>(s, [&](If& n) {
        n.cond = cond;
        n.then_body = std::move(t);
        n.else_body = std::move(e);
      });
    }
    case StmtKind::Let: {
      Expr v = rewrite(s.as<Let>()->value);
      if (v.same_as(s.as<Let>()->value)) return s;
      return edited<Let>(s, [&](Let& n) { n.value = v; });
    }
    case StmtKind::Alloc: {
      std::vector<Expr> shape = map_all(s.as<Alloc>()->shape);
      if (same(shape, s.as<Alloc>()->shape)) return s;
      return edited<Alloc>(s, [&](Alloc& n) { n.shape = std::move(shape); });
    }
    case StmtKind::Free:
    case StmtKind::Pass:
      return s;
    case StmtKind::Store: {
      const auto* st = s.as<Store>();
      std::vector<Expr> indices = map_all(st->indices);
      Expr value = rewrite(st->value), predicate = rewrite(st->predicate);
      BlockRef block = st->block;
      if (block.get() && in_blocks()) {
        std::vector<Expr> point = map_all(block->point), red = map_all(block->reduction);
        if (!same(point, block->point) || !same(red, block->reduction)) {
          auto b = support::Ref<BlockHeader>(new BlockHeader(*block));
          b->point = std::move(point);
          b->reduction = std::move(red);
          block = BlockRef(b.get());
        }
      }
      if (same(indices, st->indices) && value.same_as(st->value) &&
          predicate.same_as(st->predicate) && block.get() == st->block.get())
        return s;
      return edited<Store>(s, [&](Store& n) {
        n.indices = std::move(indices);
        n.value = value;
        n.predicate = predicate;
        n.block = block;
      });
    }
    case StmtKind::Call: {
      std::vector<Expr> args = map_all(s.as<CallStmt>()->args);
      if (same(args, s.as<CallStmt>()->args)) return s;
      return edited<CallStmt>(s, [&](CallStmt& n) { n.args = std::move(args); });
    }
    case StmtKind::WindowStmt: {
      Expr w = rewrite(s.as<WindowStmt>()->window);
      if (w.same_as(s.as<WindowStmt>()->window)) return s;
      return edited<WindowStmt>(s, [&](WindowStmt& n) { n.window = w; });
    }
    case StmtKind::Check: {
      Expr c = rewrite(s.as<Check>()->cond);
      if (c.same_as(s.as<Check>()->cond)) return s;
      return edited<Check>(s, [&](Check& n) { n.cond = c; });
    }
  }
  return s;
}

ProcRef Rewriter::rewrite(const ProcRef& p) {
  return edited(p, [&](Proc& n) {
    for (Expr& e : n.preconditions) e = rewrite(e);
    n.body = rewrite(n.body);
  });
}

namespace {

class BottomUp : public Rewriter {
 public:
  explicit BottomUp(const std::function<Expr(const Expr&)>& f) : f_(f) {}

 protected:
  Expr visit(const Expr& e) override { return f_(recurse(e)); }

 private:
  const std::function<Expr(const Expr&)>& f_;
};

class Substituter : public Rewriter {
 public:
  explicit Substituter(const Substitution& map) : map_(map) {}

 protected:
  Expr visit(const Expr& e) override {
    if (const auto* v = e.as<VarRef>()) {
      auto it = map_.find(v->sym);
      return it == map_.end() ? e : it->second;
    }
    return recurse(e);
  }

 private:
  const Substitution& map_;
};

// Every binder on the way gets a symbol of its own, every statement an id of its own.
class Copier : public Rewriter {
 protected:
  const Symbol& find(const Symbol& s) const {
    auto it = map_.find(s);
    return it == map_.end() ? s : it->second;
  }
  Symbol bind(const Symbol& s) {
    Symbol n = Symbol::derived(s.name(), s.type(), s, "copy of", s.place());
    map_.insert_or_assign(s, n);
    forget();
    return n;
  }
  Expr visit(const Expr& e) override {
    if (const auto* v = e.as<VarRef>()) {
      const Symbol& s = find(v->sym);
      return s == v->sym ? e : make_var(s);
    }
    Expr r = recurse(e);
    if (const auto* l = r.as<Load>(); l && !(find(l->buffer) == l->buffer))
      return make_load(find(l->buffer), l->type, l->indices, l->predicate, l->align);
    if (const auto* w = r.as<Window>(); w && !(find(w->buffer) == w->buffer))
      return make_window(find(w->buffer), w->type, w->dims);
    if (const auto* b = r.as<BufferField>(); b && !(find(b->buffer) == b->buffer))
      return make_buffer_field(find(b->buffer), b->field, b->dim);
    return r;
  }
  void visit(const Stmt& s, Body& out) override {
    Stmt r = s;
    if (const auto* f = s.as<For>()) {
      Expr lo = rewrite(f->lo), hi = rewrite(f->hi);
      Symbol v = bind(f->var);
      Body body = rewrite(f->body);
      r = edited<For>(s, [&](For& n) {
        n.var = v;
        n.lo = lo;
        n.hi = hi;
        n.body = std::move(body);
      });
    } else {
      r = recurse(s);
      if (const auto* l = s.as<Let>()) {
        Symbol v = bind(l->sym);
        r = edited<Let>(r, [&](Let& n) { n.sym = v; });
      } else if (const auto* a = s.as<Alloc>()) {
        Symbol v = bind(a->buffer);
        r = edited<Alloc>(r, [&](Alloc& n) { n.buffer = v; });
      } else if (const auto* w = s.as<WindowStmt>()) {
        Symbol v = bind(w->sym);
        r = edited<WindowStmt>(r, [&](WindowStmt& n) { n.sym = v; });
      } else if (const auto* st = s.as<Store>(); st && !(find(st->buffer) == st->buffer)) {
        r = edited<Store>(r, [&](Store& n) { n.buffer = find(n.buffer); });
      } else if (const auto* fr = s.as<Free>(); fr && !(find(fr->buffer) == fr->buffer)) {
        r = edited<Free>(r, [&](Free& n) { n.buffer = find(n.buffer); });
      }
    }
    auto renew = [](auto& n) { n.id = fresh_stmt_id(); };
    switch (r.kind()) {
      case StmtKind::For:
        r = edited<For>(r, renew);
        break;
      case StmtKind::If:
        r = edited<If>(r, renew);
        break;
      case StmtKind::Let:
        r = edited<Let>(r, renew);
        break;
      case StmtKind::Alloc:
        r = edited<Alloc>(r, renew);
        break;
      case StmtKind::Free:
        r = edited<Free>(r, renew);
        break;
      case StmtKind::Store:
        r = edited<Store>(r, renew);
        break;
      case StmtKind::Call:
        r = edited<CallStmt>(r, renew);
        break;
      case StmtKind::WindowStmt:
        r = edited<WindowStmt>(r, renew);
        break;
      case StmtKind::Check:
        r = edited<Check>(r, renew);
        break;
      case StmtKind::Pass:
        r = edited<Pass>(r, renew);
        break;
    }
    out.push_back(std::move(r));
  }

 private:
  std::unordered_map<Symbol, Symbol> map_;
};

}  // namespace

Expr map_exprs(const Expr& e, const std::function<Expr(const Expr&)>& f) {
  BottomUp b(f);
  return b.Rewriter::rewrite(e);
}
Body map_exprs(const Body& body, const std::function<Expr(const Expr&)>& f) {
  BottomUp b(f);
  return b.Rewriter::rewrite(body);
}
Expr substitute(const Expr& e, const Substitution& map) {
  if (map.empty()) return e;
  Substituter s(map);
  return s.Rewriter::rewrite(e);
}
Body substitute(const Body& body, const Substitution& map) {
  if (map.empty()) return body;
  Substituter s(map);
  return s.Rewriter::rewrite(body);
}
Expr substitute(const Expr& e, const Symbol& s, const Expr& value) {
  return substitute(e, Substitution{{s, value}});
}
Body fresh_copy(const Body& body) {
  Copier copier;
  return copier.Rewriter::rewrite(body);
}

}  // namespace hocket::ir
