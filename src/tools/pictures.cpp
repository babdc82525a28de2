#include "tools/pictures.h"

#include <algorithm>
#include <cmath>

#include "diag/kinds_driver.h"
#include "ir/semantics.h"
#include "tools/room.h"

namespace hocket::tools {

namespace {

// f16 and bf16, which C++ has no name for.
template <ir::TypeCode code>
struct SmallFloat {
  uint16_t bits = 0;
  static constexpr ir::Type type() {
    return code == ir::TypeCode::BFloat ? ir::Type::bf16() : ir::Type::f(16);
  }
  explicit SmallFloat(int64_t v) {
    ir::store_bytes(ir::Scalar::of_float(type(), static_cast<double>(v)), &bits);
  }
  double number() const { return ir::load_bytes(type(), &bits).f; }
};

// Calls f with a null pointer of the C++ type that a buffer's elements have.
template <class F>
void with_type(hocket_type_t type, F&& f) {
  switch (type.code) {
    case HOCKET_TYPE_FLOAT:
      if (type.bits == 32) return f(static_cast<float*>(nullptr));
      if (type.bits == 64) return f(static_cast<double*>(nullptr));
      return f(static_cast<SmallFloat<ir::TypeCode::Float>*>(nullptr));
    case HOCKET_TYPE_BFLOAT:
      return f(static_cast<SmallFloat<ir::TypeCode::BFloat>*>(nullptr));
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

// `cut` counts the values that no sample has; a real between two samples is rounded.
template <class T>
int64_t sample_of(T value, int64_t most, int64_t& cut) {
  if constexpr (std::is_class_v<T>) {
    return sample_of(value.number(), most, cut);
  } else if constexpr (std::is_floating_point_v<T>) {
    const T nearest = std::nearbyint(value);
    const bool low = !(nearest >= 0), high = nearest > static_cast<T>(most);
    cut += low || high;
    return low ? 0 : high ? most : static_cast<int64_t>(nearest);
  } else {
    const bool low = value < T{0};
    const bool high = !low && static_cast<uint64_t>(value) > static_cast<uint64_t>(most);
    cut += low || high;
    return low ? 0 : high ? most : static_cast<int64_t>(value);
  }
}

// The greatest sample that the type holds, among those that files have.
int64_t most_of(hocket_type_t type) {
  constexpr int64_t any = 65535;
  switch (type.code) {
    case HOCKET_TYPE_BOOL:
      return 1;
    case HOCKET_TYPE_UINT:
      return type.bits == 8 ? 255 : any;
    case HOCKET_TYPE_INT:
      return type.bits == 8 ? 127 : type.bits == 16 ? 32767 : any;
    case HOCKET_TYPE_FLOAT:
      return type.bits == 16 ? 65504 : any;
    default:
      return any;
  }
}

std::string name_of(hocket_type_t type) {
  switch (type.code) {
    case HOCKET_TYPE_BOOL:
      return "bool";
    case HOCKET_TYPE_UINT:
      return "u" + std::to_string(type.bits);
    case HOCKET_TYPE_INT:
      return "i" + std::to_string(type.bits);
    case HOCKET_TYPE_BFLOAT:
      return "bf16";
    default:
      return "f" + std::to_string(type.bits);
  }
}

}  // namespace

diag::Result<Plane> Plane::make(const std::string& what, hocket_type_t type,
                                std::vector<hocket_dim_t> dims) {
  Plane p;
  p.dims = std::move(dims);
  std::vector<int64_t> extents;
  for (const hocket_dim_t& d : p.dims) extents.push_back(d.extent);
  HOCKET_TRY(const size_t bytes, room_for(what, extents, hocket_type_bytes(type)));
  int64_t stride = 1;
  for (hocket_dim_t& d : p.dims) {
    d.stride = stride;
    stride *= std::max<int64_t>(d.extent, 1);
  }
  p.bytes.resize(bytes);
  p.buffer.type = type;
  return p;
}

hocket_buffer_t* Plane::address() {
  buffer.host = bytes.data();
  buffer.dim = dims.data();
  buffer.dimensions = static_cast<int32_t>(dims.size());
  return &buffer;
}

diag::Result<void> check_samples(const image::Image& image, const std::string& file,
                                 const std::string& argument, hocket_type_t type) {
  const int64_t most = most_of(type);
  if (most >= (image.sample == image::Sample::u8 ? 255 : 65535)) return {};
  for (int c = 0; c < image.channels; ++c)
    for (int64_t y = 0; y < image.height; ++y)
      for (int64_t x = 0; x < image.width; ++x)
        if (const int64_t v = image.value(x, y, c); v > most)
          return diag::Diagnostic(diag::kind::sample_out_of_range)
              .arg("file", file)
              .arg("argument", argument)
              .arg("value", v)
              .arg("type", name_of(type))
              .arg("most", most);
  return {};
}

diag::Result<Plane> plane_of(const std::string& what, const image::Image& image, int channel,
                             hocket_type_t type, const Pad& pad) {
  std::vector<hocket_dim_t> dims = {{-pad.low[0], image.width + pad.low[0] + pad.high[0], 1},
                                    {-pad.low[1], image.height + pad.low[1] + pad.high[1], 1}};
  if (channel < 0) dims.push_back({0, image.channels, 1});
  HOCKET_TRY(Plane out, Plane::make(what, type, dims));
  with_type(type, [&]<class T>(T*) {
    T* to = reinterpret_cast<T*>(out.bytes.data());
    const int first = channel < 0 ? 0 : channel, last = channel < 0 ? image.channels : channel + 1;
    for (int c = first; c < last; ++c)
      for (int64_t y = -pad.low[1]; y < image.height + pad.high[1]; ++y)
        for (int64_t x = -pad.low[0]; x < image.width + pad.high[0]; ++x)
          *to++ = static_cast<T>(image.value(std::clamp<int64_t>(x, 0, image.width - 1),
                                             std::clamp<int64_t>(y, 0, image.height - 1), c));
  });
  return out;
}

Cut store_plane(const Plane& plane, image::Image& image, int channel) {
  constexpr int64_t widest = 65535;
  const int64_t most = image.sample == image::Sample::u8 ? 255 : widest;
  Cut cut;
  with_type(plane.buffer.type, [&]<class T>(T*) {
    const T* from = reinterpret_cast<const T*>(plane.bytes.data());
    const int first = channel < 0 ? 0 : channel, last = channel < 0 ? image.channels : channel + 1;
    for (int c = first; c < last; ++c)
      for (int64_t y = 0; y < image.height; ++y)
        for (int64_t x = 0; x < image.width; ++x, ++from) {
          image.set_value(x, y, c, sample_of(*from, most, cut.here));
          sample_of(*from, widest, cut.wide);
        }
  });
  return cut;
}

}  // namespace hocket::tools
