// Native code by LLVM: procs in flat form in, IR text, assembly or object out.
// One Module is one compile with an LLVM context of its own; several threads may each have one.
// Called by jit.h and the driver. Free of LLVM's headers.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "diag/result.h"
#include "ir/proc.h"
#include "target/target.h"

namespace hocket::codegen {

enum class Optimise {
  None,   // as emitted; for looking at it
  Lean,   // what flat form leaves to do: registers, common values, loop invariants
  Usual,  // Lean, with a second round of clean-up; the default
  Full,   // LLVM's whole -O3 pipeline with its vectorisers
};

struct CodeOptions {
  target::Target target = target::host();
  Optimise optimise = Optimise::Usual;
  bool verify = false;      // run LLVM's verifier on what was emitted (tests)
  bool keep_names = false;  // value names in IR text
};

// Milliseconds of each stage.
struct CodeTimes {
  double emit = 0, optimise = 0, codegen = 0, link = 0;
};

class LlvmModule {
 public:
  // Emits and optimises. Refuses a target that LLVM does not know.
  static diag::Result<LlvmModule> build(const std::vector<ir::ProcRef>& procs,
                                        const CodeOptions& options = {});
  LlvmModule(LlvmModule&&) noexcept;
  LlvmModule& operator=(LlvmModule&&) noexcept;
  ~LlvmModule();

  std::string ir_text() const;
  // Each consumes the module: code generation rewrites it.
  diag::Result<std::string> assembly() &&;
  diag::Result<std::string> object() &&;  // the bytes of a relocatable object, position independent

  const CodeTimes& times() const;

 private:
  struct Impl;
  explicit LlvmModule(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
  friend class JitModule;
};

}  // namespace hocket::codegen
