// Whole files in and out.
// read_file refuses what is not there or cannot be read. write_file puts the bytes into a new file
// beside the old one and renames it, so that nobody ever sees half a file; what is no regular file
// (a pipe, a terminal) is written in place. Called by image.cpp.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "diag/result.h"

namespace hocket::image {

diag::Result<std::vector<std::byte>> read_file(const std::string& path);
diag::Result<void> write_file(const std::string& path, std::span<const std::byte> bytes);

}  // namespace hocket::image
