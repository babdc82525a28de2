// Random loop programs that are right by construction: every access is inside, every vector and
// parallel loop is free of races. Two nested loops over n and m, split, reordered and marked at
// random, around a body of lets, private buffers, inner loops, branches, gathers and selects.
//
// Parameters, in order: n, m (sizes); A: u8[n + 3, m + 3]; B: f32[n + 3, m + 3]; W: [i16][n, m];
// T: u16[256]; O: f32[n, m]; P: u16[n, m]; Q: i32[n, m].
#pragma once

#include <cstdint>

#include "ir/proc.h"

namespace hocket::lower {

ir::ProcRef random_loops(uint64_t seed);

}  // namespace hocket::lower
