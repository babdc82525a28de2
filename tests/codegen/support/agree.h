// A loop program three ways: the interpreter, LLVM after lower/flat, and C straight from loop form
// by gcc and clang. In: the program, sizes, tensors, flags of the C compilers. Out: failures of the
// test where they do not leave the same bytes. Used by: tests of codegen.
#pragma once

#include <string>
#include <vector>

#include "interp/value.h"
#include "ir/proc.h"

namespace hocket::codegen::testing {

// The proc of that name; null, and a failure, where the text does not parse.
ir::ProcRef parsed(const std::string& source, const std::string& name);

// Runs `name` on copies of the arguments, sizes first, by everything; `expected` is what it
// returns.
void agree(const ir::ProcRef& proc, const std::string& name, std::vector<int64_t> sizes,
           std::vector<interp::Tensor> tensors, const std::string& flags = "", int expected = 0);
void agree(const std::string& source, const std::string& name, std::vector<int64_t> sizes,
           std::vector<interp::Tensor> tensors, const std::string& flags = "", int expected = 0);

// Row-major, filled with random numbers.
interp::Tensor matrix(ir::Type t, std::vector<int64_t> extents, uint64_t seed);

}  // namespace hocket::codegen::testing
