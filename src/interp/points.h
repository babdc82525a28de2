// Numbers for points: the memory of everything that is kept per point of a Func.
// In: points of one rank. Out: 0, 1, 2, ... in the order in which they were first seen. A grid
// over the box seen so far where that is reasonably full, a hash table where points lie scattered.
// Used by: evaluator (memoisation), blocks (tags).
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace hocket::interp {

class PointIndex {
 public:
  explicit PointIndex(int rank = 0) : rank_(rank) {}

  static constexpr uint32_t kNone = 0xffffffffu;
  uint32_t find(const int64_t* point) const;
  uint32_t find_or_add(const int64_t* point);
  uint32_t size() const { return count_; }
  const int64_t* point(uint32_t number) const {
    return points_.data() + static_cast<size_t>(number) * static_cast<size_t>(rank_);
  }

 private:
  struct Hash {
    size_t operator()(const std::vector<int64_t>& p) const;
  };
  bool cell(const int64_t* point, size_t* at) const;
  bool grow(const int64_t* point);
  void go_sparse();

  int rank_;
  uint32_t count_ = 0;
  bool sparse_ = false;
  std::vector<int64_t> low_, extent_;
  std::vector<uint32_t> grid_;  // number + 1
  std::vector<int64_t> points_;
  std::unordered_map<std::vector<int64_t>, uint32_t, Hash> table_;
};

}  // namespace hocket::interp
