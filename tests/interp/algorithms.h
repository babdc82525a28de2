// Short spellings for test algorithms.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "interp/evaluate.h"
#include "interp/make.h"
#include "ir/algorithm.h"

namespace hocket::interp::make {

struct AlgorithmMaker {
  ir::Algorithm algorithm;

  Symbol input(const std::string& name, Type t, std::vector<std::string> dims) {
    ir::ImageParam p;
    p.sym = sym(name, t);
    p.dims = std::move(dims);
    p.place = place();
    algorithm.inputs.push_back(p);
    return p.sym;
  }
  Symbol param(const std::string& name, Type t, std::optional<double> value = {}) {
    ir::ScalarParam p;
    p.sym = sym(name, t);
    p.default_value = value;
    p.place = place();
    algorithm.params.push_back(p);
    return p.sym;
  }
  Symbol pure_values(const std::string& name, std::vector<Symbol> args, std::vector<Expr> values) {
    ir::Func f;
    f.sym = sym(name, values[0].type());
    f.place = f.pure.place = place();
    for (const Expr& e : values) f.types.push_back(e.type());
    for (const Symbol& a : args) f.pure.args.push_back(v(a));
    f.args = std::move(args);
    f.pure.values = std::move(values);
    algorithm.funcs.push_back(std::move(f));
    return algorithm.funcs.back().sym;
  }
  Symbol pure(const std::string& name, std::vector<Symbol> args, Expr value) {
    return pure_values(name, std::move(args), {std::move(value)});
  }
  ir::RVar rvar(const std::string& name, int64_t min, int64_t extent) {
    return {sym(name), ix(min), ix(extent)};
  }
  void update_values(const Symbol& func, std::vector<Expr> at, std::vector<Expr> values,
                     std::vector<ir::RVar> vars, Expr where = {}) {
    for (ir::Func& f : algorithm.funcs) {
      if (!(f.sym == func)) continue;
      ir::Definition d;
      d.args = std::move(at);
      d.values = std::move(values);
      d.domain.vars = std::move(vars);
      d.domain.where = std::move(where);
      d.place = place();
      f.updates.push_back(std::move(d));
      return;
    }
  }
  void update(const Symbol& func, std::vector<Expr> at, Expr value, std::vector<ir::RVar> vars,
              Expr where = {}) {
    update_values(func, std::move(at), {std::move(value)}, std::move(vars), std::move(where));
  }
  Expr call(const Symbol& f, std::vector<Expr> at, int value = 0) const {
    Type t = f.type();
    if (const ir::Func* func = algorithm.find(f)) t = func->types[static_cast<size_t>(value)];
    return ir::make_call(f, t, std::move(at), value);
  }
  void output(const Symbol& f) { algorithm.outputs.push_back(f); }

 private:
  // Each thing stands on a line of its own.
  support::Place place() {
    support::Place p;
    p.file = "test.hk";
    p.line = ++line_;
    return p;
  }
  int line_ = 0;
};

}  // namespace hocket::interp::make
