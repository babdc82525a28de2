// The walk from flat form to LLVM IR: what a module and a function under construction hold.
// In: procs in flat form. Out: functions in an llvm::Module. ModuleEmitter holds what is shared
// (runtime functions, strings, alias scopes); FunctionEmitter emits one LLVM function: a proc's
// body or the task of a parallel loop. Called by module.cpp; entry_pipeline.cpp and
// entry_program.cpp write the functions that callers see (docs/abi.md).
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>

#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "codegen/common/facts.h"
#include "codegen/common/layout.h"
#include "codegen/llvm/arith.h"
#include "ir/proc.h"
#include "target/target.h"

namespace hocket::codegen {

// A buffer in scope: where it lies and what is known of it.
struct BufferValue {
  llvm::Value* pointer = nullptr;
  ir::Type element;
  bool on_stack = false;
  std::vector<llvm::Value*> strides;  // of windows: outermost first
  llvm::MDNode* scope = nullptr;      // its own alias scope
};

class ModuleEmitter {
 public:
  ModuleEmitter(llvm::Module& module, const target::Target& target);

  void emit(const ir::Proc& proc);

  llvm::Module& module() { return module_; }
  llvm::LLVMContext& context() { return module_.getContext(); }
  const target::Target& target() const { return target_; }

  // A function of the runtime or libc, declared on first use.
  llvm::FunctionCallee runtime(const char* name, llvm::Type* result,
                               std::vector<llvm::Type*> parameters);
  llvm::Function* define(const std::string& name, llvm::FunctionType* type, bool external);
  llvm::Constant* string(const std::string& text);
  // A constant hocket_error_t with code, pipeline and text.
  llvm::Constant* error_record(int code, const std::string& pipeline, const std::string& text);

  // Scopes of the buffers of the proc being emitted; each buffer has memory of its own.
  void start_scopes();
  llvm::MDNode* new_scope();
  llvm::MDNode* scope_list(llvm::MDNode* scope);  // {scope}
  llvm::MDNode* other_scopes(llvm::MDNode* scope);

 private:
  llvm::Module& module_;
  const target::Target& target_;
  std::unordered_map<std::string, llvm::Constant*> strings_;
  llvm::MDNode* domain_ = nullptr;
  std::vector<llvm::MDNode*> scopes_;
  struct ScopeLists {
    llvm::MDNode* own = nullptr;
    llvm::MDNode* others = nullptr;
    size_t known = 0;  // scopes that existed when `others` was made
  };
  std::unordered_map<llvm::MDNode*, ScopeLists> scope_lists_;
};

class FunctionEmitter {
 public:
  FunctionEmitter(ModuleEmitter& module, llvm::Function* function, const ir::Proc& proc,
                  Facts& facts);

  Builder& builder() { return b_; }
  Arith& arith() { return arith_; }
  Facts& facts() { return facts_; }
  void bind(const ir::Symbol& symbol, llvm::Value* value) { values_[symbol] = value; }
  void bind_buffer(const ir::Symbol& symbol, BufferValue buffer) { buffers_[symbol] = buffer; }
  void set_context(llvm::Value* context) { context_ = context; }
  llvm::Value* context() const { return context_; }
  void set_fail_name(std::string name) { fail_name_ = std::move(name); }

  // emit_expr.cpp
  llvm::Value* expr(const ir::Expr& e);
  // One expression on its own: nothing of it is shared with the next one.
  llvm::Value* root(const ir::Expr& e);

  // emit_stmt.cpp
  void body(const ir::Body& body);
  // Leaves the function with `code` unless cond holds; what was taken from the heap is freed.
  void check(llvm::Value* cond, const std::function<llvm::Value*()>& code);
  llvm::Value* fail_code(int code, const std::string& message);
  // Ends the function with success.
  void finish();

