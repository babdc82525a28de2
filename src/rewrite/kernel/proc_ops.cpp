// simplify()                index expressions in normal form, dead branches and empty loops gone
// rename(name)              another name of the procedure
// partial_eval(size, n)     a size becomes a number: another, narrower procedure
// allow(what, name)         reassociation or precision of a buffer may change from here on
//
// Conditions: simplify rests on the rules of analysis (each proved for its types); partial_eval
// keeps what the proc asserts, refuses a number that contradicts it. Elsewhere: the same names in
// Exo.
#include "analysis/simplify.h"
#include "ir/print.h"
#include "rewrite/kernel/operators.h"

namespace hocket::rewrite {

using namespace ir;

Outcome simplify_proc(Context& c) {
  Body body = analysis::simplify(c.proc()->body, analysis::facts_of(*c.proc()));
  if (body.empty()) body.push_back(make_pass(c.step.place));
  return c.judge.accept(c.proc(), with_body(c.proc(), std::move(body)));
}

Outcome rename_proc(Context& c) {
  HOCKET_TRY(std::string name, c.text("name"));
  const Symbol old = c.proc()->sym;
  ProcRef after = edited(c.proc(), [&](Proc& p) {
    p.sym = Symbol::derived(name, old.type(), old, "scheduled", c.step.place);
  });
  return c.judge.accept(c.proc(), after);
}

Outcome partial_eval(Context& c) {
  HOCKET_TRY(std::string name, c.text("size"));
  HOCKET_TRY(int64_t value, c.number("value"));
  const Param* param = nullptr;
  for (const Param& p : c.proc()->params)
    if (p.sym.name() == name && (p.kind == ParamKind::Size || p.kind == ParamKind::Index))
      param = &p;
  if (!param) return c.cannot("`" + c.proc()->name() + "` has no size or index `" + name + "`");
  if (param->kind == ParamKind::Size && value < 1)
    return c.cannot("size `" + name + "` is at least 1");
  const Substitution map{{param->sym, make_index(value)}};
  std::string contradicted;
  ProcRef after = edited(c.proc(), [&](Proc& p) {
    std::vector<Param> kept;
    for (Param& q : p.params) {
      if (q.sym == param->sym) continue;
      for (Expr& e : q.shape) e = analysis::simplify(substitute(e, map));
      kept.push_back(std::move(q));
    }
    p.params = std::move(kept);
    std::vector<Expr> conditions;
    for (const Expr& e : c.proc()->preconditions) {
      Expr s = analysis::simplify(substitute(e, map));
      if (is_int_equal(s, 0))
        contradicted =
            "`" + to_text(e) + "`, which `" + p.name() + "` asserts, does not hold for it";
      if (!is_int(s)) conditions.push_back(s);
    }
    p.preconditions = std::move(conditions);
    p.body = with_number(p.body, param->sym, value);
  });
  if (!contradicted.empty()) return c.cannot(contradicted);
  return c.judge.accept(c.proc(), after, {}, false);
}

Outcome allow(Context& c) {
  HOCKET_TRY(std::string what, c.text("what"));
  if (what != "reassociation" && what != "precision")
    return c.bad_args("`what` is reassociation or precision");
  // A name that nothing has would allow nothing, in silence.
  if (const std::string name = c.text_or("name", "_"); name != "_") HOCKET_CHECK(c.buffer(name));
  return c.judge.accept(c.proc(), c.proc());
}

}  // namespace hocket::rewrite
