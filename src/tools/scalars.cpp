#include "tools/scalars.h"

#include <cstdlib>
#include <cstring>

#include "diag/kinds_driver.h"
#include "ir/semantics.h"
#include "tools/program.h"

namespace hocket::tools {

using diag::Diagnostic;
namespace kind = diag::kind;

Scalars::Scalars(std::vector<std::string> words) {
  for (const std::string& w : words) {
    const size_t equal = w.find('=');
    words_[w.substr(0, equal)] = equal == std::string::npos ? "" : w.substr(equal + 1);
  }
}

diag::Result<uint64_t> Scalars::bits(const std::string& program, const ir::Symbol& symbol,
                                     std::optional<double> fallback) const {
  const ir::Type type = symbol.type();
  ir::Scalar value;
  if (auto set = words_.find(symbol.name()); set != words_.end()) {
    const char* begin = set->second.c_str();
    char* end = nullptr;
    if (type.is_float())
      value = ir::Scalar::of_float(type, std::strtod(begin, &end));
    else
      value = ir::Scalar::of_int(type, std::strtoll(begin, &end, 0));
    if (end == begin || *end != 0)
      return Diagnostic(kind::missing_value)
          .arg("program", program)
          .arg("name", symbol.name())
          .note("`" + set->second + "` is no number");
  } else if (fallback) {
    value = type.is_float() ? ir::Scalar::of_float(type, *fallback)
                            : ir::Scalar::of_int(type, static_cast<int64_t>(*fallback));
  } else {
    return Diagnostic(kind::missing_value).arg("program", program).arg("name", symbol.name());
  }
  uint64_t out = 0;
  ir::store_bytes(value, &out);
  return out;
}

diag::Result<void> Scalars::check_names(const std::string& program,
                                        const std::vector<std::string>& known) const {
  for (const auto& [name, value] : words_) {
    bool found = false;
    for (const std::string& k : known) found = found || k == name;
    if (!found) return unknown_word("parameter of `" + program + "`:", name, known);
  }
  return {};
}

}  // namespace hocket::tools
