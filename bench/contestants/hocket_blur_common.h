// The blur in Hocket's C++, its schedules, and a frame's memory as Hocket's buffers.
// In: a frame, a schedule. Out: what hocket_blur.cpp times and hocket_compile.cpp compiles.
#pragma once

#include <hocket/hocket.h>

#include "harness/problems.h"

namespace hocket::bench {

struct HocketBlur {
  ImageParam input{UInt(16), 2, "input"};
  Var x{"x"}, y{"y"}, xi{"xi"}, yi{"yi"}, yo{"yo"}, xo{"xo"};
  Func bh{"bh"}, bv{"bv"};

  HocketBlur() {
    bh(x, y) = (input(x - 1, y) + input(x, y) + input(x + 1, y)) / 3;
    bv(x, y) = (bh(x, y - 1) + bh(x, y) + bh(x, y + 1)) / 3;
  }
  // The schedule of Halide's paper of 2012.
  void tiled(int lanes = 8) {
    bv.tile(x, y, xi, yi, 256, 32).vectorize(xi, lanes).parallel(y);
    bh.store_at(bv, x).compute_at(bv, x).vectorize(x, lanes);
  }
};

// A view of memory as a call takes it.
struct View {
  hocket_dim_t dims[2];
  hocket_buffer_t buffer = {};
  View(const void* host, int64_t min, int64_t width, int64_t height, int64_t stride)
      : dims{{min, width, 1}, {min, height, stride}} {
    buffer.host = const_cast<void*>(host);
    buffer.type = hocket_type(HOCKET_TYPE_UINT, 16);
    buffer.dimensions = 2;
    buffer.dim = dims;
  }
  View(const View&) = delete;
};

struct FrameViews {
  View in, out;
  explicit FrameViews(const BlurFrame& f)
      : in(f.in - f.in_stride - 1, -1, f.width + 2, f.height + 2, f.in_stride),
        out(f.out, 0, f.width, f.height, f.out_stride) {}
};

}  // namespace hocket::bench
