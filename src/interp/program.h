// Compiled procs: statements with every symbol a slot and every expression an XNode.
//
// In: a proc and the procs it calls. Out: ProcCode, executed by machine.h. Made once per run.
#pragma once

#include <deque>
#include <memory>
#include <unordered_map>
#include <vector>

#include "interp/code.h"
#include "ir/algorithm.h"
#include "ir/proc.h"

namespace hocket::interp {

struct ProcCode;
struct Code;

struct CodeList {
  std::vector<Code> codes;
  std::vector<uint32_t> allocations;  // positions of its Allocs: freed at its end
};

struct DimCode {
  const XNode* lo = nullptr;
  const XNode* hi = nullptr;  // null: a point
};

// A buffer, or a window of it, as an argument or the right side of a window statement.
struct WindowCode {
  uint32_t source = 0;
  bool whole = true;  // the buffer itself; no dims
  std::vector<DimCode> dims;
};

struct ArgCode {
  const XNode* scalar = nullptr;
  WindowCode window;
};

// A block header, resolved against the algorithm that is compared.
struct BlockCode {
  const ir::BlockHeader* header = nullptr;
  uint32_t func = 0;  // position in Algorithm::funcs
  std::vector<const XNode*> point, reduction;
};

struct Code {
  ir::StmtKind kind = ir::StmtKind::Pass;
  ir::LoopKind loop = ir::LoopKind::Seq;
  ir::StoreOp op = ir::StoreOp::Assign;
  bool plain_copy = false;  // Store of one Load or Let; Let of one
  int lanes = 1;            // Store, Let
  uint32_t number = 0;      // position in ProgramCode::by_number
  uint32_t slot = 0;        // For, Let: variable
  uint32_t buffer = 0;      // Store, Alloc, Free, WindowStmt: view
  uint32_t reason = 0;      // Alloc: what unwritten cells are blamed on
  bool raw = false;         // Store: one index into memory
  bool has_free = false;    // Alloc: some statement frees it
  int64_t align = 0;
  const XNode* a = nullptr;  // For: lo; If, Check: condition; Let, Store: value
  const XNode* b = nullptr;  // For: hi; Store fused: the other factor
  const XNode* predicate = nullptr;
  XNode reduce;                     // Store: old op value
  std::vector<const XNode*> index;  // Store; Alloc: shape
  std::vector<uint32_t> let_slots;  // Store with a block: Lets that its value reads
  BlockCode* block = nullptr;
  CodeList body, otherwise;
  const ProcCode* callee = nullptr;
  std::vector<ArgCode> args;
  WindowCode window;
  const ir::StmtNode* source = nullptr;
  const ProcCode* proc = nullptr;
};

struct ParamCode {
  const ir::Param* param = nullptr;
  uint32_t slot = 0, view = 0;
  uint32_t reason = 0;  // buffers: elements that were poison from the start
  std::vector<const XNode*> shape;
  bool written = false;  // by the proc or what it calls
};

struct ProcCode {
  const ir::Proc* proc = nullptr;
  std::vector<ParamCode> params;
  std::vector<const XNode*> preconditions;
  CodeList body;
  std::vector<ir::Symbol> buffer_of_view;
  uint32_t slots = 0, views = 0, dims = 0;                    // of its frame
  uint32_t total_slots = 0, total_views = 0, total_dims = 0;  // with the deepest chain of calls
  std::vector<uint32_t> rank_of_view, dims_of_view;
};

// What a Leaf of a proc reads (Access::kind).
enum ProcLeaf { kLoad, kLoadRaw, kFieldExtent, kFieldStride };

class ProgramCode : public ExprCompiler {
 public:
  // With `algorithm`, block headers of its Funcs are compiled too.
  explicit ProgramCode(const ir::Algorithm* algorithm = nullptr) : algorithm_(algorithm) {}
  const ProcCode* compile_proc(const ir::Proc& proc);
  // An expression over the parameters of a compiled proc (entry checks, regions).
  const XNode* over_params(const ProcCode& code, const ir::Expr& e);

  std::vector<const Code*> by_number;

 protected:
  void leaf(const ir::Expr& e, XNode& n) override;

 private:
  struct Scope;
  void list(const ir::Body& body, CodeList& out);
  void statement(const ir::Stmt& s, Code& c, CodeList& in);
  WindowCode window(const ir::Expr& e, int* rank);
  uint32_t new_slot(const ir::Symbol& s);
  uint32_t new_view(const ir::Symbol& s, size_t rank);
  uint32_t view(const ir::Symbol& s) const;
  bool is_raw(uint32_t view, size_t indices) const;
  void mark_written(uint32_t view);
  void number(CodeList& list);

  const ir::Algorithm* algorithm_;
  std::unordered_map<const ir::Proc*, std::unique_ptr<ProcCode>> procs_;
  std::deque<BlockCode> blocks_;
  Scope* scope_ = nullptr;
};

}  // namespace hocket::interp
