#include "image/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "diag/kinds_image.h"
#include "support/files.h"

namespace hocket::image {

namespace {

using diag::Diagnostic;
using diag::Result;

class File {
 public:
  explicit File(int descriptor) : descriptor_(descriptor) {}
  ~File() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

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
  File file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.descriptor() < 0) return unreadable(path, errno);
  std::vector<std::byte> bytes;
  struct stat status;
  if (::fstat(file.descriptor(), &status) == 0 && S_ISREG(status.st_mode)) {
    bytes.reserve(static_cast<std::size_t>(status.st_size) + 1);
  }
  std::byte chunk[65536];
  for (;;) {
    const ssize_t count = ::read(file.descriptor(), chunk, sizeof chunk);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return unreadable(path, errno);
    if (count == 0) return bytes;
    bytes.insert(bytes.end(), chunk, chunk + count);
  }
}

Result<void> write_file(const std::string& path, std::span<const std::byte> bytes) {
  if (const int code = support::write_whole_file(path, bytes)) return unwritable(path, code);
  return {};
}

}  // namespace hocket::image
