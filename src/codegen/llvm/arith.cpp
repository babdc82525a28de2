// Types, constants and the way from an operation to its integer or float form.
#include "codegen/llvm/arith.h"

#include <llvm/IR/Constants.h>

#include "support/assert.h"

namespace hocket::codegen {

namespace {

llvm::Type* with_lanes(llvm::Type* element, int lanes) {
  if (lanes == 1) return element;
  return llvm::FixedVectorType::get(element, static_cast<unsigned>(lanes));
}

}  // namespace

llvm::Type* Arith::type(ir::Type t) const {
  llvm::Type* element = nullptr;
  if (t.code == ir::TypeCode::Float) {
    element = t.bits == 16 ? b_.getHalfTy() : t.bits == 32 ? b_.getFloatTy() : b_.getDoubleTy();
  } else {
    element = b_.getIntNTy(t.is_bool() ? 1 : t.bits);
  }
  return with_lanes(element, t.lanes);
}

llvm::Type* Arith::memory_type(ir::Type t) const {
  return t.is_bool() ? with_lanes(b_.getInt8Ty(), t.lanes) : type(t);
}

llvm::Value* Arith::constant(ir::Type t, int64_t v) const {
  if (t.is_float()) return float_constant(t, static_cast<double>(v));
  return llvm::ConstantInt::get(type(t), static_cast<uint64_t>(v), /*IsSigned=*/true,
                                /*ImplicitTrunc=*/true);
}

llvm::Value* Arith::float_constant(ir::Type t, double v) const {
  if (t.code == ir::TypeCode::BFloat) {
    bool lost = false;
    llvm::APFloat f(v);
    f.convert(llvm::APFloat::BFloat(), llvm::APFloat::rmNearestTiesToEven, &lost);
    return llvm::ConstantInt::get(type(t), f.bitcastToAPInt());
  }
  return llvm::ConstantFP::get(type(t), v);
}

llvm::Value* Arith::unary(ir::UnaryOp op, ir::Type t, llvm::Value* a) {
  if (t.is_float()) return float_unary(op, t, a);
  switch (op) {
    case ir::UnaryOp::Neg:
      if (t.is_bool()) return a;
      return wrapping(ir::BinaryOp::Sub, t, constant(t, 0), a);
    case ir::UnaryOp::Not:
      return b_.CreateNot(a);
    case ir::UnaryOp::BitNot:
      // Of a bool, ~0 and ~1 are both different from zero.
      return t.is_bool() ? constant(t, 1) : b_.CreateNot(a);
    case ir::UnaryOp::Abs:
      if (!t.is_signed()) return a;
      return b_.CreateBinaryIntrinsic(llvm::Intrinsic::abs, a, b_.getFalse());
    default:
      return a;  // floor, ceil, trunc, round of an integer
  }
}

llvm::Value* Arith::binary(ir::BinaryOp op, ir::Type t, llvm::Value* a, llvm::Value* b,
                           const Interval& ra, const Interval& rb) {
  if (t.is_float()) return float_binary(op, t, a, b);
  if (t.is_bool()) return bool_binary(op, a, b);
  return int_binary(op, t, a, b, ra, rb);
}

llvm::Value* Arith::cast(ir::Type to, ir::Type from, llvm::Value* a) {
  if (to == from) return a;
  if (to.is_float()) return to_float(to, from, a);
  if (from.is_float()) return float_to_int(to, from, a);
  if (to.is_bool()) return b_.CreateICmpNE(a, constant(from, 0));
  if (from.is_bool()) return b_.CreateZExt(a, type(to));
  return b_.CreateIntCast(a, type(to), from.is_signed());
}

}  // namespace hocket::codegen
