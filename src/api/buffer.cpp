#include "api/buffer.h"

#include <algorithm>
#include <climits>
#include <cstring>
#include <new>
#include <numeric>

#include "api/contents.h"
#include "support/strings.h"

namespace hocket {

using support::Place;

namespace {

hocket_type_t abi_type(Type t) {
  hocket_type_t out = {};
  out.code = t.is_bool()                        ? HOCKET_TYPE_BOOL
             : t.code() == ir::TypeCode::BFloat ? HOCKET_TYPE_BFLOAT
             : t.is_float()                     ? HOCKET_TYPE_FLOAT
             : t.is_uint()                      ? HOCKET_TYPE_UINT
                                                : HOCKET_TYPE_INT;
  out.bits = static_cast<uint8_t>(t.bits());
  out.lanes = 1;
  return out;
}

constexpr size_t kAlign = 64;

std::string dimensions_of(const BufferBase& b) {
  return support::counted(static_cast<size_t>(b.dimensions()), "dimension");
}

}  // namespace

BufferBase::BufferBase(Type type, const std::vector<int64_t>& extents, void* data, Where where)
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
  storage_->dims_changed();
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

void BufferBase::refuse_empty(Where where) {
  refuse("a Buffer that was made of nothing is used: it has no type, no extents and no memory",
         where.line() == 0 ? Place() : Place::of(where));
}

void BufferBase::Storage::dims_changed() {
  raw.dimensions = static_cast<int32_t>(dims.size());
  raw.dim = dims.data();
}

BufferDimension BufferBase::dim(int d, Where where) const {
  return BufferDimension(dim_at(d, where));
}

hocket_dim_t& BufferBase::dim_at(int d, Where where) const {
  if (d < 0 || d >= dimensions(where))
    refuse("a buffer of " + dimensions_of(*this) + " has no dimension " + std::to_string(d),
           Place::of(where));
  return storage_->dims[static_cast<size_t>(d)];
}

int64_t BufferBase::number_of_elements(Where where) const {
  int64_t n = 1;
  for (const hocket_dim_t& d : storage_.asked(where).dims) n *= d.extent;
  return n;
}

size_t BufferBase::size_in_bytes(Where where) const {
  int64_t last = 0;
  for (const hocket_dim_t& d : storage_.asked(where).dims) {
    if (d.extent == 0) return 0;
    last += (d.extent - 1) * d.stride;
  }
  return static_cast<size_t>((last + 1) * storage_->type.bytes());
}

bool BufferBase::holds(const std::vector<int64_t>& at) const {
  if (at.size() != storage_->dims.size()) return false;
  for (size_t d = 0; d < at.size(); ++d)
    if (at[d] < storage_->dims[d].min || at[d] >= storage_->dims[d].min + storage_->dims[d].extent)
      return false;
  return true;
}

void BufferBase::set_min(const std::vector<int64_t>& mins, Where where) {
  if (mins.size() != storage_.asked(where).dims.size())
    refuse("a buffer of " + dimensions_of(*this) + " is given " + std::to_string(mins.size()) +
               " mins",
           Place::of(where));
  for (size_t d = 0; d < mins.size(); ++d) storage_->dims[d].min = mins[d];
  shape_changed();
}

void BufferBase::translate(int d, int64_t by, Where where) {
  dim_at(d, where).min += by;
  shape_changed();
}
void BufferBase::translate(const std::vector<int64_t>& by, Where where) {
  if (by.size() != storage_.asked(where).dims.size())
    refuse("a buffer of " + dimensions_of(*this) + " is moved along " + std::to_string(by.size()),
           Place::of(where));
  for (size_t d = 0; d < by.size(); ++d) storage_->dims[d].min += by[d];
  shape_changed();
}

void BufferBase::crop(int d, int64_t min, int64_t extent, Where where) {
  hocket_dim_t& dim = dim_at(d, where);
  if (extent < 0 || min < dim.min || extent > dim.extent || min - dim.min > dim.extent - extent)
    refuse("a crop of dimension " + std::to_string(d) + " to " + std::to_string(extent) + " from " +
               std::to_string(min) + " leaves its " + std::to_string(dim.extent) + " from " +
               std::to_string(dim.min),
           Place::of(where));
  if (extent > 0)
    storage_->raw.host = static_cast<uint8_t*>(storage_->raw.host) +
                         (min - dim.min) * dim.stride * storage_->type.bytes();
  dim.min = min;
  dim.extent = extent;
  shape_changed();
}
void BufferBase::crop(const std::vector<std::pair<int64_t, int64_t>>& box, Where where) {
  if (box.size() > storage_.asked(where).dims.size())
    refuse(
        "a buffer of " + dimensions_of(*this) + " is cropped along " + std::to_string(box.size()),
        Place::of(where));
  BufferBase tried = alias(where);  // all or nothing
  for (size_t d = 0; d < box.size(); ++d)
    tried.crop(static_cast<int>(d), box[d].first, box[d].second, where);
  for (size_t d = 0; d < box.size(); ++d)
    crop(static_cast<int>(d), box[d].first, box[d].second, where);
}

void BufferBase::transpose(int d1, int d2, Where where) {
  std::swap(dim_at(d1, where), dim_at(d2, where));
  shape_changed();
}

void BufferBase::transpose(const std::vector<int>& order, Where where) {
  std::vector<int> sorted = order, all(storage_.asked(where).dims.size());
  std::iota(all.begin(), all.end(), 0);
  std::sort(sorted.begin(), sorted.end());
  if (sorted != all)
    refuse("an order of the dimensions of a buffer lists each of its " +
               std::to_string(all.size()) + " once",
           Place::of(where));
  const std::vector<hocket_dim_t> before = storage_->dims;
  for (size_t d = 0; d < order.size(); ++d)
    storage_->dims[d] = before[static_cast<size_t>(order[d])];
  shape_changed();
}

void BufferBase::slice(int d, Where where) {
  slice(d, dim_at(d, where).min, where);
}
void BufferBase::slice(int d, int64_t at, Where where) {
  crop(d, at, 1, where);
  storage_->dims.erase(storage_->dims.begin() + d);
  storage_->dims_changed();
  storage_->as_input = {};  // of another rank
}

template <class I>
int64_t BufferBase::offset_at(const I* at, size_t count, Where where) const {
  if (count != storage_.asked(where).dims.size())
    refuse("a buffer of " + dimensions_of(*this) + " is read with " +
               support::counted(count, "coordinate"),
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

int64_t BufferBase::offset(const int64_t* at, size_t count, Where where) const {
  return offset_at(at, count, where);
}
int64_t BufferBase::offset(const int* at, Where where) const {
  return offset_at(at, storage_.asked(where).dims.size(), where);
}

BufferBase BufferBase::alias(Where where) const {
  BufferBase out;
  const Type of = type(where);
  out.storage_ = std::make_shared<Storage>();
  out.storage_->type = of;
  out.storage_->name = storage_->name;
  out.storage_->dims = storage_->dims;
  out.storage_->memory = storage_->memory;
  out.storage_->raw = storage_->raw;
  out.storage_->dims_changed();
  return out;
}

BufferBase BufferBase::like(const BufferBase& shape, Type type, Where where) {
  std::vector<int64_t> extents, mins;
  for (const hocket_dim_t& d : shape.storage_.asked(where).dims) {
    extents.push_back(d.extent);
    mins.push_back(d.min);
  }
  BufferBase out(type, extents, nullptr, where);
  out.set_min(mins, where);
  std::vector<size_t> order(extents.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return shape.storage_->dims[a].stride < shape.storage_->dims[b].stride;
  });
  int64_t stride = 1;
  for (const size_t d : order) {
    out.storage_->dims[d].stride = stride;
    stride *= extents[d];
  }
  return out;
}

BufferBase BufferBase::interleaved(Type type, int64_t width, int64_t height, int64_t channels,
                                   void* data, Where where) {
  BufferBase out(type, {channels, width, height}, data, where);
  std::rotate(out.storage_->dims.begin(), out.storage_->dims.begin() + 1, out.storage_->dims.end());
  return out;
}

void BufferBase::copy_elements(const BufferBase& to, const BufferBase& from, Where where) {
  if (to.type(where) != from.type(where) || to.dimensions() != from.dimensions())
    refuse("a buffer of " + to.type().name() + " with " + dimensions_of(to) +
               " is given the elements of one of " + from.type().name() + " with " +
               dimensions_of(from),
           Place::of(where));
  BufferBase both = to.alias(where);
  for (int d = 0; d < to.dimensions(); ++d) {
    const int64_t low = std::max(to.min(d), from.min(d)),
                  end = std::min(to.min(d) + to.extent(d), from.min(d) + from.extent(d));
    if (end <= low) return;
    both.crop(d, low, end - low, where);
  }
  const auto bytes = static_cast<size_t>(to.type().bytes());
  const hocket_buffer_t &into = to.storage_->raw, &source = from.storage_->raw;
  const int64_t count = both.dimensions() == 0 ? 1 : both.extent(0);
  const int64_t step_to = both.dimensions() == 0 ? 1 : to.stride(0);
  const int64_t step_from = both.dimensions() == 0 ? 1 : from.stride(0);
  const auto width = static_cast<int64_t>(bytes);
  api::each_row(both.storage_->raw, [&](const std::vector<int64_t>& at) {
    uint8_t* t = static_cast<uint8_t*>(into.host) + api::offset_in(into, at) * width;
    const uint8_t* f =
        static_cast<const uint8_t*>(source.host) + api::offset_in(source, at) * width;
    if (step_to == 1 && step_from == 1) {
      std::memmove(t, f, bytes * static_cast<size_t>(count));
      return;
    }
    for (int64_t i = 0; i < count; ++i)
      std::memmove(t + i * step_to * width, f + i * step_from * width, bytes);
  });
}

ImageParam api::input_of(const BufferBase& buffer, std::source_location where) {
  if (!buffer.defined()) refuse("a buffer is read that is not defined", Place::of(where));
  BufferBase::Storage& storage = *buffer.storage_;
  if (!storage.as_input) {
    ImageParam input(buffer.type(), buffer.dimensions(), buffer.name(), where);
    // The contents hold the memory, not the storage that holds the contents.
    BufferBase same = buffer.alias(where);
    input.contents()->keep = std::exchange(same.storage_->memory, nullptr);
    input.set(same, where);
    storage.as_input = input.contents();
  }
  return ImageParam(support::static_ref_cast<ImageContents>(storage.as_input));
}

Expr BufferBase::call(const std::vector<Here>& at) const {
  return api::input_of(*this, at.front().where).call(at);
}

// What algorithms read follows the coordinates of the buffer.
void BufferBase::shape_changed() const {
  if (!storage_->as_input) return;
  const auto input = support::static_ref_cast<api::ImageContents>(storage_->as_input);
  Storage& same = *static_cast<BufferBase&>(input->bound).storage_;
  same.dims = storage_->dims;
  same.raw = storage_->raw;
  same.dims_changed();
}

namespace api {

void want_int_coordinates(const hocket_buffer_t& box, std::source_location where) {
  for (int32_t d = 0; d < box.dimensions; ++d)
    if (box.dim[d].min < INT_MIN || box.dim[d].extent > INT_MAX ||
        box.dim[d].min > INT_MAX - box.dim[d].extent)
      refuse("coordinates of dimension " + std::to_string(d) + " do not fit an int",
             Place::of(where));
}

void want_rank(const hocket_buffer_t& box, int wanted, std::source_location where) {
  if (box.dimensions != wanted)
    refuse("a buffer of " + support::counted(static_cast<size_t>(box.dimensions), "dimension") +
               " is walked by a function of " +
               support::counted(static_cast<size_t>(wanted), "coordinate"),
           Place::of(where));
}

void want_same_box(const hocket_buffer_t& a, const hocket_buffer_t& b, std::source_location where) {
  bool same = a.dimensions == b.dimensions;
  for (int32_t d = 0; same && d < a.dimensions; ++d)
    same = a.dim[d].min == b.dim[d].min && a.dim[d].extent == b.dim[d].extent;
  if (!same) refuse("two buffers are walked together, their boxes differ", Place::of(where));
}

}  // namespace api

}  // namespace hocket
