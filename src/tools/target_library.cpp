#include "tools/target_library.h"

namespace hocket::tools {

diag::Result<std::vector<ir::ProcRef>> target_procs() {
  HOCKET_TRY(text::File file, text::parse(kTargetText, "targets/x86.hk"));
  return file.procs();
}

}  // namespace hocket::tools
