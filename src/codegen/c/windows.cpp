#include "codegen/c/windows.h"

#include "ir/visit.h"
#include "support/assert.h"

namespace hocket::codegen {

namespace {

class Resolver : public ir::Rewriter {
 protected:
  bool in_blocks() const override { return false; }

  ir::Expr visit(const ir::Expr& e) override {
    if (const auto* load = e.as<ir::Load>()) {
      const auto at = views_.find(load->buffer);
      if (at == views_.end()) return recurse(e);
      return ir::make_load(at->second.buffer, e.type(), point(at->second, load->indices));
    }
    if (const auto* window = e.as<ir::Window>()) {
      const auto at = views_.find(window->buffer);
      if (at == views_.end()) return recurse(e);
      return ir::make_window(at->second.buffer, e.type(), inside(at->second, window->dims));
    }
    if (const auto* field = e.as<ir::BufferField>()) {
      const auto at = views_.find(field->buffer);
      if (at == views_.end()) return e;
      return ir::make_buffer_field(at->second.buffer, field->field,
                                   root_dim(at->second, field->dim));
    }
    if (const auto* var = e.as<ir::VarRef>()) {  // the whole window as an argument
      const auto at = views_.find(var->sym);
      if (at == views_.end()) return e;
      return ir::make_window(at->second.buffer, e.type(), at->second.dims);
    }
    return recurse(e);
  }

  void visit(const ir::Stmt& s, ir::Body& out) override {
    if (const auto* w = s.as<ir::WindowStmt>()) {
      const ir::Expr resolved = rewrite(w->window);
      const auto* window = resolved.as<ir::Window>();
      HOCKET_ASSERT(window != nullptr, "a window statement of something else");
      views_[w->sym] = {window->buffer, window->dims};
      return;
    }
    if (const auto* store = s.as<ir::Store>()) {
      const auto at = views_.find(store->buffer);
      const ir::Stmt inner = recurse(s);
      if (at == views_.end()) {
        out.push_back(inner);
        return;
      }
      const View& view = at->second;
      out.push_back(ir::edited<ir::Store>(inner, [&](ir::Store& n) {
        n.buffer = view.buffer;
        n.indices = placed(view, n.indices);
      }));
      return;
    }
    out.push_back(recurse(s));
  }

 private:
  struct View {
    ir::Symbol buffer;
    std::vector<ir::WindowDim> dims;
  };

  static ir::Expr plus(const ir::Expr& lo, const ir::Expr& i) {
    int64_t a = 0, b = 0;
    if (ir::is_int(lo, &a) && ir::is_int(i, &b)) return ir::make_index(a + b);
    if (ir::is_int_equal(lo, 0)) return i;
    return ir::is_int_equal(i, 0) ? lo : lo + i;
  }

  static std::vector<ir::Expr> placed(const View& view, const std::vector<ir::Expr>& indices) {
    std::vector<ir::Expr> out;
    size_t next = 0;
    for (const ir::WindowDim& d : view.dims) {
      out.push_back(d.is_point() ? d.lo : plus(d.lo, indices[next++]));
    }
    return out;
  }

  std::vector<ir::Expr> point(const View& view, const std::vector<ir::Expr>& indices) {
    std::vector<ir::Expr> mapped;
    for (const ir::Expr& i : indices) mapped.push_back(rewrite(i));
    return placed(view, mapped);
  }

  std::vector<ir::WindowDim> inside(const View& view, const std::vector<ir::WindowDim>& dims) {
    std::vector<ir::WindowDim> out;
    size_t next = 0;
    for (const ir::WindowDim& d : view.dims) {
      if (d.is_point()) {
        out.push_back(d);
        continue;
      }
      const ir::WindowDim& inner = dims[next++];
      ir::WindowDim r;
      r.lo = plus(d.lo, rewrite(inner.lo));
      if (!inner.is_point()) r.hi = plus(d.lo, rewrite(inner.hi));
      out.push_back(r);
    }
    return out;
  }

  static int root_dim(const View& view, int dim) {
    for (size_t k = 0; k < view.dims.size(); ++k) {
      if (!view.dims[k].is_point() && dim-- == 0) return static_cast<int>(k);
    }
    HOCKET_UNREACHABLE("a window has fewer dimensions");
  }

  std::unordered_map<ir::Symbol, View> views_;
};

}  // namespace

ir::Body resolve_windows(const ir::Body& body) {
  Resolver resolver;
  return resolver.rewrite(body);
}

}  // namespace hocket::codegen
