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
  BufferBase(Type type, const std::vector<int64_t>& extents, void* data = nullptr,
             std::source_location where = std::source_location::current());

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
  void set_min(const std::vector<int64_t>& mins,
               std::source_location where = std::source_location::current());
  template <std::integral... M>
  void set_min(support::Located<int64_t> first, M... rest) {
    set_min(std::vector<int64_t>{first.value, static_cast<int64_t>(rest)...}, first.where);
  }
  // Moves the coordinates of dimension d.
  void translate(int d, int64_t by) { storage_->dims.at(static_cast<size_t>(d)).min += by; }
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
  int64_t offset(const int64_t* at, size_t count, std::source_location where) const;
  std::shared_ptr<Storage> storage_;
};

// A coordinate that is an expression, not a number: with numbers alone an element is meant.
struct HereExpr : Here {
  template <class E>
    requires(!std::integral<std::remove_cvref_t<E>> && std::convertible_to<E, Expr>)
  HereExpr(E&& e, std::source_location at = std::source_location::current())
      : Here(std::forward<E>(e), at) {}
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
  explicit Buffer(support::Located<int64_t> first, E... rest)
      : BufferBase(type_of<T>(), {first.value, static_cast<int64_t>(rest)...}, nullptr,
                   first.where) {}
  explicit Buffer(const std::vector<int64_t>& extents,
                  std::source_location where = std::source_location::current())
      : BufferBase(type_of<T>(), extents, nullptr, where) {}
  // Over memory that the caller keeps.
  template <std::integral... E>
  Buffer(T* data, support::Located<int64_t> first, E... rest)
      : BufferBase(type_of<T>(), {first.value, static_cast<int64_t>(rest)...}, data, first.where) {}
  Buffer(const BufferBase& b, std::source_location where = std::source_location::current())
      : BufferBase(b) {
    if (b.defined() && b.type() != type_of<T>())
      refuse("a buffer of " + b.type().name() + " is taken for one of " + type_of<T>().name(),
             support::Place::of(where));
  }

  T* data() const { return static_cast<T*>(raw_data()); }
  T& operator()(std::source_location where = std::source_location::current()) const {
    return data()[offset(nullptr, 0, where)];
  }
  template <std::integral... I>
  T& operator()(support::Located<int64_t> first, I... rest) const {
    const int64_t point[] = {first.value, static_cast<int64_t>(rest)...};
    return data()[offset(point, 1 + sizeof...(I), first.where)];
  }
  template <class... E>
    requires(std::convertible_to<E, Expr> && ...)
  Expr operator()(HereExpr first, E&&... rest) const {
    return call({first, Here(std::forward<E>(rest), first.where)...});
  }
  template <class... E>
    requires(!(std::integral<std::remove_cvref_t<E>> && ...) &&
             (std::convertible_to<E, Expr> && ...))
  Expr operator()(support::Located<int64_t> first, E&&... rest) const {
    return call({Here(Expr(static_cast<int>(first.value)), first.where),
                 Here(std::forward<E>(rest), first.where)...});
  }
  void fill(T value) const {
    for (size_t i = 0; i < size_in_bytes() / sizeof(T); ++i) data()[i] = value;
  }
};

}  // namespace hocket
