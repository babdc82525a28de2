#include "api/buffer.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "api/contents.h"

namespace hocket {

using support::Place;

namespace {

hocket_type_t abi_type(Type t) {
  hocket_type_t out = {};
  out.code = t.is_bool()                      ? HOCKET_TYPE_BOOL
             : t.code == ir::TypeCode::BFloat ? HOCKET_TYPE_BFLOAT
             : t.is_float()                   ? HOCKET_TYPE_FLOAT
             : t.is_uint()                    ? HOCKET_TYPE_UINT
                                              : HOCKET_TYPE_INT;
  out.bits = t.bits;
  out.lanes = 1;
  return out;
}

constexpr size_t kAlign = 64;

}  // namespace

BufferBase::BufferBase(Type type, const std::vector<int64_t>& extents, void* data,
                       std::source_location where)
    : storage_(std::make_shared<Storage>()) {
  storage_->type = type;
  int64_t stride = 1, bytes = type.bytes();
  for (const int64_t e : extents) {
    if (e < 0) refuse("a buffer's extent is negative: " + std::to_string(e), Place::of(where));
    storage_->dims.push_back({0, e, stride});
    // An extent of 0 makes no other one small.
    if (__builtin_mul_overflow(bytes, std::max<int64_t>(e, 1), &bytes) || bytes > INT64_MAX / 2)
      refuse("a buffer of these extents takes more than 2^62 bytes", Place::of(where));
    stride *= e;
  }
  hocket_buffer_t& raw = storage_->raw;
  raw.type = abi_type(type);
  raw.dimensions = static_cast<int32_t>(extents.size());
  raw.dim = storage_->dims.data();
  raw.host = data;
  if (data == nullptr) {
    const size_t all = size_in_bytes() + kAlign;
    storage_->memory.reset(new (std::nothrow) uint8_t[all]());
    if (storage_->memory == nullptr)
      refuse("no memory for a buffer of " + std::to_string(all) + " bytes", Place::of(where));
    raw.host = storage_->memory.get() +
               (kAlign - reinterpret_cast<uintptr_t>(storage_->memory.get()) % kAlign) % kAlign;
  }
}

size_t BufferBase::size_in_bytes() const {
  int64_t n = storage_->type.bytes();
  for (const hocket_dim_t& d : storage_->dims) n *= d.extent;
  return static_cast<size_t>(n);
}

void BufferBase::set_min(const std::vector<int64_t>& mins, std::source_location where) {
  if (mins.size() != storage_->dims.size())
    refuse("a buffer of " + std::to_string(storage_->dims.size()) + " dimensions is given " +
               std::to_string(mins.size()) + " mins",
           Place::of(where));
  for (size_t d = 0; d < mins.size() && d < storage_->dims.size(); ++d)
    storage_->dims[d].min = mins[d];
}

int64_t BufferBase::offset(const int64_t* at, size_t count, std::source_location where) const {
  if (count != storage_->dims.size())
    refuse("a buffer of " + std::to_string(storage_->dims.size()) + " dimensions is read with " +
               std::to_string(count) + " coordinates",
           Place::of(where));
  int64_t out = 0;
  for (size_t d = 0; d < count; ++d) {
    const hocket_dim_t& dim = storage_->dims[d];
    if (at[d] < dim.min || at[d] >= dim.min + dim.extent)
      refuse("coordinate " + std::to_string(at[d]) + " of dimension " + std::to_string(d) +
                 " is outside the buffer",
             Place::of(where));
    out += (at[d] - dim.min) * dim.stride;
  }
  return out;
}

Expr BufferBase::call(const std::vector<Here>& at) const {
  if (!storage_->as_input) {
    ImageParam input(type(), dimensions(), "buffer", at.front().where);
    // The contents hold the memory, not the storage that holds the contents.
    BufferBase alias;
    alias.storage_ = std::make_shared<Storage>();
    alias.storage_->type = storage_->type;
    alias.storage_->dims = storage_->dims;
    alias.storage_->raw = storage_->raw;
    alias.storage_->raw.dim = alias.storage_->dims.data();
    input.contents()->keep = storage_->memory;
    input.set(alias);
    storage_->as_input = input.contents();
  }
  return ImageParam(support::static_ref_cast<api::ImageContents>(storage_->as_input)).call(at);
}

}  // namespace hocket
