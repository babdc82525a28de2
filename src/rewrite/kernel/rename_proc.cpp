// rename(name)
//
//   def gemm(...)   ->   def name(...)
//
// Conditions: none; nobody calls the copy yet. Elsewhere: rename (Exo).
#include "rewrite/kernel/operators.h"

namespace hocket::rewrite {

using namespace ir;

Outcome rename_proc(Context& c) {
  HOCKET_TRY(std::string name, c.text("name"));
  const Symbol old = c.proc()->sym;
  ProcRef after = edited(c.proc(), [&](Proc& p) {
    p.sym = Symbol::derived(name, old.type(), old, "scheduled", c.step.place);
  });
  return c.judge.accept(c.proc(), after);
}

}  // namespace hocket::rewrite
