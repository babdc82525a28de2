// Hocket's side of every row: one registration function a family, each in a file of its own here.
// In: the same problem the rivals get. Out: contestants with `ours` set. Called by: bench/rows.
//
// A function exists once its file does (hocket_blur.cpp, hocket_sgemm.cpp, hocket_compile.cpp,
// hocket_call.cpp; bench/CMakeLists.txt looks for it and links the in-tree libraries). Until then
// the row says `hocket: not built`, which is a failing row.
//
// Compile before registering and fill schedule_ms, compile_ms, object_bytes and scratch_bytes;
// run() is the call alone, check_error() is problem.error(run) or frame.blur_error(run). The places
// (id, variant) tell which comparison an entry stands for:
//
//   hocket_blur     "hocket tiled"   {"blur.seed", ""}, {"blur.halide", "tiled"}
//                   "hocket best"    {"blur.sse", ""}, {"blur.halide", "best"}
//                   any other name   {"blur.ceiling", ""}: shown, without a bar
//   hocket_sgemm    "hocket"         {"sgemm.first", ""}
//   hocket_compile  "hocket"         {"compile.first", ""}
//   hocket_call     "hocket realize" {"call", "realize"};  "hocket callable" {"call", "callable"}
#pragma once

#include "harness/contestant.h"
#include "harness/problems.h"
#include "harness/small_problems.h"

namespace hocket::bench {

void register_hocket_blur(Registry& registry, const BlurFrame& frame);
void register_hocket_sgemm(Registry& registry, const SgemmProblem& problem);
void register_hocket_compile(Registry& registry, const CompileProblem& problem);
void register_hocket_call(Registry& registry, const CallProblem& problem);

}  // namespace hocket::bench
