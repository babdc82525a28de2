#include "analysis/prove.h"

#include "analysis/affine_prove.h"
#include "analysis/simplify.h"

namespace hocket::analysis {

using namespace ir;

bool can_prove(const Expr& condition, const Facts& facts) {
  if (facts.unreachable()) return true;
  Expr c = simplify(condition, facts);
  int64_t truth = 0;
  if (is_int(c, &truth)) return truth != 0;
  return affine_prove(c, facts, AffineEffort{});
}

}  // namespace hocket::analysis
