// Tensors: the arrays that the judge's runs take and leave.
// In: an element type and a shape (a Func's box with any mins, first dimension fastest; or a
// loop program's row-major, zero-based shape). Out: raw bytes as compiled code would see them, and
// one poison flag per cell. Used by: evaluate.h, run.h, every test that compares schedules.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ir/semantics.h"

namespace hocket::interp {

class Tensor {
 public:
  Tensor() = default;

  // A box of a Func or an input image: dimension 0 fastest, dense. Elements start as poison.
  static Tensor of_box(ir::Type element, std::vector<int64_t> mins, std::vector<int64_t> extents);
  // An argument of a loop program: outermost first, mins 0, dense. Elements start as poison.
  static Tensor row_major(ir::Type element, std::vector<int64_t> extents);
  // Strides in elements, at least 1 and nested (sorted by stride, each at least the span of the
  // smaller dimensions); cells between the elements exist as bytes and as nothing else.
  static Tensor with_strides(ir::Type element, std::vector<int64_t> mins,
                             std::vector<int64_t> extents, std::vector<int64_t> strides);

  ir::Type type() const { return type_; }
  int rank() const { return static_cast<int>(extents_.size()); }
  const std::vector<int64_t>& mins() const { return mins_; }
  const std::vector<int64_t>& extents() const { return extents_; }
  const std::vector<int64_t>& strides() const { return strides_; }
  int64_t min(int d) const { return mins_[static_cast<size_t>(d)]; }
  int64_t extent(int d) const { return extents_[static_cast<size_t>(d)]; }
  int64_t stride(int d) const { return strides_[static_cast<size_t>(d)]; }

  int64_t count() const;                                  // elements
  int64_t cells() const { return cells_; }                // from the first to the last element
  bool contains(std::span<const int64_t> point) const;    // coordinates with the mins
  int64_t cell_of(std::span<const int64_t> point) const;  // the point must be contained

  ir::Scalar at(std::span<const int64_t> point) const { return cell(cell_of(point)); }
  ir::Scalar at(std::initializer_list<int64_t> point) const {
    return at(std::span<const int64_t>(point.begin(), point.size()));
  }
  void set(std::span<const int64_t> point, const ir::Scalar& value) {
    set_cell(cell_of(point), value);
  }
  void set(std::initializer_list<int64_t> point, const ir::Scalar& value) {
    set(std::span<const int64_t>(point.begin(), point.size()), value);
  }
  ir::Scalar cell(int64_t index) const;
  void set_cell(int64_t index, const ir::Scalar& value);
  bool is_poison(int64_t index) const { return poison_[static_cast<size_t>(index)] != 0; }

  // Memory as compiled code sees it: `data()` is the address of the element at the mins.
  uint8_t* data() { return bytes_.data(); }
  const uint8_t* data() const { return bytes_.data(); }
  // After compiled code wrote the bytes: no element is poison any more.
  void mark_computed();

  // Every point, first dimension fastest.
  void for_each_point(const std::function<void(std::span<const int64_t>)>& f) const;

  // Integers over the whole range of the type, floats as k/64 in [-2, 2]: sums stay exact enough to
  // read and rounding still happens.
  Tensor& fill_random(uint64_t seed);
  Tensor& fill_random(uint64_t seed, int64_t low, int64_t high);  // whole numbers, both inclusive
  // One value in four is a corner: extremes, NaN, infinities, zeros of both signs, subnormals.
  Tensor& fill_corners(uint64_t seed);
  Tensor& fill(const ir::Scalar& value);

 private:
  ir::Type type_;
  std::vector<int64_t> mins_, extents_, strides_;
  int64_t cells_ = 0;
  std::vector<uint8_t> bytes_;
  std::vector<uint8_t> poison_;
};

// The first point (first dimension fastest) where the two differ: other bits (NaNs are equal to
// each other), or poison in one of them alone. Nothing where they are the same; the boxes must be.
std::optional<std::vector<int64_t>> first_difference(const Tensor& a, const Tensor& b);

// `(3, -1)`, `7`, `-0`, `nan`, `poison`: how coordinates and values are spoken.
std::string spoken(std::span<const int64_t> point);
std::string spoken(const ir::Scalar& value);

// A small generator with its state in one word (splitmix64), the same on every machine.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t next();
  int64_t below(int64_t n);                    // 0 .. n - 1; n at least 1
  int64_t between(int64_t low, int64_t high);  // both inclusive
  bool one_in(int64_t n) { return below(n) == 0; }
  ir::Scalar value(ir::Type type);  // as Tensor::fill_random
  ir::Scalar corner(ir::Type type);

 private:
  uint64_t state_;
};

}  // namespace hocket::interp
