// Calls become the bodies of what they call, windows become accesses of the buffers behind them.
//
//   w = A[i, 0:8]                     A[i, 0 + l] = B[k, j + l]      for l in 0..8
//   mm256_loadu_ps(w, B[k, j:j + 8])
//
// Instructions are called by their body too, with the loops over lanes marked (lane_loops.h), so
// that code generation sees whole registers. Block headers end here: nothing below reads them.
// Arguments do not alias (checked where calls are made), so substitution is all there is to it.
#include <unordered_map>

#include "ir/visit.h"
#include "lower/flat/lane_loops.h"
#include "lower/flat/passes.h"
#include "lower/flat/tidy.h"

namespace hocket::lower {

using namespace ir;

namespace {

// A window seen from the buffer behind it: per dimension of that buffer where the window starts,
// and which dimension of the window runs along it (-1: none, the dimension is a point).
struct View {
  struct Dim {
    Expr offset;  // undefined: 0
    int from = -1;
  };
  Symbol base;
  std::vector<Dim> dims;
  std::vector<Expr> extents;  // of the window
};
using Views = std::unordered_map<Symbol, View>;

Expr plus(const Expr& offset, const Expr& index) {
  if (!offset.defined()) return index;
  return tidy(offset + index);
}

std::vector<Expr> through(const View& v, const std::vector<Expr>& indices) {
  std::vector<Expr> out;
  for (const View::Dim& d : v.dims)
    out.push_back(d.from < 0 ? d.offset : plus(d.offset, indices[static_cast<size_t>(d.from)]));
  return out;
}

bool has_load(const Expr& e) {
  bool found = false;
  for_each(e, [&](const Expr& n) { found |= n.kind() == ExprKind::Load; });
  return found;
}

class Inliner : public Rewriter {
 public:
  explicit Inliner(Views views) : views_(std::move(views)) {}
  using Rewriter::rewrite;

 protected:
  Expr visit(const Expr& e) override {
    if (const auto* l = e.as<Load>()) {
      Expr r = recurse(e);
      l = r.as<Load>();
      const View* v = find(l->buffer);
      return v ? make_load(v->base, l->type, through(*v, l->indices)) : r;
    }
    if (const auto* b = e.as<BufferField>()) {
      const View* v = find(b->buffer);
      return v ? field(*v, *b) : e;
    }
    return recurse(e);
  }

  void visit(const Stmt& s, Body& out) override {
    if (const auto* w = s.as<WindowStmt>()) {
      views_.insert_or_assign(w->sym, view_of(rewrite(w->window)));
      forget();
      return;
    }
    if (const auto* c = s.as<CallStmt>()) {
      call(*c, out);
      return;
    }
    Stmt r = recurse(s);
    if (const auto* st = r.as<Store>()) {
      const View* v = find(st->buffer);
      if (v || st->block.get())
        r = edited<Store>(r, [&](Store& n) {
          n.block = {};
          if (!v) return;
          n.buffer = v->base;
          n.indices = through(*v, n.indices);
        });
    }
    out.push_back(r);
  }

  bool in_blocks() const override { return false; }

 private:
  const View* find(const Symbol& s) const {
    auto it = views_.find(s);
    return it == views_.end() ? nullptr : &it->second;
  }

  static Expr field(const View& v, const BufferField& b) {
    if (b.field == BufferFieldKind::Min) return make_index(0);
    if (b.field == BufferFieldKind::Extent) return v.extents[static_cast<size_t>(b.dim)];
    for (size_t d = 0; d < v.dims.size(); ++d)
      if (v.dims[d].from == b.dim)
        return make_buffer_field(v.base, BufferFieldKind::Stride, static_cast<int>(d));
    HOCKET_UNREACHABLE("stride of a dimension that the window does not have");
  }

  // `e` is a Window whose bounds are rewritten already; its buffer may itself be a window.
  View view_of(const Expr& e) const {
    const auto* w = e.as<Window>();
    HOCKET_ASSERT(w, "the right side of a window statement is no window");
    std::vector<View::Dim> dims;
    View out;
    int next = 0;
    for (const WindowDim& d : w->dims) {
      dims.push_back({d.lo, d.is_point() ? -1 : next});
      if (d.is_point()) continue;
      out.extents.push_back(tidy(d.hi - d.lo));
      ++next;
    }
    const View* behind = find(w->buffer);
    if (!behind) {
      out.base = w->buffer;
      out.dims = std::move(dims);
      return out;
    }
    out.base = behind->base;
    for (const View::Dim& d : behind->dims) {
      if (d.from < 0) {
        out.dims.push_back(d);
        continue;
      }
      const View::Dim& inner = dims[static_cast<size_t>(d.from)];
      out.dims.push_back({plus(d.offset, inner.offset), inner.from});
    }
    return out;
  }

  View whole(const Symbol& buffer, const std::vector<Expr>& shape) const {
    if (const View* v = find(buffer)) return *v;
    View out;
    out.base = buffer;
    for (size_t d = 0; d < shape.size(); ++d) out.dims.push_back({{}, static_cast<int>(d)});
    out.extents = shape;
    return out;
  }

  void call(const CallStmt& c, Body& out) {
    const Proc& callee = *c.callee;
    HOCKET_ASSERT(c.args.size() == callee.params.size(), "a call with a wrong number of arguments");
    Substitution values;
    Views views;
    for (size_t i = 0; i < c.args.size(); ++i) {
      const Param& p = callee.params[i];
      if (p.kind == ParamKind::Buffer) continue;
      Expr value = rewrite(c.args[i]);
      if (has_load(value)) {
        // Read before the body writes.
        Symbol s = Symbol::derived(p.sym.name(), p.sym.type(), p.sym, "argument of");
        out.push_back(make_let(s, value, c.place));
        value = make_var(s);
      }
      values.emplace(p.sym, value);
    }
    for (size_t i = 0; i < c.args.size(); ++i) {
      const Param& p = callee.params[i];
      if (p.kind != ParamKind::Buffer) continue;
      const Expr& arg = c.args[i];
      if (const auto* v = arg.as<VarRef>()) {
        std::vector<Expr> shape;
        for (const Expr& e : p.shape) shape.push_back(substitute(e, values));
        views.emplace(p.sym, whole(v->sym, shape));
      } else if (const auto* l = arg.as<Load>()) {
        // A single element passed as a buffer of rank 0.
        std::vector<WindowDim> dims;
        for (const Expr& e : l->indices) dims.push_back({rewrite(e), {}});
        views.emplace(p.sym, view_of(make_window(l->buffer, l->type, std::move(dims))));
      } else {
        views.emplace(p.sym, view_of(rewrite(arg)));
      }
    }
    // Parameters first, then windows: offsets of the views belong to the caller.
    Body body = substitute(fresh_copy(callee.body), values);
    Inliner inner(std::move(views));
    body = inner.rewrite(body);
    if (callee.instr) body = mark_lane_loops(body);
    out.insert(out.end(), body.begin(), body.end());
  }

  Views views_;
};

}  // namespace

diag::Result<ProcRef> inline_calls(const ProcRef& proc, const FlatContext&) {
  return edited(proc, [&](Proc& p) {
    Inliner top{{}};
    p.body = top.rewrite(p.body);
    if (p.instr) p.body = mark_lane_loops(p.body);
  });
}

}  // namespace hocket::lower
