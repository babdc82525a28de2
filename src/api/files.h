// Text to a file, refused (D0108) at the place of the call. Called by: realize.cpp, proc.cpp.
#pragma once

#include <source_location>
#include <string>

namespace hocket::api {

void write_file(const std::string& path, const std::string& text, std::source_location where);

}  // namespace hocket::api
