// From the syntax of a pipeline to an ir::Algorithm.
// In: syntax. Out: an algorithm that ir::verify accepts, or a diagnostic (P03xx to P05xx). Called
// by: parser.cpp.
#pragma once

#include "diag/result.h"
#include "ir/algorithm.h"
#include "text/syntax.h"

namespace hocket::text {

diag::Result<ir::AlgorithmRef> elaborate_pipeline(const ItemSyntax& item, const Source& source);

}  // namespace hocket::text
