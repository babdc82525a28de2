#include "interp/memory.h"

#include <algorithm>
#include <numeric>

namespace hocket::interp {

std::vector<int64_t> Memory::element(int64_t cell) const {
  // Strides are nested: the greatest one first.
  std::vector<size_t> order(extent.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return stride[a] != stride[b] ? stride[a] > stride[b] : extent[a] > extent[b];
  });
  std::vector<int64_t> at(extent.size(), 0);
  for (const size_t d : order) {
    if (extent[d] <= 1) continue;
    at[d] = cell / stride[d];
    cell %= stride[d];
  }
  return at;
}

}  // namespace hocket::interp
