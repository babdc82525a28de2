// Hocket for C++: algorithms, schedules and images, with Halide's names, in namespace hocket.
//
//   Var x("x"), y("y");
//   ImageParam input(UInt(16), 2, "input");
//   Func bh("bh"), bv("bv");
//   bh(x, y) = (input(x - 1, y) + input(x, y) + input(x + 1, y)) / 3;
//   bv(x, y) = (bh(x, y - 1) + bh(x, y) + bh(x, y + 1)) / 3;
//   bv.parallel(y).vectorize(x, 16);
//   bh.compute_at(bv, y);
//   Buffer<uint16_t> out = bv.realize({width, height});
//
// The second way in, loop programs and their rewrites, stands in api/proc_builder.h and api/proc.h.
// Everything that is refused throws hocket::Error with the place of the call that is at fault.
#pragma once

#include "api/boundary.h"
#include "api/buffer.h"
#include "api/error.h"
#include "api/expr.h"
#include "api/func.h"
#include "api/image_io.h"
#include "api/intrinsics.h"
#include "api/library.h"
#include "api/param.h"
#include "api/pipeline.h"
#include "api/proc.h"
#include "api/proc_builder.h"
#include "api/reductions.h"
