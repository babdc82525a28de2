// Effects: what statements read, write and reduce, where, and under which conditions.
//
// Calls are looked through into the body of the callee (an instruction's body is what it does),
// windows into the buffer they show, lets into their values; so every access names a buffer of the
// proc itself and index expressions over loop variables and parameters. In: statements and the
// scope they stand in. Out: accesses in program order, each with its path: the loops and conditions
// from the statements down to it. Called by: dependence, bounds_check, rewrite.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "analysis/interval.h"
#include "ir/visit.h"

namespace hocket::analysis {

// A name of (a part of) a buffer: a dimension of the root is a point or the start of one of ours.
struct View {
  ir::Symbol root;
  struct Dim {
    ir::Expr offset;
    bool point = false;  // the dimension does not exist in the view
  };
  std::vector<Dim> dims;        // one per dimension of the root
  std::vector<ir::Expr> shape;  // extents of the view's own dimensions
};

struct Buffer {
  std::vector<ir::Expr> shape;
  bool parameter = false;
  bool strided = false;  // its strides are run-time values; else the elements lie densely
};

// Where statements stand: what holds there and what the names mean.
struct Scope {
  Facts facts;
  std::unordered_map<ir::Symbol, View> views;      // windows in scope
  std::unordered_map<ir::Symbol, Buffer> buffers;  // parameters and allocations in scope
  ir::Substitution lets;                           // lets in scope, looked through
  std::vector<ir::Stmt> loops;                     // loops around, outermost first

  // Indices of a view (or of a buffer itself) as indices of its root.
  std::vector<ir::Expr> through(const ir::Symbol& name, const std::vector<ir::Expr>& indices,
                                ir::Symbol* root) const;
  View view_of(const ir::Expr& argument) const;  // a Window, or the name of a whole buffer
  ir::Expr resolve(const ir::Expr& e) const;     // lets, fields of views, known strides replaced
  // Of a parameter or allocation, in elements; the field itself where it is a run-time value.
  ir::Expr stride_of(const ir::Symbol& root, size_t dim) const;
};

// At the door of a proc.
Scope scope_of(const ir::Proc& proc);
// Just before the statement of that id; nothing where the proc has no such statement.
std::optional<Scope> scope_at(const ir::Proc& proc, uint64_t stmt_id);
// Past the statement, in the same list (a let, a window, an allocation, a check).
void pass(const ir::Stmt& s, Scope& scope);
// Inside a loop or branch.
Scope inside_loop(const ir::For& loop, const ir::Stmt& stmt, const Scope& scope);
Scope inside_branch(const ir::Expr& cond, bool taken, const Scope& scope);

enum class AccessKind : uint8_t { Read, Write, Reduce };

struct PathStep {
  ir::Stmt stmt;  // the loop or branch
  // A loop where `var` is defined, else a condition that holds.
  ir::Symbol var;
  ir::Expr lo, hi;
  ir::LoopKind loop = ir::LoopKind::Seq;
  ir::Expr cond;
};

struct Access {
  ir::Symbol buffer;
  ir::Type type;
  std::vector<ir::Expr> indices;
  AccessKind kind = AccessKind::Read;
  ir::StoreOp op = ir::StoreOp::Assign;
  std::vector<PathStep> path;  // from the statements down
  ir::Stmt stmt;               // in the caller's text: the call, where it is inside one
  int order = 0;               // program order; accesses of one statement: reads before the write
  // Data decides whether or where it happens: a condition was left out of the path, or an index
  // reads memory. Such an access is over-approximated and witnesses nothing.
  bool exact = true;
  bool local = false;      // of a buffer that is allocated inside the statements
  size_t local_depth = 0;  // steps of the path outside that allocation
};

struct Effects {
  std::vector<Access> accesses;
  std::vector<ir::Symbol> bound;  // lets, windows and buffers that the list itself binds
  bool may_leave = false;         // holds a Check
  // Names for values read from memory: another value each time, within the range.
  std::vector<std::pair<ir::Symbol, Interval>> data_names;
};

Effects effects_of(const ir::Body& body, const Scope& scope);

// Whether reductions of that operator on that type give the same bits in any order.
bool exact_in_any_order(ir::StoreOp op, ir::Type type);

}  // namespace hocket::analysis
