// Writing a file whole or not at all.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace hocket::support {

// The bytes go to a file beside `path` that then takes its name, so that whoever stops halfway
// leaves the old file as it was. Through a symbolic link the file it names is replaced; what is no
// regular file (a pipe, a terminal) is written in place. 0, or the system's error number (errno),
// and nothing new is left behind then.
int write_whole_file(const std::string& path, std::span<const std::byte> bytes);
int write_whole_file(const std::string& path, std::string_view text);

}  // namespace hocket::support
