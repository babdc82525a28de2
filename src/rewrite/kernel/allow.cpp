// allow(what, name=_)
//
//   the proc stays; from here on `reassociation` or `precision` of that buffer may change
//
// Conditions: the buffer is there. It is the user's word, kept in the trace, and no step changes
// numbers without it. Elsewhere: fast-math flags, of everything at once.
#include "rewrite/kernel/operators.h"

namespace hocket::rewrite {

using namespace ir;

Outcome allow(Context& c) {
  HOCKET_TRY(std::string what, c.text("what"));
  if (what != "reassociation" && what != "precision")
    return c.bad_args("`what` is reassociation or precision");
  // A name that nothing has would allow nothing, in silence.
  if (const std::string name = c.text_or("name", "_"); name != "_") HOCKET_CHECK(c.buffer(name));
  return c.judge.accept(c.proc(), c.proc());
}

}  // namespace hocket::rewrite
