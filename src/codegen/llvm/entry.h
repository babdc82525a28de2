// The functions that callers see, as docs/abi.md lists them. In: a proc and its emitter. Out: body,
// regions, metadata, argv and C entry of a pipeline; entry and argv of a loop program. Called by
// ModuleEmitter::emit.
#pragma once

#include "codegen/llvm/emitter.h"

namespace hocket::codegen {

void emit_pipeline(ModuleEmitter& module, const ir::Proc& proc);
void emit_loop_program(ModuleEmitter& module, const ir::Proc& proc);

// The type of a by-value scalar in C, and how it is extended when it is passed.
llvm::Type* c_scalar_type(llvm::LLVMContext& context, ir::Type t);
void extend_scalar(llvm::Function* f, unsigned argument, ir::Type t);

}  // namespace hocket::codegen
