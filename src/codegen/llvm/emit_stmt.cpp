// Statements of flat form: loops, branches, heap and stack memory, checks and the ways out.
#include <llvm/IR/Constants.h>
#include <llvm/IR/IntrinsicsX86.h>

#include "abi/hocket_abi.h"
#include "codegen/common/captures.h"
#include "codegen/common/exports.h"
#include "codegen/llvm/emitter.h"
#include "support/assert.h"

namespace hocket::codegen {

FunctionEmitter::FunctionEmitter(ModuleEmitter& module, llvm::Function* function,
                                 const ir::Proc& proc, Facts& facts)
    : m_(module), f_(function), proc_(proc), facts_(facts), b_(module.context()), arith_(b_) {
  b_.SetInsertPoint(llvm::BasicBlock::Create(m_.context(), "entry", f_));
  fail_name_ = exported_name(proc);
  freeze_loads_ = has_data_dependent_address(proc.body);
}

llvm::BasicBlock* FunctionEmitter::block(const char* name) {
  return llvm::BasicBlock::Create(m_.context(), name, f_);
}

void FunctionEmitter::body(const ir::Body& body) {
  const size_t held = held_.size();
  std::vector<ir::Symbol> here;
  for (const ir::Stmt& s : body) {
    stmt(s);
    if (const auto* a = s.as<ir::Alloc>()) here.push_back(a->buffer);
  }
  // Memory without an explicit Free ends with its list.
  for (auto at = here.rbegin(); at != here.rend() && held_.size() > held; ++at) release(*at);
}

void FunctionEmitter::stmt(const ir::Stmt& s) {
  switch (s.kind()) {
    case ir::StmtKind::For: {
      const auto* loop = s.as<ir::For>();
      HOCKET_ASSERT(loop->loop != ir::LoopKind::Vectorized && loop->loop != ir::LoopKind::Unrolled,
                    "a loop that is not in flat form: " + loop->var.name());
      return loop->loop == ir::LoopKind::Parallel ? parallel_loop(*loop) : for_loop(*loop);
    }
    case ir::StmtKind::If:
      return if_else(*s.as<ir::If>());
    case ir::StmtKind::Let:
      return bind_let(*s.as<ir::Let>());
    case ir::StmtKind::Alloc:
      return alloc(*s.as<ir::Alloc>());
    case ir::StmtKind::Free:
      return release(s.as<ir::Free>()->buffer);
    case ir::StmtKind::Store:
      return store(*s.as<ir::Store>());
    case ir::StmtKind::Check: {
      const auto* c = s.as<ir::Check>();
      return check(root(c->cond), [&] { return fail_code(c->code, c->message); });
    }
    case ir::StmtKind::Pass:
      return;
    case ir::StmtKind::Call:
    case ir::StmtKind::WindowStmt:
      break;
  }
  HOCKET_UNREACHABLE("a statement that is not in flat form");
}

// Rotated: a guard before it, the test at its end. The preheader dominates the body.
void FunctionEmitter::for_loop(const ir::For& loop) {
  llvm::Value* lo = root(loop.lo);
  llvm::Value* hi = root(loop.hi);
  facts_.learn_loop(loop);
  const Interval span_lo = facts_.of(loop.lo), span_hi = facts_.of(loop.hi);
  const bool runs = span_lo.max < span_hi.min;
  llvm::BasicBlock* start = block("loop.start");
  llvm::BasicBlock* top = block("loop");
  llvm::BasicBlock* end = block("loop.end");
  if (runs) {
    b_.CreateBr(start);
  } else {
    b_.CreateCondBr(b_.CreateICmpSLT(lo, hi), start, end);
  }
  b_.SetInsertPoint(start);
  b_.CreateBr(top);
  b_.SetInsertPoint(top);
  llvm::PHINode* i = b_.CreatePHI(b_.getInt64Ty(), 2, loop.var.name());
  i->addIncoming(lo, start);
  values_[loop.var] = i;
  depths_[loop.var] = ++depth_;
  body(loop.body);
  --depth_;
  llvm::Value* next = b_.CreateAdd(i, b_.getInt64(1), "", /*HasNUW=*/false, /*HasNSW=*/true);
  i->addIncoming(next, b_.GetInsertBlock());
  b_.CreateCondBr(b_.CreateICmpSLT(next, hi), top, end);
  b_.SetInsertPoint(end);
}

void FunctionEmitter::if_else(const ir::If& s) {
  llvm::Value* cond = root(s.cond);
  if (const auto* c = llvm::dyn_cast<llvm::ConstantInt>(cond)) {
    return body(c->isOne() ? s.then_body : s.else_body);
  }
  llvm::BasicBlock* then_block = block("if.then");
  llvm::BasicBlock* else_block = s.else_body.empty() ? nullptr : block("if.else");
  llvm::BasicBlock* end = block("if.end");
  b_.CreateCondBr(cond, then_block, else_block != nullptr ? else_block : end);
  b_.SetInsertPoint(then_block);
  body(s.then_body);
  b_.CreateBr(end);
  if (else_block != nullptr) {
    b_.SetInsertPoint(else_block);
    body(s.else_body);
    b_.CreateBr(end);
  }
  b_.SetInsertPoint(end);
}

void FunctionEmitter::alloc(const ir::Alloc& s) {
  const ir::Type element = s.buffer.type();
  HOCKET_ASSERT(s.shape.size() <= 1, "an allocation that is not in flat form: " + s.buffer.name());
  BufferValue buffer;
  buffer.element = element;
  buffer.scope = m_.new_scope();
  int64_t extent = 1;
  const bool constant = s.shape.empty() || ir::is_int(s.shape[0], &extent);
  if (constant && s.memory != "heap") {
    llvm::Type* t = llvm::ArrayType::get(arith_.memory_type(element),
                                         static_cast<uint64_t>(std::max<int64_t>(extent, 1)));
    llvm::BasicBlock& entry = f_->getEntryBlock();
    Builder at_entry(&entry, entry.begin());
    llvm::AllocaInst* memory = at_entry.CreateAlloca(t, nullptr, s.buffer.name());
    memory->setAlignment(llvm::Align(64));
    buffer.pointer = memory;
    buffer.on_stack = true;
    buffers_[s.buffer] = buffer;
    return;
  }
  // At least one element, and at most as many as 63 bits of bytes hold.
  llvm::Value* n = s.shape.empty() ? b_.getInt64(1) : size_of(s.shape[0]);
  const Interval known = s.shape.empty() ? Interval{1, 1} : facts_.of(s.shape[0]);
  const int64_t most = INT64_MAX / element.bytes();
  if (!known.positive()) {
    n = b_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, n, b_.getInt64(1));
  }
  if (known.max > most) {
    n = b_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, n,
                                 b_.getInt64(static_cast<uint64_t>(most)));
  }
  llvm::Value* bytes = b_.CreateMul(n, b_.getInt64(static_cast<uint64_t>(element.bytes())), "",
                                    /*HasNUW=*/true, /*HasNSW=*/true);
  llvm::Type* pointer = b_.getPtrTy();
  llvm::FunctionCallee malloc = m_.runtime("hocket_malloc", pointer, {pointer, b_.getInt64Ty()});
  llvm::CallInst* memory = b_.CreateCall(malloc, {context_, bytes}, s.buffer.name());
  memory->addRetAttr(llvm::Attribute::NoAlias);
  memory->addRetAttr(
      llvm::Attribute::getWithAlignment(m_.context(), llvm::Align(HOCKET_MALLOC_ALIGNMENT)));
  check(b_.CreateICmpNE(memory, llvm::ConstantPointerNull::get(b_.getPtrTy())), [&] {
    llvm::FunctionCallee fail = m_.runtime("hocket_fail_memory", b_.getInt32Ty(),
                                           {pointer, pointer, pointer, b_.getInt64Ty()});
    return b_.CreateCall(fail,
                         {context_, m_.string(fail_name_), m_.string(s.buffer.name()), bytes});
  });
  buffer.pointer = memory;
  buffers_[s.buffer] = buffer;
  held_.push_back({s.buffer, memory});
}

