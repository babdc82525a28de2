// LLVM's passes, chosen for what flat form leaves to do. Called by module.cpp.
#pragma once

#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include "codegen/llvm/module.h"

namespace hocket::codegen {

void optimise(llvm::Module& module, llvm::TargetMachine& machine, Optimise level);

}  // namespace hocket::codegen
