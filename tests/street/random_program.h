// Random loop programs as text, the same for the same seed on any machine.
//
// In: a seed. Out: a file with small procedures to call and one procedure `p` over sizes n and m,
// at times an index k that may be 0; its accesses stay in bounds by construction. Buffers of
// several types and ranks, windows, scalars; loops of every kind, branches, reductions, calls that
// read strides or are given what memory holds, lets of memory as bounds and indices, memory of its
// own, nests that instructions of x86 fit. Used by: street_fuzz_programs.
#pragma once

#include <string>
#include <vector>

#include "interp/value.h"
#include "ir/proc.h"
#include "ir/trace.h"

namespace hocket::street {

std::string random_program_text(interp::Random& random);

// A step that names what is there. Many are refused, which is part of the test. `plan` holds steps
// that belong together (registers, then instructions): they come first.
ir::TraceStep random_rewrite(const ir::Proc& proc, const std::vector<ir::ProcRef>& callees,
                             interp::Random& random, std::vector<ir::TraceStep>& plan);

// Values for n, m (and k): ends, tails, primes, exact multiples. `round` 0 is the smallest.
std::vector<int64_t> random_sizes(const ir::Proc& proc, int round, interp::Random& random);

}  // namespace hocket::street
