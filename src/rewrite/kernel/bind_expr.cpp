// bind_expr(stmt, buffer, name)
//
//   C[i] += A[i, k] * b        ->      a: f32
//                                      a = A[i, k]
//                                      C[i] += a * b
//
// Every read of the named buffer with the indices of its first one, in the value of one store, is
// bound. Conditions: the read is not on one side of a select (it could be outside the buffer
// there). Nothing runs between the binding and the store, so the value is the same. Elsewhere:
// bind_expr (Exo).
#include "ir/equal.h"
#include "rewrite/kernel/operators.h"

namespace hocket::rewrite {

using namespace ir;

Outcome bind_expr(Context& c) {
  HOCKET_TRY(Located at, c.stmt("stmt"));
  HOCKET_TRY(std::string buffer, c.text("buffer"));
  HOCKET_TRY(std::string name, c.text("name"));
  const auto* store = at.stmt.as<Store>();
  if (!store) return c.cannot("`" + spoken(at.stmt) + "` is no store");
  Expr found;
  bool in_select = false;
  for_each(store->value, [&](const Expr& e) {
    if (const auto* l = e.as<Load>(); l && !found.defined() && l->buffer.name() == buffer)
      found = e;
    in_select |= e.kind() == ExprKind::Select;
  });
  if (!found.defined()) return c.cannot("`" + spoken(at.stmt) + "` does not read `" + buffer + "`");
  if (in_select) return c.cannot("the read of `" + buffer + "` may stand on one side of a select");
  const Symbol sym =
      Symbol::derived(name, found.type(), found.as<Load>()->buffer, "element of", c.step.place);
  const Expr bound = make_load(sym, found.type(), {});
  Expr value = map_exprs(store->value, [&](const Expr& e) { return equal(e, found) ? bound : e; });
  ProcRef after = with_list(c.proc(), at.stmt.id(), [&](Body& list, size_t i) {
    list[i] = edited<Store>(at.stmt, [&](Store& s) { s.value = value; });
    const Body before{make_alloc(sym, {}, "DRAM", c.step.place),
                      make_store(sym, {}, found, StoreOp::Assign, {}, c.step.place)};
    list.insert(list.begin() + static_cast<std::ptrdiff_t>(i), before.begin(), before.end());
  });
  return c.judge.accept(c.proc(), after);
}

}  // namespace hocket::rewrite
