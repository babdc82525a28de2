// What a LlvmModule holds; shared by module.cpp and jit.cpp alone.
#pragma once

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <memory>
#include <string>

#include "codegen/llvm/machine.h"
#include "codegen/llvm/module.h"

namespace hocket::codegen {

struct LlvmModule::Impl {
  explicit Impl(LentMachine lent) : machine(std::move(lent)) {}

  // The assembly text or the object's bytes; the module is spent afterwards.
  std::string generate(bool text);

  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
  LentMachine machine;
  CodeTimes times;
};

}  // namespace hocket::codegen
