// Buffers: memory with coordinates, shared by its handles.
//
// In: sizes, or memory of the caller's. Out: elements by (x, y, ...), and the hocket_buffer_t that
// compiled code takes. Copies of a handle share memory and coordinates; cropped and sliced share
// memory alone; copy shares nothing. Buffer<> knows its element type at run time and converts to
// Buffer<T> of the same type. Used by: users; realize; ImageParam::set.
#pragma once

#include <concepts>
#include <initializer_list>
#include <memory>
#include <source_location>
#include <utility>
#include <vector>

#include "abi/hocket_abi.h"
#include "api/buffer_each.h"
#include "api/expr.h"

namespace hocket {

class BufferBase;
class ImageParam;

namespace api {
// The input that expressions over this buffer read; its buffer is this one.
ImageParam input_of(const BufferBase& buffer, std::source_location where);
}  // namespace api

namespace api {

template <class E>
concept ExtentOrName = std::integral<E> || is_name<E>;

// The extents that a Buffer is made of, and its name where one stands behind them.
struct Shape {
  template <class... E>
  explicit Shape(int64_t first, const E&... rest) : extents{first} {
    static_assert(values_before_a_name<E...>() >= 0, "a Buffer's name stands behind its extents");
    (take(rest), ...);
  }
  void take(std::integral auto extent) { extents.push_back(static_cast<int64_t>(extent)); }
  void take(const std::string& given) { name = given; }
  std::vector<int64_t> extents;
  std::string name;
};

}  // namespace api

// One dimension of a buffer: for (const int64_t x : buffer.dim(0)) walks its coordinates.
class BufferDimension {
 public:
  explicit BufferDimension(const hocket_dim_t& dim) : dim_(dim) {}
  int64_t min() const { return dim_.min; }
  int64_t extent() const { return dim_.extent; }
  int64_t stride() const { return dim_.stride; }
  int64_t max() const { return dim_.min + dim_.extent - 1; }

  class Iterator {
   public:
    explicit Iterator(int64_t at) : at_(at) {}
    int64_t operator*() const { return at_; }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    bool operator!=(const Iterator& other) const { return at_ != other.at_; }

   private:
    int64_t at_;
  };
  Iterator begin() const { return Iterator(dim_.min); }
  Iterator end() const { return Iterator(dim_.min + dim_.extent); }

 private:
  hocket_dim_t dim_;
};

class BufferBase {
 public:
  using Where = std::source_location;
  BufferBase() = default;
  BufferBase(Type type, const std::vector<int64_t>& extents, void* data = nullptr,
             Where where = Where::current());

  bool defined() const { return storage_.defined(); }
  int dimensions(Where where = Where::current()) const {
    return storage_.asked(where).raw.dimensions;
  }
  Type type(Where where = Where::current()) const { return storage_.asked(where).type; }
  BufferDimension dim(int d, Where where = Where::current()) const;
  int64_t min(int d, Where where = Where::current()) const { return dim_at(d, where).min; }
  int64_t extent(int d, Where where = Where::current()) const { return dim_at(d, where).extent; }
  int64_t stride(int d, Where where = Where::current()) const { return dim_at(d, where).stride; }
  int64_t width(Where where = Where::current()) const {
    return dimensions(where) > 0 ? extent(0, where) : 1;
  }
  int64_t height(Where where = Where::current()) const {
    return dimensions(where) > 1 ? extent(1, where) : 1;
  }
  int64_t channels(Where where = Where::current()) const {
    return dimensions(where) > 2 ? extent(2, where) : 1;
  }
  int64_t left(Where where = Where::current()) const { return min(0, where); }
  int64_t right(Where where = Where::current()) const {
    return min(0, where) + extent(0, where) - 1;
  }
  int64_t top(Where where = Where::current()) const { return min(1, where); }
  int64_t bottom(Where where = Where::current()) const {
    return min(1, where) + extent(1, where) - 1;
  }
  int64_t number_of_elements(Where where = Where::current()) const;
  // Of the memory from the first element to the last; more than the elements where there are gaps.
  size_t size_in_bytes(Where where = Where::current()) const;
  template <std::integral... I>
  bool contains(I... at) const {
    return holds({static_cast<int64_t>(at)...});
  }

