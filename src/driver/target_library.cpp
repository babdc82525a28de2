#include "driver/target_library.h"

#include "text/parser.h"

namespace hocket::driver {

diag::Result<std::vector<ir::ProcRef>> target_procs() {
  static const diag::Result<std::vector<ir::ProcRef>> once =
      []() -> diag::Result<std::vector<ir::ProcRef>> {
    HOCKET_TRY(text::File file, text::parse(kTargetText, "targets/x86.hk"));
    return file.procs();
  }();
  if (!once.ok()) return once.error();
  return once.value();
}

}  // namespace hocket::driver
