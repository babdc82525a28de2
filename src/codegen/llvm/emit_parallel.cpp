// Parallel loops: the body becomes a task function, what it uses from around it a closure struct.
#include <llvm/IR/Constants.h>

#include "codegen/common/captures.h"
#include "codegen/llvm/emitter.h"
#include "support/assert.h"

namespace hocket::codegen {

void FunctionEmitter::parallel_loop(const ir::For& loop) {
  llvm::Value* lo = root(loop.lo);
  llvm::Value* hi = root(loop.hi);
  facts_.learn_loop(loop);
  const Captures captures = captures_of(loop.body, loop.var);

  // Fields in order: values, buffer pointers, strides of windows. Constants need no field.
  std::vector<llvm::Value*> fields;
  std::vector<llvm::Type*> types;
  const auto field = [&](llvm::Value* v) {
    if (llvm::isa<llvm::Constant>(v)) return;
    fields.push_back(v);
    types.push_back(v->getType());
  };
  for (const ir::Symbol& s : captures.values) field(values_.at(s));
  for (const ir::Symbol& s : captures.buffers) {
    const BufferValue& buffer = buffers_.at(s);
    field(buffer.pointer);
  }
  for (const ir::Symbol& s : captures.stride_owners) {
    for (llvm::Value* stride : buffers_.at(s).strides) field(stride);
  }
  llvm::StructType* closure_type = llvm::StructType::get(m_.context(), types);
  llvm::BasicBlock& entry = f_->getEntryBlock();
  llvm::AllocaInst* closure =
      Builder(&entry, entry.begin()).CreateAlloca(closure_type, nullptr, "closure");
  for (unsigned i = 0; i < fields.size(); ++i) {
    b_.CreateStore(fields[i], b_.CreateStructGEP(closure_type, closure, i));
  }

  llvm::Type* pointer = b_.getPtrTy();
  auto* task_type = llvm::FunctionType::get(b_.getInt32Ty(), {pointer, b_.getInt64Ty(), pointer},
                                            /*isVarArg=*/false);
  llvm::Function* function =
      m_.define(fail_name_ + "__task_" + loop.var.name(), task_type, /*external=*/false);
  function->getArg(0)->setName("context");
  function->getArg(1)->setName(loop.var.name());
  function->getArg(2)->setName("closure");
  function->addParamAttr(2, llvm::Attribute::NoAlias);
  function->addParamAttr(2, llvm::Attribute::ReadOnly);

  FunctionEmitter task(m_, function, proc_, facts_);
  task.set_context(function->getArg(0));
  task.set_fail_name(fail_name_);
  task.bind(loop.var, function->getArg(1));
  unsigned next = 0;
  const auto unpack = [&](llvm::Value* outside, const std::string& name) -> llvm::Value* {
    if (llvm::isa<llvm::Constant>(outside)) return outside;
    const unsigned i = next++;
    llvm::Value* at = task.b_.CreateStructGEP(closure_type, function->getArg(2), i);
    return task.b_.CreateLoad(types[i], at, name);
  };
  for (const ir::Symbol& s : captures.values) task.bind(s, unpack(values_.at(s), s.name()));
  for (const ir::Symbol& s : captures.buffers) {
    BufferValue buffer = buffers_.at(s);
    buffer.pointer = unpack(buffer.pointer, s.name());
    task.bind_buffer(s, buffer);
  }
  for (const ir::Symbol& s : captures.stride_owners) {
    for (llvm::Value*& stride : task.buffers_.at(s).strides) stride = unpack(stride, "stride");
  }
  task.body(loop.body);
  task.finish();

  llvm::FunctionCallee par_for =
      m_.runtime("hocket_do_par_for", b_.getInt32Ty(),
                 {pointer, pointer, b_.getInt64Ty(), b_.getInt64Ty(), pointer});
  llvm::Value* extent = b_.CreateBinaryIntrinsic(
      llvm::Intrinsic::smax, b_.CreateSub(hi, lo, "", false, true), b_.getInt64(0));
  llvm::Value* code = b_.CreateCall(par_for, {context_, function, lo, extent, closure});
  check(b_.CreateICmpEQ(code, b_.getInt32(0)), [&] { return code; });
}

}  // namespace hocket::codegen
