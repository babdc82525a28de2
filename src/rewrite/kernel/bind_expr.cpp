// bind_expr(stmt, buffer, name)
//
//   C[i] += A[i, k] * b        ->      a: f32
//                                      a = A[i, k]
//                                      C[i] += a * b
//
// Every read of the named buffer with the indices of its first one, in the value of one store, is
// bound; so is a scalar that the value names (`b`), or a number in it ("0.0"), for instructions
// that fill a register with it. Conditions: the value always reads it, not on one side of a select
// alone (it could be outside the buffer there). Nothing runs between the binding and the store, so
// the value is the same. Elsewhere: bind_expr (Exo).
#include <cstdlib>
#include <optional>

#include "ir/equal.h"
#include "rewrite/kernel/operators.h"

namespace hocket::rewrite {

using namespace ir;

namespace {

std::optional<double> number_of(const std::string& text) {
  if (text.empty() || text.find_first_not_of("0123456789.eE+-") != std::string::npos)
    return std::nullopt;
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  return *end == '\0' ? std::optional(number) : std::nullopt;
}

// Is e what the step names: a read of that buffer, that scalar, that number?
bool is_named(const Expr& e, const std::string& name) {
  if (const auto* l = e.as<Load>()) return l->buffer.name() == name;
  if (e.type().is_index()) return false;
  if (const auto* v = e.as<VarRef>()) return v->sym.name() == name;
  if (const auto* f = e.as<FloatImm>()) {
    const std::optional<double> number = number_of(name);
    return number && equal(make_float(f->type, *number), e);
  }
  const auto* i = e.as<IntImm>();
  return i != nullptr && std::to_string(i->value) == name;
}

// The first that is named of what is always computed, and whether there is one at all. Scalars and
// numbers may be computed anywhere.
void search(const Expr& e, const std::string& name, bool always, Expr* found, bool* any) {
  if (is_named(e, name)) {
    *any = true;
    if ((always || e.as<Load>() == nullptr) && !found->defined()) *found = e;
  }
  const auto* s = e.as<Select>();
  for (const Expr& child : children(e))
    search(child, name, always && (s == nullptr || child.same_as(s->cond)), found, any);
}

}  // namespace

Outcome bind_expr(Context& c) {
  HOCKET_TRY(Located at, c.stmt("stmt"));
  HOCKET_TRY(std::string buffer, c.text("buffer"));
  HOCKET_TRY(std::string name, c.text("name"));
  const auto* store = at.stmt.as<Store>();
  if (!store) return c.cannot("`" + spoken(at.stmt) + "` is no store");
  Expr found;
  bool any = false;
  search(store->value, buffer, true, &found, &any);
  if (!any)
    return c.cannot("the value of `" + spoken(at.stmt) + "` does not read `" + buffer + "`");
  if (!found.defined()) return c.cannot("`" + buffer + "` is read on one side of a select alone");
  const auto* load = found.as<Load>();
  const Symbol sym = load != nullptr ? Symbol::derived(name, found.type(), load->buffer,
                                                       "element of", c.step.place)
                                     : Symbol::fresh(name, found.type(), c.step.place);
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
