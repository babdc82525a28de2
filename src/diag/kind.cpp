#include "diag/kind.h"

#include <array>

#include "diag/kinds_check.h"
#include "diag/kinds_codegen.h"
#include "diag/kinds_driver.h"
#include "diag/kinds_image.h"
#include "diag/kinds_lower.h"
#include "diag/kinds_parse.h"
#include "diag/kinds_rewrite.h"
#include "diag/kinds_runtime.h"
#include "diag/kinds_schedule.h"
#include "diag/kinds_target.h"
#include "diag/kinds_verify.h"

namespace hocket::diag {

namespace {

constexpr Kind kKinds[] = {
#define HOCKET_KIND(code, name, severity, category, message, why) kind::name,
#include "diag/kinds.def"
#undef HOCKET_KIND
};

}  // namespace

std::span<const Kind> all_kinds() {
  return kKinds;
}

const KindInfo* find_kind(std::string_view code) {
  for (Kind kind : kKinds) {
    if (kind->code == code) return &kind.info();
  }
  return nullptr;
}

std::string_view spoken(Severity severity) {
  constexpr std::array<std::string_view, 3> words = {"error", "warning", "note"};
  return words[static_cast<std::size_t>(severity)];
}

std::string_view spoken(Category category) {
  constexpr std::array<std::string_view, 5> words = {"malformed", "refuted", "unknown", "runtime",
                                                     "internal"};
  return words[static_cast<std::size_t>(category)];
}

}  // namespace hocket::diag
