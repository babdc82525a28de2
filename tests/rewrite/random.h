// Random loop programs and random steps, the same for the same seed.
// In: a seed. Out: a valid proc with sizes n and m over two matrices and a row; steps that name
// what is there (many are refused, which is part of the test). Used by: fuzz/rewrite_fuzz_test.cpp.
#pragma once

#include "interp/value.h"
#include "ir/proc.h"
#include "ir/trace.h"

namespace hocket::rewrite::testing {

ir::ProcRef random_program(interp::Random& random);
ir::TraceStep random_step(const ir::Proc& proc, interp::Random& random);

}  // namespace hocket::rewrite::testing
