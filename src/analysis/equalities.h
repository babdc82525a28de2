// What a condition says to be equal: `a == b and c == 3 and d < 4` gives (a, b), (b, a), (c, 3),
// (3, c). In: a condition. Out: calls with both sides, either first. Called by those who make
// arguments that asserts and checks accept (driver/small_arguments, driver/loop_trials,
// tools/output_box).
#pragma once

#include <functional>

#include "ir/expr.h"

namespace hocket::analysis {

inline void for_each_equality(const ir::Expr& condition,
                              const std::function<void(const ir::Expr&, const ir::Expr&)>& f) {
  const auto* b = condition.as<ir::Binary>();
  if (b == nullptr) return;
  if (b->op == ir::BinaryOp::And) {
    for_each_equality(b->a, f);
    for_each_equality(b->b, f);
  } else if (b->op == ir::BinaryOp::Eq) {
    f(b->a, b->b);
    f(b->b, b->a);
  }
}

}  // namespace hocket::analysis
