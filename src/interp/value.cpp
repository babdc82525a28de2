#include "interp/value.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <numeric>

#include "support/assert.h"

namespace hocket::interp {

using ir::Scalar;
using ir::Type;

Tensor Tensor::of_box(Type element, std::vector<int64_t> mins, std::vector<int64_t> extents) {
  std::vector<int64_t> strides(extents.size());
  int64_t stride = 1;
  for (size_t d = 0; d < extents.size(); ++d) {
    strides[d] = stride;
    stride *= std::max<int64_t>(extents[d], 1);
  }
  return with_strides(element, std::move(mins), std::move(extents), std::move(strides));
}

Tensor Tensor::row_major(Type element, std::vector<int64_t> extents) {
  std::vector<int64_t> strides(extents.size());
  int64_t stride = 1;
  for (size_t d = extents.size(); d-- > 0;) {
    strides[d] = stride;
    stride *= std::max<int64_t>(extents[d], 1);
  }
  std::vector<int64_t> mins(extents.size(), 0);
  return with_strides(element, std::move(mins), std::move(extents), std::move(strides));
}

Tensor Tensor::with_strides(Type element, std::vector<int64_t> mins, std::vector<int64_t> extents,
                            std::vector<int64_t> strides) {
  HOCKET_ASSERT(mins.size() == extents.size() && strides.size() == extents.size(),
                "mins, extents and strides of unlike rank");
  Tensor t;
  t.type_ = element.element();
  t.mins_ = std::move(mins);
  t.extents_ = std::move(extents);
  t.strides_ = std::move(strides);
  t.cells_ = 1;
  for (int d = 0; d < t.rank(); ++d) {
    HOCKET_ASSERT(t.extent(d) >= 0 && t.stride(d) >= 1, "a tensor of negative extent or stride");
    if (t.extent(d) == 0) t.cells_ = 0;
  }
  if (t.cells_ != 0) {
    for (int d = 0; d < t.rank(); ++d) t.cells_ += (t.extent(d) - 1) * t.stride(d);
  }
  t.bytes_.assign(static_cast<size_t>(t.cells_ * t.type_.bytes()), 0);
  t.poison_.assign(static_cast<size_t>(t.cells_), 1);
  return t;
}

int64_t Tensor::count() const {
  return std::accumulate(extents_.begin(), extents_.end(), int64_t{1}, std::multiplies<>());
}

bool Tensor::contains(std::span<const int64_t> point) const {
  if (static_cast<int>(point.size()) != rank()) return false;
  for (size_t d = 0; d < point.size(); ++d) {
    // Coordinates may be anything: how far one lies above the min fits 64 bits without a sign.
    if (point[d] < mins_[d]) return false;
    const uint64_t above = static_cast<uint64_t>(point[d]) - static_cast<uint64_t>(mins_[d]);
    if (above >= static_cast<uint64_t>(std::max<int64_t>(extents_[d], 0))) return false;
  }
  return true;
}

int64_t Tensor::cell_of(std::span<const int64_t> point) const {
  HOCKET_ASSERT(contains(point), "point " + spoken(point) + " lies outside the tensor");
  int64_t at = 0;
  for (size_t d = 0; d < point.size(); ++d) at += (point[d] - mins_[d]) * strides_[d];
  return at;
}

Scalar Tensor::cell(int64_t index) const {
  if (is_poison(index)) return Scalar::of_poison(type_);
  return ir::load_bytes(type_, bytes_.data() + index * type_.bytes());
}

void Tensor::set_cell(int64_t index, const Scalar& value) {
  HOCKET_ASSERT(value.type == type_, "a value of another type");
  poison_[static_cast<size_t>(index)] = value.poison;
  if (!value.poison) ir::store_bytes(value, bytes_.data() + index * type_.bytes());
}

void Tensor::mark_computed() {
  std::fill(poison_.begin(), poison_.end(), 0);
}

void Tensor::for_each_point(const std::function<void(std::span<const int64_t>)>& f) const {
  if (cells_ == 0) return;
  std::vector<int64_t> point = mins_;
  while (true) {
    f(point);
    size_t d = 0;
    for (; d < point.size(); ++d) {
      if (++point[d] < mins_[d] + extents_[d]) break;
      point[d] = mins_[d];
    }
    if (d == point.size()) return;
  }
}

namespace {
template <class Next>
void fill_by(Tensor& t, Next&& next) {
  t.for_each_point([&](std::span<const int64_t> p) { t.set(p, next()); });
}
}  // namespace

Tensor& Tensor::fill_random(uint64_t seed) {
  Random random(seed);
  fill_by(*this, [&] { return random.value(type_); });
  return *this;
}

Tensor& Tensor::fill_random(uint64_t seed, int64_t low, int64_t high) {
  Random random(seed);
  fill_by(*this, [&] {
    const int64_t v = random.between(low, high);
    return type_.is_float() ? Scalar::of_float(type_, static_cast<double>(v))
                            : Scalar::of_int(type_, v);
  });
  return *this;
}

Tensor& Tensor::fill_corners(uint64_t seed) {
  Random random(seed);
  fill_by(*this, [&] { return random.one_in(4) ? random.corner(type_) : random.value(type_); });
  return *this;
}

Tensor& Tensor::fill(const Scalar& value) {
  fill_by(*this, [&] { return value; });
  return *this;
}

std::optional<std::vector<int64_t>> first_difference(const Tensor& a, const Tensor& b) {
  HOCKET_ASSERT(a.type() == b.type() && a.mins() == b.mins() && a.extents() == b.extents(),
                "tensors of unlike type or box are not compared");
  std::optional<std::vector<int64_t>> found;
  a.for_each_point([&](std::span<const int64_t> p) {
    if (found) return;
    const Scalar x = a.at(p), y = b.at(p);
    if (x.poison && y.poison) return;
    if (!ir::same_value(x, y)) found.emplace(p.begin(), p.end());
  });
  return found;
}

std::string spoken(std::span<const int64_t> point) {
  std::string text = "(";
  for (size_t d = 0; d < point.size(); ++d) {
    if (d > 0) text += ", ";
    text += std::to_string(point[d]);
  }
  return text + ")";
}

std::string spoken(const Scalar& value) {
  if (value.poison) return "poison";
  if (value.type.is_bool()) return value.truth() ? "True" : "False";
  if (value.type.is_float()) {
    if (std::isnan(value.f)) return "nan";
    char text[40];
    const int digits = value.type.bits == 64 ? 17 : value.type.bits == 32 ? 9 : 6;
    // The fewest digits that give the value back; none of a whole number becomes a power of ten.
    int fewest = 1;
    if (std::abs(value.f) >= 1 && std::abs(value.f) < 1e9)
      fewest = std::min(digits, static_cast<int>(std::log10(std::abs(value.f))) + 1);
    for (int n = fewest; n <= digits; ++n) {
      std::snprintf(text, sizeof text, "%.*g", n, value.f);
      if (ir::round_to(value.type, std::strtod(text, nullptr)) == value.f) break;
    }
    return text;
  }
  if (value.type.is_uint()) return std::to_string(static_cast<uint64_t>(value.i));
  return std::to_string(value.i);
}

uint64_t Random::next() {
  uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

int64_t Random::below(int64_t n) {
  return static_cast<int64_t>(next() % static_cast<uint64_t>(n));
}

int64_t Random::between(int64_t low, int64_t high) {
  const uint64_t span = static_cast<uint64_t>(high) - static_cast<uint64_t>(low) + 1;
  const uint64_t step = span == 0 ? next() : next() % span;
  return static_cast<int64_t>(static_cast<uint64_t>(low) + step);
}

Scalar Random::value(Type type) {
  if (!type.is_float())
    return Scalar::of_int(type, static_cast<int64_t>(next() >> (type.is_bool() ? 63 : 0)));
  return Scalar::of_float(type, static_cast<double>(between(-128, 128)) / 64);
}

Scalar Random::corner(Type type) {
  if (type.is_float()) {
    static const double values[] = {std::numeric_limits<double>::quiet_NaN(),
                                    std::numeric_limits<double>::infinity(),
                                    -std::numeric_limits<double>::infinity(),
                                    0.0,
                                    -0.0,
                                    1.0,
                                    -1.0,
                                    0.5,
                                    1.5,
                                    2.5};
    const int64_t pick = below(14);
    if (pick < 10) return Scalar::of_float(type, values[pick]);
    const bool half = type.bits == 16 && type.code == ir::TypeCode::Float;
    const int low = half ? -24 : type.bits == 64 ? -1074 : type.bits == 32 ? -149 : -133;
    const int high = half ? 15 : type.bits == 64 ? 1023 : 127;
    const double sign = one_in(2) ? 1 : -1;
    if (pick < 12)
      return Scalar::of_float(type, sign * std::ldexp(1.0, low + static_cast<int>(below(8))));
    return Scalar::of_float(type, sign * std::ldexp(1.0, high));
  }
  const int64_t low = type.min_value(), high = type.max_value();
  const int64_t values[] = {low, high, 0, 1, -1, 2};
  int64_t v = values[below(6)];
  if (one_in(3))
    v = static_cast<int64_t>(static_cast<uint64_t>(v) + static_cast<uint64_t>(between(-2, 2)));
  return Scalar::of_int(type, v);
}

}  // namespace hocket::interp
