// Statements as C text: what flat form and loop form have in common. In: a proc's body. Out: lines
// of one C function, and task functions of parallel loops before it. Memory is spelled by the two
// derived classes, FlatBody and LoopBody.
#pragma once

#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "codegen/c/expr.h"
#include "ir/proc.h"

namespace hocket::codegen {

// The file under construction: helpers, includes and definitions that stand before the functions.
struct CFile {
  CHelpers helpers;
  std::vector<std::string> includes;        // lines of instructions' `global` texts, each once
  std::vector<std::string> definitions;     // structs, task functions, callees: in order
  std::vector<std::string> functions;       // names of file-level functions that are taken
  std::unordered_set<std::string> foreign;  // words of instructions' texts (templates.h)

  void include(const std::string& line);
  std::string function_name(const std::string& wanted);
};

class CBody : public CExprs {
 public:
  CBody(CFile& file, CNames& names, Facts& facts, std::string pipeline)
      : CExprs(file.helpers, names, facts), file_(file), pipeline_(std::move(pipeline)) {}

  void body(const ir::Body& body);
  // `if (!(cond)) return ...;`, giving back what is held.
  void check(const ir::Expr& cond, int code, const std::string& message);
  void check(const ir::Expr& cond, const std::string& failure);  // a call that yields the code
  CWriter& out() { return out_; }
  // Addresses depend on data: integers that were never written must read as one number, so that a
  // clamp and what it guards agree. Stack arrays of integers then start as zeros.
  void define_unwritten() { zeros_ = true; }
  // The statement that leaves with the code that `call` returns.
  void leave(const std::string& call);

 protected:
  virtual void alloc(const ir::Alloc& s) = 0;
  virtual void store(const ir::Store& s) = 0;
  virtual void call(const ir::CallStmt& s);
  virtual void release(const ir::Symbol& buffer);
  // A printer for a task function, which sees the same buffers under the same names.
  virtual std::unique_ptr<CBody> for_task(CNames& names) = 0;
  // The declaration of a captured buffer as a field, and of the local that is unpacked from it.
  virtual std::string buffer_field(const ir::Symbol& buffer) = 0;
  // What the field is filled with, and values that spelling the buffer needs besides.
  virtual std::string buffer_value(const ir::Symbol& buffer) { return names_.of(buffer); }
  virtual std::vector<ir::Symbol> buffer_needs(const ir::Symbol&) { return {}; }

  // Declares variables for nodes that several others use, before a statement that prints them.
  void share(const std::vector<ir::Expr>& roots);
  void take_heap(const ir::Symbol& buffer, const std::string& element_type, const ir::Expr& count,
                 int64_t element_bytes);

  CFile& file_;
  std::string pipeline_;
  CWriter out_;
  const char* array_start(ir::Type t) const { return zeros_ && !t.is_float() ? " = {0};" : ";"; }

  bool zeros_ = false;
  // What names of index type stand for, where that reads no memory: sizes are computed from it,
  // because the name's own value may have overflowed.
  std::unordered_map<ir::Symbol, ir::Expr> lets_;
  std::vector<ir::Symbol> held_;  // heap blocks to give back, in the order they were taken

 private:
  void stmt(const ir::Stmt& s, const ir::Body& list, size_t at);
  static bool is_read(const ir::Body& body, const ir::Symbol& buffer);
  void for_loop(const ir::For& loop);
  void parallel_loop(const ir::For& loop);
};

// hocket_fail... as an expression that yields the code.
std::string c_failure(int code, const std::string& pipeline, const std::string& message);

}  // namespace hocket::codegen
