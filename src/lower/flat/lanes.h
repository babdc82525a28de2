// Vectors of lanes: how scalar operations look on them, and single lanes of them.
//
// In: scalar and vector expressions mixed. Out: vector expressions of which ramps stay ramps as
// long as they can (`ramp(8 * xo, 1) + 3` is `ramp(8 * xo + 3, 1)`), because dense loads and stores
// are recognised by them. Only index ramps are computed with: other types could overflow on the
// way.
#pragma once

#include "ir/expr.h"

namespace hocket::lower {

// `e` with that many lanes: a broadcast where it is a scalar.
ir::Expr as_vector(const ir::Expr& e, int lanes);
// Operands may be scalars or vectors; the result is a scalar where both are, or where it is plain
// that all lanes have the same value (the difference of two ramps).
ir::Expr lanes_binary(ir::BinaryOp op, const ir::Expr& a, const ir::Expr& b);
ir::Expr lanes_select(const ir::Expr& c, const ir::Expr& t, const ir::Expr& f);
ir::Expr lanes_cast(ir::Type element, const ir::Expr& a);

// Lane k of a vector, `e` itself where it is a scalar.
ir::Expr lane(const ir::Expr& e, int k);
// One scalar from all lanes by And, Or, Min or Max; tells monotone index vectors by their ends.
ir::Expr across(ir::BinaryOp op, const ir::Expr& e);

// A ramp with a constant stride (a scalar is one of stride 0).
bool is_ramp(const ir::Expr& e, int64_t* stride);
bool reads_memory(const ir::Expr& e);

}  // namespace hocket::lower
