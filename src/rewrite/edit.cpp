#include "rewrite/edit.h"

#include "ir/print.h"
#include "ir/semantics.h"

namespace hocket::rewrite {

using namespace ir;

namespace {

bool search(const Body& list, uint64_t id, std::vector<Stmt>& parents, std::vector<Stmt>& before,
            bool in_else, Located& out) {
  const size_t seen = before.size();
  for (size_t i = 0; i < list.size(); ++i) {
    const Stmt& s = list[i];
    if (s.id() == id) {
      out = {s, parents, list, i, in_else, before};
      return true;
    }
    parents.push_back(s);
    if (const auto* f = s.as<For>()) {
      if (search(f->body, id, parents, before, false, out)) return true;
    } else if (const auto* b = s.as<If>()) {
      if (search(b->then_body, id, parents, before, false, out)) return true;
      if (search(b->else_body, id, parents, before, true, out)) return true;
    }
    parents.pop_back();
    if (binder(s).defined()) before.push_back(s);
  }
  before.resize(seen);
  return false;
}

bool change(Body& list, uint64_t id, const std::function<void(Body&, size_t)>& edit) {
  for (size_t i = 0; i < list.size(); ++i) {
    Stmt s = list[i];
    if (s.id() == id) {
      edit(list, i);
      return true;
    }
    if (const auto* f = s.as<For>()) {
      Body inner = f->body;
      if (change(inner, id, edit)) {
        list[i] = edited<For>(s, [&](For& n) { n.body = std::move(inner); });
        return true;
      }
    } else if (const auto* b = s.as<If>()) {
      Body then_body = b->then_body, else_body = b->else_body;
      if (change(then_body, id, edit) || change(else_body, id, edit)) {
        list[i] = edited<If>(s, [&](If& n) {
          n.then_body = std::move(then_body);
          n.else_body = std::move(else_body);
        });
        return true;
      }
    }
  }
  return false;
}

}  // namespace

std::optional<Located> locate(const Proc& proc, uint64_t id) {
  Located out;
  std::vector<Stmt> parents, before;
  if (!search(proc.body, id, parents, before, false, out)) return std::nullopt;
  return out;
}

ProcRef with_body(const ProcRef& proc, Body body) {
  return edited(proc, [&](Proc& p) { p.body = std::move(body); });
}

ProcRef with_list(const ProcRef& proc, uint64_t id,
                  const std::function<void(Body&, size_t)>& edit) {
  Body body = proc->body;
  HOCKET_ASSERT(change(body, id, edit), "the statement is not in the proc");
  return with_body(proc, std::move(body));
}

Symbol binder(const Stmt& s) {
  if (const auto* l = s.as<Let>()) return l->sym;
  if (const auto* a = s.as<Alloc>()) return a->buffer;
  if (const auto* w = s.as<WindowStmt>()) return w->sym;
  return {};
}

read::Scope visible(const Proc& proc, const Located& where) {
  read::Scope names;
  auto add = [&](read::Thing t) {
    const std::string name = t.sym.name();
    names.add(name, std::move(t));
  };
  for (const Param& p : proc.params) add(read::thing_of(p));
  auto value = [&](const Symbol& sym, const char* is) {
    read::Thing t;
    t.sym = sym;
    t.is = is;
    add(std::move(t));
  };
  auto bind = [&](const Stmt& s) {
    if (const auto* l = s.as<Let>()) value(l->sym, "a value");
    if (const auto* w = s.as<WindowStmt>())
      add(read::thing_of_window(w->sym, *w->window.as<Window>()));
    if (const auto* a = s.as<Alloc>()) {
      read::Thing t;
      t.sym = a->buffer;
      t.buffer = true;
      t.shape = a->shape;
      t.is = "a buffer";
      add(std::move(t));
    }
  };
  // Lists outside in: what stands before a parent in its list, then the parent's own variable.
  const Body* list = &proc.body;
  for (size_t d = 0; d <= where.parents.size(); ++d) {
    const Stmt& stop = d < where.parents.size() ? where.parents[d] : where.stmt;
    for (const Stmt& s : *list) {
      if (s.id() == stop.id()) break;
      if (binder(s).defined()) bind(s);
    }
    if (d == where.parents.size()) break;
    if (const auto* f = stop.as<For>()) {
      value(f->var, "a loop variable");
      list = &f->body;
    } else if (const auto* b = stop.as<If>()) {
      const uint64_t inner =
          (d + 1 < where.parents.size() ? where.parents[d + 1] : where.stmt).id();
      bool in_then = false;
      for (const Stmt& s : b->then_body) in_then |= s.id() == inner;
      list = in_then ? &b->then_body : &b->else_body;
    }
  }
  return names;
}

std::vector<Symbol> binders(const Body& body, size_t from, size_t to) {
  std::vector<Symbol> out;
  for (size_t i = from; i < to; ++i)
    if (binder(body[i]).defined()) out.push_back(binder(body[i]));
  return out;
}

bool touches(const Body& body, const Symbol& buffer) {
  bool found = false;
  for_each_stmt(body, [&](const Stmt& s) {
    if (const auto* st = s.as<Store>()) found |= st->buffer == buffer;
    if (const auto* f = s.as<Free>()) found |= f->buffer == buffer;
    return !found;
  });
  if (found) return true;
  for_each_root(
      body,
      [&](const Expr& root) {
        for_each(root, [&](const Expr& e) {
          if (const auto* l = e.as<Load>()) found |= l->buffer == buffer;
          if (const auto* w = e.as<Window>()) found |= w->buffer == buffer;
          if (const auto* f = e.as<BufferField>()) found |= f->buffer == buffer;
          if (const auto* v = e.as<VarRef>()) found |= v->sym == buffer;
        });
      },
      true);
  return found;
}

bool uses_any(const Body& body, const std::vector<Symbol>& symbols) {
  for (const Symbol& s : symbols)
    if (touches(body, s)) return true;
  return false;
}

bool uses_any(const Expr& e, const std::vector<Symbol>& symbols) {
  bool found = false;
  for_each(e, [&](const Expr& n) {
    for (const Symbol& s : symbols) {
      if (const auto* v = n.as<VarRef>()) found |= v->sym == s;
      if (const auto* l = n.as<Load>()) found |= l->buffer == s;
      if (const auto* f = n.as<BufferField>()) found |= f->buffer == s;
      if (const auto* w = n.as<Window>()) found |= w->buffer == s;
    }
  });
  return found;
}

Body body_at(const Body& body, const Symbol& var, const Expr& value, bool fresh) {
  Body out = substitute(body, Substitution{{var, value}});
  return fresh ? fresh_copy(out) : out;
}

namespace {

class NumberPut : public Rewriter {
 public:
  NumberPut(Symbol symbol, int64_t number) : symbol_(std::move(symbol)), number_(number) {}
  using Rewriter::rewrite;

