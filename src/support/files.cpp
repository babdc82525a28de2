#include "support/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <utility>

namespace hocket::support {

namespace {

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

// A name that no other write of this or another process has.
std::string name_beside(const std::string& path) {
  static std::atomic<unsigned> counter{0};
  return path + "." + std::to_string(::getpid()) + "." + std::to_string(counter++) + ".part";
}

}  // namespace

StagedFile::StagedFile(StagedFile&& other) noexcept
    : target_(std::move(other.target_)),
      part_(std::exchange(other.part_, {})),
      in_place_(other.in_place_),
      bytes_(other.bytes_) {}

StagedFile::~StagedFile() {
  if (!part_.empty()) ::unlink(part_.c_str());
}

int StagedFile::write(const std::string& path, std::span<const std::byte> bytes) {
  namespace fs = std::filesystem;
  bytes_ = bytes;
  std::error_code error;
  const fs::file_status old = fs::status(path, error);
  target_ = path;
  in_place_ = fs::exists(old) && !fs::is_regular_file(old);
  if (in_place_) {  // opened by `commit` alone: a pipe waits for its reader
    if (fs::is_directory(old)) return EISDIR;
    return ::access(path.c_str(), W_OK) != 0 ? errno : 0;
  }
  if (fs::is_symlink(path, error)) {
    target_ = fs::weakly_canonical(path, error).string();
    if (error) return error.value();
  }
  const std::string part = name_beside(target_);
  File file(::open(part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (file.descriptor() < 0) return errno;
  part_ = part;
  int code = write_all(file.descriptor(), bytes);
  if (!file.close() && code == 0) code = errno;
  if (code == 0 && fs::exists(old)) fs::permissions(part, old.permissions(), error);
  return code;
}

int StagedFile::commit() {
  if (in_place_) {
    File file(::open(target_.c_str(), O_WRONLY | O_CLOEXEC));
    if (file.descriptor() < 0) return errno;
    const int code = write_all(file.descriptor(), bytes_);
    return !file.close() && code == 0 ? errno : code;
  }
  if (std::rename(part_.c_str(), target_.c_str()) != 0) return errno;
  part_.clear();
  return 0;
}

int commit_all(std::span<StagedFile> files, size_t* failed) {
  for (const bool in_place : {true, false}) {
    for (size_t i = 0; i < files.size(); ++i) {
      *failed = i;
      if (files[i].in_place() != in_place) continue;
      if (const int code = files[i].commit()) return code;
    }
  }
  return 0;
}

int write_whole_file(const std::string& path, std::span<const std::byte> bytes) {
  StagedFile file;
  if (const int code = file.write(path, bytes)) return code;
  return file.commit();
}

int write_whole_file(const std::string& path, std::string_view text) {
  return write_whole_file(path, std::as_bytes(std::span(text.data(), text.size())));
}

int read_whole_file(const std::string& path, std::vector<std::byte>& bytes) {
  const File file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.descriptor() < 0) return errno;
  struct stat status{};
  if (::fstat(file.descriptor(), &status) == 0 && S_ISREG(status.st_mode))
    bytes.reserve(bytes.size() + static_cast<std::size_t>(status.st_size) + 1);
  std::byte chunk[65536];
  for (;;) {
    const ssize_t count = ::read(file.descriptor(), chunk, sizeof chunk);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    if (count == 0) return 0;
    bytes.insert(bytes.end(), chunk, chunk + count);
  }
}

}  // namespace hocket::support
