#include "image/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "diag/kinds_image.h"

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
  // Errors of delayed writes are reported by close.
  bool close() { return ::close(std::exchange(descriptor_, -1)) == 0; }

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

// 0, or the error code.
int write_all(int descriptor, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
  return 0;
}

Result<void> write_in_place(const std::string& path, std::span<const std::byte> bytes) {
  File file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (file.descriptor() < 0) return unwritable(path, errno);
  if (const int code = write_all(file.descriptor(), bytes)) return unwritable(path, code);
  return {};
}

// A name that no other write of this or another process has.
std::string name_beside(const std::string& path) {
  static std::atomic<unsigned> counter{0};
  return path + "." + std::to_string(::getpid()) + "." + std::to_string(counter++) + ".part";
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
  std::error_code ignored;
  const std::filesystem::file_status status = std::filesystem::status(path, ignored);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    return write_in_place(path, bytes);
  }
  // Through a symbolic link: the file it names is replaced, not the link.
  std::string target = path;
  if (std::filesystem::is_symlink(path, ignored)) {
    target = std::filesystem::weakly_canonical(path, ignored).string();
    if (ignored) return unwritable(path, ignored.value());
  }
  const std::string part = name_beside(target);
  File file(::open(part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (file.descriptor() < 0) return unwritable(path, errno);
  int code = write_all(file.descriptor(), bytes);
  if (!file.close() && code == 0) code = errno;
  if (code == 0 && std::rename(part.c_str(), target.c_str()) != 0) code = errno;
  if (code == 0) return {};
  ::unlink(part.c_str());
  return unwritable(path, code);
}

}  // namespace hocket::image
