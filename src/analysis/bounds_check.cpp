#include "analysis/bounds_check.h"

#include "analysis/affine_prove.h"
#include "analysis/data.h"
#include "analysis/order.h"
#include "ir/visit.h"

namespace hocket::analysis {

using namespace ir;

namespace {

Expr le(const Expr& a, const Expr& b) {
  return make_binary(BinaryOp::Le, a, b);
}
Expr lt(const Expr& a, const Expr& b) {
  return make_binary(BinaryOp::Lt, a, b);
}
Expr zero() {
  return make_index(0);
}

class Checker {
 public:
  Checker(const BoundsOptions& options, std::vector<Obligation>& out)
      : options_(options), out_(out), dependence_(options.prove) {}

  void proc(const Proc& p) {
    Scope scope = scope_of(p);
    if (!p.preconditions.empty() && contradicts(scope)) {
      Obligation o;
      o.kind = Obligation::Kind::Contradiction;
      o.answer.verdict = Verdict::Refuted;
      o.answer.missing = "the preconditions contradict each other";
      add(std::move(o));
      return;
    }
    for (const Param& param : p.params) {
      for (size_t d = 0; d < param.shape.size(); d++) {
        need(Obligation::Kind::Extent, {}, le(zero(), param.shape[d]), param.sym,
             static_cast<int>(d), scope);
      }
    }
    body(p.body, scope);
  }

 private:
  bool full() const { return failures_ >= options_.max_failures; }

  bool contradicts(const Scope& scope) {
    // "False holds" is provable exactly where nothing can hold.
    return dependence_.holds(make_bool(false), scope).proved();
  }

  void add(Obligation o) {
    if (!o.answer.proved()) failures_++;
    if (o.answer.proved() && !options_.keep_proved) return;
    out_.push_back(std::move(o));
  }

  void need(Obligation::Kind kind, const Stmt& stmt, const Expr& condition, const Symbol& buffer,
            int dim, const Scope& scope) {
    if (full()) return;
    Obligation o;
    o.kind = kind;
    o.stmt = stmt;
    o.condition = condition;
    o.buffer = buffer;
    o.dim = dim;
    for (const Stmt& l : scope.loops) o.loops.push_back(l.as<For>()->var);
    o.answer = dependence_.holds(condition, scope);
    add(std::move(o));
  }

  void body(const Body& list, Scope scope) {
    for (const Stmt& s : list) {
      if (full()) return;
      one(s, scope);
      pass(s, scope);
    }
  }

  void one(const Stmt& s, const Scope& scope) {
    switch (s.kind()) {
      case StmtKind::For: {
        const auto* l = s.as<For>();
        reads(s, l->lo, scope);
        reads(s, l->hi, scope);
        if (options_.races && (l->loop == LoopKind::Parallel || l->loop == LoopKind::Vectorized ||
                               l->loop == LoopKind::Unordered)) {
          Obligation o;
          o.kind = Obligation::Kind::Race;
          o.stmt = s;
          for (const Stmt& outer : scope.loops) o.loops.push_back(outer.as<For>()->var);
          // `par`, as in Exo, allows reductions: it means any order, not at the same time.
          auto allowed = l->loop == LoopKind::Unordered ? Reductions::All : Reductions::None;
          o.answer = dependence_.iterations_independent(s, scope, allowed);
          if (o.answer.clash) o.buffer = o.answer.clash->buffer;
          add(std::move(o));
        }
        body(l->body, inside_loop(*l, s, scope));
        return;
      }
      case StmtKind::If: {
        const auto* i = s.as<If>();
        reads(s, i->cond, scope);
        body(i->then_body, inside_branch(i->cond, true, scope));
        body(i->else_body, inside_branch(i->cond, false, scope));
        return;
      }
      case StmtKind::Let:
        reads(s, s.as<Let>()->value, scope);
        return;
      case StmtKind::Check:
        reads(s, s.as<Check>()->cond, scope);
        return;
      case StmtKind::Alloc: {
        const auto* a = s.as<Alloc>();
        for (size_t d = 0; d < a->shape.size(); d++) {
          reads(s, a->shape[d], scope);
          need(Obligation::Kind::Extent, s, le(zero(), a->shape[d]), a->buffer, static_cast<int>(d),
               scope);
        }
        return;
      }
      case StmtKind::WindowStmt:
        window(s, s.as<WindowStmt>()->window, scope);
        return;
      case StmtKind::Store: {
        const auto* st = s.as<Store>();
        for (const Expr& i : st->indices) reads(s, i, scope);
        reads(s, st->value, scope);
        element(s, st->buffer, st->indices, scope);
        return;
      }
      case StmtKind::Call:
        call(s, *s.as<CallStmt>(), scope);
        return;
      case StmtKind::Free:
      case StmtKind::Pass:
        return;
    }
  }

