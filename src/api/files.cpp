#include "api/files.h"

#include "api/error.h"
#include "diag/kinds_driver.h"
#include "support/files.h"

namespace hocket::api {

void write_file(const std::string& path, const std::string& text, std::source_location where) {
  if (support::write_whole_file(path, text) != 0)
    throw Error(
        diag::Diagnostic(diag::kind::cannot_write, support::Place::of(where)).arg("file", path));
}

}  // namespace hocket::api
