#include "ir/read/control.h"

#include "diag/kinds_parse.h"
#include "ir/print.h"
#include "ir/visit.h"

namespace hocket::ir::read {

diag::Result<void> check_control(const Expr& e, const std::string& what,
                                 const support::Place& place) {
  const Expr read = first_load(e);
  if (!read.defined()) return {};
  return diag::Diagnostic(diag::kind::control_reads_memory, place)
      .arg("what", what)
      .arg("read", to_text(read))
      .note("bind it first, `let m: index = " + to_text(e) + "`, and use `m`");
}

}  // namespace hocket::ir::read
