#include "codegen/llvm/module.h"

#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/TargetParser/Triple.h>

#include "codegen/common/exports.h"
#include "codegen/llvm/emitter.h"
#include "codegen/llvm/machine.h"
#include "codegen/llvm/module_impl.h"
#include "codegen/llvm/optimise.h"
#include "support/assert.h"
#include "support/timer.h"

namespace hocket::codegen {

LlvmModule::LlvmModule(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
LlvmModule::LlvmModule(LlvmModule&&) noexcept = default;
LlvmModule& LlvmModule::operator=(LlvmModule&&) noexcept = default;
LlvmModule::~LlvmModule() = default;

const CodeTimes& LlvmModule::times() const {
  return impl_->times;
}

diag::Result<LlvmModule> LlvmModule::build(const std::vector<ir::ProcRef>& procs,
                                           const CodeOptions& options) {
  support::Timer timer;
  HOCKET_CHECK(check_exports(procs, Exported::Inside));
  HOCKET_TRY(LentMachine machine,
             LentMachine::lend(options.target, options.optimise != Optimise::None));
  auto impl = std::make_unique<Impl>(std::move(machine));
  impl->context.setDiscardValueNames(!options.keep_names);
  impl->module = std::make_unique<llvm::Module>("hocket", impl->context);
  llvm::Module& module = *impl->module;
  module.setTargetTriple(impl->machine->getTargetTriple());
  module.setDataLayout(impl->machine->createDataLayout());
  module.setPICLevel(llvm::PICLevel::BigPIC);
  ModuleEmitter emitter(module, options.target);
  for (const ir::ProcRef& proc : procs) emitter.emit(*proc);
  if (options.verify) {
    std::string report;
    llvm::raw_string_ostream out(report);
    const bool broken = llvm::verifyModule(module, &out);
    HOCKET_ASSERT(!broken, "LLVM refuses the code emitted: " + report);
  }
  impl->times.emit = timer.milliseconds();
  timer.restart();
  optimise(module, *impl->machine, options.optimise);
  impl->times.optimise = timer.milliseconds();
  return LlvmModule(std::move(impl));
}

std::string LlvmModule::ir_text() const {
  std::string text;
  llvm::raw_string_ostream out(text);
  impl_->module->print(out, nullptr);
  return text;
}

std::string LlvmModule::Impl::generate(bool text) {
  support::Timer timer;
  llvm::SmallVector<char, 0> bytes;
  bytes.reserve(16 << 10);
  {
    llvm::raw_svector_ostream out(bytes);
    llvm::legacy::PassManager passes;
    const bool unable = machine->addPassesToEmitFile(
        passes, out, nullptr,
        text ? llvm::CodeGenFileType::AssemblyFile : llvm::CodeGenFileType::ObjectFile,
        /*DisableVerify=*/true);
    HOCKET_ASSERT(!unable, "LLVM cannot write this kind of file");
    passes.run(*module);
  }
  times.codegen = timer.milliseconds();
  return std::string(bytes.begin(), bytes.end());
}

diag::Result<std::string> LlvmModule::assembly() && {
  return impl_->generate(/*text=*/true);
}
diag::Result<std::string> LlvmModule::object() && {
  return impl_->generate(/*text=*/false);
}

}  // namespace hocket::codegen
