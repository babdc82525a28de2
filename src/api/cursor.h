// Cursors: statements of a loop program, pointed at by identity.
//
// A cursor is found in one Proc and means the same statement in every Proc that later steps make,
// as long as it is there: a split keeps the cursor on the outer loop, a reorder keeps both. Steps
// take cursors wherever they take patterns; the trace has the pattern that finds the statement at
// that step. Going somewhere that does not exist, and using a cursor whose statement is gone, are
// refused. Used by: users; Proc.
#pragma once

#include <source_location>
#include <string>
#include <vector>

#include "ir/proc.h"

namespace hocket {

class Cursor {
 public:
  using Where = std::source_location;
  Cursor(ir::ProcRef proc, uint64_t id) : proc_(std::move(proc)), id_(id) {}

  std::string text() const;     // the statement with its block, as .hk text
  std::string pattern() const;  // finds it from the top: `k`, `"k #1"`, `"C[_] += _"`
  // The loop variable, the buffer of a store or allocation, the callee; empty for others.
  std::string name() const;
  bool is_loop() const { return stmt().kind() == ir::StmtKind::For; }

  Cursor parent(Where where = Where::current()) const;  // the loop or branch around it
  Cursor next(Where where = Where::current()) const;    // in the same block
  Cursor prev(Where where = Where::current()) const;
  std::vector<Cursor> body() const;    // of a loop or branch; empty for others
  std::vector<Cursor> orelse() const;  // of a branch

  uint64_t id() const { return id_; }
  ir::Stmt stmt() const;
  const ir::ProcRef& proc() const { return proc_; }
  friend bool operator==(const Cursor& a, const Cursor& b) { return a.id_ == b.id_; }

 private:
  std::vector<Cursor> list(const ir::Body& body) const;
  Cursor beside(bool after, Where where) const;
  ir::ProcRef proc_;
  uint64_t id_;
};

namespace api {
// The pattern of the statement in that proc; refused where it is gone.
std::string pattern_in(const ir::ProcRef& proc, const Cursor& cursor, const support::Place& place);
}  // namespace api

}  // namespace hocket
