// The passes of to_flat.h, one file each. Every one is a pure function proc -> proc.
#pragma once

#include "lower/flat/to_flat.h"

namespace hocket::lower {

diag::Result<ir::ProcRef> inline_calls(const ir::ProcRef& proc, const FlatContext& context);
diag::Result<ir::ProcRef> unroll(const ir::ProcRef& proc, const FlatContext& context);
diag::Result<ir::ProcRef> simplify_indices(const ir::ProcRef& proc, const FlatContext& context);
diag::Result<ir::ProcRef> guard_selects(const ir::ProcRef& proc, const FlatContext& context);
diag::Result<ir::ProcRef> vectorize(const ir::ProcRef& proc, const FlatContext& context);
diag::Result<ir::ProcRef> flatten(const ir::ProcRef& proc, const FlatContext& context);
diag::Result<ir::ProcRef> partition(const ir::ProcRef& proc, const FlatContext& context);
diag::Result<ir::ProcRef> join_lanes(const ir::ProcRef& proc, const FlatContext& context);
diag::Result<ir::ProcRef> place_allocs(const ir::ProcRef& proc, const FlatContext& context);
diag::Result<ir::ProcRef> clean(const ir::ProcRef& proc, const FlatContext& context);

}  // namespace hocket::lower
