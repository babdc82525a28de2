// A hand-lowered pipeline's proc: one input and one output of rank d, entry and all.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "interp/algorithms.h"
#include "interp/make.h"

namespace hocket::interp::make {

struct PipelineMaker {
  struct Image {
    Symbol sym;
    std::vector<Symbol> min, extent, stride;
    // The buffer's index of a point given in the user's order.
    std::vector<Expr> at(std::vector<Expr> point) const {
      std::vector<Expr> i;
      for (size_t d = point.size(); d-- > 0;) i.push_back(std::move(point[d]) - v(min[d]));
      return i;
    }
    Expr last(size_t d) const { return v(min[d]) + v(extent[d]) - ix(1); }
  };
  std::vector<ir::Param> params;
  ir::PipelineEntry entry;

  Image image(const std::string& name, Type t, int rank, ir::EntryArg::Kind kind) {
    Image m;
    m.sym = sym(name, t);
    ir::EntryArg a;
    a.kind = kind;
    a.sym = m.sym;
    std::vector<Expr> shape;
    for (int d = 0; d < rank; ++d) {
      const std::string n = name + "." + std::to_string(d);
      m.min.push_back(sym(n + ".min"));
      m.extent.push_back(sym(n + ".extent"));
      m.stride.push_back(sym(n + ".stride"));
      const size_t k = static_cast<size_t>(d);
      for (const Symbol& s : {m.min[k], m.extent[k], m.stride[k]}) params.push_back(index(s));
      a.dims.push_back({m.min[k], m.extent[k], m.stride[k], {}, {}});
      shape.insert(shape.begin(), v(m.extent[k]));
    }
    params.push_back(buffer(m.sym, shape, true));
    entry.args.push_back(std::move(a));
    return m;
  }
  Image input(const std::string& name, Type t, int rank) {
    return image(name, t, rank, ir::EntryArg::Kind::Input);
  }
  Image output(const std::string& name, Type t, int rank) {
    return image(name, t, rank, ir::EntryArg::Kind::Output);
  }
  Symbol scalar_param(const std::string& name, Type t) {
    ir::EntryArg a;
    a.sym = sym(name, t);
    params.push_back(scalar(a.sym));
    entry.args.push_back(a);
    return a.sym;
  }
  void require(const Image& m, size_t d, Expr low, Expr high) {
    for (ir::EntryArg& a : entry.args) {
      if (!(a.sym == m.sym)) continue;
      a.dims[d].required_min = std::move(low);
      a.dims[d].required_max = std::move(high);
    }
  }
  ir::ProcRef proc(Body body, ir::Form form = ir::Form::Loops) const {
    return ir::edited(make::proc("pipe", params, std::move(body), form),
                      [&](ir::Proc& p) { p.entry = std::make_shared<ir::PipelineEntry>(entry); });
  }
};

inline Stmt block_store(const Symbol& b, std::vector<Expr> i, Expr value, ir::BlockRef h,
                        StoreOp o = StoreOp::Assign) {
  return ir::make_store(b, std::move(i), std::move(value), o, std::move(h));
}

}  // namespace hocket::interp::make
