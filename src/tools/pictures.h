// Image files as arguments of pipelines, and back.
//
// In: 8- and 16-bit samples. Out: planes of a pipeline's element type, x fastest: every sample
// keeps its value, in whole numbers and in floats of any width; one that the type does not hold is
// refused (D0114). On the way back values are clamped to the samples' range (floats are rounded
// first). Called by: run.cpp, bench.cpp (memory alone).
#pragma once

#include <cstdint>
#include <string>
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
  // Dense, first dimension fastest; refused where memory does not hold it (`what`: for whom).
  static diag::Result<Plane> make(const std::string& what, hocket_type_t type,
                                  std::vector<hocket_dim_t> mins_and_extents);
  hocket_buffer_t* address();
};

// Points beyond every edge that repeat the edge.
struct Pad {
  int64_t low[2] = {0, 0}, high[2] = {0, 0};
};

// Refuses samples that the type does not hold.
diag::Result<void> check_samples(const image::Image& image, const std::string& file,
                                 const std::string& argument, hocket_type_t type);
// `channel` of the image, or all channels as the third dimension where it is -1.
diag::Result<Plane> plane_of(const std::string& what, const image::Image& image, int channel,
                             hocket_type_t type, const Pad& pad);
// Values that are no samples: below 0 they become 0, above the greatest sample that one. How many
// are none of the image, and how many are none of 16 bits either.
struct Cut {
  int64_t here = 0, wide = 0;
  Cut& operator+=(const Cut& more) {
    here += more.here;
    wide += more.wide;
    return *this;
  }
};
// Writes the plane into a channel (all channels where -1) of an image of its size.
Cut store_plane(const Plane& plane, image::Image& image, int channel);

}  // namespace hocket::tools
