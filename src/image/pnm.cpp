// PGM and PPM: P2 and P3 as text, P5 and P6 as bytes, up to 16 bits.
// Samples are scaled to the full range of 8 or 16 bits where the file's greatest value is another,
// so that white stays white. Written are P5 and P6 with the greatest value 255 or 65535.
#include <bit>
#include <cstring>

#include "diag/kinds_image.h"
#include "image/formats.h"

namespace hocket::image {

namespace {

using diag::Diagnostic;
using diag::Result;

bool is_space(std::byte b) {
  const char c = static_cast<char>(b);
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f';
}

// Reads numbers; `#` starts a comment up to the end of its line.
class Scanner {
 public:
  explicit Scanner(std::span<const std::byte> bytes) : bytes_(bytes) {}

  // -1 where there is no number or it does not fit 31 bits.
  std::int64_t number() {
    skip_space();
    std::int64_t value = 0;
    const std::size_t start = at_;
    while (at_ < bytes_.size() && bytes_[at_] >= std::byte{'0'} && bytes_[at_] <= std::byte{'9'}) {
      value = value * 10 + (std::to_integer<int>(bytes_[at_++]) - '0');
      if (value > INT32_MAX) return -1;
    }
    return at_ == start ? -1 : value;
  }

  // After the header exactly one blank separates the samples.
  bool one_blank() { return at_ < bytes_.size() && is_space(bytes_[at_++]); }
  std::span<const std::byte> rest() const { return bytes_.subspan(at_); }

 private:
  void skip_space() {
    while (at_ < bytes_.size()) {
      if (bytes_[at_] == std::byte{'#'}) {
        while (at_ < bytes_.size() && bytes_[at_] != std::byte{'\n'}) ++at_;
      } else if (is_space(bytes_[at_])) {
        ++at_;
      } else {
        return;
      }
    }
  }

  std::span<const std::byte> bytes_;
  std::size_t at_ = 0;
};

struct Header {
  bool as_text;
  int channels;
  std::int64_t greatest;
};

std::int64_t scaled(std::int64_t value, std::int64_t greatest) {
  const std::int64_t full = greatest < 256 ? 255 : 65535;
  return greatest == full ? value : (value * full + greatest / 2) / greatest;
}

Result<void> read_samples(Image& image, const Header& header, Scanner& scanner,
                          const std::string& name) {
  const std::span<const std::byte> bytes = scanner.rest();
  std::size_t at = 0;
  for (std::int64_t y = 0; y < image.height; ++y) {
    for (std::int64_t x = 0; x < image.width; ++x) {
      for (int c = 0; c < image.channels; ++c) {
        std::int64_t value;
        if (header.as_text) {
          value = scanner.number();
          if (value < 0)
            return damaged(name, "it ends too early or holds something else than numbers");
        } else {
          value = std::to_integer<std::int64_t>(bytes[at++]);
          if (image.sample == Sample::u16) {
            value = value << 8 | std::to_integer<std::int64_t>(bytes[at++]);
          }
        }
        if (value > header.greatest) {
          return damaged(name, "a sample is " + std::to_string(value) + ", the greatest value is " +
                                   std::to_string(header.greatest));
        }
        image.set_value(x, y, c, scaled(value, header.greatest));
      }
    }
  }
  return {};
}

}  // namespace

bool is_pnm(std::span<const std::byte> bytes) {
  return bytes.size() >= 3 && bytes[0] == std::byte{'P'} && bytes[1] >= std::byte{'1'} &&
         bytes[1] <= std::byte{'7'} && (is_space(bytes[2]) || bytes[2] == std::byte{'#'});
}

Result<Image> decode_pnm(std::span<const std::byte> bytes, const std::string& name) {
  const int number = std::to_integer<int>(bytes[1]) - '0';
  if (number == 1 || number == 4 || number == 7) {
    return Diagnostic(diag::kind::image_unsupported)
        .arg("path", name)
        .arg("what", "the format P" + std::to_string(number));
  }
  Scanner scanner(bytes.subspan(2));
  const std::int64_t width = scanner.number();
  const std::int64_t height = scanner.number();
  const std::int64_t greatest = scanner.number();
  if (width < 0 || height < 0 || greatest < 0) return damaged(name, "its header holds no size");
  if (greatest < 1 || greatest > 65535) {
    return damaged(name, "its greatest value is " + std::to_string(greatest));
  }
  if (!scanner.one_blank()) return damaged(name, "it ends too early");
  const Header header = {number <= 3, number == 3 || number == 6 ? 3 : 1, greatest};
  const Sample sample = greatest < 256 ? Sample::u8 : Sample::u16;
  // A sample takes at least two characters as text (the last may lack its blank).
  const std::int64_t rest = static_cast<std::int64_t>(scanner.rest().size());
  const std::int64_t file_samples =
      header.as_text ? (rest + 1) / 2 : rest / (sample == Sample::u8 ? 1 : 2);
  HOCKET_TRY(Image image,
             make_image(sample, width, height, header.channels, file_samples, 1, name));
  HOCKET_CHECK(read_samples(image, header, scanner, name));
  return image;
}

Result<std::vector<std::byte>> encode_pnm(const Image& image, const std::string& name) {
  if (image.channels != 1 && image.channels != 3) {
    return Diagnostic(diag::kind::image_channels)
        .arg("path", name)
        .arg("format", std::string("PNM"))
        .arg("channels", std::int64_t{image.channels})
        .help("write a .png file, which has 1 to 4 channels");
  }
  const std::string header = (image.channels == 1 ? "P5\n" : "P6\n") + std::to_string(image.width) +
                             " " + std::to_string(image.height) +
                             (image.sample == Sample::u8 ? "\n255\n" : "\n65535\n");
  std::vector<std::byte> bytes(header.size());
  std::memcpy(bytes.data(), header.data(), header.size());
  bytes.reserve(header.size() + image.data.size());
  for (std::int64_t y = 0; y < image.height; ++y) {
    for (std::int64_t x = 0; x < image.width; ++x) {
      for (int c = 0; c < image.channels; ++c) {
        const std::int64_t value = image.value(x, y, c);
        if (image.sample == Sample::u16) bytes.push_back(static_cast<std::byte>(value >> 8));
        bytes.push_back(static_cast<std::byte>(value & 255));
      }
    }
  }
  return bytes;
}

}  // namespace hocket::image
