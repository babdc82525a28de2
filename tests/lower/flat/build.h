// Short names to build loop programs in tests of lower/flat.
#pragma once

#include "ir/print.h"
#include "ir/proc.h"
#include "ir/visit.h"
#include "lower/flat/passes.h"
#include "lower/flat/to_flat.h"

namespace hocket::lower::build {

using namespace ir;

inline Symbol index_symbol(const char* name) {
  return Symbol::fresh(name, Type::index());
}
inline Expr num(int64_t v) {
  return make_index(v);
}
inline Expr v(const Symbol& s) {
  return make_var(s);
}
inline Expr lt(Expr a, Expr b) {
  return make_binary(BinaryOp::Lt, std::move(a), std::move(b));
}
inline Expr le(Expr a, Expr b) {
  return make_binary(BinaryOp::Le, std::move(a), std::move(b));
}
inline Expr min_of(Expr a, Expr b) {
  return make_binary(BinaryOp::Min, std::move(a), std::move(b));
}
inline Expr max_of(Expr a, Expr b) {
  return make_binary(BinaryOp::Max, std::move(a), std::move(b));
}
inline Expr at(const Symbol& b, std::vector<Expr> i) {
  return make_load(b, b.type(), std::move(i));
}
inline Stmt set(const Symbol& b, std::vector<Expr> i, Expr value) {
  return make_store(b, std::move(i), std::move(value));
}
inline Stmt add(const Symbol& b, std::vector<Expr> i, Expr value, bool fused = false) {
  Stmt s = make_store(b, std::move(i), std::move(value), StoreOp::Add);
  return edited<Store>(s, [&](Store& n) { n.fused = fused; });
}
inline Stmt loop(const Symbol& var, Expr lo, Expr hi, LoopKind kind, Body body) {
  return make_for(var, std::move(lo), std::move(hi), kind, std::move(body));
}

inline Param size_param(const Symbol& s) {
  Param p;
  p.sym = s;
  p.kind = ParamKind::Size;
  return p;
}
inline Param index_param(const Symbol& s) {
  Param p;
  p.sym = s;
  return p;
}
inline Param buffer_param(const Symbol& s, std::vector<Expr> shape, bool window = false,
                          const char* memory = "DRAM") {
  Param p;
  p.sym = s;
  p.kind = ParamKind::Buffer;
  p.shape = std::move(shape);
  p.window = window;
  p.memory = memory;
  return p;
}
inline ProcRef proc(const char* name, std::vector<Param> params, Body body,
                    std::vector<Expr> preconditions = {}) {
  auto p = support::Ref<Proc>(new Proc());
  p->sym = Symbol::fresh(name, Type::index());
  p->params = std::move(params);
  p->preconditions = std::move(preconditions);
  p->body = std::move(body);
  return ProcRef(p.get());
}

inline target::Target avx2() {
  return target::parse_target("x86-64-v3").value();
}
inline target::Target avx512() {
  return target::parse_target("x86-64-v4").value();
}

// All passes; the text of the proc after each of the named ones, or after the last.
inline std::string lowered(const ProcRef& p, const target::Target& t, const FlatOptions& o = {}) {
  auto r = to_flat(p, t, o);
  if (!r.ok()) return r.error().message();
  return to_text(*r.value());
}

}  // namespace hocket::lower::build
