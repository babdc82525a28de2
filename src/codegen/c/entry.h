// The functions that callers see, as C text (docs/abi.md). Called by source.cpp.
#pragma once

#include "codegen/c/loops.h"
#include "codegen/c/source.h"

namespace hocket::codegen {

// Each returns text; what has to stand before it goes to the file's definitions.
std::string c_pipeline(CFile& file, const ir::Proc& proc, const COptions& options);
std::string c_program(CFile& file, const ir::Proc& proc, CCallees& callees);

}  // namespace hocket::codegen
