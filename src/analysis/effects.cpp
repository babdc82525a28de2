#include "analysis/effects.h"

#include "analysis/data.h"
#include "analysis/simplify.h"

namespace hocket::analysis {

using namespace ir;

namespace {

Expr zero() {
  return make_index(0);
}

View whole(const Symbol& buffer, const Buffer& b) {
  View v;
  v.root = buffer;
  for (const Expr& extent : b.shape) {
    v.dims.push_back({zero(), false});
    v.shape.push_back(extent);
  }
  return v;
}

// A window of a view is a view of the same root.
View compose(const View& base, const std::vector<WindowDim>& dims) {
  View v;
  v.root = base.root;
  size_t own = 0;
  for (const View::Dim& d : base.dims) {
    if (d.point || own >= dims.size()) {
      v.dims.push_back(d);
      continue;
    }
    const WindowDim& w = dims[own++];
    v.dims.push_back({d.offset + w.lo, w.is_point()});
    if (!w.is_point()) v.shape.push_back(w.hi - w.lo);
  }
  return v;
}

}  // namespace

std::vector<Expr> Scope::through(const Symbol& name, const std::vector<Expr>& indices,
                                 Symbol* root) const {
  auto it = views.find(name);
  if (it == views.end()) {
    *root = name;
    return indices;
  }
  const View& v = it->second;
  *root = v.root;
  std::vector<Expr> out;
  size_t own = 0;
  for (const View::Dim& d : v.dims) {
    if (d.point || own >= indices.size()) {
      out.push_back(d.offset);
    } else {
      const Expr& i = indices[own++];
      out.push_back(is_int_equal(d.offset, 0) ? i : d.offset + i);
    }
  }
  return out;
}

View Scope::view_of(const Expr& argument) const {
  auto base = [&](const Symbol& name) {
    if (auto it = views.find(name); it != views.end()) return it->second;
    if (auto it = buffers.find(name); it != buffers.end()) return whole(name, it->second);
    View v;
    v.root = name;
    return v;
  };
  if (const auto* w = argument.as<Window>()) {
    std::vector<WindowDim> dims;
    for (const WindowDim& d : w->dims) {
      dims.push_back({resolve(d.lo), d.is_point() ? Expr() : resolve(d.hi)});
    }
    return compose(base(w->buffer), dims);
  }
  if (const auto* v = argument.as<VarRef>()) return base(v->sym);
  if (const auto* l = argument.as<Load>()) {  // one element, as a scalar passed by pointer
    std::vector<WindowDim> dims;
    for (const Expr& i : l->indices) dims.push_back({resolve(i), {}});
    return compose(base(l->buffer), dims);
  }
  return {};
}

Expr Scope::stride_of(const Symbol& root, size_t dim) const {
  auto b = buffers.find(root);
  if (b == buffers.end() || b->second.strided || dim >= b->second.shape.size())
    return make_buffer_field(root, BufferFieldKind::Stride, static_cast<int>(dim));
  Expr stride = make_index(1);
  for (size_t d = b->second.shape.size(); d-- > dim + 1;)
    stride = is_int_equal(stride, 1) ? b->second.shape[d] : b->second.shape[d] * stride;
  return stride;
}

Expr Scope::resolve(const Expr& e) const {
  if (lets.empty() && views.empty() && buffers.empty()) return e;
  return map_exprs(e, [&](const Expr& n) -> Expr {
    if (const auto* v = n.as<VarRef>()) {
      auto it = lets.find(v->sym);
      return it == lets.end() ? n : it->second;
    }
    if (const auto* f = n.as<BufferField>()) {
      auto it = views.find(f->buffer);
      if (it == views.end() && f->field == BufferFieldKind::Stride)
        return stride_of(f->buffer, static_cast<size_t>(f->dim));
      if (it == views.end()) return n;
      const View& v = it->second;
      if (f->field == BufferFieldKind::Min) return zero();
      if (f->field == BufferFieldKind::Extent) {
        if (static_cast<size_t>(f->dim) < v.shape.size())
          return v.shape[static_cast<size_t>(f->dim)];
        return n;
      }
      int own = -1;
      for (size_t d = 0; d < v.dims.size(); d++) {
        if (v.dims[d].point) continue;
        if (++own == f->dim) return stride_of(v.root, d);
      }
      return n;
    }
    if (const auto* l = n.as<Load>()) {
      if (!views.count(l->buffer)) return n;
      Symbol root;
      std::vector<Expr> indices = through(l->buffer, l->indices, &root);
      return make_load(root, l->type, std::move(indices), l->predicate, l->align);
    }
    return n;
  });
}

Scope scope_of(const Proc& proc) {
  Scope scope;
  scope.facts = facts_of(proc);
  for (const Param& p : proc.params) {
    if (p.kind == ParamKind::Buffer) {
      scope.buffers[p.sym] = {p.shape, true, p.window || proc.entry != nullptr};
    }
  }
  return scope;
}

void pass(const Stmt& s, Scope& scope) {
  switch (s.kind()) {
    case StmtKind::Let: {
      const auto* l = s.as<Let>();
      Expr value = scope.resolve(l->value);
      define_let(l->sym, value, scope.facts);
      // A value that reads memory keeps its name: memory changes, the value does not.
      if (!reads_memory(value)) scope.lets[l->sym] = value;
      return;
    }
    case StmtKind::WindowStmt: {
      const auto* w = s.as<WindowStmt>();
      scope.views[w->sym] = scope.view_of(w->window);
      return;
    }
    case StmtKind::Alloc: {
      const auto* a = s.as<Alloc>();
      Buffer b;
      for (const Expr& e : a->shape) b.shape.push_back(scope.resolve(e));
      scope.buffers[a->buffer] = std::move(b);
      return;
    }
    case StmtKind::Check: {
      Expr c = scope.resolve(s.as<Check>()->cond);
      if (!reads_memory(c)) scope.facts.assume(c);
      return;
    }
    default:
      return;
  }
}

Scope inside_loop(const For& loop, const Stmt& stmt, const Scope& scope) {
  Scope inner = scope;
  bound_loop(loop.var, scope.resolve(loop.lo), scope.resolve(loop.hi), inner.facts);
  inner.loops.push_back(stmt);
  return inner;
}

Scope inside_branch(const Expr& cond, bool taken, const Scope& scope) {
  Scope inner = scope;
  const Expr c = scope.resolve(cond);
  const Expr holds = lasting(taken ? c : make_unary(UnaryOp::Not, c));
  if (holds.defined()) inner.facts.assume(holds);
  return inner;
}

namespace {

std::optional<Scope> find_scope(const Body& body, Scope scope, uint64_t id) {
  for (const Stmt& s : body) {
    if (s.id() == id) return scope;
    if (const auto* l = s.as<For>()) {
      if (auto r = find_scope(l->body, inside_loop(*l, s, scope), id)) return r;
    } else if (const auto* i = s.as<If>()) {
      if (auto r = find_scope(i->then_body, inside_branch(i->cond, true, scope), id)) return r;
      if (auto r = find_scope(i->else_body, inside_branch(i->cond, false, scope), id)) return r;
    }
    pass(s, scope);
  }
  return std::nullopt;
}

class Collector {
 public:
  explicit Collector(Effects& out) : out_(out) {}

