// Any bytes as an image: an answer, and what is accepted survives being written and read again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "image/image.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace hocket::image;
  const auto image = decode(std::as_bytes(std::span(data, size)), "fuzz");
  if (!image.ok() || image->width * image->height > 100000) return 0;
  const auto bytes = encode(*image, Format::png, "fuzz");
  if (!bytes.ok()) std::abort();
  const auto again = decode(*bytes, "fuzz");
  if (!again.ok() || !(*again == *image)) std::abort();
  return 0;
}
