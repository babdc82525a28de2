// Reading a file whole; writing one whole or not at all.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hocket::support {

// A file that is written in two steps, so that several are written together or not at all: `write`
// puts the bytes beside `path`, `commit` gives them the name. What is not committed goes when the
// object does. What is no regular file (a pipe, a terminal) is written in place by `commit`.
class StagedFile {
 public:
  StagedFile() = default;
  StagedFile(StagedFile&& other) noexcept;
  StagedFile& operator=(StagedFile&&) = delete;
  ~StagedFile();

  // 0, or the system's error number (errno). The bytes stay the caller's until they are committed.
  int write(const std::string& path, std::span<const std::byte> bytes);
  int commit();
  bool in_place() const { return in_place_; }

 private:
  std::string target_, part_;
  bool in_place_ = false;
  std::span<const std::byte> bytes_;
};

// Commits all of them, those in place first. 0, or the error number of the one at `*failed`.
int commit_all(std::span<StagedFile> files, size_t* failed);

// The bytes go to a file beside `path` that then takes its name, so that whoever stops halfway
// leaves the old file as it was. Through a symbolic link the file it names is replaced; what is no
// regular file (a pipe, a terminal) is written in place. 0, or the system's error number (errno),
// and nothing new is left behind then.
int write_whole_file(const std::string& path, std::span<const std::byte> bytes);
int write_whole_file(const std::string& path, std::string_view text);

// The bytes of a file, of a pipe until its end, appended. 0, or the system's error number (errno).
int read_whole_file(const std::string& path, std::vector<std::byte>& bytes);

}  // namespace hocket::support
