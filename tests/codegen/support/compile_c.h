// C text compiled by gcc or clang with warnings as errors and loaded into the test.
#pragma once

#include "flat.h"

namespace hocket::codegen::testing {

std::unique_ptr<Compiled> compile_c(Backend backend, const std::vector<ir::ProcRef>& procs);
std::unique_ptr<Compiled> compile_c_text(Backend backend, const std::string& text,
                                         const std::string& flags = "");

}  // namespace hocket::codegen::testing
