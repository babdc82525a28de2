#include "driver/written_text.h"

#include <cstring>
#include <vector>

#include "diag/kinds_driver.h"
#include "support/files.h"

namespace hocket::driver {

using diag::Result;

Result<void> write_texts(std::span<const WrittenText> files, const support::Place& place) {
  std::vector<support::StagedFile> staged(files.size());
  const auto refused = [&](int code, const std::string& path) {
    diag::Diagnostic e(diag::kind::cannot_write, place);
    e.arg("file", path).note(std::strerror(code));
    return e;
  };
  for (size_t i = 0; i < files.size(); ++i) {
    const std::span<const char> text(files[i].text.data(), files[i].text.size());
    if (const int code = staged[i].write(files[i].path, std::as_bytes(text)))
      return refused(code, files[i].path);
  }
  size_t failed = 0;
  if (const int code = support::commit_all(staged, &failed))
    return refused(code, files[failed].path);
  return {};
}

}  // namespace hocket::driver
