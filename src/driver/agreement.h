// Does a lowered pipeline do what its algorithm says? Runs at small sizes, compared store by store.
//
// In: a proc in loop form or flat form, its algorithm, the largest size to try. Out: how many runs
// agreed and why others were not made; or D0202 with the witness of the first that did not.
// Called by: tools/check.
#pragma once

#include <string>

#include "diag/result.h"
#include "ir/algorithm.h"
#include "ir/proc.h"

namespace hocket::driver {

struct Agreement {
  int count = 0;        // runs that agreed, over all calls
  std::string skipped;  // why some were not made; empty where all were
  // Nothing was seen to agree: `skipped` says why, and that is no agreement.
  bool none() const { return count == 0; }
};
diag::Result<void> check_agreement(const ir::Proc& proc, const ir::Algorithm& algorithm,
                                   const std::string& schedule, int64_t largest, Agreement& runs);

}  // namespace hocket::driver