 private:
  // emit_expr.cpp
  llvm::Value* compute(const ir::Expr& e);
  llvm::Value* binary(const ir::Binary& e);
  llvm::Value* select(const ir::Select& e);
  llvm::Value* cast(const ir::Cast& e);
  llvm::Value* shuffle(const ir::Shuffle& e);
  llvm::Value* ramp(ir::Type t, llvm::Value* base, llvm::Value* stride);
  llvm::Value* narrow_index(const ir::Expr& e, ir::Type to);
  llvm::Value* prefix_mask(const ir::Binary& e);
  llvm::Value* splat(llvm::Value* v, int lanes);

  // emit_memory.cpp
  struct Access {
    BufferValue buffer;
    ir::Type type;
    const ir::Expr* index;
    llvm::Value* predicate;  // null: all lanes
    int64_t align;
    bool stream = false;
  };
  llvm::Value* load(const ir::Load& e);
  llvm::Value* load_access(const Access& a);
  llvm::Value* load_strided(const Access& a, const ir::Expr& base, int64_t stride);
  llvm::Value* gather(const Access& a);
  void store_access(const Access& a, llvm::Value* value);
  void store_dense(const Access& a, llvm::Value* value);
  void store_streaming(const Access& a, llvm::Value* value, llvm::Value* address);
  void scatter(const Access& a, llvm::Value* value);
  llvm::Value* from_memory(ir::Type t, llvm::Value* v);
  llvm::Value* to_memory(ir::Type t, llvm::Value* v);
  llvm::Align alignment(const Access& a, bool vector) const;
  template <class I>
  I* tagged(I* instruction, const BufferValue& buffer);

  // emit_address.cpp
  struct Sum;
  llvm::Value* address(const Access& a, const ir::Expr& index, int64_t offset = 0);
  // Of an index computed already; a vector of addresses for a vector of indices.
  llvm::Value* element_address(const Access& a, llvm::Value* index);
  void collect(const ir::Expr& e, uint64_t factor, Sum& sum);
  void bind_let(const ir::Let& let);
  int depth_of(const ir::Expr& e) const;

  // emit_size.cpp
  llvm::Value* size_of(const ir::Expr& e);

  // emit_stmt.cpp
  void stmt(const ir::Stmt& s);
  void for_loop(const ir::For& loop);
  void if_else(const ir::If& s);
  void alloc(const ir::Alloc& s);
  void release(const ir::Symbol& buffer);
  void store(const ir::Store& s);
  llvm::Value* stored_value(const ir::Store& s, const Access& a);
  llvm::BasicBlock* cleanup_block();
  llvm::BasicBlock* block(const char* name);

  // emit_parallel.cpp
  void parallel_loop(const ir::For& loop);

  struct Held {  // a heap block that has to be freed
    ir::Symbol buffer;
    llvm::Value* pointer;
  };

  ModuleEmitter& m_;
  llvm::Function* f_;
  const ir::Proc& proc_;
  Facts& facts_;
  Builder b_;
  Arith arith_;
  llvm::Value* context_ = nullptr;
  std::string fail_name_;
  std::unordered_map<ir::Symbol, llvm::Value*> values_;
  std::unordered_map<ir::Symbol, BufferValue> buffers_;
  // Values of the expression nodes of the root at hand (shared graphs cost their nodes).
  std::unordered_map<const ir::ExprNode*, llvm::Value*> memo_;
  // Loops around the definition of a symbol in this function, and sums that lets stand for.
  std::unordered_map<ir::Symbol, int> depths_;
  std::unordered_map<ir::Symbol, ir::Expr> let_sums_;
  int depth_ = 0;
  std::vector<Held> held_;
  std::map<std::vector<llvm::Value*>, llvm::BasicBlock*> cleanups_;
  llvm::AllocaInst* result_ = nullptr;  // the code on the way out
  bool streams_ = false;                // a non-temporal store was emitted: fence at the end
  bool freeze_loads_ = false;
};

}  // namespace hocket::codegen
