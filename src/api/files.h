// Texts to files, all of them or none, refused (D0108) at the place of the call. Called by:
// compile_to.cpp, proc.cpp.
#pragma once

#include <source_location>
#include <string>
#include <vector>

#include "driver/written_text.h"

namespace hocket::api {

void write_files(const std::vector<driver::WrittenText>& files, std::source_location where);

}  // namespace hocket::api
