// Inside the room: one decoder and one encoder per format, and what they have in common.
// Called by image.cpp alone.
#pragma once

#include "image/image.h"

namespace hocket::image {

bool is_png(std::span<const std::byte> bytes);
diag::Result<Image> decode_png(std::span<const std::byte> bytes, const std::string& name);
diag::Result<std::vector<std::byte>> encode_png(const Image& image, const std::string& name);

bool is_pnm(std::span<const std::byte> bytes);
diag::Result<Image> decode_pnm(std::span<const std::byte> bytes, const std::string& name);
diag::Result<std::vector<std::byte>> encode_pnm(const Image& image, const std::string& name);

// An Image of this size with samples 0, or the refusal of a size that is 0, too large, or out of
// proportion to the bytes there are: a format says how many samples a byte can stand for at most.
diag::Result<Image> make_image(Sample sample, std::int64_t width, std::int64_t height, int channels,
                               std::int64_t file_bytes, std::int64_t samples_per_byte,
                               const std::string& name);

diag::Diagnostic damaged(const std::string& name, std::string reason);

}  // namespace hocket::image
