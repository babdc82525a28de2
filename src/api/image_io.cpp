#include "api/image_io.h"

#include <cstring>

#include "image/image.h"

namespace hocket {

using support::Place;

Buffer<> load_image(const std::string& path, std::source_location where) {
  diag::Result<image::Image> loaded = image::load(path);
  if (!loaded) {
    loaded.error().place = Place::of(where);
    throw Error(std::move(loaded.error()));
  }
  std::vector<int64_t> sizes = {loaded->width, loaded->height};
  if (loaded->channels > 1) sizes.push_back(loaded->channels);
  BufferBase out(loaded->sample == image::Sample::u8 ? UInt(8) : UInt(16), sizes);
  std::memcpy(out.raw_data(), loaded->data.data(), loaded->data.size());
  return out;
}

void save_image(const BufferBase& b, const std::string& path, std::source_location where) {
  const bool wide = b.type() == UInt(16);
  if ((!wide && b.type() != UInt(8)) || b.dimensions() < 2 || b.dimensions() > 3)
    refuse("an image file takes u8 or u16 over (x, y) or (x, y, c)", Place::of(where));
  image::Image out(wide ? image::Sample::u16 : image::Sample::u8, b.width(), b.height(),
                   static_cast<int>(b.channels()));
  const size_t row = static_cast<size_t>(b.width()) * (wide ? 2 : 1);
  const int64_t bytes = wide ? 2 : 1;
  const auto* samples = static_cast<const uint8_t*>(b.raw_data());
  auto* to = reinterpret_cast<uint8_t*>(out.data.data());
  for (int64_t c = 0; c < b.channels(); ++c)
    for (int64_t y = 0; y < b.height(); ++y, to += row) {
      const int64_t at = y * b.stride(1) + (b.dimensions() > 2 ? c * b.stride(2) : 0);
      if (b.stride(0) == 1) {
        std::memcpy(to, samples + at * bytes, row);
        continue;
      }
      for (int64_t x = 0; x < b.width(); ++x)
        std::memcpy(to + x * bytes, samples + (at + x * b.stride(0)) * bytes,
                    static_cast<size_t>(bytes));
    }
  diag::Result<void> saved = image::save(out, path);
  if (!saved) {
    saved.error().place = Place::of(where);
    throw Error(std::move(saved.error()));
  }
}

}  // namespace hocket
