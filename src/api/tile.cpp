// tile over lists of loops: of two by the directive tile, of any other number by splits and one
// reorder, all of them or none.
#include "api/contents.h"
#include "api/func.h"

namespace hocket {

using support::Place;

void Stage::tile_all(const std::vector<Loop>& loops, const std::vector<Loop>& outer,
                     const std::vector<Loop>& inner, const std::vector<int64_t>& factors,
                     TailStrategy tail, Where where) {
  const size_t n = loops.size();
  if (n == 0 || outer.size() != n || inner.size() != n || factors.size() != n)
    refuse("`tile` of " + std::to_string(n) + " loops takes as many outer and inner names and " +
               "factors, it is given " + std::to_string(outer.size()) + ", " +
               std::to_string(inner.size()) + " and " + std::to_string(factors.size()),
           Place::of(where));
  if (n == 2) {
    tile(loops[0], loops[1], outer[0], outer[1], inner[0], inner[1], factors[0], factors[1], tail,
         where);
    return;
  }
  api::FuncContents& c = *contents_;
  const size_t said = c.said.size();
  const std::optional<schedule::Plan> draft = c.draft;
  const std::vector<ir::Symbol> names = c.draft_names;
  try {
    for (size_t i = 0; i < n; ++i) split(loops[i], outer[i], inner[i], factors[i], tail, where);
    std::vector<Loop> order = inner;
    order.insert(order.end(), outer.begin(), outer.end());
    reorder(order, where);
  } catch (const Error&) {
    c.said.resize(said);
    c.draft = draft;
    c.draft_names = names;
    throw;
  }
}

}  // namespace hocket