  // What the input is called as which an algorithm reads it; `buffer` without a name of its own.
  // Heard until an algorithm reads it first.
  std::string name(Where where = Where::current()) const {
    const std::string& given = storage_.asked(where).name;
    return given.empty() ? "buffer" : given;
  }
  void set_name(const std::string& name, Where where = Where::current()) {
    storage_.asked(where).name = name;
  }

  void set_min(const std::vector<int64_t>& mins, Where where = Where::current());
  template <std::integral... M>
  void set_min(support::Located<int64_t> first, M... rest) {
    set_min(std::vector<int64_t>{first.value, static_cast<int64_t>(rest)...}, first.where);
  }
  // Moves the coordinates of dimension d, or of all.
  void translate(int d, int64_t by, Where where = Where::current());
  void translate(const std::vector<int64_t>& by, Where where = Where::current());
  // Leaves only a part, which has to lie inside.
  void crop(int d, int64_t min, int64_t extent, Where where = Where::current());
  void crop(const std::vector<std::pair<int64_t, int64_t>>& box, Where where = Where::current());
  void transpose(int d1, int d2, Where where = Where::current());
  // Dimension i is then what dimension order[i] was; each stands there once.
  void transpose(const std::vector<int>& order, Where where = Where::current());
  // Leaves one coordinate of dimension d, its min unless another is given, and d disappears.
  void slice(int d, int64_t at, Where where = Where::current());
  void slice(int d, Where where = Where::current());

  hocket_buffer_t* raw_buffer(Where where = Where::current()) const {
    return &storage_.asked(where).raw;
  }
  // Of the element at the mins.
  void* raw_data(Where where = Where::current()) const { return storage_.asked(where).raw.host; }

  // Read as an input of an algorithm: in(x, y) of Vars.
  Expr call(const std::vector<Here>& at) const;

 protected:
  friend ImageParam api::input_of(const BufferBase& buffer, std::source_location where);
  template <class I>
  int64_t offset_at(const I* at, size_t count, Where where) const;
  struct Storage {
    Type type;
    std::string name;
    std::vector<hocket_dim_t> dims;
    std::shared_ptr<uint8_t[]> memory;
    hocket_buffer_t raw = {};
    support::Ref<support::RefCounted> as_input;  // made when an algorithm first reads it
    void dims_changed();
  };
  // In elements, of the element at these coordinates: `count` of them, or one per dimension.
  int64_t offset(const int64_t* at, size_t count, Where where) const;
  int64_t offset(const int* at, Where where) const;
  bool holds(const std::vector<int64_t>& at) const;
  hocket_dim_t& dim_at(int d, Where where) const;
  // Another handle on the same memory, with coordinates of its own.
  BufferBase alias(Where where) const;
  // Fresh memory over the same box: dense, the dimensions in the order of the strides.
  static BufferBase like(const BufferBase& shape, Type type, Where where);
  static void copy_elements(const BufferBase& to, const BufferBase& from, Where where);
  static BufferBase interleaved(Type type, int64_t width, int64_t height, int64_t channels,
                                void* data, Where where);
  void shape_changed() const;
  // What every handle shares. A Buffer that was made of nothing has none: whatever is asked of it
  // but defined() is refused.
  class Shared {
   public:
    Shared() = default;
    Shared(std::shared_ptr<Storage> storage) : storage_(std::move(storage)) {}
    bool defined() const { return storage_ != nullptr; }
    Storage& asked(Where where) const {
      if (storage_ == nullptr) refuse_empty(where);
      return *storage_;
    }
    Storage* operator->() const { return &asked(Where()); }
    Storage& operator*() const { return asked(Where()); }

