// Statements of procs, in loop form and in flat form.
//
// A body is a list of statements. `Let`, `Alloc` and `WindowStmt` bind a symbol for the rest of
// their list; memory is freed where the list ends. A `Store` that computes a point of a stage
// carries a BlockHeader: which stage, which point, which reduction coordinates. Rewrites
// substitute in it, the interpreter and the checker read it, code generation drops it.
#pragma once

#include <string>
#include <vector>

#include "ir/expr.h"
#include "support/source.h"

namespace hocket::ir {

struct Proc;

enum class StmtKind : uint8_t { For, If, Let, Alloc, Free, Store, Call, WindowStmt, Check, Pass };

enum class LoopKind : uint8_t {
  Seq,         // `seq`: in order
  Unordered,   // `par`, as in Exo: any order, reductions allowed; runs as seq
  Parallel,    // `parallel`: threads, race-checked
  Vectorized,  // `vectorize`: lanes; constant extent; race-checked
  Unrolled,    // `unroll`: copies; constant extent
};
const char* spelling(LoopKind kind);

// What a Store does with the old value: `=`, `+=`, `*=`, `min=`, `max=`.
enum class StoreOp : uint8_t { Assign, Add, Mul, Min, Max };
const char* spelling(StoreOp op);

struct StmtNode : support::RefCounted {
  StmtKind kind;
  uint64_t id;  // identity for cursors; kept by rewrites that change only the inside
  support::Place place;
  explicit StmtNode(StmtKind k) : kind(k), id(0) {}
};

class Stmt {
 public:
  Stmt() = default;
  explicit Stmt(support::Ref<const StmtNode> node) : node_(std::move(node)) {}
  bool defined() const { return node_.get() != nullptr; }
  StmtKind kind() const { return node_->kind; }
  uint64_t id() const { return node_->id; }
  const support::Place& place() const { return node_->place; }
  const StmtNode* get() const { return node_.get(); }
  bool same_as(const Stmt& other) const { return get() == other.get(); }
  template <class T>
  const T* as() const {
    return defined() && node_->kind == T::kKind ? static_cast<const T*>(node_.get()) : nullptr;
  }

 private:
  support::Ref<const StmtNode> node_;
};

using Body = std::vector<Stmt>;

// The point a store computes (TensorIR's block). Coordinates are expressions over the loops.
struct BlockHeader : support::RefCounted {
  Symbol func;
  int stage = 0;                // 0: pure definition, k: update(k - 1)
  std::vector<Expr> point;      // one per dimension of the Func, the user's order
  std::vector<Expr> reduction;  // one per reduction variable of the update, in its order
};
using BlockRef = support::Ref<const BlockHeader>;

struct For : StmtNode {  // for var in kind(lo, hi): half open, unit step, none when hi <= lo
  static constexpr StmtKind kKind = StmtKind::For;
  Symbol var;
  Expr lo, hi;
  LoopKind loop = LoopKind::Seq;
  Body body;
  For() : StmtNode(kKind) {}
};
struct If : StmtNode {
  static constexpr StmtKind kKind = StmtKind::If;
  Expr cond;
  Body then_body, else_body;
  If() : StmtNode(kKind) {}
};
struct Let : StmtNode {  // let sym: type = value
  static constexpr StmtKind kKind = StmtKind::Let;
  Symbol sym;
  Expr value;
  Let() : StmtNode(kKind) {}
};
struct Alloc : StmtNode {  // buffer: type[shape] @ memory; contents start as poison
  static constexpr StmtKind kKind = StmtKind::Alloc;
  Symbol buffer;            // its type is the element type
  std::vector<Expr> shape;  // outermost first; empty for a scalar; flat form: one extent
  std::string memory = "DRAM";
  Alloc() : StmtNode(kKind) {}
};
struct Free : StmtNode {  // flat form: the explicit end of an Alloc
  static constexpr StmtKind kKind = StmtKind::Free;
  Symbol buffer;
  Free() : StmtNode(kKind) {}
};
struct Store : StmtNode {
  static constexpr StmtKind kKind = StmtKind::Store;
  Symbol buffer;
  std::vector<Expr> indices;
  StoreOp op = StoreOp::Assign;
  Expr value;
  bool fused = false;   // op Add, value a product a * b of floats: old becomes fma(a, b, old)
  bool stream = false;  // non-temporal
  BlockRef block;       // null where the store computes no point of a stage
  Expr predicate;       // flat form: bool vector; lanes that are off write nothing
  int64_t align = 0;    // flat form: as in Load
  Store() : StmtNode(kKind) {}
};
struct CallStmt : StmtNode {
  static constexpr StmtKind kKind = StmtKind::Call;
  support::Ref<const Proc> callee;
  std::vector<Expr> args;  // scalars, Windows, or a VarRef naming a whole buffer
  CallStmt() : StmtNode(kKind) {}
};
struct WindowStmt : StmtNode {  // sym = buffer[lo:hi, i]
  static constexpr StmtKind kKind = StmtKind::WindowStmt;
  Symbol sym;
  Expr window;  // a Window
  WindowStmt() : StmtNode(kKind) {}
};
struct Check : StmtNode {  // leaves the proc with `code` unless cond holds
  static constexpr StmtKind kKind = StmtKind::Check;
  Expr cond;
  int code = 0;         // an error code of abi/hocket_abi.h
  std::string message;  // what failed, in the user's words
  Check() : StmtNode(kKind) {}
};
struct Pass : StmtNode {
  static constexpr StmtKind kKind = StmtKind::Pass;
  Pass() : StmtNode(kKind) {}
};

Stmt make_for(const Symbol& var, Expr lo, Expr hi, LoopKind loop, Body body, support::Place p = {});
Stmt make_if(Expr cond, Body then_body, Body else_body = {}, support::Place p = {});
Stmt make_let(const Symbol& sym, Expr value, support::Place p = {});
Stmt make_alloc(const Symbol& buffer, std::vector<Expr> shape, std::string memory = "DRAM",
                support::Place p = {});
Stmt make_free(const Symbol& buffer);
Stmt make_store(const Symbol& buffer, std::vector<Expr> indices, Expr value,
                StoreOp op = StoreOp::Assign, BlockRef block = {}, support::Place p = {});
Stmt make_call(support::Ref<const Proc> callee, std::vector<Expr> args, support::Place p = {});
Stmt make_window_stmt(const Symbol& sym, Expr window, support::Place p = {});
Stmt make_check(Expr cond, int code, std::string message, support::Place p = {});
Stmt make_pass(support::Place p = {});

// A changed copy: `edit` gets a fresh node with the fields of `s`, the same id and place.
// Example: edited<For>(s, [&](For& f) { f.loop = LoopKind::Parallel; })
template <class T, class F>
Stmt edited(const Stmt& s, F&& edit) {
  const T* old = s.as<T>();
  HOCKET_ASSERT(old, "edited<T> on a statement of another kind");
  auto copy = support::Ref<T>(new T(*old));
  edit(*copy);
  return Stmt(support::Ref<const StmtNode>(copy.get()));
}

// A new identity for cursors (ids never reach any output).
uint64_t fresh_stmt_id();

}  // namespace hocket::ir
