#include "driver/passes.h"

#include "ir/verify.h"

namespace hocket::driver {

void Passes::note(const char* name, std::chrono::steady_clock::time_point start) {
  const std::chrono::duration<double, std::milli> spent = std::chrono::steady_clock::now() - start;
  times_.push_back({name, spent.count()});
}

diag::Result<ir::ProcRef> Passes::leave(const char* name, bool verifiable, ir::ProcRef proc) {
  if (options_.dump) options_.dump(name, proc);
  if (options_.verify && verifiable) {
    diag::Result<void> sound = ir::verify(*proc);
    if (!sound) {
      sound.error().note(std::string("after pass `") + name + "`");
      return std::move(sound.error());
    }
  }
  return proc;
}

}  // namespace hocket::driver
