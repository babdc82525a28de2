#include "interp/points.h"

#include <algorithm>

#include "support/hash.h"

namespace hocket::interp {

size_t PointIndex::Hash::operator()(const std::vector<int64_t>& p) const {
  support::Hasher h;
  for (const int64_t c : p) h.add(c);
  return h.finish();
}

bool PointIndex::cell(const int64_t* point, size_t* at) const {
  if (grid_.empty()) return false;
  size_t offset = 0;
  for (size_t d = 0; d < low_.size(); ++d) {
    // Coordinates may be anything: unsigned differences wrap instead of overflowing.
    const uint64_t c = static_cast<uint64_t>(point[d]) - static_cast<uint64_t>(low_[d]);
    if (c >= static_cast<uint64_t>(extent_[d])) return false;
    offset = offset * static_cast<size_t>(extent_[d]) + static_cast<size_t>(c);
  }
  *at = offset;
  return true;
}

uint32_t PointIndex::find(const int64_t* point) const {
  if (sparse_) {
    const auto it = table_.find(std::vector<int64_t>(point, point + rank_));
    return it == table_.end() ? kNone : it->second;
  }
  size_t at = 0;
  if (!cell(point, &at)) return kNone;
  return grid_[at] - 1;  // 0 - 1 is kNone
}

uint32_t PointIndex::find_or_add(const int64_t* point) {
  size_t at = 0;
  if (!sparse_ && !cell(point, &at) && !grow(point)) go_sparse();
  if (sparse_) {
    const auto [it, fresh] = table_.try_emplace(std::vector<int64_t>(point, point + rank_), count_);
    if (!fresh) return it->second;
  } else {
    cell(point, &at);
    if (grid_[at] != 0) return grid_[at] - 1;
    grid_[at] = count_ + 1;
  }
  points_.insert(points_.end(), point, point + rank_);
  return count_++;
}

// Makes room for the point, doubling in the directions that were too small; says no where the grid
// would be far emptier than it is worth.
bool PointIndex::grow(const int64_t* point) {
  const size_t rank = static_cast<size_t>(rank_);
  std::vector<int64_t> low(rank), extent(rank);
  __int128 volume = 1;
  for (size_t d = 0; d < rank; ++d) {
    __int128 lo = point[d], hi = point[d];
    if (!grid_.empty()) {
      const __int128 old_lo = low_[d], old_hi = old_lo + extent_[d] - 1;
      lo = std::min(lo, old_lo);
      hi = std::max(hi, old_hi);
      if (lo < old_lo) lo = std::min(lo, old_lo - extent_[d]);
      if (hi > old_hi) hi = std::max(hi, old_hi + extent_[d]);
    }
    volume *= hi - lo + 1;
    if (volume > (int64_t{1} << 31) || lo < INT64_MIN || hi > INT64_MAX) return false;
    low[d] = static_cast<int64_t>(lo);
    extent[d] = static_cast<int64_t>(hi - lo + 1);
  }
  if (volume > std::max<int64_t>(4096, 64 * (int64_t{count_} + 1))) return false;
  low_ = std::move(low);
  extent_ = std::move(extent);
  grid_.assign(static_cast<size_t>(volume), 0);
  for (uint32_t n = 0; n < count_; ++n) {
    size_t at = 0;
    cell(this->point(n), &at);
    grid_[at] = n + 1;
  }
  return true;
}

void PointIndex::go_sparse() {
  sparse_ = true;
  grid_.clear();
  for (uint32_t n = 0; n < count_; ++n) {
    table_.emplace(std::vector<int64_t>(point(n), point(n) + rank_), n);
  }
}

}  // namespace hocket::interp
