#include "codegen/common/exports.h"

#include <unordered_set>

#include "codegen/common/header_names.h"
#include "codegen/common/words.h"
#include "diag/kinds_codegen.h"

namespace hocket::codegen {

std::string exported_name(const ir::Proc& proc) {
  return proc.entry != nullptr && !proc.entry->pipeline.empty() ? proc.entry->pipeline
                                                                : proc.name();
}

namespace {

// What code generators call on their own, and what a program starts with.
bool is_bound(const std::string& name) {
  static const std::unordered_set<std::string> names = {
      "main",   "memcpy", "memset", "memmove",   "fma",        "fmaf", "sqrt",  "sqrtf", "floor",
      "floorf", "ceil",   "ceilf",  "trunc",     "truncf",     "rint", "rintf", "fabs",  "fabsf",
      "fmod",   "fmodf",  "ldexp",  "roundeven", "roundevenf", "free", "malloc"};
  return names.contains(name);
}

// Why the name cannot be exported; null where it can.
const char* taken(const std::string& name, Exported where) {
  if (!is_c_identifier(name)) return "it is no identifier of C";
  if (is_keyword(name)) return "it is a keyword of C or C++";
  const bool shipped = where != Exported::Inside;
  if (is_bound(name) || (shipped && is_library_function(name)))
    return "libc and libm have a function of this name";
  if (name.starts_with("hocket_")) return "names of the runtime start so";
  if (name.starts_with("__")) return "names of compilers start so";
  if (shipped && is_header_name(name))
    return "a header of C or a compiler has a macro or type of this name";
  if (shipped && name.starts_with("_")) return "names of compilers and linkers start so";
  if (where == Exported::Text && name.starts_with("hk_")) return "helpers of C text start so";
  return nullptr;
}

}  // namespace

diag::Result<void> check_exports(const std::vector<ir::ProcRef>& procs, Exported where) {
  std::unordered_set<std::string> seen;
  for (const ir::ProcRef& proc : procs) {
    const std::string name = exported_name(*proc);
    const char* why = taken(name, where);
    if (why == nullptr && !seen.insert(name).second)
      why = "another program of the compile has this name";
    if (why != nullptr) {
      return diag::Diagnostic(diag::kind::reserved_name, proc->place)
          .arg("name", name)
          .arg("why", why);
    }
  }
  return {};
}

}  // namespace hocket::codegen