   private:
    std::shared_ptr<Storage> storage_;
  };
  [[noreturn]] static void refuse_empty(Where where);
  Shared storage_;
};

// A coordinate that is an expression, not a number: with numbers alone an element is meant.
struct HereExpr : Here {
  template <class E>
    requires(!std::integral<std::remove_cvref_t<E>> && std::convertible_to<E, Expr>)
  HereExpr(E&& e, std::source_location at = std::source_location::current())
      : Here(std::forward<E>(e), at) {}
};

// What gives another handle; `Self` is the Buffer that it is of.
template <class Self>
class BufferHandles : public BufferBase {
 public:
  using BufferBase::BufferBase;
  BufferHandles() = default;
  BufferHandles(const BufferBase& b) : BufferBase(b) {}

  // The same elements in memory of their own.
  Self copy(Where where = Where::current()) const {
    BufferBase out = like(*this, type(where), where);
    copy_elements(out, *this, where);
    return Self(out);
  }
  // The elements of `from` where both have coordinates.
  const Self& copy_from(const BufferBase& from, Where where = Where::current()) const {
    copy_elements(*this, from, where);
    return static_cast<const Self&>(*this);
  }
  Self cropped(int d, int64_t min, int64_t extent, Where where = Where::current()) const {
    BufferBase out = alias(where);
    out.crop(d, min, extent, where);
    return Self(out);
  }
  Self cropped(const std::vector<std::pair<int64_t, int64_t>>& box,
               Where where = Where::current()) const {
    BufferBase out = alias(where);
    out.crop(box, where);
    return Self(out);
  }
  Self translated(int d, int64_t by, Where where = Where::current()) const {
    BufferBase out = alias(where);
    out.translate(d, by, where);
    return Self(out);
  }
  Self translated(const std::vector<int64_t>& by, Where where = Where::current()) const {
    BufferBase out = alias(where);
    out.translate(by, where);
    return Self(out);
  }
  Self transposed(int d1, int d2, Where where = Where::current()) const {
    BufferBase out = alias(where);
    out.transpose(d1, d2, where);
    return Self(out);
  }
  Self transposed(const std::vector<int>& order, Where where = Where::current()) const {
    BufferBase out = alias(where);
    out.transpose(order, where);
    return Self(out);
  }
  Self sliced(int d, int64_t at, Where where = Where::current()) const {
    BufferBase out = alias(where);
    out.slice(d, at, where);
    return Self(out);
  }
  Self sliced(int d, Where where = Where::current()) const {
    BufferBase out = alias(where);
    out.slice(d, where);
    return Self(out);
  }
  // f(x, y, ...) for every point, the first coordinate fastest; or f(const int* point).
  template <class F>
  const Self& for_each_element(F&& f, Where where = Where::current()) const {
    api::each_point(*raw_buffer(where), std::forward<F>(f), where);
    return static_cast<const Self&>(*this);
  }
};

template <class T = void>
class Buffer;

template <>
class Buffer<void> : public BufferHandles<Buffer<void>> {
 public:
  using BufferHandles::BufferHandles;
  Buffer(const BufferBase& b) : BufferHandles(b) {}
  template <class T>
  Buffer<T> as(Where where = Where::current()) const;
};

template <class T>
class Buffer : public BufferHandles<Buffer<T>> {
  using Base = BufferHandles<Buffer<T>>;

