// simplify()
//
//   y[4 * (i / 4) + i % 4] = x   ->   y[i] = x        dead branches and empty loops gone
//
// Conditions: none; it rests on the rules of analysis, each proved for its types. Elsewhere:
// simplify (Exo).
#include "analysis/simplify.h"
#include "rewrite/kernel/operators.h"

namespace hocket::rewrite {

using namespace ir;

Outcome simplify_proc(Context& c) {
  Body body = analysis::simplify(c.proc()->body, analysis::facts_of(*c.proc()));
  if (body.empty()) body.push_back(make_pass(c.step.place));
  return c.judge.accept(c.proc(), with_body(c.proc(), std::move(body)));
}

}  // namespace hocket::rewrite
