#include "tools/scalars.h"

#include <charconv>
#include <cmath>
#include <cstdlib>

#include "diag/kinds_driver.h"
#include "ir/semantics.h"
#include "support/edit_distance.h"
#include "tools/program.h"

namespace hocket::tools {

using diag::Diagnostic;
using diag::Result;
namespace kind = diag::kind;

namespace {

// What a type takes, in words.
std::string takes(ir::Type type) {
  if (type.is_bool()) return "a bool is true, false, 0 or 1";
  if (type.is_float()) return "`" + type.name() + "` is a number within its range";
  if (type.is_index()) return "a size or an index is a whole number, a size at least 1";
  const bool top = type.is_uint() && type.bits == 64;
  const std::string most = top ? "18446744073709551615" : std::to_string(type.max_value());
  return "`" + type.name() + "` is a whole number from " + std::to_string(type.min_value()) +
         " to " + most;
}

// Decimal or 0x; nothing where it is no whole number that the type holds.
std::optional<ir::Scalar> whole(ir::Type type, std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  const bool hex = text.starts_with("0x") || text.starts_with("0X");
  if (hex) text.remove_prefix(2);
  uint64_t digits = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), digits, hex ? 16 : 10);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  const bool top = type.is_uint() && type.bits == 64;
  const uint64_t most = top ? UINT64_MAX : static_cast<uint64_t>(type.max_value());
  const uint64_t least = type.is_uint() || type.is_bool() ? 0 : most + 1;  // its magnitude
  if (digits > (negative ? least : most)) return std::nullopt;
  return ir::Scalar::of_int(type, static_cast<int64_t>(negative ? 0 - digits : digits));
}

std::optional<ir::Scalar> value_of(ir::Type type, const std::string& text) {
  if (type.is_bool()) {
    if (text == "true" || text == "1") return ir::Scalar::of_bool(true);
    if (text == "false" || text == "0") return ir::Scalar::of_bool(false);
    return std::nullopt;
  }
  if (!type.is_float()) return whole(type, text);
  char* end = nullptr;
  const double v = std::strtod(text.c_str(), &end);
  if (end == text.c_str() || *end != 0) return std::nullopt;
  const ir::Scalar out = ir::Scalar::of_float(type, v);
  const bool said = text.find_first_of("iI") != std::string::npos;  // inf
  if (std::isinf(out.f) && !said) return std::nullopt;
  return out;
}

// Defaults are kept as doubles; those of u64 go beyond what int64_t holds.
int64_t whole_default(double v) {
  if (v >= 0x1p63) return static_cast<int64_t>(static_cast<uint64_t>(v));
  return static_cast<int64_t>(v);
}

Diagnostic bad(const std::string& name, const std::string& value, const std::string& why) {
  return Diagnostic(kind::bad_value).arg("name", name).arg("value", value).arg("why", why);
}

}  // namespace

Scalars::Scalars(const std::vector<std::string>& words) {
  for (const std::string& w : words) {
    const size_t equal = w.find('=');
    const bool has = equal != std::string::npos;
    words_.push_back({w.substr(0, equal), has ? w.substr(equal + 1) : "", has});
  }
}

Result<uint64_t> Scalars::bits(const std::string& program, const ir::Symbol& symbol,
                               std::optional<double> fallback) const {
  const ir::Type type = symbol.type();
  std::optional<ir::Scalar> value;
  for (const Word& w : words_) {
    if (w.name != symbol.name()) continue;
    value = value_of(type, w.value);
    if (!value) return bad(w.name, w.value, takes(type));
  }
  if (!value && fallback)
    value = type.is_float() ? ir::Scalar::of_float(type, *fallback)
                            : ir::Scalar::of_int(type, whole_default(*fallback));
  if (!value)
    return Diagnostic(kind::missing_value).arg("program", program).arg("name", symbol.name());
  uint64_t out = 0;
  ir::store_bytes(*value, &out);
  return out;
}

Result<void> Scalars::check_names(const std::string& program,
                                  const std::vector<std::string>& known) const {
  for (size_t i = 0; i < words_.size(); ++i) {
    const Word& w = words_[i];
    if (!w.equal) return bad("--set", w.name, "it reads NAME=VALUE");
    bool found = false;
    for (const std::string& k : known) found = found || k == w.name;
    if (!found) return unknown_word("parameter of `" + program + "`:", w.name, known);
    for (size_t j = 0; j < i; ++j)
      if (words_[j].name == w.name)
        return bad(w.name, w.value, "it was set to `" + words_[j].value + "` before");
  }
  return {};
}

}  // namespace hocket::tools
