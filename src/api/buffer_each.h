// Walks over the points of a buffer's box, the first coordinate fastest.
//
// In: a box, and what to call for each of its points. A function of n numbers gets the coordinates
// (the box has to have n dimensions), one of `const int*` the whole point. Called by: Buffer.
#pragma once

#include <concepts>
#include <cstdint>
#include <source_location>
#include <type_traits>
#include <utility>
#include <vector>

#include "abi/hocket_abi.h"

namespace hocket::api {

// Refused: coordinates that no int holds.
void want_int_coordinates(const hocket_buffer_t& box, std::source_location where);
// Refused: a function of `wanted` coordinates for a box of another rank.
void want_rank(const hocket_buffer_t& box, int wanted, std::source_location where);
// Refused: two boxes that differ.
void want_same_box(const hocket_buffer_t& a, const hocket_buffer_t& b, std::source_location where);

// row(at) for every row, with the coordinates of its first point.
template <class Row>
void each_row(const hocket_buffer_t& box, Row&& row) {
  const auto rank = static_cast<size_t>(box.dimensions);
  std::vector<int64_t> at(rank);
  for (size_t d = 0; d < rank; ++d) {
    if (box.dim[d].extent == 0) return;
    at[d] = box.dim[d].min;
  }
  for (size_t d = 0; d <= rank;) {
    row(at);
    for (d = 1; d < rank; ++d) {
      if (++at[d] < box.dim[d].min + box.dim[d].extent) break;
      at[d] = box.dim[d].min;
    }
    if (d >= rank) return;
  }
}

template <class F, size_t... I>
constexpr bool takes_ints(std::index_sequence<I...>) {
  return std::is_invocable_v<F, decltype(static_cast<int>(I))...>;
}
// How many coordinates a function takes; -1 where it takes a pointer.
template <class F>
constexpr int coordinates_of() {
  if constexpr (takes_ints<F>(std::make_index_sequence<1>())) return 1;
  if constexpr (std::is_invocable_v<F, const int*>) return -1;
  if constexpr (takes_ints<F>(std::make_index_sequence<2>())) return 2;
  if constexpr (takes_ints<F>(std::make_index_sequence<3>())) return 3;
  if constexpr (takes_ints<F>(std::make_index_sequence<4>())) return 4;
  if constexpr (takes_ints<F>(std::make_index_sequence<5>())) return 5;
  if constexpr (takes_ints<F>(std::make_index_sequence<6>())) return 6;
  if constexpr (takes_ints<F>(std::make_index_sequence<7>())) return 7;
  if constexpr (takes_ints<F>(std::make_index_sequence<8>())) return 8;
  return 0;
}

template <class F, size_t... I>
void call_with(F& f, const int* point, std::index_sequence<I...>) {
  f(point[I]...);
}

template <class F>
void each_point(const hocket_buffer_t& box, F&& f, std::source_location where) {
  constexpr int wanted = coordinates_of<F&>();
  static_assert(wanted != 0 || std::is_invocable_v<F&>,
                "for_each_element takes a function of coordinates, or of const int*");
  want_int_coordinates(box, where);
  if constexpr (wanted >= 0) want_rank(box, wanted, where);
  const auto rank = static_cast<size_t>(box.dimensions);
  std::vector<int> point(rank + 1);
  each_row(box, [&](const std::vector<int64_t>& at) {
    for (size_t d = 0; d < rank; ++d) point[d] = static_cast<int>(at[d]);
    for (int64_t n = rank == 0 ? 1 : box.dim[0].extent; n > 0; --n) {
      if constexpr (wanted < 0)
        f(static_cast<const int*>(point.data()));
      else
        call_with(f, point.data(), std::make_index_sequence<static_cast<size_t>(wanted)>());
      if (n > 1) ++point[0];
    }
  });
}

inline int64_t offset_in(const hocket_buffer_t& b, const std::vector<int64_t>& at) {
  int64_t out = 0;
  for (size_t d = 0; d < at.size(); ++d) out += (at[d] - b.dim[d].min) * b.dim[d].stride;
  return out;
}

template <class T, class F>
void each_value(const hocket_buffer_t& box, F&& f) {
  const bool scalar = box.dimensions == 0;
  const int64_t step = scalar ? 0 : box.dim[0].stride;
  each_row(box, [&](const std::vector<int64_t>& at) {
    T* here = static_cast<T*>(box.host) + offset_in(box, at);
    for (int64_t n = scalar ? 1 : box.dim[0].extent; n > 0; --n, here += step) f(*here);
  });
}
template <class T, class U, class F>
void each_value(const hocket_buffer_t& box, const hocket_buffer_t& other, F&& f,
                std::source_location where) {
  want_same_box(box, other, where);
  const bool scalar = box.dimensions == 0;
  const int64_t step = scalar ? 0 : box.dim[0].stride,
                step_there = scalar ? 0 : other.dim[0].stride;
  each_row(box, [&](const std::vector<int64_t>& at) {
    T* here = static_cast<T*>(box.host) + offset_in(box, at);
    U* there = static_cast<U*>(other.host) + offset_in(other, at);
    for (int64_t n = scalar ? 1 : box.dim[0].extent; n > 0; --n, here += step, there += step_there)
      f(*here, *there);
  });
}

}  // namespace hocket::api
