#include "codegen/common/exports.h"

#include <unordered_set>

#include "diag/kinds_codegen.h"

namespace hocket::codegen {

std::string exported_name(const ir::Proc& proc) {
  return proc.entry != nullptr && !proc.entry->pipeline.empty() ? proc.entry->pipeline
                                                                : proc.name();
}

diag::Result<void> check_exports(const std::vector<ir::ProcRef>& procs) {
  // What code generators call on their own, and what a program starts with.
  static const std::unordered_set<std::string> library = {
      "main",   "memcpy", "memset", "memmove",   "fma",        "fmaf", "sqrt",  "sqrtf", "floor",
      "floorf", "ceil",   "ceilf",  "trunc",     "truncf",     "rint", "rintf", "fabs",  "fabsf",
      "fmod",   "fmodf",  "ldexp",  "roundeven", "roundevenf", "free", "malloc"};
  std::unordered_set<std::string> seen;
  for (const ir::ProcRef& proc : procs) {
    const std::string name = exported_name(*proc);
    const char* why = library.contains(name)        ? "libc and libm have a function of this name"
                      : name.starts_with("hocket_") ? "names of the runtime start so"
                      : !seen.insert(name).second   ? "another program of the compile has this name"
                                                    : nullptr;
    if (why != nullptr) {
      return diag::Diagnostic(diag::kind::reserved_name, proc->place)
          .arg("name", name)
          .arg("why", why);
    }
  }
  return {};
}

}  // namespace hocket::codegen
