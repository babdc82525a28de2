// Traversal orders as grids: in which order a program's loops visit the points of a stage.
//
// In: a proc in loop form; of a pipeline's, its block headers. Out: a grid as in Halide's
// paper of 2012, one number per visit, rows are y: a vector store is one number for all its lanes,
// iterations of a parallel loop all start at the same number. Called by: show.cpp.
#pragma once

#include <string>

#include "diag/result.h"
#include "ir/algorithm.h"
#include "ir/proc.h"

namespace hocket::tools {

// `size` points in every dimension of the outputs; `func` is a Func or a stage (`f.update(0)`).
// Empty: the last output, all its stages with captions where there are several.
diag::Result<std::string> draw_order(const ir::Proc& proc, const ir::Algorithm& algorithm,
                                     const std::string& func, int64_t size);

// The same of a loop program: the elements of an argument in the order in which stores and calls
// first visit them, its last two dimensions as rows and columns; all sizes are `size`, other
// indices 0. `buffer` empty: the last argument that is written.
diag::Result<std::string> draw_order(const ir::Proc& proc, const std::string& buffer, int64_t size);

}  // namespace hocket::tools