 public:
  using Where = std::source_location;
  Buffer() = default;
  // Buffer<T> b(width, height, ...), and a name at the end.
  template <class... E>
    requires(api::ExtentOrName<E> && ...)
  explicit Buffer(support::Located<int64_t> first, const E&... rest)
      : Buffer(nullptr, api::Shape(first.value, rest...), first.where) {}
  explicit Buffer(const std::vector<int64_t>& extents, Where where = Where::current())
      : Base(type_of<T>(), extents, nullptr, where) {}
  // Buffer<T> b({width, height}): a list could be a Buffer to copy as well as a vector.
  template <std::integral I>
  explicit Buffer(std::initializer_list<I> extents, Where where = Where::current())
      : Buffer(std::vector<int64_t>(extents.begin(), extents.end()), where) {}
  Buffer(const std::vector<int64_t>& extents, const std::string& name,
         Where where = Where::current())
      : Buffer(extents, where) {
    this->set_name(name);
  }
  // Over memory that the caller keeps.
  template <class... E>
    requires(api::ExtentOrName<E> && ...)
  Buffer(T* data, support::Located<int64_t> first, const E&... rest)
      : Buffer(data, api::Shape(first.value, rest...), first.where) {}
  Buffer(const BufferBase& b, Where where = Where::current()) : Base(b) {
    if (b.defined() && b.type() != type_of<T>())
      refuse("a buffer of " + b.type().name() + " is taken for one of " + type_of<T>().name(),
             support::Place::of(where));
  }
  static Buffer make_scalar(Where where = Where::current()) {
    return Buffer(std::vector<int64_t>{}, where);
  }
  // The channels of a pixel beside each other: strides (channels, channels * width, 1).
  static Buffer make_interleaved(int64_t width, int64_t height, int64_t channels,
                                 Where where = Where::current()) {
    return Buffer(Base::interleaved(type_of<T>(), width, height, channels, nullptr, where));
  }
  static Buffer make_interleaved(T* data, int64_t width, int64_t height, int64_t channels,
                                 Where where = Where::current()) {
    return Buffer(Base::interleaved(type_of<T>(), width, height, channels, data, where));
  }
  // The box and the order of memory of another buffer, of any type.
  static Buffer make_with_shape_of(const BufferBase& other, Where where = Where::current()) {
    return Buffer(Base::like(other, type_of<T>(), where));
  }

  T* data(Where where = Where::current()) const { return static_cast<T*>(this->raw_data(where)); }
  // From the first element in memory to behind the last one.
  T* begin(Where where = Where::current()) const { return data(where); }
  T* end(Where where = Where::current()) const {
    const size_t elements = this->size_in_bytes(where) / sizeof(T);
    return data(where) + elements;
  }
  T& operator()(Where where = Where::current()) const {
    return data(where)[this->offset(nullptr, 0, where)];
  }
  template <std::integral... I>
  T& operator()(support::Located<int64_t> first, I... rest) const {
    const int64_t point[] = {first.value, static_cast<int64_t>(rest)...};
    return data(first.where)[this->offset(point, 1 + sizeof...(I), first.where)];
  }
  // At a point, one coordinate per dimension: as for_each_element gives it.
  template <std::same_as<int> I>
  T& operator()(const I* at, Where where = Where::current()) const {
    return data(where)[this->offset(at, where)];
  }
  template <class... E>
    requires(std::convertible_to<E, Expr> && ...)
  Expr operator()(HereExpr first, E&&... rest) const {
    return this->call({first, Here(std::forward<E>(rest), first.where)...});
  }
  template <class... E>
    requires(!(std::integral<std::remove_cvref_t<E>> && ...) &&
             (std::convertible_to<E, Expr> && ...))
  Expr operator()(support::Located<int64_t> first, E&&... rest) const {
    return this->call({Here(Expr(static_cast<int>(first.value)), first.where),
                       Here(std::forward<E>(rest), first.where)...});
  }
  const Buffer& fill(T value, Where where = Where::current()) const {
    return for_each_value([value](T& v) { v = value; }, where);
  }
  // f(T& here) for every point; f(T& here, U& there) with the elements of a buffer of the same box.
  template <class F>
  const Buffer& for_each_value(F&& f, Where where = Where::current()) const {
    api::each_value<T>(*this->raw_buffer(where), std::forward<F>(f));
    return *this;
  }
  template <class F, class U>
  const Buffer& for_each_value(F&& f, const Buffer<U>& other,
                               Where where = Where::current()) const {
    api::each_value<T, U>(*this->raw_buffer(where), *other.raw_buffer(where), std::forward<F>(f),
                          where);
    return *this;
  }

 private:
  Buffer(T* data, const api::Shape& shape, Where where)
      : Base(type_of<T>(), shape.extents, data, where) {
    this->set_name(shape.name);
  }
};

template <class T>
Buffer<T> Buffer<void>::as(Where where) const {
  return Buffer<T>(*this, where);
}

}  // namespace hocket
