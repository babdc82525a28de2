// The page behind a code: what `hocket explain S0412` prints.
// In: a code as it stands in a message. Out: the text of docs/errors/<code>.md, compiled in; for a
// kind whose page is not written yet, its message and reason. Refuses a code that no kind has,
// with the nearest ones. Called by: tools.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "diag/result.h"

namespace hocket::diag {

Result<std::string> explain(std::string_view code);

// One page of docs/errors/, as embedded at build time.
struct ErrorPage {
  std::string_view code;
  std::string_view text;
};
std::span<const ErrorPage> error_pages();

}  // namespace hocket::diag
