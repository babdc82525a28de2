#include "tools/pictures.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace hocket::tools {

namespace {

// Calls f with a null pointer of the C++ type that a buffer's elements have.
template <class F>
void with_type(hocket_type_t type, F&& f) {
  switch (type.code) {
    case HOCKET_TYPE_FLOAT:
      if (type.bits == 32) return f(static_cast<float*>(nullptr));
      if (type.bits == 64) return f(static_cast<double*>(nullptr));
      return;
    case HOCKET_TYPE_INT:
      if (type.bits == 8) return f(static_cast<int8_t*>(nullptr));
      if (type.bits == 16) return f(static_cast<int16_t*>(nullptr));
      if (type.bits == 32) return f(static_cast<int32_t*>(nullptr));
      return f(static_cast<int64_t*>(nullptr));
    case HOCKET_TYPE_UINT:
      if (type.bits == 16) return f(static_cast<uint16_t*>(nullptr));
      if (type.bits == 32) return f(static_cast<uint32_t*>(nullptr));
      if (type.bits == 64) return f(static_cast<uint64_t*>(nullptr));
      return f(static_cast<uint8_t*>(nullptr));
    default:
      return f(static_cast<uint8_t*>(nullptr));
  }
}

template <class T>
int64_t sample_of(T value, int64_t most) {
  if constexpr (std::is_floating_point_v<T>) {
    if (!(value > 0)) return 0;
    return value >= static_cast<T>(most) ? most : static_cast<int64_t>(std::nearbyint(value));
  } else {
    if (value <= T{0}) return 0;
    return static_cast<uint64_t>(value) > static_cast<uint64_t>(most) ? most
                                                                      : static_cast<int64_t>(value);
  }
}

}  // namespace

Plane Plane::make(hocket_type_t type, std::vector<hocket_dim_t> dims) {
  Plane p;
  p.dims = std::move(dims);
  int64_t stride = 1;
  for (hocket_dim_t& d : p.dims) {
    d.stride = stride;
    stride *= std::max<int64_t>(d.extent, 1);
  }
  p.bytes.resize(static_cast<size_t>(std::max<int64_t>(p.count(), 1) * hocket_type_bytes(type)));
  p.buffer.type = type;
  return p;
}

int64_t Plane::count() const {
  int64_t n = 1;
  for (const hocket_dim_t& d : dims) n *= d.extent;
  return n;
}

hocket_buffer_t* Plane::address() {
  buffer.host = bytes.data();
  buffer.dim = dims.data();
  buffer.dimensions = static_cast<int32_t>(dims.size());
  return &buffer;
}

Plane plane_of(const image::Image& image, int channel, hocket_type_t type, int64_t x0, int64_t x1,
               int64_t y0, int64_t y1) {
  std::vector<hocket_dim_t> dims = {{-x0, image.width + x0 + x1, 1},
                                    {-y0, image.height + y0 + y1, 1}};
  if (channel < 0) dims.push_back({0, image.channels, 1});
  Plane out = Plane::make(type, dims);
  with_type(type, [&]<class T>(T*) {
    T* to = reinterpret_cast<T*>(out.bytes.data());
    const int first = channel < 0 ? 0 : channel, last = channel < 0 ? image.channels : channel + 1;
    for (int c = first; c < last; ++c)
      for (int64_t y = -y0; y < image.height + y1; ++y)
        for (int64_t x = -x0; x < image.width + x1; ++x)
          *to++ = static_cast<T>(image.value(std::clamp<int64_t>(x, 0, image.width - 1),
                                             std::clamp<int64_t>(y, 0, image.height - 1), c));
  });
  return out;
}

void store_plane(const Plane& plane, image::Image& image, int channel) {
  const int64_t most = image.sample == image::Sample::u8 ? 255 : 65535;
  with_type(plane.buffer.type, [&]<class T>(T*) {
    const T* from = reinterpret_cast<const T*>(plane.bytes.data());
    const int first = channel < 0 ? 0 : channel, last = channel < 0 ? image.channels : channel + 1;
    for (int c = first; c < last; ++c)
      for (int64_t y = 0; y < image.height; ++y)
        for (int64_t x = 0; x < image.width; ++x)
          image.set_value(x, y, c, sample_of(*from++, most));
  });
}

}  // namespace hocket::tools
