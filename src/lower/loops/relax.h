// Ends of regions that are quotients by the extent of a loop that is fused, where that extent
// varies outside.
//
// A tail runs a fused loop a few iterations past its ends: (min(w * h - 8, 0)) / w rows before the
// first row. Once w itself is a min over loops outside, no bound of that is near; before that it is
// near a number. In: an interval over loops outside and the extents, which are at least 1 (as the
// facts say). Out: an interval around it, without such quotients. Called by: region.cpp, where a
// region leaves a compute site that lies inside loops.
#pragma once

#include "analysis/interval.h"

namespace hocket::lower::loops {

analysis::Interval relaxed(const analysis::Interval& iv, const analysis::Facts& facts);

}  // namespace hocket::lower::loops
