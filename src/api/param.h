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

// One dimension of an image that is not known yet: what its buffer will say.
class ImageDimension {
 public:
  ImageDimension(Expr min, Expr extent, Expr stride, std::source_location where)
      : min_(std::move(min)), extent_(std::move(extent)), stride_(std::move(stride)), at_(where) {}
  const Expr& min() const { return min_; }
  const Expr& extent() const { return extent_; }
  const Expr& stride() const { return stride_; }
  Expr max() const { return Here(min_, at_) + Here(extent_, at_) - Here(1, at_); }

 private:
  Expr min_, extent_, stride_;
  std::source_location at_;
};

class ImageParam {
 public:
  using Where = std::source_location;
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
  ImageDimension dim(int d, Where where = Where::current()) const {
    return {min(d, where), extent(d, where), stride(d, where), where};
  }
  Expr width(Where where = Where::current()) const { return extent(0, where); }
  Expr height(Where where = Where::current()) const { return extent(1, where); }
  Expr channels(Where where = Where::current()) const { return extent(2, where); }
  Expr min(int d, Where where = Where::current()) const;
  Expr extent(int d, Where where = Where::current()) const;
  Expr stride(int d, Where where = Where::current()) const;
  Expr left(Where where = Where::current()) const { return min(0, where); }
  Expr right(Where where = Where::current()) const { return dim(0, where).max(); }
  Expr top(Where where = Where::current()) const { return min(1, where); }
  Expr bottom(Where where = Where::current()) const { return dim(1, where).max(); }

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
  Type type() const;
  const support::Ref<api::ParamContents>& contents() const { return contents_; }

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