  void body(const Body& list, Scope& scope) {
    for (const Stmt& s : list) one(s, scope);
  }
  // The list's own names stay open, for `bound`.
  void top(const Body& list, Scope& scope) {
    for (const Stmt& s : list) {
      if (const auto* l = s.as<Let>()) out_.bound.push_back(l->sym);
      if (const auto* w = s.as<WindowStmt>()) out_.bound.push_back(w->sym);
      if (const auto* a = s.as<Alloc>()) out_.bound.push_back(a->buffer);
      one(s, scope);
    }
  }

 private:
  void one(const Stmt& s, Scope& scope) {
    Stmt outer = stmt_;
    if (depth_ == 0) stmt_ = s;
    switch (s.kind()) {
      case StmtKind::For: {
        const auto* l = s.as<For>();
        read(l->lo, scope);
        read(l->hi, scope);
        PathStep step;
        step.stmt = stmt_;
        step.lo = scope.resolve(l->lo);
        step.hi = scope.resolve(l->hi);
        step.loop = l->loop;
        bool exact = exact_;
        if (reads_memory(step.lo) || reads_memory(step.hi)) exact_ = false;
        // Loops of a callee are walked once per call: each walk has a variable of its own.
        Scope inner = scope;
        step.var = l->var;
        if (depth_ > 0) {
          step.var = Symbol::derived(l->var.name(), l->var.type(), l->var, "of a call");
          inner.lets[l->var] = make_var(step.var);
        }
        inner.loops.push_back(s);
        path_.push_back(std::move(step));
        body(l->body, inner);
        path_.pop_back();
        exact_ = exact;
        break;
      }
      case StmtKind::If: {
        const auto* i = s.as<If>();
        read(i->cond, scope);
        Expr cond = scope.resolve(i->cond);
        under(s, cond, [&] {
          Scope inner = scope;
          body(i->then_body, inner);
        });
        under(s, make_unary(UnaryOp::Not, cond), [&] {
          Scope inner = scope;
          body(i->else_body, inner);
        });
        break;
      }
      case StmtKind::Let: {
        const auto* l = s.as<Let>();
        read(l->value, scope);
        Expr value = scope.resolve(l->value);
        // Memory may have changed when the name is used, but an over-approximation by the load
        // would claim that it has not: the value becomes a name of its own.
        if (reads_memory(value)) {
          if (depth_ > 0) {
            scope.lets[l->sym] = make_var(fresh(l->sym, value, scope));
          } else {
            out_.data_names.emplace_back(l->sym, bounds_of(value, {}, scope.facts));
          }
        } else {
          scope.lets[l->sym] = value;
        }
        break;
      }
      case StmtKind::Alloc: {
        const auto* a = s.as<Alloc>();
        for (const Expr& e : a->shape) read(e, scope);
        if (depth_ > 0) {
          // A buffer of its own for each call.
          Buffer b;
          for (const Expr& e : a->shape) b.shape.push_back(scope.resolve(e));
          Symbol own = Symbol::derived(a->buffer.name(), a->buffer.type(), a->buffer, "of a call");
          scope.buffers[own] = b;
          scope.views[a->buffer] = whole(own, b);
          locals_[own] = path_.size();
        } else {
          pass(s, scope);
          locals_[a->buffer] = path_.size();
        }
        break;
      }
      case StmtKind::WindowStmt: {
        const auto* w = s.as<WindowStmt>()->window.as<Window>();
        for (const WindowDim& d : w->dims) {
          read(d.lo, scope);
          if (!d.is_point()) read(d.hi, scope);
        }
        pass(s, scope);
        break;
      }
      case StmtKind::Store: {
        const auto* st = s.as<Store>();
        for (const Expr& i : st->indices) read(i, scope);
        read(st->value, scope);
        if (st->predicate.defined()) read(st->predicate, scope);
        access(st->buffer, st->buffer.type(), st->indices,
               st->op == StoreOp::Assign ? AccessKind::Write : AccessKind::Reduce, st->op, scope);
        break;
      }
      case StmtKind::Call:
        call(*s.as<CallStmt>(), scope);
        break;
      case StmtKind::Check:
        read(s.as<Check>()->cond, scope);
        out_.may_leave = true;
        break;
      case StmtKind::Free:
      case StmtKind::Pass:
        break;
    }
    stmt_ = outer;
  }

