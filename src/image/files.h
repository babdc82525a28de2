// Whole files in and out.
// read_file refuses what is not there or cannot be read. write_files puts the bytes into new files
// beside the old ones and renames them, so that nobody ever sees half a file; what is no regular
// file (a pipe, a terminal) is written in place. Called by image.cpp.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "diag/result.h"

namespace hocket::image {

diag::Result<std::vector<std::byte>> read_file(const std::string& path);
// All of them, or where one cannot be written none.
diag::Result<void> write_files(std::span<const std::string> paths,
                               std::span<const std::vector<std::byte>> files);

}  // namespace hocket::image
