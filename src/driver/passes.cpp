#include "driver/passes.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "ir/verify.h"

namespace hocket::driver {

bool verify_unless_told() {
#ifdef NDEBUG
  static const bool told = [] {
    const char* said = std::getenv("HOCKET_VERIFY");
    return said != nullptr && std::string_view(said) == "1";
  }();
  return told;
#else
  return true;
#endif
}

void Passes::note(const char* name, std::chrono::steady_clock::time_point start) {
  const std::chrono::duration<double, std::milli> spent = std::chrono::steady_clock::now() - start;
  times_.push_back({name, spent.count()});
}

std::function<void(const char*, const std::function<std::string()>&)> Passes::steps() {
  return [this, start = std::chrono::steady_clock::now()](
             const char* name, const std::function<std::string()>& text) mutable {
    const auto now = std::chrono::steady_clock::now();
    const double ms = std::chrono::duration<double, std::milli>(now - start).count();
    const auto known = std::find_if(times_.begin(), times_.end(),
                                    [&](const PassTime& t) { return t.name == name; });
    if (known == times_.end())
      times_.push_back({name, ms});
    else
      known->ms += ms;
    if (options_.dump_step) options_.dump_step(name, text());
    start = std::chrono::steady_clock::now();
  };
}

diag::Result<ir::ProcRef> Passes::leave(const char* name, ir::Stand leaves, ir::ProcRef proc) {
  if (options_.dump) options_.dump(name, proc);
  if (options_.verify) {
    diag::Result<void> sound = ir::verify(*proc, leaves);
    if (!sound) {
      sound.error().note(std::string("after pass `") + name + "`");
      return std::move(sound.error());
    }
  }
  return proc;
}

}  // namespace hocket::driver
