#include "codegen/c/source.h"

#include <algorithm>

#include "codegen/c/entry.h"
#include "codegen/c/templates.h"
#include "codegen/common/exports.h"
#include "support/assert.h"

namespace hocket::codegen {

namespace {

// No compiler may fuse a multiply and an add on its own (docs/language.md, Expressions). The rest
// are warnings of what a program means, or of what a compiler cannot know. Text without their cause
// was looked for:
//   psabi               vectors wider than the registers of the machine that compiles
//   tautological-compare, type-limits
//                       comparisons that their types or both sides decide (`A[0] < A[0]`, a clamp
//                       of u8 to 255): folding them by hand would need the compiler's own folding,
//                       which sees through casts and inlined helpers
//   sign-compare        gcc makes a complement of `-1 ^ x` by itself and warns of that
//   self-assign         `x = x`, as written; left out, `x` could be unused, another warning
//   array-bounds, stringop-overread, stringop-overflow, maybe-uninitialized,
//   aggressive-loop-optimizations
//                       elements and whole vectors in loops that never run, because a constant
//                       range is empty or the entry refuses the sizes; gcc finds them after
//                       inlining
const char* const kPragmas = R"(#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#pragma clang diagnostic ignored "-Wpsabi"
#pragma clang diagnostic ignored "-Wtautological-compare"
#pragma clang diagnostic ignored "-Wself-assign"
#pragma clang diagnostic ignored "-Warray-bounds"
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off")
#pragma GCC diagnostic ignored "-Wpsabi"
#pragma GCC diagnostic ignored "-Wtype-limits"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wtautological-compare"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Warray-bounds"
#pragma GCC diagnostic ignored "-Wstringop-overread"
#pragma GCC diagnostic ignored "-Wstringop-overflow"
#pragma GCC diagnostic ignored "-Waggressive-loop-optimizations"
#endif
)";

}  // namespace

diag::Result<std::string> c_source(const std::vector<ir::ProcRef>& procs, const COptions& options) {
  HOCKET_CHECK(check_exports(procs, Exported::Text));
  CFile file;
  CCallees callees;
  for (const ir::ProcRef& proc : procs) {
    file.functions.push_back(exported_name(*proc));
    add_template_words(*proc, file.foreign);
  }
  std::string functions;
  std::string names;
  for (const ir::ProcRef& proc : procs) {
    HOCKET_ASSERT(proc->entry == nullptr || proc->form == ir::Form::Flat,
                  "C text of a pipeline that is not in flat form: " + proc->name());
    const std::string text =
        proc->entry != nullptr ? c_pipeline(file, *proc, options) : c_program(file, *proc, callees);
    if (callees.refusal.has_value()) return *callees.refusal;
    for (const std::string& d : file.definitions) functions += d + '\n';
    file.definitions.clear();
    functions += text;
    if (proc != procs.back()) functions += '\n';
    names += (names.empty() ? "" : ", ") + exported_name(*proc);
  }
  std::string all = "/* " + names + ": made by Hocket; compile as C11 with gcc or clang. */\n";
  all += kPragmas;
  all += "\n#include <math.h>\n#include <stdbool.h>\n#include <stdint.h>\n#include <string.h>\n";
  for (const std::string& line : file.includes) all += line + '\n';
  all += "\n#include \"" + options.abi_header + "\"\n\n";
  if (!file.helpers.prelude().empty()) {
    all +=
        "#define HK_FUNCTION static inline __attribute__((unused))\n"
        "#define HK_VECTOR static inline __attribute__((always_inline, unused))\n" +
        file.helpers.prelude() + '\n';
  }
  return all + functions;
}

}  // namespace hocket::codegen
