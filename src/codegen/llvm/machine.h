// LLVM's target machines, kept for reuse: making one costs more than emitting a small object.
// In: a target and a code generation level. Out: a machine lent to one compile at a time. Called by
// module.cpp.
#pragma once

#include <llvm/Target/TargetMachine.h>

#include <memory>

#include "diag/result.h"
#include "target/target.h"

namespace hocket::codegen {

class LentMachine {
 public:
  static diag::Result<LentMachine> lend(const target::Target& target, bool optimised);
  LentMachine(LentMachine&& other) noexcept = default;
  LentMachine& operator=(LentMachine&&) = delete;
  ~LentMachine();

  llvm::TargetMachine& operator*() const { return *machine_; }
  llvm::TargetMachine* operator->() const { return machine_.get(); }

 private:
  LentMachine(std::string key, std::unique_ptr<llvm::TargetMachine> machine)
      : key_(std::move(key)), machine_(std::move(machine)) {}
  std::string key_;
  std::unique_ptr<llvm::TargetMachine> machine_;
};

// Refuses code that the machine of this process cannot run (G0005): of another architecture, or
// with instructions that it lacks.
diag::Result<void> check_runs_here(const target::Target& target);

}  // namespace hocket::codegen
