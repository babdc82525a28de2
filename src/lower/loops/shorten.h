// Indices without the detour over region lets, where that is shorter:
//
//   bh[bv_y_min + yi + min(bv_y_extent - 32, 32 * y) - bh_y_min - 1, ...]   ->   bh[yi, ...]
//
// In: an index over loops and region lets. Out: the same value, in fewer nodes or as it was. Lets
// of dimensions that slide stay names: their values depend on the iteration. Called by emit.
#pragma once

#include "lower/loops/lowering.h"

namespace hocket::lower::loops {

class Shortener {
 public:
  explicit Shortener(const Lowering& l);
  ir::Expr operator()(const ir::Expr& e) const;

 private:
  const Lowering& l_;
  ir::Substitution lets_;  // closed: no value names another let
};

}  // namespace hocket::lower::loops
