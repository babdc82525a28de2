// Buffers of loop programs: zero-based, row-major, the last index fastest, as arrays of C.
//
//   C[i][j] += A[i][k] * B[k][j];       an element read, stored to or reduced into
//   A[range(0, 8)][j]  A[range()][j]    a window: an interval of the first dimension, all of it
//   acc = 0.0f; acc += x[i];            a buffer without dimensions is its element
//
// A Tensor is a name in the program of the ProcBuilder that made it; assigning to it or to an
// element says a statement there. Refused (thrown, at the line of the access): a wrong number of
// indices (P0405), values of another type (P0401, P0402), names that are not known at that place
// (P0301). Used by: users, through hocket.h.
#pragma once

#include <source_location>
#include <vector>

#include "api/expr.h"
#include "ir/stmt.h"

namespace hocket {

namespace api {
struct ProcContents;
}

// An interval [lo, hi) of a dimension; range() is the whole dimension.
struct Range {
  Expr lo, hi;
};
inline Range range(const Expr& lo, const Expr& hi) {
  return {lo, hi};
}
inline Range range() {
  return {};
}

// What stands in a pair of brackets: an index, or an interval.
class Slice {
 public:
  template <class I>
    requires std::convertible_to<I, Expr>
  Slice(I&& index) : lo_(std::forward<I>(index)), point_(true) {}
  Slice(const Range& r) : lo_(r.lo), hi_(r.hi) {}
  bool is_point() const { return point_; }
  const Expr& lo() const { return lo_; }  // undefined: from 0
  const Expr& hi() const { return hi_; }  // undefined: to the extent

 private:
  Expr lo_, hi_;
  bool point_ = false;
};

// A buffer as the program knows it.
struct TensorName {
  support::Ref<api::ProcContents> contents;
  ir::Symbol symbol;
  std::vector<ir::Expr> shape;  // outermost first
  bool window = false;          // strides are run-time values
};

// A[i][j], on either side of an assignment; with an interval a window.
class TensorRef {
 public:
  TensorRef(TensorName tensor, std::vector<support::Located<Slice>> at)
      : tensor_(std::move(tensor)), at_(std::move(at)) {}

  TensorRef operator[](support::Located<Slice> next) const;
  TensorRef(const TensorRef&) = default;
  // Statements. `+=` of a product of floats is fused, unless it is strict().
  void operator=(Here value) const;
  void operator=(const TensorRef& value) const;
  void operator+=(Here value) const;
  void operator-=(Here value) const;
  void operator*=(Here value) const;
  void reduce_min(Here value) const;  // min= in text
  void reduce_max(Here value) const;
  void stream(Here value) const;  // `=` past the caches
  // The element as a value.
  operator Expr() const;

  // As an argument of a call, or right of a window statement.
  ir::Expr window(const support::Place& place) const;
  bool is_element() const;  // no interval
  size_t rank() const;      // of the window: its intervals
  const TensorName& tensor() const { return tensor_; }

 private:
  friend class Tensor;
  std::vector<ir::Expr> indices(const support::Place& place) const;
  void store(ir::StoreOp op, const Here& value, bool minus = false, bool stream = false) const;
  support::Place place() const;
  TensorName tensor_;
  std::vector<support::Located<Slice>> at_;
};

class Tensor {
 public:
  explicit Tensor(TensorName name) : name_(std::move(name)) {}
  Tensor(const Tensor&) = default;

  TensorRef operator[](support::Located<Slice> first) const { return {name_, {first}}; }
  // Of a buffer without dimensions.
  void operator=(Here value) const { element(value.where) = value; }
  void operator=(const Tensor& value) const;
  void operator+=(Here value) const { element(value.where) += value; }
  void operator-=(Here value) const { element(value.where) -= value; }
  void operator*=(Here value) const { element(value.where) *= value; }
  operator Expr() const { return element({}); }

  size_t dimensions() const { return name_.shape.size(); }
  Type type() const { return name_.symbol.type(); }
  const std::string& name() const { return name_.symbol.name(); }
  // Of dimension d, counted from the outermost one; strides in elements.
  Expr extent(int d, std::source_location where = std::source_location::current()) const;
  Expr stride(int d, std::source_location where = std::source_location::current()) const;
  const TensorName& tensor() const { return name_; }

 private:
  TensorRef element(std::source_location) const { return {name_, {}}; }
  Expr field(ir::BufferFieldKind kind, int d, std::source_location where) const;
  TensorName name_;
};

}  // namespace hocket