  std::vector<Expr> shape_of(const Symbol& name, const Scope& scope) {
    return scope.view_of(make_var(name)).shape;
  }

  void element(const Stmt& s, const Symbol& buffer, const std::vector<Expr>& indices,
               const Scope& scope) {
    std::vector<Expr> shape = shape_of(buffer, scope);
    for (size_t d = 0; d < std::min(shape.size(), indices.size()); d++) {
      need(Obligation::Kind::Access, s, le(zero(), indices[d]), buffer, static_cast<int>(d), scope);
      need(Obligation::Kind::Access, s, lt(indices[d], shape[d]), buffer, static_cast<int>(d),
           scope);
    }
  }

  // Loads of an expression; the side of a select that is not taken may be out of bounds.
  void reads(const Stmt& s, const Expr& e, const Scope& scope) {
    if (full() || !reads_memory(e)) return;
    if (const auto* sel = e.as<Select>(); sel && !sel->cond.type().is_vector()) {
      reads(s, sel->cond, scope);
      if (reads_memory(sel->t)) reads(s, sel->t, inside_branch(sel->cond, true, scope));
      if (reads_memory(sel->f)) reads(s, sel->f, inside_branch(sel->cond, false, scope));
      return;
    }
    for (const Expr& c : children(e)) reads(s, c, scope);
    if (const auto* l = e.as<Load>()) element(s, l->buffer, l->indices, scope);
  }

  void window(const Stmt& s, const Expr& e, const Scope& scope) {
    const auto* w = e.as<Window>();
    std::vector<Expr> shape = shape_of(w->buffer, scope);
    for (size_t d = 0; d < std::min(shape.size(), w->dims.size()); d++) {
      const WindowDim& dim = w->dims[d];
      int at = static_cast<int>(d);
      reads(s, dim.lo, scope);
      need(Obligation::Kind::Window, s, le(zero(), dim.lo), w->buffer, at, scope);
      if (dim.is_point()) {
        need(Obligation::Kind::Window, s, lt(dim.lo, shape[d]), w->buffer, at, scope);
        continue;
      }
      reads(s, dim.hi, scope);
      need(Obligation::Kind::Window, s, le(dim.lo, dim.hi), w->buffer, at, scope);
      need(Obligation::Kind::Window, s, le(dim.hi, shape[d]), w->buffer, at, scope);
    }
  }

