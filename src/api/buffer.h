// Buffers: memory with coordinates, shared by its handles.
//
// In: sizes, or memory of the caller's. Out: elements by (x, y, ...), and the hocket_buffer_t that
// compiled code takes. Buffer<> knows its element type at run time and converts to Buffer<T> of the
// same type. Used by: users; realize; ImageParam::set.
#pragma once

#include <memory>
#include <source_location>
#include <vector>

#include "abi/hocket_abi.h"
#include "api/expr.h"

namespace hocket {

class BufferBase {
 public:
  BufferBase() = default;
  BufferBase(Type type, const std::vector<int64_t>& extents, void* data = nullptr);

  bool defined() const { return storage_ != nullptr; }
  int dimensions() const { return storage_->raw.dimensions; }
  Type type() const { return storage_->type; }
  int64_t min(int d) const { return storage_->dims.at(static_cast<size_t>(d)).min; }
  int64_t extent(int d) const { return storage_->dims.at(static_cast<size_t>(d)).extent; }
  int64_t stride(int d) const { return storage_->dims.at(static_cast<size_t>(d)).stride; }
  int64_t width() const { return extent(0); }
  int64_t height() const { return dimensions() > 1 ? extent(1) : 1; }
  int64_t channels() const { return dimensions() > 2 ? extent(2) : 1; }
  int64_t left() const { return min(0); }
  int64_t right() const { return min(0) + extent(0) - 1; }
  int64_t top() const { return min(1); }
  int64_t bottom() const { return min(1) + extent(1) - 1; }
  size_t size_in_bytes() const;
  void set_min(const std::vector<int64_t>& mins);
  hocket_buffer_t* raw_buffer() const { return &storage_->raw; }
  void* raw_data() const { return storage_->raw.host; }

  // Read as an input of an algorithm: in(x, y) of Vars.
  Expr call(const std::vector<Here>& at) const;

 protected:
  struct Storage {
    Type type;
    std::vector<hocket_dim_t> dims;
    std::shared_ptr<uint8_t[]> memory;
    hocket_buffer_t raw = {};
    support::Ref<support::RefCounted> as_input;  // made when an algorithm first reads it
  };
  int64_t offset(const int64_t* at, size_t count) const;
  std::shared_ptr<Storage> storage_;
};

template <class T = void>
class Buffer;

template <>
class Buffer<void> : public BufferBase {
 public:
  using BufferBase::BufferBase;
  Buffer(const BufferBase& b) : BufferBase(b) {}
};

template <class T>
class Buffer : public BufferBase {
 public:
  Buffer() = default;
  template <std::integral... E>
  explicit Buffer(E... extents)
    requires(sizeof...(E) > 0)
      : BufferBase(type_of<T>(), {static_cast<int64_t>(extents)...}) {}
  // Over memory that the caller keeps.
  template <std::integral... E>
  Buffer(T* data, E... extents)
      : BufferBase(type_of<T>(), {static_cast<int64_t>(extents)...}, data) {}
  Buffer(const BufferBase& b, std::source_location where = std::source_location::current())
      : BufferBase(b) {
    if (b.defined() && b.type() != type_of<T>())
      refuse("a buffer of " + b.type().name() + " is taken for one of " + type_of<T>().name(),
             support::Place::of(where));
  }

  T* data() const { return static_cast<T*>(raw_data()); }
  template <std::integral... I>
  T& operator()(I... at) const {
    const int64_t point[] = {static_cast<int64_t>(at)...};
    return data()[offset(point, sizeof...(I))];
  }
  template <class... E>
    requires(sizeof...(E) > 0 && !(std::integral<std::remove_cvref_t<E>> && ...) &&
             (std::convertible_to<E, Expr> && ...))
  Expr operator()(E&&... at) const {
    return call({Here(std::forward<E>(at))...});
  }
  void fill(T value) const {
    for (size_t i = 0; i < size_in_bytes() / sizeof(T); ++i) data()[i] = value;
  }
};

}  // namespace hocket
