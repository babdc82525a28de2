#include "rewrite/kernel/reshape.h"

#include "rewrite/kernel/operators.h"

namespace hocket::rewrite {

using namespace ir;

using analysis::Facts;

namespace {

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

}  // namespace

Outcome reshape(Context& c, const Located& at, Indices shape,
                std::function<Indices(const Indices&, const Facts&)> indices,
                std::function<std::optional<Dims>(const Dims&, const Facts&)> window,
                std::vector<Claim> claims, std::optional<size_t> resized) {
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

}  // namespace hocket::rewrite