  void call(const Stmt& s, const CallStmt& c, const Scope& scope) {
    const Proc& callee = *c.callee;
    Scope inner;  // what the callee's names mean here
    for (size_t k = 0; k < std::min(callee.params.size(), c.args.size()); k++) {
      const Param& p = callee.params[k];
      const Expr& arg = c.args[k];
      if (p.kind != ParamKind::Buffer) {
        reads(s, arg, scope);
        inner.lets[p.sym] = arg;
        if (p.kind == ParamKind::Size) {
          need(Obligation::Kind::Argument, s, le(make_index(1), arg), p.sym, -1, scope);
        }
        continue;
      }
      if (arg.kind() == ExprKind::Window) window(s, arg, scope);
      if (const auto* l = arg.as<Load>()) element(s, l->buffer, l->indices, scope);
      View v = scope.view_of(arg);
      inner.views[p.sym] = v;
      if (v.shape.size() != p.shape.size()) {
        Obligation o;
        o.kind = Obligation::Kind::Argument;
        o.stmt = s;
        o.buffer = p.sym;
        o.answer.verdict = Verdict::Refuted;
        o.answer.missing = "`" + p.sym.name() + "` has " + std::to_string(p.shape.size()) +
                           " dimensions, the argument " + std::to_string(v.shape.size());
        add(std::move(o));
        continue;
      }
      for (size_t d = 0; d < p.shape.size(); d++) {
        need(Obligation::Kind::Argument, s,
             make_binary(BinaryOp::Eq, v.shape[d], inner.resolve(p.shape[d])), p.sym,
             static_cast<int>(d), scope);
      }
    }
    for (const Expr& p : callee.preconditions) {
      need(Obligation::Kind::Precondition, s, inner.resolve(p), {}, -1, scope);
    }
    // A call does not come through the entry of a pipeline, whose body relies on it.
    for (const Expr& e : entry_conditions(callee)) {
      need(Obligation::Kind::Precondition, s, inner.resolve(e), {}, -1, scope);
    }
    aliases(s, c, scope);
  }

  // Arguments never overlap where the callee writes one of them.
  void aliases(const Stmt& s, const CallStmt& c, const Scope& scope) {
    const Proc& callee = *c.callee;
    Effects own = effects_of(callee.body, scope_of(callee));
    auto written = [&](const Symbol& p) {
      for (const Access& a : own.accesses) {
        if (a.buffer == p && a.kind != AccessKind::Read) return true;
      }
      return false;
    };
    for (size_t i = 0; i < std::min(callee.params.size(), c.args.size()); i++) {
      if (callee.params[i].kind != ParamKind::Buffer) continue;
      View x = scope.view_of(c.args[i]);
      for (size_t j = i + 1; j < std::min(callee.params.size(), c.args.size()); j++) {
        if (callee.params[j].kind != ParamKind::Buffer) continue;
        View y = scope.view_of(c.args[j]);
        if (!(x.root == y.root)) continue;
        if (!written(callee.params[i].sym) && !written(callee.params[j].sym)) continue;
        Obligation o;
        o.kind = Obligation::Kind::Alias;
        o.stmt = s;
        o.buffer = x.root;
        o.answer = dependence_.holds(apart(x, y), scope);
        if (!o.answer.proved() && o.answer.missing.empty()) {
          o.answer.missing = "the arguments overlap";
        }
        add(std::move(o));
      }
    }
  }

  const BoundsOptions& options_;
  std::vector<Obligation>& out_;
  Dependence dependence_;
  size_t failures_ = 0;
};

}  // namespace

Expr apart(const View& x, const View& y) {
  Expr any = make_bool(false);
  size_t own_x = 0, own_y = 0;
  for (size_t d = 0; d < std::min(x.dims.size(), y.dims.size()); d++) {
    auto end = [](const View& v, size_t dim, size_t& own) {
      if (v.dims[dim].point) return v.dims[dim].offset + make_index(1);
      return v.dims[dim].offset + v.shape[own++];
    };
    Expr xe = end(x, d, own_x), ye = end(y, d, own_y);
    any = make_binary(BinaryOp::Or, any, le(xe, y.dims[d].offset));
    any = make_binary(BinaryOp::Or, any, le(ye, x.dims[d].offset));
  }
  return any;
}

std::vector<Obligation> check_bounds(const Proc& proc, const BoundsOptions& options) {
  std::vector<Obligation> out;
  Checker(options, out).proc(proc);
  return out;
}

}  // namespace hocket::analysis
