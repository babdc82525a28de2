// partial_eval(size, n)
//
//   def p(n: size, x: f32[n])   ->   def p(x: f32[16])     a size becomes a number
//
// Conditions: the number contradicts no assert; a size is at least 1. The proc is another, narrower
// one, with what it asserts kept. Elsewhere: partial_eval (Exo), specialize (Halide, of one case).
#include "analysis/simplify.h"
#include "ir/print.h"
#include "rewrite/kernel/operators.h"

namespace hocket::rewrite {

using namespace ir;

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

}  // namespace hocket::rewrite
