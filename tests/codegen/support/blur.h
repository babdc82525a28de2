// The 3x3 blur of u16 as a flat pipeline proc, as a schedule with sliding rows leaves it.
#pragma once

#include "flat.h"

namespace hocket::codegen::testing {

struct BlurOptions {
  int lanes = 16;
  int64_t strip = 64;
  bool parallel = true;
  bool stream = false;
};

// pipeline blur(input: u16(x, y)) -> bv; the width must be a multiple of the lanes.
ir::ProcRef blur_pipeline(const BlurOptions& options = {});

}  // namespace hocket::codegen::testing
