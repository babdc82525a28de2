#include "image/files.h"

#include <cerrno>
#include <cstring>

#include "diag/kinds_image.h"
#include "support/files.h"

namespace hocket::image {

namespace {

using diag::Diagnostic;
using diag::Result;

Diagnostic unreadable(const std::string& path, int code) {
  if (code == ENOENT || code == ENOTDIR) {
    return Diagnostic(diag::kind::image_not_found).arg("path", path);
  }
  return Diagnostic(diag::kind::image_unreadable)
      .arg("path", path)
      .arg("reason", std::string(std::strerror(code)));
}

Diagnostic unwritable(const std::string& path, int code) {
  return Diagnostic(diag::kind::image_unwritable)
      .arg("path", path)
      .arg("reason", std::string(std::strerror(code)));
}

}  // namespace

Result<std::vector<std::byte>> read_file(const std::string& path) {
  std::vector<std::byte> bytes;
  if (const int code = support::read_whole_file(path, bytes)) return unreadable(path, code);
  return bytes;
}

Result<void> write_files(std::span<const std::string> paths,
                         std::span<const std::vector<std::byte>> files) {
  std::vector<support::StagedFile> staged(files.size());
  for (size_t i = 0; i < files.size(); ++i)
    if (const int code = staged[i].write(paths[i], files[i])) return unwritable(paths[i], code);
  size_t failed = 0;
  if (const int code = support::commit_all(staged, &failed)) return unwritable(paths[failed], code);
  return {};
}

}  // namespace hocket::image
