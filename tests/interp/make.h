// Short spellings for test programs, built with the constructors of ir/.
#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "interp/run.h"
#include "ir/expr.h"
#include "ir/proc.h"
#include "ir/stmt.h"

namespace hocket::interp::make {

using ir::BinaryOp;
using ir::Body;
using ir::Expr;
using ir::LoopKind;
using ir::Stmt;
using ir::StoreOp;
using ir::Symbol;
using ir::Type;
using ir::UnaryOp;

inline Symbol sym(const std::string& name, Type t = Type::index()) {
  return Symbol::fresh(name, t);
}
inline Expr v(const Symbol& s) {
  return ir::make_var(s);
}
inline Expr ix(int64_t n) {
  return ir::make_index(n);
}
inline Expr num(Type t, int64_t n) {
  return ir::make_const(t, n);
}
inline Expr op(BinaryOp o, Expr a, Expr b) {
  return ir::make_binary(o, std::move(a), std::move(b));
}
inline Expr lt(Expr a, Expr b) {
  return op(BinaryOp::Lt, std::move(a), std::move(b));
}
inline Expr min(Expr a, Expr b) {
  return op(BinaryOp::Min, std::move(a), std::move(b));
}
inline Expr max(Expr a, Expr b) {
  return op(BinaryOp::Max, std::move(a), std::move(b));
}
inline Expr load(const Symbol& b, std::vector<Expr> i) {
  return ir::make_load(b, b.type(), std::move(i));
}
inline Stmt store(const Symbol& b, std::vector<Expr> i, Expr value, StoreOp o = StoreOp::Assign) {
  return ir::make_store(b, std::move(i), std::move(value), o);
}
inline Stmt loop(const Symbol& i, int64_t lo, int64_t hi, Body body, LoopKind k = LoopKind::Seq) {
  return ir::make_for(i, ix(lo), ix(hi), k, std::move(body));
}
inline Stmt loop(const Symbol& i, Expr lo, Expr hi, Body body, LoopKind k = LoopKind::Seq) {
  return ir::make_for(i, std::move(lo), std::move(hi), k, std::move(body));
}

inline ir::Param size(const Symbol& s) {
  ir::Param p;
  p.sym = s;
  p.kind = ir::ParamKind::Size;
  return p;
}
inline ir::Param index(const Symbol& s) {
  ir::Param p;
  p.sym = s;
  p.kind = ir::ParamKind::Index;
  return p;
}
inline ir::Param scalar(const Symbol& s) {
  ir::Param p;
  p.sym = s;
  p.kind = ir::ParamKind::Scalar;
  return p;
}
inline ir::Param buffer(const Symbol& s, std::vector<Expr> shape, bool window = false) {
  ir::Param p;
  p.sym = s;
  p.kind = ir::ParamKind::Buffer;
  p.shape = std::move(shape);
  p.window = window;
  return p;
}
inline ir::ProcRef proc(const std::string& name, std::vector<ir::Param> params, Body body,
                        ir::Form form = ir::Form::Loops, std::vector<Expr> asserts = {}) {
  auto p = support::Ref<ir::Proc>(new ir::Proc);
  p->sym = sym(name);
  p->form = form;
  p->params = std::move(params);
  p->preconditions = std::move(asserts);
  p->body = std::move(body);
  return ir::ProcRef(p.get());
}

inline ir::BlockRef header(const Symbol& func, int stage, std::vector<Expr> point,
                           std::vector<Expr> reduction = {}) {
  auto b = support::Ref<ir::BlockHeader>(new ir::BlockHeader);
  b->func = func;
  b->stage = stage;
  b->point = std::move(point);
  b->reduction = std::move(reduction);
  return ir::BlockRef(b.get());
}

inline ir::Scalar i32(int64_t n) {
  return ir::Scalar::of_int(Type::i(32), n);
}
inline Tensor numbers(Type t, std::vector<int64_t> values) {
  Tensor x = Tensor::row_major(t, {static_cast<int64_t>(values.size())});
  for (size_t k = 0; k < values.size(); ++k) {
    x.set({static_cast<int64_t>(k)}, t.is_float()
                                         ? ir::Scalar::of_float(t, static_cast<double>(values[k]))
                                         : ir::Scalar::of_int(t, values[k]));
  }
  return x;
}
inline std::vector<int64_t> ints(const Tensor& t) {
  std::vector<int64_t> out;
  for (int64_t c = 0; c < t.cells(); ++c) {
    const ir::Scalar s = t.cell(c);
    out.push_back(s.poison ? -999 : t.type().is_float() ? static_cast<int64_t>(s.f) : s.i);
  }
  return out;
}
// Values of the loops around a finding.
inline std::vector<int64_t> iterations(const Finding& f) {
  std::vector<int64_t> out;
  for (const Iteration& i : f.iterations) out.push_back(i.value);
  return out;
}

}  // namespace hocket::interp::make
