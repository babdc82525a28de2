// Finding statements by identity and changing the list that holds them.
//
// In: a proc and a statement's id. Out: where it stands; a copy of the proc in which that one list
// is another. Everything outside the list is shared. Called by: the operators (kernel/).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ir/proc.h"
#include "ir/read/scope.h"
#include "ir/visit.h"

namespace hocket::rewrite {

struct Located {
  ir::Stmt stmt;
  std::vector<ir::Stmt> parents;  // outermost first
  ir::Body list;                  // the list that holds it
  size_t at = 0;
  bool in_else = false;          // of the innermost parent
  std::vector<ir::Stmt> before;  // binders that it can see: of this list and the lists around
};

std::optional<Located> locate(const ir::Proc& proc, uint64_t id);

// The list that holds the statement, changed by `edit(list, position)`.
ir::ProcRef with_list(const ir::ProcRef& proc, uint64_t id,
                      const std::function<void(ir::Body&, size_t)>& edit);
ir::ProcRef with_body(const ir::ProcRef& proc, ir::Body body);

// What names mean just before the statement; inner ones hide outer ones.
ir::read::Scope visible(const ir::Proc& proc, const Located& where);

// Symbols that these statements bind for the statements after them.
std::vector<ir::Symbol> binders(const ir::Body& body, size_t from, size_t to);
// Symbol bound by the statement itself (let, alloc, window); undefined for others.
ir::Symbol binder(const ir::Stmt& s);
bool uses_any(const ir::Body& body, const std::vector<ir::Symbol>& symbols);
bool uses_any(const ir::Expr& e, const std::vector<ir::Symbol>& symbols);
// Whether the body names the buffer anywhere (accesses, windows, fields, arguments).
bool touches(const ir::Body& body, const ir::Symbol& buffer);

// A copy of a loop's body for another value of its variable.
ir::Body body_at(const ir::Body& body, const ir::Symbol& var, const ir::Expr& value, bool fresh);

// The same for a number, of the variable or of a size. Where the number makes others of indices
// they are computed (`8 * 0 + ji` is `ji`); what does not name the symbol stays as it was written.
ir::Expr with_number(const ir::Expr& e, const ir::Symbol& symbol, int64_t number);
ir::Body with_number(const ir::Body& body, const ir::Symbol& symbol, int64_t number);

// `for i`, `C[_] += _`, ...: how a statement is spoken of in messages.
std::string spoken(const ir::Stmt& s);

}  // namespace hocket::rewrite
