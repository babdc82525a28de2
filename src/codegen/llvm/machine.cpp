#include "codegen/llvm/machine.h"

#include <llvm/ADT/StringMap.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/Triple.h>

#include <mutex>
#include <unordered_map>
#include <vector>

#include "codegen/llvm/module.h"
#include "diag/kinds_codegen.h"

namespace hocket::codegen {

namespace {

struct Pool {
  std::mutex mutex;
  std::unordered_map<std::string, std::vector<std::unique_ptr<llvm::TargetMachine>>> idle;
};

Pool& pool() {
  static Pool* const p = new Pool;  // outlives every static that may still compile
  return *p;
}

void initialise(target::Arch arch) {
  if (arch == target::Arch::X86_64) {
    static const bool done = [] {
      LLVMInitializeX86TargetInfo();
      LLVMInitializeX86Target();
      LLVMInitializeX86TargetMC();
      LLVMInitializeX86AsmPrinter();
      return true;
    }();
    (void)done;
  } else {
    static const bool done = [] {
      LLVMInitializeAArch64TargetInfo();
      LLVMInitializeAArch64Target();
      LLVMInitializeAArch64TargetMC();
      LLVMInitializeAArch64AsmPrinter();
      return true;
    }();
    (void)done;
  }
}

std::string llvm_triple(const target::Target& target) {
  return target.arch == target::Arch::X86_64 ? "x86_64-unknown-linux-gnu"
                                             : "aarch64-unknown-linux-gnu";
}

// A named processor brings features of its own; those that the target lacks are taken away.
std::string llvm_features(const target::Target& target) {
  std::string text;
  for (const target::FeatureInfo& f : target::all_features()) {
    if (f.arch != target.arch) continue;
    const bool has = target.has(f.feature);
    if (!has && target.cpu.empty()) continue;
    if (!text.empty()) text += ',';
    text += has ? '+' : '-';
    text += f.llvm_name;
  }
  return text;
}

}  // namespace

diag::Result<LentMachine> LentMachine::lend(const target::Target& target, bool optimised) {
  const std::string triple = llvm_triple(target);
  const std::string features = llvm_features(target);
  const std::string key = triple + '|' + target.cpu + '|' + features + (optimised ? "|o" : "|n");
  {
    const std::lock_guard lock(pool().mutex);
    auto& idle = pool().idle[key];
    if (!idle.empty()) {
      std::unique_ptr<llvm::TargetMachine> machine = std::move(idle.back());
      idle.pop_back();
      return LentMachine(key, std::move(machine));
    }
  }
  initialise(target.arch);
  std::string error;
  const llvm::Triple parsed(triple);
  const llvm::Target* found = llvm::TargetRegistry::lookupTarget(parsed, error);
  if (found == nullptr) {
    return diag::Diagnostic(diag::kind::unknown_machine).arg("machine", triple).arg("why", error);
  }
  const std::string cpu = !target.cpu.empty()                   ? target.cpu
                          : target.arch == target::Arch::X86_64 ? "x86-64"
                                                                : "generic";
  std::unique_ptr<llvm::MCSubtargetInfo> info(found->createMCSubtargetInfo(parsed, "", ""));
  if (info == nullptr || !info->isCPUStringValid(cpu)) {
    return diag::Diagnostic(diag::kind::unknown_machine)
        .arg("machine", cpu)
        .arg("why", "no processor of this name for " + triple);
  }
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  options.NoTrappingFPMath = true;
  std::unique_ptr<llvm::TargetMachine> machine(found->createTargetMachine(
      parsed, cpu, features, options, llvm::Reloc::PIC_, llvm::CodeModel::Small,
      optimised ? llvm::CodeGenOptLevel::Default : llvm::CodeGenOptLevel::None));
  return LentMachine(key, std::move(machine));
}

diag::Result<void> check_runs_here(const target::Target& target) {
  if (target::same_code(target, target::host())) return {};
  const auto refuse = [&](std::string why) {
    return diag::Diagnostic(diag::kind::not_this_machine)
        .arg("target", target.to_string())
        .arg("why", std::move(why));
  };
  if (target.arch != target::host().arch) return refuse("it is another architecture");
  HOCKET_TRY(LentMachine machine, LentMachine::lend(target, true));
  // A named processor has more features than a target lists.
  static const llvm::StringMap<bool> here = llvm::sys::getHostCPUFeatures();
  for (const llvm::SubtargetFeatureKV& f :
       machine->getMCSubtargetInfo()->getEnabledProcessorFeatures()) {
    const auto at = here.find(f.Key);
    if (at != here.end() && !at->second) return refuse("it has no `" + std::string(f.Key) + "`");
  }
  return {};
}

LentMachine::~LentMachine() {
  if (machine_ == nullptr) return;
  const std::lock_guard lock(pool().mutex);
  pool().idle[key_].push_back(std::move(machine_));
}

}  // namespace hocket::codegen
