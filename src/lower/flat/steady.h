// The steady state of a vector loop: the body as it is where no guard and no clamp bites.
//
//   for l in vectorize(0, 8):                     steady, where 8 * xo + 8 <= n:
//     if 8 * xo + l < n:                            f[8 * xo + l] = in[8 * xo + l]
//       f[8 * xo + l] = in[min(8 * xo + l, n - 1)]
//
// In: the loop, with constant extent. Out: the body with such guards and clamps resolved, and the
// conditions, over symbols from outside, under which that is right for every lane (and every
// iteration of loops inside). Nothing where there is no such condition. Called by vectorize.
#pragma once

#include <optional>

#include "ir/stmt.h"

namespace hocket::lower {

struct Steady {
  ir::Body body;
  ir::Expr condition;  // scalar bool
};
std::optional<Steady> steady_state(const ir::For& loop);

}  // namespace hocket::lower
