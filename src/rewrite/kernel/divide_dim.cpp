// divide_dim(buffer, dim, factor)
//
//   a: f32[n]      ->   a: f32[(n + 7) / 8, 8]
//   a[e]           ->   a[e / 8, e % 8]
//
// Conditions: the factor is a number from 1 to 2^31; no window has an interval of that dimension.
// Elsewhere: divide_dim (Exo).
#include "analysis/simplify.h"
#include "rewrite/kernel/operators.h"
#include "rewrite/kernel/reshape.h"

namespace hocket::rewrite {

using namespace ir;

using analysis::Facts;

namespace {

Expr quotient(const Expr& e, int64_t f, const analysis::Facts& facts) {
  return analysis::simplify(e / make_index(f), facts);
}
Expr remainder(const Expr& e, int64_t f, const analysis::Facts& facts) {
  return analysis::simplify(e % make_index(f), facts);
}

}  // namespace

Outcome divide_dim(Context& c) {
  HOCKET_TRY(Located at, c.alloc("buffer"));
  const auto* alloc = at.stmt.as<Alloc>();
  HOCKET_TRY(size_t dim, dimension(c, alloc));
  HOCKET_TRY(int64_t factor, c.number("factor"));
  constexpr int64_t most = int64_t{1} << 31;  // extents are rounded up without overflow
  if (factor < 1 || factor > most)
    return c.bad_args("`factor` is a number from 1 to " + std::to_string(most));
  const analysis::Scope scope = c.scope_before(c.proc(), at.stmt.id());
  Indices shape;
  for (size_t d = 0; d < alloc->shape.size(); ++d) {
    if (d != dim) {
      shape.push_back(alloc->shape[d]);
      continue;
    }
    shape.push_back(quotient(alloc->shape[d] + make_index(factor - 1), factor, scope.facts));
    shape.push_back(make_index(factor));
  }
  auto indices = [&](const Indices& old, const Facts& facts) {
    Indices out;
    for (size_t d = 0; d < old.size(); ++d) {
      if (d != dim) {
        out.push_back(old[d]);
        continue;
      }
      out.push_back(quotient(old[d], factor, facts));
      out.push_back(remainder(old[d], factor, facts));
    }
    return out;
  };
  auto window = [&](const Dims& old, const Facts& facts) -> std::optional<Dims> {
    Dims out;
    for (size_t d = 0; d < old.size(); ++d) {
      if (d != dim) {
        out.push_back(old[d]);
      } else if (old[d].is_point()) {
        out.push_back({quotient(old[d].lo, factor, facts), {}});
        out.push_back({remainder(old[d].lo, factor, facts), {}});
      } else {
        return std::nullopt;
      }
    }
    return out;
  };
  return reshape(c, at, std::move(shape), indices, window, {});
}

}  // namespace hocket::rewrite
