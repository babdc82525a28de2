#include "api/error.h"

#include "diag/kinds_driver.h"
#include "diag/render.h"

namespace hocket {

Error::Error(diag::Diagnostic diagnostic)
    : std::runtime_error(diag::render_text(diagnostic)),
      diagnostic_(std::make_shared<const diag::Diagnostic>(std::move(diagnostic))) {}

void refuse(std::string message, support::Place place) {
  throw Error(diag::Diagnostic(diag::kind::bad_argument, std::move(place)).arg("message", message));
}

}  // namespace hocket
