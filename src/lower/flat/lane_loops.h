// Which loops of an instruction's body are lanes: the loop runs over the elements of registers, and
// each iteration touches only its own element.
//
// In: the body of an instruction after its arguments were put in. Out: the body with such loops
// marked Vectorized, so that a whole register is moved or computed at once. Loops that carry
// something from lane to lane (sums across a register, rotations) stay as they are. Called by
// inline_calls.
#pragma once

#include "ir/stmt.h"

namespace hocket::lower {

ir::Body mark_lane_loops(const ir::Body& body);
// Whether iterations of `loop` touch disjoint elements: every access to a buffer that the loop
// writes has the loop variable in its last index, the same way everywhere, and nowhere else.
bool is_elementwise(const ir::For& loop);

}  // namespace hocket::lower