void FunctionEmitter::release(const ir::Symbol& buffer) {
  for (size_t i = held_.size(); i-- > 0;) {
    if (!(held_[i].buffer == buffer)) continue;
    llvm::Type* pointer = b_.getPtrTy();
    b_.CreateCall(m_.runtime("hocket_free", b_.getVoidTy(), {pointer, pointer}),
                  {context_, held_[i].pointer});
    held_.erase(held_.begin() + static_cast<std::ptrdiff_t>(i));
    return;
  }
}

void FunctionEmitter::check(llvm::Value* cond, const std::function<llvm::Value*()>& code) {
  if (const auto* c = llvm::dyn_cast<llvm::ConstantInt>(cond); c != nullptr && c->isOne()) return;
  llvm::BasicBlock* ok = block("check.ok");
  llvm::BasicBlock* fail = block("check.fail");
  llvm::MDBuilder weights(m_.context());
  b_.CreateCondBr(cond, ok, fail, weights.createBranchWeights(1 << 20, 1));
  b_.SetInsertPoint(fail);
  llvm::Value* result = code();
  llvm::BasicBlock* out = cleanup_block();
  b_.CreateStore(result, result_);
  b_.CreateBr(out);
  b_.SetInsertPoint(ok);
}

llvm::Value* FunctionEmitter::fail_code(int code, const std::string& message) {
  llvm::Type* pointer = b_.getPtrTy();
  if (code == HOCKET_ERROR_USER_CHECK_FAILED) {
    return b_.CreateCall(
        m_.runtime("hocket_fail_check", b_.getInt32Ty(), {pointer, pointer, pointer}),
        {context_, m_.string(fail_name_), m_.string(message)});
  }
  return b_.CreateCall(m_.runtime("hocket_fail", b_.getInt32Ty(), {pointer, pointer}),
                       {context_, m_.error_record(code, fail_name_, message)});
}

