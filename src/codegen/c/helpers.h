// The helper functions that C text needs: what C has no operator for, or an operator of another
// meaning. In: requests by operation and type, while expressions are printed. Out: their names at
// once, and the prelude that defines exactly those asked for, in an order that compiles.
#pragma once

#include <functional>
#include <string>
#include <unordered_set>
#include <vector>

#include "ir/expr.h"

namespace hocket::codegen {

class CHelpers {
 public:
  // Each returns the name of a function (or type) that the prelude will define.
  std::string vector_type(ir::Type t);  // the type itself where t is a scalar
  std::string unary(ir::UnaryOp op, ir::Type t);
  std::string binary(ir::BinaryOp op, ir::Type t);
  std::string fma(ir::Type t);
  std::string cast(ir::Type to, ir::Type from);
  std::string select(ir::Type t);                // (mask, a, b)
  std::string splat(ir::Type t);                 // (scalar)
  std::string ramp(ir::Type t);                  // (base, stride)
  std::string shuffle(const ir::Shuffle& s);     // (vectors...)
  std::string load(ir::Type t);                  // (pointer)
  std::string load_masked(ir::Type t);           // (pointer, mask)
  std::string load_strided(ir::Type t);          // (pointer, stride)
  std::string gather(ir::Type t, bool masked);   // (pointer, indices[, mask])
  std::string store(ir::Type t);                 // (pointer, value)
  std::string store_masked(ir::Type t);          // (pointer, value, mask)
  std::string store_strided(ir::Type t);         // (pointer, stride, value)
  std::string scatter(ir::Type t, bool masked);  // (pointer, indices, value[, mask])
  std::string saturating(ir::BinaryOp op);       // index arithmetic of region queries
  std::string sizing(ir::BinaryOp op);           // of sizes of memory: too large stays too large

  const std::string& prelude() const { return text_; }

 private:
  // Defines `name` unless it is there: the body is made first, so what it asks for stands before.
  std::string define(const std::string& name, const std::function<std::string()>& make);
  std::string function(const std::string& result, const std::string& name,
                       const std::string& parameters, const std::string& body);
  std::string lane_loop(ir::Type t, const std::string& value);
  std::string mask_type(ir::Type t);  // signed integers as wide as t's lanes
  std::string narrow_float(const std::string& what, ir::Type t);
  std::string scalar_unary(ir::UnaryOp op, ir::Type t);
  std::string scalar_binary(ir::BinaryOp op, ir::Type t);
  std::string scalar_cast(ir::Type to, ir::Type from);
  std::string vector_binary(ir::BinaryOp op, ir::Type t);
  std::string vector_cast(ir::Type to, ir::Type from);

  std::unordered_set<std::string> defined_;
  std::string text_;
};

// Lanes of the C vector that holds n lanes: the next power of two.
int c_lanes(int lanes);
const char* c_word(ir::BinaryOp op);

}  // namespace hocket::codegen