 protected:
  Expr visit(const Expr& e) override {
    if (const auto* v = e.as<VarRef>()) return v->sym == symbol_ ? make_index(number_) : e;
    const Expr put = recurse(e);
    return put.same_as(e) || !e.type().is_index() ? put : computed(put);
  }

 private:
  static Expr computed(const Expr& e) {
    const auto* b = e.as<Binary>();
    if (b == nullptr || b->op > BinaryOp::Max) return e;
    int64_t x = 0, y = 0;
    const bool left = is_int(b->a, &x), right = is_int(b->b, &y);
    if (left && right) {
      const Scalar r = eval_binary(b->op, Scalar::of_int(e.type(), x), Scalar::of_int(e.type(), y));
      return r.poison ? e : make_index(r.i);
    }
    const bool add = b->op == BinaryOp::Add, mul = b->op == BinaryOp::Mul;
    if (right && y == 0 && (add || b->op == BinaryOp::Sub)) return b->a;
    if (left && x == 0 && add) return b->b;
    if (right && y == 1 && (mul || b->op == BinaryOp::Div)) return b->a;
    if (left && x == 1 && mul) return b->b;
    if (mul && ((left && x == 0) || (right && y == 0))) return make_index(0);
    return e;
  }

  Symbol symbol_;
  int64_t number_;
};

}  // namespace

Expr with_number(const Expr& e, const Symbol& symbol, int64_t number) {
  return NumberPut(symbol, number).rewrite(e);
}
Body with_number(const Body& body, const Symbol& symbol, int64_t number) {
  return NumberPut(symbol, number).rewrite(body);
}

std::string spoken(const Stmt& s) {
  switch (s.kind()) {
    case StmtKind::For:
      return "for " + s.as<For>()->var.name() + " in _: _";
    case StmtKind::If:
      return "if _: _";
    case StmtKind::Let:
      return "let " + s.as<Let>()->sym.name() + " = _";
    case StmtKind::Alloc:
      return s.as<Alloc>()->buffer.name() + ": _";
    case StmtKind::Free:
      return "free " + s.as<Free>()->buffer.name();
    case StmtKind::Store: {
      const auto* st = s.as<Store>();
      return st->buffer.name() + (st->indices.empty() ? " " : "[_] ") + spelling(st->op) + " _";
    }
    case StmtKind::Call:
      return s.as<CallStmt>()->callee->name() + "(_)";
    case StmtKind::WindowStmt:
      return s.as<WindowStmt>()->sym.name() + " = _";
    case StmtKind::Check:
      return "check _";
    case StmtKind::Pass:
      return "pass";
  }
  return "?";
}

}  // namespace hocket::rewrite
