// What ProcBuilder and its Tensors share: the proc under construction. Used by: tensor.cpp,
// proc_builder.cpp.
#pragma once

#include <string>
#include <unordered_set>
#include <vector>

#include "api/expr.h"
#include "ir/proc.h"

namespace hocket::api {

struct ProcContents : support::RefCounted {
  ir::Proc proc;
  // The lists of statements that are open, outermost first, each with what it binds.
  struct Open {
    ir::Body body;
    std::unordered_set<ir::Symbol> binds;
  };
  std::vector<Open> open;
  bool started = false;  // a statement was said: no more parameters and asserts
  bool built = false;

  bool sees(const ir::Symbol& s) const;
  // Appends to the innermost list; `binds` is what the statement makes known, if anything.
  void say(ir::Stmt s, const support::Place& place, const ir::Symbol& binds = {});
  void check_open(const support::Place& place) const;

  // Refuses names that are not known here, Funcs, and, with `early`, elements of buffers: shapes
  // and asserts are known before the proc runs.
  void check_names(const ir::Expr& e, const support::Place& place, bool early = false) const;
  void check_buffer(const ir::Symbol& s, const support::Place& place) const;

  ir::Expr index(const Here& h, bool early = false) const;
  // An index that may not read memory (ir/read/control.h): `what` of the program it is.
  ir::Expr control(const Here& h, const std::string& what) const;
  ir::Expr condition(const Here& h, bool early = false) const;
  ir::Expr value(const Here& h, Type type, const std::string& what) const;
};

}  // namespace hocket::api