  template <class F>
  void under(const Stmt& s, const Expr& cond, F&& f) {
    const bool exact = exact_;
    const Expr holds = lasting(cond);
    if (holds.defined()) {
      PathStep step;
      step.stmt = depth_ == 0 ? s : stmt_;
      step.cond = holds;
      path_.push_back(std::move(step));
    }
    exact_ = exact_ && !reads_memory(cond);
    f();
    if (holds.defined()) path_.pop_back();
    exact_ = exact;
  }

  void call(const CallStmt& c, Scope& scope) {
    Scope inner;
    const Proc& callee = *c.callee;
    for (size_t k = 0; k < callee.params.size() && k < c.args.size(); k++) {
      const Param& p = callee.params[k];
      const Expr& arg = c.args[k];
      if (p.kind == ParamKind::Buffer) {
        if (const auto* w = arg.as<Window>()) {
          for (const WindowDim& d : w->dims) {
            read(d.lo, scope);
            if (!d.is_point()) read(d.hi, scope);
          }
        } else if (const auto* l = arg.as<Load>()) {
          for (const Expr& i : l->indices) read(i, scope);
        }
        inner.views[p.sym] = scope.view_of(arg);
      } else {
        read(arg, scope);
        Expr value = scope.resolve(arg);
        if (reads_memory(value)) {
          inner.lets[p.sym] = make_var(fresh(p.sym, value, scope));
        } else {
          inner.lets[p.sym] = value;
        }
      }
    }
    depth_++;
    body(callee.body, inner);
    depth_--;
  }

