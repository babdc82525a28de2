// Where the source tree and the build tree lie, for tests that read or write files.
// In: nothing. Out: absolute paths without a closing slash. Called by: tests only.
#pragma once

#include <string>

namespace hocket::testing {

std::string source_dir();
std::string build_dir();

}  // namespace hocket::testing
