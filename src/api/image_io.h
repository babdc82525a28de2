// Buffers from and to image files (PNG, PGM, PPM).
// In: a path. Out: a buffer over (x, y), or (x, y, c) where there are channels, of u8 or u16; both
// refusals and samples as image/ has them. Used by: users, through hocket.h.
#pragma once

#include <source_location>
#include <string>

#include "api/buffer.h"

namespace hocket {

Buffer<> load_image(const std::string& path,
                    std::source_location where = std::source_location::current());
void save_image(const BufferBase& buffer, const std::string& path,
                std::source_location where = std::source_location::current());

}  // namespace hocket