// The block that frees what is held now, last taken first, and returns the code in `result_`.
llvm::BasicBlock* FunctionEmitter::cleanup_block() {
  if (result_ == nullptr) {
    llvm::BasicBlock& entry = f_->getEntryBlock();
    result_ = Builder(&entry, entry.begin()).CreateAlloca(b_.getInt32Ty(), nullptr, "code");
  }
  const llvm::IRBuilderBase::InsertPointGuard guard(b_);
  std::vector<llvm::Value*> held;
  for (const Held& h : held_) held.push_back(h.pointer);
  llvm::BasicBlock* first = nullptr;
  llvm::BranchInst* open = nullptr;  // the branch of the block before, whose target is made now
  for (;;) {
    llvm::BasicBlock*& known = cleanups_[held];
    const bool fresh = known == nullptr;
    if (fresh) known = block("cleanup");
    if (first == nullptr) first = known;
    if (open != nullptr) open->setSuccessor(0, known);
    if (!fresh) return first;
    b_.SetInsertPoint(known);
    if (held.empty()) {
      b_.CreateRet(b_.CreateLoad(b_.getInt32Ty(), result_));
      return first;
    }
    llvm::Type* pointer = b_.getPtrTy();
    b_.CreateCall(m_.runtime("hocket_free", b_.getVoidTy(), {pointer, pointer}),
                  {context_, held.back()});
    open = b_.CreateBr(known);
    held.pop_back();
  }
}

void FunctionEmitter::finish() {
  // Streamed stores become visible to other threads before the task is reported as done. The ways
  // out on errors need no fence: what they leave behind is not to be read.
  if (streams_ && m_.target().arch == target::Arch::X86_64) {
    b_.CreateIntrinsic(llvm::Intrinsic::x86_sse_sfence, llvm::ArrayRef<llvm::Type*>{},
                       llvm::ArrayRef<llvm::Value*>{});
  }
  b_.CreateRet(b_.getInt32(0));
}

}  // namespace hocket::codegen
