// The blur as Halide states it, and the schedules that are tried on it.
// In: a schedule as data. Out: a Pipeline ready to compile. Used by: blur_halide.cpp,
// compile_halide.cpp. Needs the `halide` wheel's headers.
#pragma once

#include <string>
#include <vector>

#include <Halide.h>

namespace hocket::bench {

enum class BlurForm {
  kTiles,         // tiles, tmp computed per tile
  kSlidingTiles,  // tmp stored per tile, computed per row of it
  kRows,          // strips of full rows, tmp in a sliding window of rows
  kRowBlocks,     // strips; a few output rows at a time, tmp in registers
  kColumns,       // strips; vector-wide columns, tmp sliding down in registers
  kInline         // strips, tmp recomputed
};

struct BlurSchedule {
  BlurForm form;
  int strip = 32;   // output rows per parallel task
  int width = 256;  // tile width; unused by full rows
  int vector = 8;   // lanes
  int unroll = 1;   // vectors per loop iteration, or rows per block
};

inline std::string name_of(const BlurSchedule& s) {
  const char* forms[] = {"tiles",      "sliding tiles", "sliding rows",
                         "row blocks", "columns",       "inline"};
  std::string text = forms[static_cast<int>(s.form)];
  bool tiled = s.form == BlurForm::kTiles || s.form == BlurForm::kSlidingTiles;
  if (tiled)
    text += " " + std::to_string(s.width) + "x" + std::to_string(s.strip);
  else
    text += ", strips of " + std::to_string(s.strip);
  text += ", vectors of " + std::to_string(s.vector);
  if (s.unroll > 1) text += ", unrolled " + std::to_string(s.unroll);
  return text;
}

struct HalideBlur {
  Halide::ImageParam in{Halide::UInt(16), 2, "in"};
  Halide::Func tmp{"tmp"}, blurred{"blurred"};
  Halide::Var x{"x"}, y{"y"}, xi{"xi"}, yi{"yi"}, yo{"yo"};

  explicit HalideBlur(const BlurSchedule& s) {
    tmp(x, y) = (in(x - 1, y) + in(x, y) + in(x + 1, y)) / 3;
    blurred(x, y) = (tmp(x, y - 1) + tmp(x, y) + tmp(x, y + 1)) / 3;
    apply(s);
  }

 private:
  void apply(const BlurSchedule& s) {
    switch (s.form) {
      case BlurForm::kTiles:
        blurred.tile(x, y, xi, yi, s.width, s.strip).vectorize(xi, s.vector).parallel(y);
        tmp.compute_at(blurred, x).vectorize(x, s.vector);
        break;
      case BlurForm::kSlidingTiles:
        blurred.tile(x, y, xi, yi, s.width, s.strip).vectorize(xi, s.vector).parallel(y);
        tmp.store_at(blurred, x).compute_at(blurred, yi).vectorize(x, s.vector);
        break;
      case BlurForm::kRows:
        blurred.split(y, yo, yi, s.strip).parallel(yo);
        tmp.store_at(blurred, yo).compute_at(blurred, yi);
        if (s.unroll > 1) {
          blurred.vectorize(x, s.vector).unroll(x, s.unroll);
          tmp.vectorize(x, s.vector).unroll(x, s.unroll);
        } else {
          blurred.vectorize(x, s.vector);
          tmp.vectorize(x, s.vector);
        }
        break;
      case BlurForm::kRowBlocks:
        blurred.split(y, yo, y, s.strip)
            .tile(x, y, xi, yi, s.vector, s.unroll)
            .vectorize(xi)
            .unroll(yi)
            .parallel(yo);
        tmp.compute_at(blurred, x).vectorize(x).unroll(y);
        break;
      case BlurForm::kColumns:
        blurred.split(y, yo, yi, s.strip)
            .split(x, x, xi, s.vector)
            .reorder(xi, yi, x, yo)
            .vectorize(xi)
            .parallel(yo);
        if (s.unroll > 1) blurred.unroll(yi, s.unroll);
        tmp.store_at(blurred, x).compute_at(blurred, yi).vectorize(x);
        break;
      case BlurForm::kInline:
        blurred.split(y, yo, yi, s.strip).vectorize(x, s.vector).parallel(yo);
        break;
    }
  }
};

// The schedule of Halide's paper of 2012: tiles of 256x32, vectors of 8, tmp per tile.
inline BlurSchedule seeds_schedule() {
  return {BlurForm::kTiles, 32, 256, 8, 1};
}

// What is known of the machine before it is compiled for: lanes of u16 in its widest register.
inline int native_lanes(const Halide::Target& target) {
  return target.natural_vector_size<uint16_t>();
}

inline std::vector<BlurSchedule> tried_schedules(const Halide::Target& target) {
  int lanes = native_lanes(target);
  std::vector<BlurSchedule> tried;
  for (int vector : {lanes / 2, lanes, 2 * lanes}) {
    tried.push_back({BlurForm::kTiles, 32, 256, vector, 1});
    tried.push_back({BlurForm::kTiles, 128, 1024, vector, 1});
    tried.push_back({BlurForm::kSlidingTiles, 64, 1024, vector, 1});
  }
  for (int strip : {16, 32, 64, 128, 256}) {
    for (int vector : {lanes, 2 * lanes, 4 * lanes}) {
      tried.push_back({BlurForm::kRows, strip, 0, vector, 1});
    }
    tried.push_back({BlurForm::kRows, strip, 0, lanes, 2});
    for (int rows : {2, 4, 8}) tried.push_back({BlurForm::kRowBlocks, strip, 0, lanes, rows});
    for (int rows : {4, 8}) tried.push_back({BlurForm::kRowBlocks, strip, 0, 2 * lanes, rows});
    tried.push_back({BlurForm::kInline, strip, 0, 2 * lanes, 1});
  }
  for (int strip : {64, 256}) {
    tried.push_back({BlurForm::kColumns, strip, 0, 4 * lanes, 4});
  }
  return tried;
}

// The frame as Halide sees it: pixel (-1, -1) is in the buffer, so no boundary condition is needed.
inline Halide::Runtime::Buffer<uint16_t, 2> halide_input(const uint16_t* in, int64_t stride,
                                                         int width, int height) {
  halide_dimension_t shape[2] = {{-1, width + 2, 1, 0},
                                 {-1, height + 2, static_cast<int32_t>(stride), 0}};
  return Halide::Runtime::Buffer<uint16_t, 2>(const_cast<uint16_t*>(in - stride - 1), 2, shape);
}

inline Halide::Runtime::Buffer<uint16_t, 2> halide_output(uint16_t* out, int64_t stride, int width,
                                                          int height) {
  halide_dimension_t shape[2] = {{0, width, 1, 0}, {0, height, static_cast<int32_t>(stride), 0}};
  return Halide::Runtime::Buffer<uint16_t, 2>(out, 2, shape);
}

}  // namespace hocket::bench
