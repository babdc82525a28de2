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

diag::Result<void> check_exports(const std::vector<ir::ProcRef>& procs, bool as_text) {
  std::unordered_set<std::string> seen;
  for (const ir::ProcRef& proc : procs) {
    const std::string name = exported_name(*proc);
    const char* why =
        !is_c_identifier(name) ? "it is no identifier of C"
        : is_keyword(name)     ? "it is a keyword of C or C++"
        : is_header_name(name) ? "a header of C or a compiler has a macro or type of this name"
        : name == "main" || is_library_function(name) ? "libc and libm have a function of this name"
        : name.starts_with("hocket_") || name.starts_with("__") ? "names of the runtime start so"
        : as_text && name.starts_with("hk_")                    ? "helpers of C text start so"
        : !seen.insert(name).second ? "another program of the compile has this name"
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
