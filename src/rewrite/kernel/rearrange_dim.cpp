// rearrange_dim(buffer, [1, 0])
//
//   a: f32[n, m]   ->   a: f32[m, n]
//   a[i, j]        ->   a[j, i]
//
// Conditions: windows keep the order of their intervals. Elsewhere: rearrange_dim (Exo).
#include "rewrite/kernel/operators.h"
#include "rewrite/kernel/reshape.h"

namespace hocket::rewrite {

using namespace ir;

using analysis::Facts;

Outcome rearrange_dim(Context& c) {
  HOCKET_TRY(Located at, c.alloc("buffer"));
  const auto* alloc = at.stmt.as<Alloc>();
  HOCKET_TRY(std::vector<int64_t> order, c.numbers("order"));
  std::vector<bool> seen(alloc->shape.size(), false);
  bool good = order.size() == seen.size();
  for (int64_t d : order) {
    good = good && d >= 0 && static_cast<size_t>(d) < seen.size() && !seen[static_cast<size_t>(d)];
    if (good) seen[static_cast<size_t>(d)] = true;
  }
  if (!good)
    return c.bad_args("`order` names each of the " + std::to_string(seen.size()) +
                      " dimensions once");
  Indices shape;
  for (int64_t d : order) shape.push_back(alloc->shape[static_cast<size_t>(d)]);
  auto indices = [&](const Indices& old, const Facts&) {
    Indices out;
    for (int64_t d : order) out.push_back(old[static_cast<size_t>(d)]);
    return out;
  };
  auto window = [&](const Dims& old, const Facts&) -> std::optional<Dims> {
    // The dimensions of a window keep their order: its intervals may not change places.
    int64_t last = -1;
    Dims out;
    for (int64_t d : order) {
      const WindowDim& w = old[static_cast<size_t>(d)];
      if (!w.is_point()) {
        if (d < last) return std::nullopt;
        last = d;
      }
      out.push_back(w);
    }
    return out;
  };
  return reshape(c, at, std::move(shape), indices, window, {});
}

}  // namespace hocket::rewrite
