#include "image/image.h"

#include <cstring>

#include "diag/kinds_image.h"
#include "image/files.h"
#include "image/formats.h"

namespace hocket::image {

namespace {

using diag::Diagnostic;
using diag::Result;

std::size_t index_of(const Image& image, std::int64_t x, std::int64_t y, int channel) {
  HOCKET_ASSERT(x >= 0 && x < image.width && y >= 0 && y < image.height && channel >= 0 &&
                    channel < image.channels,
                "a sample outside the image");
  return static_cast<std::size_t>((channel * image.height + y) * image.width + x);
}

// The ending of a name, in lower case, with its dot.
std::string ending(const std::string& path) {
  const std::size_t dot = path.find_last_of("./");
  if (dot == std::string::npos || path[dot] == '/') return "";
  std::string text = path.substr(dot);
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

// What a file with this ending can hold.
struct Ending {
  const char* text;
  Format format;
  int min_channels, max_channels;
};
constexpr Ending kEndings[] = {{".png", Format::png, 1, 4},
                               {".pgm", Format::pnm, 1, 1},
                               {".ppm", Format::pnm, 3, 3},
                               {".pnm", Format::pnm, 1, 3}};

Result<Format> format_for(const Image& image, const std::string& path) {
  const std::string text = ending(path);
  for (const Ending& known : kEndings) {
    if (text != known.text) continue;
    if (image.channels < known.min_channels || image.channels > known.max_channels) {
      return Diagnostic(diag::kind::image_channels)
          .arg("path", path)
          .arg("format", text)
          .arg("channels", std::int64_t{image.channels})
          .help("write a .png file, which has 1 to 4 channels");
    }
    return known.format;
  }
  return Diagnostic(diag::kind::image_ending).arg("path", path);
}

}  // namespace

Image::Image(Sample sample_, std::int64_t width_, std::int64_t height_, int channels_)
    : sample(sample_), width(width_), height(height_), channels(channels_) {
  HOCKET_ASSERT(width >= 0 && height >= 0 && channels >= 1 && channels <= 4, "no image is so");
  data.resize(static_cast<std::size_t>(width * height * channels * sample_bytes()));
}

std::int64_t Image::value(std::int64_t x, std::int64_t y, int channel) const {
  const std::size_t index = index_of(*this, x, y, channel);
  if (sample == Sample::u8) return std::to_integer<std::int64_t>(data[index]);
  std::uint16_t wide;
  std::memcpy(&wide, &data[2 * index], sizeof wide);
  return wide;
}

void Image::set_value(std::int64_t x, std::int64_t y, int channel, std::int64_t value) {
  const std::size_t index = index_of(*this, x, y, channel);
  if (sample == Sample::u8) {
    data[index] = static_cast<std::byte>(value);
    return;
  }
  const std::uint16_t wide = static_cast<std::uint16_t>(value);
  std::memcpy(&data[2 * index], &wide, sizeof wide);
}

hocket_type_t Image::type() const {
  return hocket_type(HOCKET_TYPE_UINT, sample == Sample::u8 ? 8 : 16);
}

std::vector<hocket_dim_t> Image::dims() const {
  std::vector<hocket_dim_t> dims = {{0, width, 1}, {0, height, width}};
  if (channels > 1) dims.push_back({0, channels, width * height});
  return dims;
}

Diagnostic damaged(const std::string& name, std::string reason) {
  return Diagnostic(diag::kind::image_damaged).arg("path", name).arg("reason", std::move(reason));
}

Result<Image> make_image(Sample sample, std::int64_t width, std::int64_t height, int channels,
                         std::int64_t file_bytes, std::int64_t samples_per_byte,
                         const std::string& name) {
  if (width <= 0 || height <= 0) return damaged(name, "it has no pixels");
  const std::int64_t pixel_bytes = channels * (sample == Sample::u8 ? 1 : 2);
  if (width > INT32_MAX || height > INT32_MAX || width > kMaxBytes / pixel_bytes / height) {
    return Diagnostic(diag::kind::image_too_large)
        .arg("path", name)
        .arg("width", width)
        .arg("height", height)
        .arg("limit", kMaxBytes);
  }
  if (width * height * channels / samples_per_byte > file_bytes) {
    return damaged(name, "it ends too early");
  }
  return Image(sample, width, height, channels);
}

Result<Image> decode(std::span<const std::byte> bytes, const std::string& name) {
  if (is_png(bytes)) return decode_png(bytes, name);
  if (is_pnm(bytes)) return decode_pnm(bytes, name);
  return Diagnostic(diag::kind::image_not_an_image).arg("path", name);
}

Result<std::vector<std::byte>> encode(const Image& image, Format format, const std::string& name) {
  if (image.width == 0 || image.height == 0) {
    return Diagnostic(diag::kind::image_without_pixels).arg("path", name);
  }
  return format == Format::png ? encode_png(image, name) : encode_pnm(image, name);
}

Result<Image> load(const std::string& path) {
  HOCKET_TRY(const std::vector<std::byte> bytes, read_file(path));
  return decode(bytes, path);
}

Result<void> save(const Image& image, const std::string& path) {
  return save(std::span(&image, 1), std::span(&path, 1));
}

Result<void> save(std::span<const Image> images, std::span<const std::string> paths) {
  std::vector<std::vector<std::byte>> files;
  for (size_t i = 0; i < images.size(); ++i) {
    HOCKET_TRY(const Format format, format_for(images[i], paths[i]));
    HOCKET_TRY(std::vector<std::byte> bytes, encode(images[i], format, paths[i]));
    files.push_back(std::move(bytes));
  }
  return write_files(paths, files);
}

}  // namespace hocket::image
