// Image files as arguments of pipelines, and back.
//
// In: 8- and 16-bit samples. Out: planes of a pipeline's element type (values kept, integers wrap
// nowhere because they only get wider; floats hold the same numbers), x fastest; on the way back
// values are clamped to the samples' range (floats are rounded first). Called by: run.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include "abi/hocket_abi.h"
#include "diag/result.h"
#include "image/image.h"

namespace hocket::tools {

// Memory with its buffer; moves, but does not copy, so that `buffer` stays right.
struct Plane {
  std::vector<uint8_t> bytes;
  std::vector<hocket_dim_t> dims;
  hocket_buffer_t buffer = {};

  Plane() = default;
  Plane(Plane&&) = default;
  Plane& operator=(Plane&&) = default;
  // Dense, first dimension fastest.
  static Plane make(hocket_type_t type, std::vector<hocket_dim_t> mins_and_extents);
  int64_t count() const;
  hocket_buffer_t* address();
};

// `channel` of the image, or all channels as the third dimension where it is -1. `border` points
// beyond every edge repeat the edge.
Plane plane_of(const image::Image& image, int channel, hocket_type_t type, int64_t border_x0,
               int64_t border_x1, int64_t border_y0, int64_t border_y1);
// Writes the plane into a channel (all channels where -1) of an image of its size.
void store_plane(const Plane& plane, image::Image& image, int channel);

}  // namespace hocket::tools
