// What expand_dim, resize_dim, divide_dim and rearrange_dim share: a buffer with another shape.
//
// In: the allocation, its new shape, how indices and windows of it change, what is claimed already.
// Out: the changed proc, with claims that windows and asserts of calls still fit; or a refusal. The
// buffer is allocated in the proc, so that nobody else sees its layout. Called by: the four.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "rewrite/access.h"
#include "rewrite/kernel/context.h"

namespace hocket::rewrite {

using Indices = std::vector<ir::Expr>;
using Dims = std::vector<ir::WindowDim>;

// The allocation with another shape, and every access after it mapped. `resized`: the dimension
// in which windows could stick out now.
diag::Result<Change> reshape(
    Context& c, const Located& at, Indices shape,
    std::function<Indices(const Indices&, const analysis::Facts&)> indices,
    std::function<std::optional<Dims>(const Dims&, const analysis::Facts&)> window,
    std::vector<Claim> claims, std::optional<size_t> resized = std::nullopt);

// The step's `dim`, a dimension of the allocation.
diag::Result<size_t> dimension(const Context& c, const ir::Alloc* a);

}  // namespace hocket::rewrite
