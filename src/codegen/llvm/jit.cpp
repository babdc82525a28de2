#include "codegen/llvm/jit.h"

#include <llvm/ExecutionEngine/Orc/AbsoluteSymbols.h>
#include <llvm/ExecutionEngine/Orc/ExecutionUtils.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/Support/MemoryBuffer.h>

#include <atomic>
#include <mutex>

#include "codegen/common/exports.h"
#include "codegen/llvm/machine.h"
#include "codegen/llvm/module_impl.h"
#include "diag/kinds_codegen.h"
#include "support/assert.h"
#include "support/timer.h"

namespace hocket::codegen {

namespace {

diag::Diagnostic cannot_link(llvm::Error error) {
  return diag::Diagnostic(diag::kind::cannot_link).arg("why", llvm::toString(std::move(error)));
}

// One session per process: it only links objects, so that a compile costs no set-up of its own.
// It is never torn down: code may still be running when statics are destroyed.
llvm::Expected<llvm::orc::LLJIT*> session() {
  static std::mutex mutex;
  static llvm::orc::LLJIT* jit = nullptr;
  const std::lock_guard lock(mutex);
  if (jit == nullptr) {
    // Brings LLVM's host target up.
    auto machine = LentMachine::lend(target::host(), true);
    if (!machine.ok()) {
      return llvm::createStringError(machine.error().message());
    }
    llvm::orc::JITTargetMachineBuilder builder((*machine)->getTargetTriple());
    builder.setRelocationModel(llvm::Reloc::PIC_);
    auto made = llvm::orc::LLJITBuilder()
                    .setJITTargetMachineBuilder(std::move(builder))
                    .setLinkProcessSymbolsByDefault(false)
                    .setPlatformSetUp(llvm::orc::setUpInactivePlatform)
                    .create();
    if (!made) return made.takeError();
    jit = made->release();
  }
  return jit;
}

}  // namespace

struct JitModule::Impl {
  llvm::orc::LLJIT* jit = nullptr;
  llvm::orc::JITDylib* dylib = nullptr;
  std::string object;
  CodeTimes times;

  ~Impl() {
    if (dylib != nullptr) {
      llvm::consumeError(jit->getExecutionSession().removeJITDylib(*dylib));
    }
  }

  llvm::Error link(const JitOptions& options) {
    auto made = session();
    if (!made) return made.takeError();
    jit = *made;
    static std::atomic<uint64_t> count{0};
    dylib = &jit->getExecutionSession().createBareJITDylib("hocket." + std::to_string(count++));
    llvm::orc::SymbolMap symbols;
    const auto define = [&](const std::string& name, void* address) {
      const llvm::orc::ExecutorSymbolDef def(llvm::orc::ExecutorAddr::fromPtr(address),
                                             llvm::JITSymbolFlags::Exported);
      symbols.try_emplace(jit->mangleAndIntern(name), def);  // the first definition stays
    };
    for (const hocket_runtime_symbol_t& s : options.runtime) define(s.name, s.address);
    for (const auto& [name, address] : options.externs) define(name, address);
    if (!symbols.empty()) {
      if (auto error = dylib->define(llvm::orc::absoluteSymbols(std::move(symbols)))) return error;
    }
    auto process = llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
        jit->getDataLayout().getGlobalPrefix());
    if (!process) return process.takeError();
    dylib->addGenerator(std::move(*process));
    return jit->addObjectFile(
        *dylib, llvm::MemoryBuffer::getMemBuffer(object, "hocket", /*RequiresNull=*/false));
  }

  llvm::Expected<void*> lookup(std::string_view name) {
    auto address = jit->lookup(*dylib, llvm::StringRef(name.data(), name.size()));
    if (!address) return address.takeError();
    return address->toPtr<void*>();
  }
};

JitModule::JitModule(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
JitModule::JitModule(JitModule&&) noexcept = default;
JitModule& JitModule::operator=(JitModule&&) noexcept = default;
JitModule::~JitModule() = default;

diag::Result<JitModule> JitModule::compile(const std::vector<ir::ProcRef>& procs,
                                           const JitOptions& options) {
  HOCKET_CHECK(check_runs_here(options.target));
  HOCKET_TRY(LlvmModule module, LlvmModule::build(procs, options));
  auto impl = std::make_unique<Impl>();
  impl->object = module.impl_->generate(/*text=*/false);
  impl->times = module.times();
  support::Timer timer;
  if (auto error = impl->link(options)) return cannot_link(std::move(error));
  // Resolves everything now, so that a missing name is reported here and not at the first call.
  for (const ir::ProcRef& proc : procs) {
    auto found = impl->lookup(exported_name(*proc));
    if (!found) return cannot_link(found.takeError());
  }
  impl->times.link = timer.milliseconds();
  return JitModule(std::move(impl));
}

diag::Result<JitModule> JitModule::load(const std::string& object, const JitOptions& options) {
  auto impl = std::make_unique<Impl>();
  impl->object = object;
  support::Timer timer;
  if (auto error = impl->link(options)) return cannot_link(std::move(error));
  impl->times.link = timer.milliseconds();
  return JitModule(std::move(impl));
}

void* JitModule::find(std::string_view name) const {
  auto found = impl_->lookup(name);
  if (!found) {
    llvm::consumeError(found.takeError());
    return nullptr;
  }
  return *found;
}

PipelineSymbols JitModule::pipeline(const std::string& name) const {
  PipelineSymbols s;
  s.metadata = static_cast<const hocket_metadata_t*>(find(name + "__metadata"));
  s.body = reinterpret_cast<hocket_body_fn>(find(name + "__body"));
  s.regions = reinterpret_cast<hocket_regions_fn>(find(name + "__regions"));
  s.argv =
      reinterpret_cast<int32_t (*)(const hocket_context_t*, void* const*)>(find(name + "__argv"));
  s.entry = find(name);
  return s;
}

int32_t (*JitModule::program(const std::string& name) const)(const hocket_context_t*,
                                                             void* const*) {
  return reinterpret_cast<int32_t (*)(const hocket_context_t*, void* const*)>(
      find(name + "__argv"));
}

const CodeTimes& JitModule::times() const {
  return impl_->times;
}
const std::string& JitModule::object() const {
  return impl_->object;
}

}  // namespace hocket::codegen