  Symbol fresh(const Symbol& of, const Expr& value, const Scope& scope) {
    Symbol s = Symbol::derived(of.name(), of.type(), of, "value read for");
    out_.data_names.emplace_back(s, bounds_of(value, {}, scope.facts));
    return s;
  }

  void read(const Expr& e, const Scope& scope) {
    if (!reads_memory(e)) return;
    read_inside(e, scope);
  }
  // The side of a select that is not taken reads nothing that matters.
  void read_inside(const Expr& e, const Scope& scope) {
    if (const auto* s = e.as<Select>(); s && !s->cond.type().is_vector()) {
      read_inside(s->cond, scope);
      Expr cond = scope.resolve(s->cond);
      under(stmt_, cond, [&] { read_inside(s->t, scope); });
      under(stmt_, make_unary(UnaryOp::Not, cond), [&] { read_inside(s->f, scope); });
      return;
    }
    for (const Expr& c : children(e)) read_inside(c, scope);
    if (const auto* l = e.as<Load>()) {
      access(l->buffer, l->type, l->indices, AccessKind::Read, StoreOp::Assign, scope);
    }
  }

  void access(const Symbol& name, Type type, const std::vector<Expr>& indices, AccessKind kind,
              StoreOp op, const Scope& scope) {
    Access a;
    std::vector<Expr> own;
    own.reserve(indices.size());
    for (const Expr& i : indices) own.push_back(scope.resolve(i));
    a.indices = scope.through(name, own, &a.buffer);
    a.type = type;
    a.kind = kind;
    a.op = op;
    a.path = path_;
    a.stmt = stmt_;
    a.order = order_++;
    a.exact = exact_;
    for (const Expr& i : a.indices) a.exact = a.exact && !reads_memory(i) && !names_data(i);
    for (const PathStep& p : a.path) {
      if (p.cond.defined() && names_data(p.cond)) a.exact = false;
      if (p.var.defined() && (names_data(p.lo) || names_data(p.hi))) a.exact = false;
    }
    if (auto it = locals_.find(a.buffer); it != locals_.end()) {
      a.local = true;
      a.local_depth = it->second;
    }
    out_.accesses.push_back(std::move(a));
  }

  bool names_data(const Expr& e) const {
    for (const auto& [s, range] : out_.data_names) {
      if (uses(e, s)) return true;
    }
    return false;
  }

  Effects& out_;
  std::vector<PathStep> path_;
  std::unordered_map<Symbol, size_t> locals_;
  Stmt stmt_;
  int depth_ = 0;  // of calls
  int order_ = 0;
  bool exact_ = true;
};

}  // namespace

std::optional<Scope> scope_at(const Proc& proc, uint64_t stmt_id) {
  return find_scope(proc.body, scope_of(proc), stmt_id);
}

Effects effects_of(const Body& body, const Scope& scope) {
  Effects e;
  Scope own = scope;
  Collector(e).top(body, own);
  return e;
}

bool exact_in_any_order(StoreOp op, Type type) {
  if (type.is_bool() || !type.is_integral()) return false;
  // Sums of 32- and 64-bit signed integers may overflow in one order and not in another.
  if (op == StoreOp::Add || op == StoreOp::Mul) return type.wraps();
  return op == StoreOp::Min || op == StoreOp::Max;
}

}  // namespace hocket::analysis
