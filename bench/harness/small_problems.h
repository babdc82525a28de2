// Problems without data of their own: compiling the blur, and calling a pipeline that does nothing.
// Used by: bench/rows/compile.cpp and call.cpp, their rivals and contestants.
#pragma once

#include "problems.h"

namespace hocket::bench {

// compile.first: from Func to running code in a warm process. run() states the blur and the
// tiled schedule of Halide's paper with fresh Funcs and compiles them in process; check_error()
// does so and runs the result on `frame`.
struct CompileProblem {
  const BlurFrame* frame;
};

// call: a pipeline f(x) = 0 of u8 over a buffer of one element, compiled beforehand. run() calls it
// `calls` times (set Contestant::calls_per_run to it) through `realize` into an existing buffer
// (variant `realize`), or through the callable object (variant `callable`).
struct CallProblem {
  int64_t calls = 20000;
};

}  // namespace hocket::bench
