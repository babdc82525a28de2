// replace(stmt, callee)     the statements that are the callee's body become a call of it
// replace_all(callee)       the same wherever it applies; at least once
//
//   for l in seq(0, 8): c[i, l] = A[i, 8 * j + l]   ->   mm256_loadu_ps(c[i, 0:8], A[i, 8 * j:8 * j
//   + 8])
//
// Arguments are found by unification (unify.h), and not believed: the callee's body with them put
// in has to be the block again, index expressions compared in normal form. Conditions: sizes are at
// least 1, the callee's preconditions hold, windows lie in their buffers, memories are the declared
// ones, no written argument shares an element with another one, and nothing behind names what the
// block made. Elsewhere: replace, replace_all (Exo), tensorize (TVM), instruction selection.
#include <algorithm>
#include <limits>

#include "analysis/bounds_check.h"
#include "analysis/simplify.h"
#include "diag/kinds_rewrite.h"
#include "ir/equal.h"
#include "rewrite/kernel/call_body.h"
#include "rewrite/kernel/operators.h"
#include "rewrite/unify.h"
#include "support/edit_distance.h"
#include "target/check_memories.h"

namespace hocket::rewrite {

using namespace ir;

namespace {

diag::Result<ProcRef> find_callee(Context& c) {
  HOCKET_TRY(std::string name, c.text("callee"));
  // Its body is what is being rewritten: the call would be of a program that has no other text.
  if (name == c.proc()->name())
    return c.cannot("`" + name + "` is the program itself; `rename` it first");
  if (ProcRef p = c.library.find(name)) return p;
  diag::Diagnostic d(diag::kind::unknown_callee, c.step.place);
  d.arg("name", name);
  const std::vector<std::string> names = c.library.names();
  for (const std::string& n : support::close_names(name, names))
    d.help("did you mean `" + n + "`?");
  return d;
}

std::string memory_of(const ProcRef& proc, const Symbol& buffer) {
  std::string memory = "DRAM";
  for (const Param& p : proc->params)
    if (p.sym == buffer) memory = p.memory;
  for_each_stmt(proc->body, [&](const Stmt& s) {
    if (const auto* a = s.as<Alloc>(); a && a->buffer == buffer) memory = a->memory;
    return true;
  });
  return memory;
}

// `near`: how much of the callee was found there, where it is refused.
Outcome replace_at(Context& c, const ProcRef& proc, uint64_t id, const ProcRef& callee, int& near) {
  near = 0;
  const Located at = *locate(*proc, id);
  auto refuse = [&](const std::string& why) {
    return diag::Diagnostic(diag::kind::cannot_unify, c.step.place)
        .arg("block", spoken(at.stmt))
        .arg("callee", callee->name())
        .arg("reason", why);
  };
  const size_t count = callee->body.size();
  if (at.at + count > at.list.size())
    return refuse("it has " + std::to_string(count) + " statements");
  const auto first = at.list.begin() + static_cast<std::ptrdiff_t>(at.at);
  const Body block(first, first + static_cast<std::ptrdiff_t>(count));
  for (const Stmt& s : block) {
    const Symbol made = binder(s);
    if (!made.defined()) continue;
    for (size_t i = at.at + count; i < at.list.size(); ++i)
      if (uses_any(Body{at.list[i]}, {made}))
        return refuse("`" + made.name() + "` is used behind it, by `" + spoken(at.list[i]) + "`");
  }
  const analysis::Scope scope = c.scope_before(proc, id);
  Unified u = unify(*callee, block, scope.facts);
  near = u.matched;
  if (!u.reason.empty()) return refuse(u.reason);
  near = std::numeric_limits<int>::max();  // all of it: conditions are in the way

  // The certificate: what the call does is the block.
  CallBody inlined = call_body(*callee, u.args);
  if (!inlined.refused.empty()) return refuse(inlined.refused);
  if (!equal(analysis::simplify(inlined.body, scope.facts), analysis::simplify(block, scope.facts)))
    return refuse("the call would not do the same");

  std::vector<Claim> claims;
  auto claim = [&](const std::string& what, const Expr& e) {
    if (!is_int_equal(analysis::simplify(e, scope.facts), 1))
      claims.push_back({what, c.dependence().holds(e, scope)});
  };
  auto ge = [](const Expr& a, const Expr& b) { return make_binary(BinaryOp::Ge, a, b); };
  std::vector<std::pair<const Param*, analysis::View>> views;
  for (size_t i = 0; i < callee->params.size(); ++i) {
    const Param& p = callee->params[i];
    if (p.kind != ParamKind::Scalar && first_load(u.args[i]).defined())  // V0017
      return refuse("`" + p.sym.name() + "` would be what memory holds; bind it by a let first");
    if (p.kind == ParamKind::Size)
      claim("size `" + p.sym.name() + "` of `" + callee->name() + "` is at least 1",
            ge(u.args[i], make_index(1)));
    if (p.kind == ParamKind::Scalar) {
      // The call reads it once, and where the block may never have.
      const Stmt read = make_let(Symbol::derived(p.sym.name(), p.type(), p.sym, "argument for"),
                                 u.args[i], c.step.place);
      if (first_load(u.args[i]).defined())
        claims.push_back({"the value for `" + p.sym.name() + "` does not change inside",
                          c.dependence().disjoint({read}, block, scope)});
      const analysis::Effects effects = analysis::effects_of({read}, scope);
      for (const analysis::Access& a : effects.accesses)
        claims.push_back(
            {"what `" + p.sym.name() + "` reads lies in `" + a.buffer.name() + "`",
             c.dependence().in_bounds(a, effects, scope.view_of(make_var(a.buffer)).shape, scope)});
    }
    if (p.kind != ParamKind::Buffer) continue;
    const auto* w = u.args[i].as<Window>();
    if (!target::memory_fits(p.memory, memory_of(proc, w->buffer)))
      return refuse("`" + w->buffer.name() + "` is in " + memory_of(proc, w->buffer) + ", `" +
                    p.sym.name() + "` in " + p.memory);
    const std::vector<Expr> shape = scope.view_of(make_var(w->buffer)).shape;
    for (size_t d = 0; d < w->dims.size() && d < shape.size(); ++d) {
      const std::string what =
          "the window of `" + w->buffer.name() + "` for `" + p.sym.name() + "` lies in it";
      claim(what, ge(w->dims[d].lo, make_index(0)));
      if (w->dims[d].is_point()) {
        claim(what, ge(shape[d] - make_index(1), w->dims[d].lo));
      } else {
        claim(what, ge(shape[d], w->dims[d].hi));
        claim(what, ge(w->dims[d].hi, w->dims[d].lo));
      }
    }
    views.emplace_back(&p, scope.view_of(u.args[i]));
  }
  const analysis::Effects own = analysis::effects_of(callee->body, analysis::scope_of(*callee));
  const auto changes = [&](const Param& p) {
    return std::any_of(own.accesses.begin(), own.accesses.end(), [&](const analysis::Access& a) {
      return a.buffer == p.sym && a.kind != analysis::AccessKind::Read;
    });
  };
  for (size_t i = 0; i < views.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (views[i].second.root == views[j].second.root &&
          (changes(*views[i].first) || changes(*views[j].first)))
        claim("the windows of `" + views[i].second.root.name() + "` for `" +
                  views[j].first->sym.name() + "` and `" + views[i].first->sym.name() +
                  "` have no element in common",
              analysis::apart(views[j].second, views[i].second));
  // A dense parameter takes a whole buffer.
  for (size_t i = 0; i < callee->params.size(); ++i) {
    const Param& p = callee->params[i];
    if (p.kind != ParamKind::Buffer || p.window || p.shape.empty()) continue;
    const auto* w = u.args[i].as<Window>();
    const std::vector<Expr> shape = scope.view_of(make_var(w->buffer)).shape;
    bool whole = shape.size() == p.shape.size();
    for (size_t d = 0; whole && d < shape.size(); ++d)
      whole = !w->dims[d].is_point() && is_int_equal(w->dims[d].lo, 0) &&
              is_int_equal(analysis::simplify(w->dims[d].hi - shape[d], scope.facts), 0);
    if (!whole) return refuse("`" + p.sym.name() + "` is no window and takes a whole buffer");
    u.args[i] = make_var(w->buffer);
  }
  auto dense = [&](const Symbol& b) -> const std::vector<Expr>* {
    auto it = scope.buffers.find(b);
    return it == scope.buffers.end() || it->second.strided ? nullptr : &it->second.shape;
  };
  for (const Expr& e : analysis::entry_conditions(*callee))
    claim("what the entry of `" + callee->name() + "` makes sure of holds",
          at_call(e, *callee, u.args, dense));
  for (const Expr& e : callee->preconditions)
    claim("the assert of `" + callee->name() + "` holds", at_call(e, *callee, u.args, dense));

  ProcRef after = with_list(proc, id, [&](Body& list, size_t i) {
    const auto from = list.begin() + static_cast<std::ptrdiff_t>(i);
    list.erase(from, from + static_cast<std::ptrdiff_t>(count));
    list.insert(list.begin() + static_cast<std::ptrdiff_t>(i),
                make_call(callee, u.args, c.step.place));
  });
  return c.judge.accept(proc, after, std::move(claims));
}

}  // namespace

Outcome replace(Context& c) {
  HOCKET_TRY(Located at, c.stmt("stmt"));
  HOCKET_TRY(ProcRef callee, find_callee(c));
  int near = 0;
  return replace_at(c, c.proc(), at.stmt.id(), callee, near);
}

Outcome replace_all(Context& c) {
  HOCKET_TRY(ProcRef callee, find_callee(c));
  if (callee->body.empty()) return c.cannot("`" + callee->name() + "` does nothing");
  std::vector<uint64_t> ids;
  for_each_stmt(c.proc()->body, [&](const Stmt& s) {
    if (s.kind() == callee->body[0].kind()) ids.push_back(s.id());
    return true;
  });
  std::optional<Change> done;
  std::optional<diag::Diagnostic> why;  // of the statement that is nearest to it
  int nearest = -1;
  for (uint64_t id : ids) {
    const ProcRef now = done ? done->proc() : c.proc();
    if (!locate(*now, id)) continue;  // inside what has become a call
    int near = 0;
    auto r = replace_at(c, now, id, callee, near);
    if (r.ok()) {
      done = std::move(r).value();
    } else if (near > nearest) {
      nearest = near;
      why = r.error();
    }
  }
  if (done) return *done;
  if (why) return *why;
  return c.cannot("nothing looks like the body of `" + callee->name() + "`");
}

}  // namespace hocket::rewrite
