#include "rewrite/access.h"

#include <unordered_set>

#include "ir/visit.h"
#include "rewrite/edit.h"

namespace hocket::rewrite {

using namespace ir;

namespace {

using Names = std::unordered_set<Symbol>;

const Symbol* shown_by(const Expr& argument) {
  if (const auto* w = argument.as<Window>()) return &w->buffer;
  const auto* v = argument.as<VarRef>();
  return v ? &v->sym : nullptr;
}

bool asserts_stride(const Proc& proc, const Symbol& param) {
  bool asserts = false;
  for (const Expr& e : proc.preconditions)
    for_each(e, [&](const Expr& n) {
      const auto* f = n.as<BufferField>();
      asserts |= f && f->buffer == param;
    });
  return asserts;
}

// Whether the proc asks for a stride of its parameter, itself, of a window of it, or in what it
// calls with it. What it asserts of one is another matter: that is judged at its calls. What is
// asserted further in follows from it, or counts as a question.
bool asks_for_stride(const Proc& proc, const Symbol& param) {
  Names names{param};
  bool asks = false;
  for_each_stmt(proc.body, [&](const Stmt& s) {
    const auto* w = s.as<WindowStmt>();
    if (w && names.contains(w->window.as<Window>()->buffer)) names.insert(w->sym);
    const auto* c = s.as<CallStmt>();
    for (size_t i = 0; c && i < c->args.size(); ++i) {
      const Symbol* shown = shown_by(c->args[i]);
      if (!shown || !names.contains(*shown)) continue;
      const Symbol& inner = c->callee->params[i].sym;
      asks = asks || asks_for_stride(*c->callee, inner) ||
             (asserts_stride(*c->callee, inner) && !asserts_stride(proc, param));
    }
    return true;
  });
  for_each_root(proc.body, [&](const Expr& root) {
    for_each(root, [&](const Expr& e) {
      const auto* f = e.as<BufferField>();
      asks |= f && names.contains(f->buffer);
    });
  });
  return asks;
}

class Mapper : public Rewriter {
 public:
  Mapper(const AccessMap& map, const analysis::Facts& facts)
      : map_(map), facts_(facts), names_{map.from} {}
  std::string refused;

 protected:
  Expr visit(const Expr& e) override {
    if (const auto* l = e.as<Load>(); l && l->buffer == map_.from) {
      std::vector<Expr> indices;
      for (const Expr& i : l->indices) indices.push_back(rewrite(i));
      return make_load(map_.to, l->type, map_.indices(indices, facts_), l->predicate, l->align);
    }
    if (const auto* w = e.as<Window>(); w && w->buffer == map_.from) {
      std::vector<WindowDim> dims;
      for (const WindowDim& d : w->dims)
        dims.push_back({rewrite(d.lo), d.is_point() ? Expr() : rewrite(d.hi)});
      auto mapped = map_.window(dims, facts_);
      if (!mapped) {
        refused = "a window of `" + map_.from.name() + "` does not keep its shape";
        return e;
      }
      return make_window(map_.to, w->type, std::move(*mapped));
    }
    if (const auto* f = e.as<BufferField>();
        f && (f->buffer == map_.from || (map_.other_layout && names_.contains(f->buffer))))
      refused = "a stride of `" + f->buffer.name() + "` is read";
    if (const auto* v = e.as<VarRef>(); v && v->sym == map_.from)
      refused = "the whole of `" + map_.from.name() + "` is an argument of a call";
    return recurse(e);
  }

  void visit(const Stmt& s, Body& out) override {
    // What one place knows is not known at another one, where the same node may stand.
    forget();
    if (map_.other_layout) layout(s);
    const analysis::Facts outside = facts_;
    Stmt r;
    if (const auto* f = s.as<For>()) {
      const Expr lo = rewrite(f->lo), hi = rewrite(f->hi);
      facts_.bound(f->var, f->lo, f->hi - make_index(1));
      Body inner = rewrite(f->body);
      r = edited<For>(s, [&](For& n) {
        n.lo = lo;
        n.hi = hi;
        n.body = std::move(inner);
      });
    } else if (const auto* b = s.as<If>()) {
      const Expr cond = rewrite(b->cond);
      const bool control = reads_nothing(b->cond);
      if (control) facts_.assume(b->cond);
      Body then_body = rewrite(b->then_body);
      facts_ = outside;
      Body else_body = rewrite(b->else_body);
      r = edited<If>(s, [&](If& n) {
        n.cond = cond;
        n.then_body = std::move(then_body);
        n.else_body = std::move(else_body);
      });
    } else {
      r = recurse(s);
    }
    facts_ = outside;
    forget();
    if (const auto* st = r.as<Store>(); st && st->buffer == map_.from)
      r = edited<Store>(r, [&](Store& n) {
        n.buffer = map_.to;
        n.indices = map_.indices(n.indices, facts_);
      });
    out.push_back(r);
  }

 private:
  // Windows of the buffer have its strides; who is called may ask for them.
  void layout(const Stmt& s) {
    const auto* w = s.as<WindowStmt>();
    if (w && names_.contains(w->window.as<Window>()->buffer)) names_.insert(w->sym);
    const auto* c = s.as<CallStmt>();
    for (size_t i = 0; c && i < c->args.size(); ++i) {
      const Symbol* shown = shown_by(c->args[i]);
      const Symbol& param = c->callee->params[i].sym;
      if (shown && names_.contains(*shown) && asks_for_stride(*c->callee, param))
        refused = "`" + c->callee->name() + "` reads a stride of `" + param.name() +
                  "`, for which it is given `" + shown->name() + "`";
    }
  }
  static bool reads_nothing(const Expr& e) {
    bool pure = true;
    for_each(e, [&](const Expr& n) { pure &= n.kind() != ExprKind::Load; });
    return pure;
  }

  const AccessMap& map_;
  analysis::Facts facts_;
  Names names_;  // of the buffer and its windows
};

}  // namespace

Mapped map_accesses(const Body& body, const AccessMap& map, const analysis::Facts& facts) {
  Mapper m(map, facts);
  Mapped out;
  out.body = m.rewrite(body);
  out.refused = m.refused;
  return out;
}

}  // namespace hocket::rewrite
