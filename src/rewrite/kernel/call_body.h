// What a call does, as statements of the caller.
//
// In: a callee and the arguments of a call. Out: its body with the arguments put in: windows become
// accesses of the buffers behind them, scalars their values. Called by: inline_call, and replace,
// which compares it with the block that becomes the call.
#pragma once

#include <string>
#include <vector>

#include "ir/proc.h"
#include "ir/visit.h"

namespace hocket::rewrite {

struct CallBody {
  ir::Body body;
  std::string refused;  // why not; empty where it is done
};

CallBody call_body(const ir::Proc& callee, const std::vector<ir::Expr>& args);

// A condition over the callee's parameters, said of the arguments; strides of dense buffers become
// numbers. `dense_shape(buffer)`: its shape, nothing where it is a window.
ir::Expr at_call(const ir::Expr& condition, const ir::Proc& callee,
                 const std::vector<ir::Expr>& args,
                 const std::function<const std::vector<ir::Expr>*(const ir::Symbol&)>& dense_shape);

}  // namespace hocket::rewrite
