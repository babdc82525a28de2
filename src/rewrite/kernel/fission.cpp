// fission(stmt, n_lifts=1): the list that holds the statement is cut behind it, n times upwards
//
//   for i in seq(0, n):            for i in seq(0, n): s1
//     s1; s2                 ->    for i in seq(0, n): s2
//   if c: (s1; s2)           ->    if c: s1; if c: s2
//
// Conditions: s2 uses nothing that s1 binds but lets that read no memory, which both parts get; no
// s2 of an earlier iteration clashes with an s1 of a later one; s1 does not write what c reads.
// Elsewhere: fission, fission_after (Exo), loop distribution.
#include "analysis/data.h"
#include "rewrite/kernel/operators.h"

namespace hocket::rewrite {

using namespace ir;

namespace {

// The proc with copies, behind the statement, of the lets before it that read no memory and are
// used behind it.
ProcRef with_lets_again(const ProcRef& proc, uint64_t last, support::Place place) {
  return with_list(proc, last, [&](Body& list, size_t at) {
    const auto cut = list.begin() + static_cast<std::ptrdiff_t>(at) + 1;
    Body second(cut, list.end()), lets;
    for (size_t i = at + 1; i-- > 0;) {
      const auto* let = list[i].as<Let>();
      if (let == nullptr || analysis::reads_memory(let->value)) continue;
      if (uses_any(second, {let->sym}) || uses_any(lets, {let->sym}))
        lets.insert(lets.begin(), list[i]);
    }
    Substitution names;
    list.erase(cut, list.end());
    for (const Stmt& s : lets) {
      const auto* let = s.as<Let>();
      const Symbol sym =
          Symbol::derived(let->sym.name(), let->sym.type(), let->sym, "copy of", place);
      list.push_back(make_let(sym, substitute(let->value, names), s.place()));
      names[let->sym] = make_var(sym);
    }
    second = substitute(second, names);
    list.insert(list.end(), second.begin(), second.end());
  });
}

// One level; `last` becomes the statement behind which the next level is cut.
Outcome once(Context& c, const ProcRef& before, uint64_t* last) {
  const ProcRef proc = with_lets_again(before, *last, c.step.place);
  const Located at = *locate(*proc, *last);
  if (at.parents.empty()) return c.cannot("there is no loop or branch left to cut");
  const Stmt parent = at.parents.back();
  const auto cut = static_cast<std::ptrdiff_t>(at.at) + 1;
  if (at.at + 1 == at.list.size())
    return c.cannot("`" + spoken(at.stmt) + "` is the last statement of its list");
  const Body first(at.list.begin(), at.list.begin() + cut);
  const Body second(at.list.begin() + cut, at.list.end());
  for (const Stmt& s : first) {
    const Symbol bound = binder(s);
    if (!bound.defined() || !uses_any(second, {bound})) continue;
    return c.cannot("the second part uses `" + bound.name() + "`, which the first one binds" +
                    (s.as<Alloc>() != nullptr ? "; lift the allocation first"
                     : s.as<Let>() != nullptr ? " to what it reads from memory"
                                              : ""));
  }

  const analysis::Scope scope = c.scope_before(proc, parent.id());
  Claim claim;
  Stmt one, two;
  if (const auto* loop = parent.as<For>()) {
    claim = {"the parts of `" + loop->var.name() + "` may run one after the other",
             c.dependence().can_fission(parent, at.at + 1, scope)};
    const Symbol var =
        Symbol::derived(loop->var.name(), Type::index(), loop->var, "copy of", c.step.place);
    one = edited<For>(parent, [&](For& f) { f.body = first; });
    two = make_for(var, loop->lo, loop->hi, loop->loop,
                   body_at(second, loop->var, make_var(var), false), c.step.place);
  } else {
    const auto* branch = parent.as<If>();
    if (at.in_else || !branch->else_body.empty())
      return c.cannot("a branch with an else part is not cut");
    claim = {"the first part does not change the condition",
             c.dependence().can_fission_branch(parent, at.at + 1, scope)};
    one = edited<If>(parent, [&](If& b) { b.then_body = first; });
    two = make_if(branch->cond, second, {}, c.step.place);
  }
  ProcRef after = with_list(proc, parent.id(), [&](Body& list, size_t i) {
    list[i] = one;
    list.insert(list.begin() + static_cast<std::ptrdiff_t>(i) + 1, two);
  });
  *last = parent.id();
  std::vector<Claim> claims{std::move(claim)};
  return c.judge.accept(before, after, std::move(claims));
}

}  // namespace

Outcome fission(Context& c) {
  HOCKET_TRY(Located at, c.stmt("stmt"));
  HOCKET_TRY(int64_t lifts, c.number_or("n_lifts", 1));
  if (lifts < 1) return c.bad_args("`n_lifts` is at least 1");
  uint64_t last = at.stmt.id();
  HOCKET_TRY(Change change, once(c, c.proc(), &last));
  for (int64_t i = 1; i < lifts; ++i) {
    HOCKET_TRY(change, once(c, change.proc(), &last));
  }
  return change;
}

}  // namespace hocket::rewrite
