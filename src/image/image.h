// An image in memory, and its way from and to files (PNG, PGM, PPM).
// In: a path or bytes. Out: an Image or a refusal (I0xxx). The content decides the format on the
// way in, the name's ending on the way out. No file makes this code crash or take memory out of
// proportion to the file; a file that is written appears whole or not at all. Called by: tools,
// api, apps, tests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "abi/hocket_abi.h"
#include "diag/result.h"

namespace hocket::image {

enum class Sample { u8, u16 };

// Planar, as a Func f(x, y, c) is stored by default: x fastest, then y, then the channel. Samples
// are in the machine's byte order, without padding. Channels: 1 gray, 2 gray and alpha, 3 RGB,
// 4 RGB and alpha (not premultiplied).
struct Image {
  Sample sample = Sample::u8;
  std::int64_t width = 0;
  std::int64_t height = 0;
  int channels = 1;
  std::vector<std::byte> data;

  Image() = default;
  Image(Sample sample, std::int64_t width, std::int64_t height, int channels);  // all samples 0

  std::int64_t sample_bytes() const { return sample == Sample::u8 ? 1 : 2; }
  std::int64_t value(std::int64_t x, std::int64_t y, int channel = 0) const;
  void set_value(std::int64_t x, std::int64_t y, int channel, std::int64_t value);

  // For a hocket_buffer_t over `data`: rank 2 where there is one channel, else rank 3; mins are 0.
  hocket_type_t type() const;
  std::vector<hocket_dim_t> dims() const;

  friend bool operator==(const Image&, const Image&) = default;
};

enum class Format { png, pnm };

// Images beyond this many bytes of samples are refused (I0006).
inline constexpr std::int64_t kMaxBytes = std::int64_t{8} << 30;

diag::Result<Image> load(const std::string& path);
diag::Result<void> save(const Image& image, const std::string& path);
// Every image in the form of its path's ending before the first of them is written: where one has
// no such form, nothing is.
diag::Result<void> save(std::span<const Image> images, std::span<const std::string> paths);

// The same without files; `name` stands in messages.
diag::Result<Image> decode(std::span<const std::byte> bytes, const std::string& name);
diag::Result<std::vector<std::byte>> encode(const Image& image, Format format,
                                            const std::string& name);

}  // namespace hocket::image
