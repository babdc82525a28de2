// Arguments of pipelines: images and numbers that are given when the pipeline is called.
//
// ImageParam input(UInt(8), 2): an image read as input(x, y). Param<float> gain: a number used in
// expressions. Both hold a value for realize; compiled objects take them as arguments. Used by:
// users, through hocket.h.
#pragma once

#include <cstring>
#include <source_location>
#include <string>

#include "api/buffer.h"
#include "api/expr.h"

namespace hocket {

namespace api {
struct ImageContents;
struct ParamContents;
}  // namespace api

class ImageParam {
 public:
  ImageParam(Type type, int dimensions, const std::string& name = "",
             std::source_location where = std::source_location::current());
  explicit ImageParam(support::Ref<api::ImageContents> contents) : contents_(std::move(contents)) {}

  template <class... E>
    requires(std::convertible_to<E, Expr> && ...)
  Expr operator()(Here first, E&&... rest) const {
    return call({first, Here(std::forward<E>(rest), first.where)...});
  }
  Expr operator()() const { return call({}); }
  Expr call(const std::vector<Here>& at) const;
  Expr width() const { return extent(0); }
  Expr height() const { return extent(1); }
  Expr channels() const { return extent(2); }
  Expr min(int d) const;
  Expr extent(int d) const;
  Expr stride(int d) const;
  Expr left() const { return min(0); }
  Expr top() const { return min(1); }

  void set(const BufferBase& buffer, std::source_location where = std::source_location::current());
  void reset();  // forgets the buffer
  Buffer<> get() const;
  int dimensions() const;
  Type type() const;
  const std::string& name() const;
  const support::Ref<api::ImageContents>& contents() const { return contents_; }

 private:
  support::Ref<api::ImageContents> contents_;
};
// The name of 2012.
using UniformImage = ImageParam;

class ParamBase {
 public:
  ParamBase(Type type, const std::string& name, std::source_location where);
  operator Expr() const;
  const std::string& name() const;

 protected:
  void set_bytes(const void* value, size_t bytes);
  void get_bytes(void* value, size_t bytes) const;
  void set_range(const Expr& min, const Expr& max, const support::Place& place);
  support::Ref<api::ParamContents> contents_;
};

template <class T>
class Param : public ParamBase {
 public:
  Param(const std::string& name = "", std::source_location where = std::source_location::current())
      : ParamBase(type_of<T>(), name, where) {}
  Param(const std::string& name, T value,
        std::source_location where = std::source_location::current())
      : ParamBase(type_of<T>(), name, where) {
    set(value);
  }
  Param(const std::string& name, T value, T min, T max,
        std::source_location where = std::source_location::current())
      : ParamBase(type_of<T>(), name, where) {
    set(value);
    range(min, max, where);
  }
  void set(T value) { set_bytes(&value, sizeof value); }
  T get() const {
    T value{};
    get_bytes(&value, sizeof value);
    return value;
  }
  // The values that a call may give; a call with another one is refused.
  void range(T min, T max, std::source_location where = std::source_location::current()) {
    ParamBase::set_range(typed(min), typed(max), support::Place::of(where));
  }
  void set_range(T min, T max, std::source_location where = std::source_location::current()) {
    range(min, max, where);
  }
  void set_min_value(T min, std::source_location where = std::source_location::current()) {
    ParamBase::set_range(typed(min), Expr(), support::Place::of(where));
  }
  void set_max_value(T max, std::source_location where = std::source_location::current()) {
    ParamBase::set_range(Expr(), typed(max), support::Place::of(where));
  }

 private:
  static Expr typed(T v) {
    return std::is_floating_point_v<T> ? Expr(ir::make_float(type_of<T>(), static_cast<double>(v)))
                                       : Expr(ir::make_int(type_of<T>(), static_cast<int64_t>(v)));
  }
};
template <class T>
using Uniform = Param<T>;  // the name of 2012

}  // namespace hocket
