// Widening: an expression of one iteration as an expression of all lanes at once.
//
// In: expressions of the body of a vector loop. Out: the same for `lanes` iterations; a scalar
// where every lane has the same value. Lets of the body that differ by lane and buffers that each
// lane has of its own are announced beforehand. Under a mask, lanes that are off read no memory.
// Called by vectorize.
#pragma once

#include <unordered_map>

#include "ir/stmt.h"

namespace hocket::lower {

class Widener {
 public:
  Widener(const ir::Symbol& var, const ir::Expr& lo, int lanes);

  int lanes() const { return lanes_; }
  ir::Expr widen(const ir::Expr& e);
  // The index of the lane's own copy added where the buffer was expanded.
  std::vector<ir::Expr> indices(const ir::Symbol& buffer, const std::vector<ir::Expr>& i);

  void bind(const ir::Symbol& sym, const ir::Expr& wide);
  // `buffer` gets one more, innermost dimension, the lane.
  void expand(const ir::Symbol& buffer, bool scalar);
  bool is_expanded(const ir::Symbol& buffer) const { return expanded_.count(buffer) != 0; }
  // A scalar of the lane's own, allocated under the mask that holds now: no lane can do harm.
  bool is_private_scalar(const ir::Symbol& buffer) const;

  // The lanes that are on; undefined: all of them.
  const ir::Expr& mask() const { return mask_; }
  // Whether any lane is on, a scalar; undefined: certainly.
  const ir::Expr& any() const { return any_; }
  void set_mask(const ir::Expr& mask);

 private:
  ir::Expr widen_node(const ir::Expr& e);

  int lanes_;
  std::unordered_map<ir::Symbol, ir::Expr> values_;
  struct Own {
    bool scalar;
    ir::Expr mask;  // that held where it was allocated
  };
  std::unordered_map<ir::Symbol, Own> expanded_;
  ir::Expr mask_, any_;
  std::unordered_map<const ir::ExprNode*, std::pair<ir::Expr, ir::Expr>> memo_;
};

}  // namespace hocket::lower
