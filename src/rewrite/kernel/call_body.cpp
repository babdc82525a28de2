#include "rewrite/kernel/call_body.h"

#include "rewrite/access.h"

namespace hocket::rewrite {

using namespace ir;

namespace {

// An argument for a buffer parameter as a window of the buffer behind it.
bool as_window(const Expr& arg, size_t rank, Symbol* buffer, std::vector<WindowDim>* dims) {
  if (const auto* w = arg.as<Window>()) {
    *buffer = w->buffer;
    *dims = w->dims;
    return true;
  }
  if (const auto* l = arg.as<Load>()) {
    *buffer = l->buffer;
    for (const Expr& i : l->indices) dims->push_back({i, {}});
    return true;
  }
  if (const auto* v = arg.as<VarRef>()) {
    *buffer = v->sym;
    for (size_t i = 0; i < rank; ++i) dims->push_back({make_index(0), make_index(0)});
    return true;
  }
  return false;
}

Expr shifted(const Expr& lo, const Expr& e) {
  if (is_int_equal(lo, 0)) return e;
  return is_int_equal(e, 0) ? lo : lo + e;
}

}  // namespace

CallBody call_body(const Proc& callee, const std::vector<Expr>& args) {
  CallBody out;
  out.body = fresh_copy(callee.body);
  Substitution scalars;
  for (size_t i = 0; i < callee.params.size(); ++i)
    if (callee.params[i].kind != ParamKind::Buffer) scalars[callee.params[i].sym] = args[i];
  out.body = substitute(out.body, scalars);
  for (size_t i = 0; i < callee.params.size(); ++i) {
    const Param& p = callee.params[i];
    if (p.kind != ParamKind::Buffer) continue;
    Symbol buffer;
    std::vector<WindowDim> window;
    if (!as_window(args[i], p.shape.size(), &buffer, &window)) {
      out.refused = "the argument for `" + p.sym.name() + "` is no buffer";
      return out;
    }
    AccessMap map;
    map.from = p.sym;
    map.to = buffer;
    map.other_layout = false;
    map.indices = [&](const std::vector<Expr>& old, const analysis::Facts&) {
      std::vector<Expr> full;
      size_t own = 0;
      for (const WindowDim& d : window)
        full.push_back(d.is_point() || own >= old.size() ? d.lo : shifted(d.lo, old[own++]));
      return full;
    };
    map.window = [&](const std::vector<WindowDim>& old,
                     const analysis::Facts&) -> std::optional<std::vector<WindowDim>> {
      std::vector<WindowDim> full;
      size_t own = 0;
      for (const WindowDim& d : window) {
        if (d.is_point() || own >= old.size()) {
          full.push_back({d.lo, {}});
          continue;
        }
        const WindowDim& w = old[own++];
        full.push_back({shifted(d.lo, w.lo), w.is_point() ? Expr() : shifted(d.lo, w.hi)});
      }
      return full;
    };
    Mapped mapped = map_accesses(out.body, map, {});
    if (!mapped.refused.empty()) {
      out.refused = mapped.refused;
      return out;
    }
    out.body = std::move(mapped.body);
  }
  return out;
}

Expr at_call(const Expr& condition, const Proc& callee, const std::vector<Expr>& args,
             const std::function<const std::vector<Expr>*(const Symbol&)>& dense_shape) {
  return map_exprs(condition, [&](const Expr& e) -> Expr {
    for (size_t i = 0; i < callee.params.size(); ++i) {
      const Symbol& sym = callee.params[i].sym;
      if (const auto* v = e.as<VarRef>(); v && v->sym == sym) return args[i];
      const auto* f = e.as<BufferField>();
      if (!f || !(f->buffer == sym)) continue;
      Symbol buffer;
      std::vector<WindowDim> window;
      if (!as_window(args[i], callee.params[i].shape.size(), &buffer, &window)) return e;
      int own = -1;
      for (size_t d = 0; d < window.size(); ++d) {
        if (window[d].is_point() || ++own != f->dim) continue;
        if (f->field == BufferFieldKind::Min) return make_index(0);
        if (f->field == BufferFieldKind::Extent && args[i].kind() == ExprKind::Window)
          return window[d].hi - window[d].lo;
        const std::vector<Expr>* shape = dense_shape(buffer);
        if (!shape) return make_buffer_field(buffer, f->field, static_cast<int>(d));
        if (f->field == BufferFieldKind::Extent) return (*shape)[d];
        Expr stride = make_index(1);
        for (size_t k = d + 1; k < shape->size(); ++k)
          stride = is_int_equal(stride, 1) ? (*shape)[k] : stride * (*shape)[k];
        return stride;
      }
    }
    return e;
  });
}

}  // namespace hocket::rewrite
