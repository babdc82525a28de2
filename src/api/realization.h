// The buffers that a Pipeline fills, one an output.
//
// In: buffers. Out: them again by position; one alone turns into a Buffer. Used by: users;
// Pipeline::realize gives and takes one.
#pragma once

#include <concepts>
#include <initializer_list>
#include <source_location>
#include <string>
#include <vector>

#include "api/buffer.h"

namespace hocket {

class Realization {
 public:
  using Where = std::source_location;
  Realization(std::vector<BufferBase> buffers, Where where = Where::current())
      : buffers_(std::move(buffers)), where_(where) {}
  Realization(std::initializer_list<BufferBase> buffers, Where where = Where::current())
      : Realization(std::vector<BufferBase>(buffers), where) {}
  template <class... B>
    requires(std::derived_from<B, BufferBase> && ...)
  Realization(const BufferBase& first, const B&... rest) : buffers_{first, rest...} {}

  size_t size() const { return buffers_.size(); }
  Buffer<> operator[](support::Located<size_t> i) const {
    if (i.value >= buffers_.size())
      refuse("a Realization of " + std::to_string(buffers_.size()) + " buffers has no " +
                 std::to_string(i.value),
             support::Place::of(i.where));
    return buffers_[i.value];
  }
  auto begin() const { return buffers_.begin(); }
  auto end() const { return buffers_.end(); }
  template <class T>
  operator Buffer<T>() const {
    if (buffers_.size() != 1)
      refuse("a Realization of " + std::to_string(buffers_.size()) +
                 " buffers is taken for one Buffer",
             support::Place::of(where_));
    return buffers_.front();
  }

 private:
  std::vector<BufferBase> buffers_;
  Where where_ = {};  // of the realize that made it
};

}  // namespace hocket
