// What a diagnostic is about, as data: code, severity, category, message template and reason.
// In: the lists kinds_<group>.def. Out: one constant per kind, `diag::kind::<name>`, declared by
// kinds_<group>.h, so that a new kind rebuilds only the files that use its group. Kinds are the
// same where their address is the same. Called by: every room that refuses something.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace hocket::diag {

enum class Severity { error, warning, note };

// What a refusal rests on; never mixed (docs/glossary.md).
enum class Category {
  malformed,  // what was written cannot be meant; a place shows where
  refuted,    // shown to be wrong, by a witness that was replayed
  unknown,    // neither proved nor refuted; the missing fact is named
  runtime,    // found while a compiled program was called or run
  internal,   // a bug in hocket, never the user's fault
};

struct KindInfo {
  std::string_view code;  // `S0412`: a letter for the group, four digits; never used twice
  std::string_view name;
  Severity severity;
  Category category;
  std::string_view message;  // with `{name}` where an argument stands
  std::string_view why;      // one line: the reason behind the rule
};

class Kind {
 public:
  constexpr Kind(const KindInfo& info) : info_(&info) {}
  constexpr const KindInfo& info() const { return *info_; }
  constexpr const KindInfo* operator->() const { return info_; }
  friend constexpr bool operator==(Kind, Kind) = default;

 private:
  const KindInfo* info_;
};

// Every kind, in the order of kinds.def.
std::span<const Kind> all_kinds();

// The kind with this code (`S0412`), or null.
const KindInfo* find_kind(std::string_view code);

std::string_view spoken(Severity severity);
std::string_view spoken(Category category);

}  // namespace hocket::diag

// How a kinds_<group>.h turns its list into constants.
#define HOCKET_DECLARE_KIND(code, name, severity, category, message, why)                     \
  inline constexpr ::hocket::diag::KindInfo name{                                             \
      #code,   #name, ::hocket::diag::Severity::severity, ::hocket::diag::Category::category, \
      message, why};
