// expand_dim(buffer, extent, index)    a: f32         ->  a: f32[8];  a      as a[index]
// resize_dim(buffer, dim, extent, offset=0)
//                                      a: f32[m]      ->  a: f32[64]; a[e]   as a[e - offset]
// divide_dim(buffer, dim, factor)      a: f32[n]      ->  a: f32[(n + 7) / 8, 8];
//                                                         a[e]   as a[e / 8, e % 8]
// rearrange_dim(buffer, [1, 0])        a: f32[n, m]   ->  a: f32[m, n]; a[i, j] as a[j, i]
//
// Conditions: the buffer is allocated in the proc, so that nobody else sees its layout; the index
// of expand_dim is fixed where the allocation stands and lies in the extent; every access lies in
// the new extent of resize_dim. Distinct elements stay distinct. Elsewhere: the same names in Exo.
#include "analysis/simplify.h"
#include "rewrite/access.h"
#include "rewrite/kernel/operators.h"

namespace hocket::rewrite {

using namespace ir;

namespace {

using analysis::Facts;
using Indices = std::vector<Expr>;
using Dims = std::vector<WindowDim>;

// Windows of the buffer lie in it, in that dimension.
void claim_windows(Context& c, const ProcRef& after, const Body& rest, const Alloc& alloc,
                   size_t dim, std::vector<Claim>& claims) {
  for_each_stmt(rest, [&](const Stmt& s) {
    std::vector<Expr> shown;
    if (const auto* w = s.as<WindowStmt>()) shown = {w->window};
    if (const auto* call = s.as<CallStmt>()) shown = call->args;
    for (const Expr& e : shown) {
      const auto* w = e.as<Window>();
      if (!w || !(w->buffer == alloc.buffer)) continue;
      const WindowDim& d = w->dims[dim];
      const Expr end = d.is_point() ? d.lo + make_index(1) : d.hi;
      claims.push_back(
          {"windows of `" + alloc.buffer.name() + "` lie in its new extent",
           c.dependence().holds(
               make_binary(BinaryOp::And, make_binary(BinaryOp::Ge, d.lo, make_index(0)),
                           make_binary(BinaryOp::Le, end, alloc.shape[dim])),
               c.scope_before(after, s.id()))});
    }
    return true;
  });
}

// The allocation with another shape, and every access after it mapped. `resized`: the dimension
// in which windows could stick out now.
Outcome reshape(Context& c, const Located& at, Indices shape,
                std::function<Indices(const Indices&, const Facts&)> indices,
                std::function<std::optional<Dims>(const Dims&, const Facts&)> window,
                std::vector<Claim> claims, std::optional<size_t> resized = std::nullopt) {
  const auto* alloc = at.stmt.as<Alloc>();
  AccessMap map{alloc->buffer, alloc->buffer, std::move(indices), std::move(window)};
  Body rest(at.list.begin() + static_cast<std::ptrdiff_t>(at.at) + 1, at.list.end());
  Mapped mapped = map_accesses(rest, map, c.scope_before(c.proc(), at.stmt.id()).facts);
  if (!mapped.refused.empty()) return c.cannot(mapped.refused);
  ProcRef after = with_list(c.proc(), at.stmt.id(), [&](Body& list, size_t i) {
    list[i] = edited<Alloc>(at.stmt, [&](Alloc& a) { a.shape = std::move(shape); });
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(i) + 1, list.end());
    list.insert(list.end(), mapped.body.begin(), mapped.body.end());
  });
  const Stmt now = locate(*after, at.stmt.id())->stmt;
  if (resized) claim_windows(c, after, mapped.body, *now.as<Alloc>(), *resized, claims);
  claim_asserts(c, after, alloc->buffer, claims);
  return c.judge.accept(c.proc(), after, std::move(claims));
}

diag::Result<size_t> dimension(const Context& c, const Alloc* a) {
  HOCKET_TRY(int64_t dim, c.number("dim"));
  if (dim < 0 || static_cast<size_t>(dim) >= a->shape.size())
    return c.bad_args("`" + a->buffer.name() + "` has " + std::to_string(a->shape.size()) +
                      " dimensions, counted from 0");
  return static_cast<size_t>(dim);
}

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
  if (factor < 1) return c.bad_args("`factor` is at least 1");
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
