// `input.min(x)`, `input.extent(0)`, `input.width()`: sizes of inputs as expressions.
// In: the syntax of the application. Out: an expression of type index, or a diagnostic. Called by:
// pipeline_names.cpp, schedules.cpp (`bound`).
#pragma once

#include "diag/result.h"
#include "ir/algorithm.h"
#include "text/syntax.h"

namespace hocket::text {

diag::Result<ir::Expr> image_field(const ir::ImageParam& image, const Syntax& s,
                                   const Source& source);

}  // namespace hocket::text
