// expand_dim(buffer, extent, index)
//
//   a: f32         ->   a: f32[8]
//   a = x          ->   a[index] = x
//
// Conditions: the index is fixed where the allocation stands and lies in the extent. Distinct
// elements stay distinct. Elsewhere: expand_dim (Exo).
#include "rewrite/kernel/operators.h"
#include "rewrite/kernel/reshape.h"

namespace hocket::rewrite {

using namespace ir;

using analysis::Facts;

namespace {

Expr in_range(const Expr& e, const Expr& extent) {
  return make_binary(BinaryOp::And, make_binary(BinaryOp::Ge, e, make_index(0)),
                     make_binary(BinaryOp::Lt, e, extent));
}

}  // namespace

Outcome expand_dim(Context& c) {
  HOCKET_TRY(Located at, c.alloc("buffer"));
  const auto* alloc = at.stmt.as<Alloc>();
  HOCKET_TRY(Expr extent, c.index("extent", at));
  HOCKET_TRY(Expr index, c.index("index", at));
  const analysis::Scope scope = c.scope_before(c.proc(), at.stmt.id());
  std::vector<Claim> claims;
  claims.push_back({"the index lies in the new dimension of `" + alloc->buffer.name() + "`",
                    c.dependence().holds(in_range(index, extent), scope)});
  Indices shape = alloc->shape;
  shape.insert(shape.begin(), extent);
  auto indices = [&](const Indices& old, const Facts&) {
    Indices out{index};
    out.insert(out.end(), old.begin(), old.end());
    return out;
  };
  auto window = [&](const Dims& old, const Facts&) -> std::optional<Dims> {
    Dims out{{index, {}}};
    out.insert(out.end(), old.begin(), old.end());
    return out;
  };
  return reshape(c, at, std::move(shape), indices, window, std::move(claims));
}

}  // namespace hocket::rewrite
