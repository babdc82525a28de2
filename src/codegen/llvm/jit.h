// Compiled code in this process. In: procs in flat form. Out: addresses that stay good as long as
// the JitModule lives. Runtime names are bound first, then the caller's own, then the process's
// symbols. Safe to use from several threads. Called by the driver (Callable) and tests.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "abi/hocket_abi.h"
#include "codegen/llvm/module.h"
#include "diag/result.h"
#include "ir/proc.h"

namespace hocket::codegen {

struct JitOptions : CodeOptions {
  // hocket_runtime_table's entries; the driver passes them, so that this room needs no runtime.
  std::vector<hocket_runtime_symbol_t> runtime;
  std::vector<std::pair<std::string, void*>> externs;
};

// The symbols of one pipeline (docs/abi.md).
struct PipelineSymbols {
  const hocket_metadata_t* metadata = nullptr;
  hocket_body_fn body = nullptr;
  hocket_regions_fn regions = nullptr;
  int32_t (*argv)(const hocket_context_t*, void* const*) = nullptr;
  void* entry = nullptr;
};

class JitModule {
 public:
  static diag::Result<JitModule> compile(const std::vector<ir::ProcRef>& procs,
                                         const JitOptions& options = {});
  // An object made by LlvmModule::object(), for example out of a cache.
  static diag::Result<JitModule> load(const std::string& object, const JitOptions& options = {});
  JitModule(JitModule&&) noexcept;
  JitModule& operator=(JitModule&&) noexcept;
  ~JitModule();

  // Null where there is no such symbol.
  void* find(std::string_view name) const;
  PipelineSymbols pipeline(const std::string& name) const;
  // A loop program's `name__argv`.
  int32_t (*program(const std::string& name) const)(const hocket_context_t*, void* const*);

  const CodeTimes& times() const;
  const std::string& object() const;

 private:
  struct Impl;
  explicit JitModule(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace hocket::codegen
