#include "api/files.h"

#include <fstream>

#include "api/error.h"
#include "diag/kinds_driver.h"

namespace hocket::api {

void write_file(const std::string& path, const std::string& text, std::source_location where) {
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.close();
  if (!out)
    throw Error(
        diag::Diagnostic(diag::kind::cannot_write, support::Place::of(where)).arg("file", path));
}

}  // namespace hocket::api
