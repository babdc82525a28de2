#include "diag/explain.h"

#include <cctype>
#include <vector>

#include "diag/kinds_driver.h"
#include "support/edit_distance.h"

namespace hocket::diag {

Result<std::string> explain(std::string_view code) {
  std::string upper(code);
  for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  const KindInfo* kind = find_kind(upper);
  if (kind == nullptr) {
    std::vector<std::string> codes;
    for (Kind known : all_kinds()) codes.emplace_back(known->code);
    Diagnostic refusal(kind::unknown_code);
    refusal.arg("code", std::string(code));
    for (const std::string& close : support::close_names(upper, codes)) {
      refusal.help("hocket explain " + close);
    }
    return refusal;
  }
  for (const ErrorPage& page : error_pages()) {
    if (page.code == kind->code) return std::string(page.text);
  }
  return "# " + std::string(kind->code) + ": " + std::string(kind->name) + "\n\n" +
         std::string(spoken(kind->severity)) + ", " + std::string(spoken(kind->category)) +
         ":\n\n    " + std::string(kind->message) + "\n\nWhy: " + std::string(kind->why) + ".\n";
}

}  // namespace hocket::diag
