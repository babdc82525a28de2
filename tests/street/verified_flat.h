// Loop form to flat form with the verifier behind every pass.
#pragma once

#include "ir/verify.h"
#include "lower/flat/to_flat.h"

namespace hocket::street {

inline diag::Result<ir::ProcRef> verified_flat(const ir::ProcRef& proc,
                                               const target::Target& target,
                                               const lower::FlatOptions& options = {}) {
  HOCKET_CHECK(lower::check_entry(*proc));
  const lower::FlatContext context{target, options};
  ir::ProcRef p = proc;
  for (const lower::FlatPass& pass : lower::flat_passes()) {
    HOCKET_TRY(p, pass.run(p, context));
    if (auto sound = ir::verify(*p, pass.leaves); !sound) {
      sound.error().note(std::string("after pass `") + pass.name + "`");
      return std::move(sound.error());
    }
  }
  return p;
}

}  // namespace hocket::street
