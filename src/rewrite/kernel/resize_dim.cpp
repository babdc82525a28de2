// resize_dim(buffer, dim, extent, offset=0)
//
//   a: f32[m]      ->   a: f32[64]
//   a[e]           ->   a[e - offset]
//
// Conditions: every access, and every window, lies in the new extent. Elsewhere: resize_dim (Exo).
#include "analysis/simplify.h"
#include "rewrite/kernel/operators.h"
#include "rewrite/kernel/reshape.h"

namespace hocket::rewrite {

using namespace ir;

using analysis::Facts;

Outcome resize_dim(Context& c) {
  HOCKET_TRY(Located at, c.alloc("buffer"));
  const auto* alloc = at.stmt.as<Alloc>();
  HOCKET_TRY(size_t dim, dimension(c, alloc));
  HOCKET_TRY(Expr extent, c.index("extent", at));
  Expr offset = make_index(0);
  if (c.has("offset")) {
    HOCKET_TRY(offset, c.index("offset", at));
  }
  const analysis::Scope scope = c.scope_before(c.proc(), at.stmt.id());
  std::vector<Claim> claims;
  claims.push_back({"the new extent of `" + alloc->buffer.name() + "` is not negative",
                    c.dependence().holds(make_binary(BinaryOp::Ge, extent, make_index(0)), scope)});
  Indices shape = alloc->shape;
  shape[dim] = extent;
  // The accesses in the scope behind the allocation.
  analysis::Scope inside = scope;
  analysis::pass(at.stmt, inside);
  const Body rest(at.list.begin() + static_cast<std::ptrdiff_t>(at.at) + 1, at.list.end());
  Indices limits = alloc->shape;
  limits[dim] = extent;
  const analysis::Effects effects = analysis::effects_of(rest, inside);
  for (analysis::Access a : effects.accesses) {
    if (!(a.buffer == alloc->buffer)) continue;
    a.indices[dim] = a.indices[dim] - offset;
    claims.push_back({"every access lies in the new extent of `" + alloc->buffer.name() + "`",
                      c.dependence().in_bounds(a, effects, limits, inside)});
  }
  auto moved = [&](const Expr& e, const Facts& facts) {
    return is_int_equal(offset, 0) ? e : analysis::simplify(e - offset, facts);
  };
  auto indices = [&](const Indices& old, const Facts& facts) {
    Indices out = old;
    out[dim] = moved(old[dim], facts);
    return out;
  };
  auto window = [&](const Dims& old, const Facts& facts) -> std::optional<Dims> {
    Dims out = old;
    out[dim] = {moved(old[dim].lo, facts),
                old[dim].is_point() ? Expr() : moved(old[dim].hi, facts)};
    return out;
  };
  return reshape(c, at, std::move(shape), indices, window, std::move(claims), dim);
}

}  // namespace hocket::rewrite
