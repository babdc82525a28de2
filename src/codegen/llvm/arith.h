// Arithmetic of ir::semantics as LLVM instructions: one typed operation in, its value out.
// In: values with their ir types (index is i64, bool is i1, bfloat16 is i16 bits). Out:
// instructions at the builder's place that agree bit for bit with ir/semantics.h, scalar or vector,
// and that never trap: what is poison there may be any value here. Called by the expression
// emitter.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include "codegen/common/facts.h"
#include "ir/expr.h"

namespace hocket::codegen {

using Builder = llvm::IRBuilder<>;

class Arith {
 public:
  explicit Arith(Builder& builder) : b_(builder) {}

  // The type of a value in registers; in memory a bool is one byte.
  llvm::Type* type(ir::Type t) const;
  llvm::Type* memory_type(ir::Type t) const;

  // Index arithmetic saturates instead of claiming that it does not overflow (region queries).
  void saturate_index() { saturate_ = true; }

  llvm::Value* constant(ir::Type t, int64_t v) const;
  llvm::Value* float_constant(ir::Type t, double v) const;
  llvm::Value* unary(ir::UnaryOp op, ir::Type t, llvm::Value* a);
  // `t` is the operands' type; the intervals are what is known of the operands.
  llvm::Value* binary(ir::BinaryOp op, ir::Type t, llvm::Value* a, llvm::Value* b,
                      const Interval& ra = {}, const Interval& rb = {});
  llvm::Value* fma(ir::Type t, llvm::Value* a, llvm::Value* b, llvm::Value* c);
  llvm::Value* cast(ir::Type to, ir::Type from, llvm::Value* a);
  llvm::Value* add(ir::Type t, llvm::Value* a, llvm::Value* b) {
    return binary(ir::BinaryOp::Add, t, a, b);
  }

 private:
  // arith_int.cpp
  llvm::Value* int_binary(ir::BinaryOp op, ir::Type t, llvm::Value* a, llvm::Value* b,
                          const Interval& ra, const Interval& rb);
  llvm::Value* bool_binary(ir::BinaryOp op, llvm::Value* a, llvm::Value* b);
  llvm::Value* wrapping(ir::BinaryOp op, ir::Type t, llvm::Value* a, llvm::Value* b);
  llvm::Value* divide(ir::BinaryOp op, ir::Type t, llvm::Value* a, llvm::Value* b,
                      const Interval& ra, const Interval& rb);
  llvm::Value* divide_by_constant(ir::BinaryOp op, ir::Type t, llvm::Value* a, int64_t c,
                                  const Interval& ra);
  llvm::Value* divide_vector(ir::BinaryOp op, ir::Type t, llvm::Value* a, llvm::Value* b);
  llvm::Value* shift(ir::BinaryOp op, ir::Type t, llvm::Value* a, llvm::Value* b);
  // arith_float.cpp
  llvm::Value* float_unary(ir::UnaryOp op, ir::Type t, llvm::Value* a);
  llvm::Value* float_binary(ir::BinaryOp op, ir::Type t, llvm::Value* a, llvm::Value* b);
  llvm::Value* narrow_fma(ir::Type t, llvm::Value* a, llvm::Value* b, llvm::Value* c);
  llvm::Value* to_float(ir::Type to, ir::Type from, llvm::Value* a);
  llvm::Value* float_to_int(ir::Type to, ir::Type from, llvm::Value* a);
  // To float32 and float64 and back; `t` is the narrower type, its lanes count.
  llvm::Value* widen32(ir::Type t, llvm::Value* a);
  llvm::Value* widen64(ir::Type t, llvm::Value* a);
  llvm::Value* narrow_from32(ir::Type t, llvm::Value* a);
  llvm::Value* narrow_from64(ir::Type t, llvm::Value* a);
  llvm::Value* round_to_odd32(ir::Type t, llvm::Value* a);  // float64 to float32

  Builder& b_;
  bool saturate_ = false;
};

}  // namespace hocket::codegen
