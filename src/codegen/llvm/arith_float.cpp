// Floats: IEEE operations with one rounding each, narrow types through wider ones, casts that
// saturate. No fast-math flag is ever set, so nothing is contracted or reassociated.
#include <llvm/IR/Constants.h>

#include "codegen/llvm/arith.h"
#include "support/assert.h"

namespace hocket::codegen {

namespace {

bool is_bf16(ir::Type t) {
  return t.code == ir::TypeCode::BFloat;
}

}  // namespace

llvm::Value* Arith::float_unary(ir::UnaryOp op, ir::Type t, llvm::Value* a) {
  if (is_bf16(t)) {
    if (op == ir::UnaryOp::Neg) return b_.CreateXor(a, constant(ir::Type::u(16, t.lanes), 0x8000));
    if (op == ir::UnaryOp::Abs) return b_.CreateAnd(a, constant(ir::Type::u(16, t.lanes), 0x7fff));
    const ir::Type f32 = ir::Type::f(32, t.lanes);
    return narrow_from32(t, float_unary(op, f32, widen32(t, a)));
  }
  const auto call = [&](llvm::Intrinsic::ID id) { return b_.CreateUnaryIntrinsic(id, a); };
  switch (op) {
    case ir::UnaryOp::Neg:
      return b_.CreateFNeg(a);
    case ir::UnaryOp::Abs:
      return call(llvm::Intrinsic::fabs);
    case ir::UnaryOp::Sqrt:
      return call(llvm::Intrinsic::sqrt);
    case ir::UnaryOp::Floor:
      return call(llvm::Intrinsic::floor);
    case ir::UnaryOp::Ceil:
      return call(llvm::Intrinsic::ceil);
    case ir::UnaryOp::Trunc:
      return call(llvm::Intrinsic::trunc);
    case ir::UnaryOp::Round:
      return call(llvm::Intrinsic::roundeven);
    default:
      HOCKET_UNREACHABLE("operation on a float");
  }
}

llvm::Value* Arith::float_binary(ir::BinaryOp op, ir::Type t, llvm::Value* a, llvm::Value* b) {
  llvm::Value* x = a;
  llvm::Value* y = b;
  if (is_bf16(t)) {
    x = widen32(t, a);
    y = widen32(t, b);
  }
  const auto rounded = [&](llvm::Value* v) { return is_bf16(t) ? narrow_from32(t, v) : v; };
  switch (op) {
    case ir::BinaryOp::Add:
      return rounded(b_.CreateFAdd(x, y));
    case ir::BinaryOp::Sub:
      return rounded(b_.CreateFSub(x, y));
    case ir::BinaryOp::Mul:
      return rounded(b_.CreateFMul(x, y));
    case ir::BinaryOp::Div:
      return rounded(b_.CreateFDiv(x, y));
    case ir::BinaryOp::Mod: {
      llvm::Value* q = float_unary(ir::UnaryOp::Floor, t, rounded(b_.CreateFDiv(x, y)));
      return float_binary(ir::BinaryOp::Sub, t, a, float_binary(ir::BinaryOp::Mul, t, b, q));
    }
    case ir::BinaryOp::Min:
      return b_.CreateSelect(b_.CreateFCmpOLT(x, y), a, b);
    case ir::BinaryOp::Max:
      return b_.CreateSelect(b_.CreateFCmpOGT(x, y), a, b);
    case ir::BinaryOp::Eq:
      return b_.CreateFCmpOEQ(x, y);
    case ir::BinaryOp::Ne:
      return b_.CreateFCmpUNE(x, y);
    case ir::BinaryOp::Lt:
      return b_.CreateFCmpOLT(x, y);
    case ir::BinaryOp::Le:
      return b_.CreateFCmpOLE(x, y);
    case ir::BinaryOp::Gt:
      return b_.CreateFCmpOGT(x, y);
    case ir::BinaryOp::Ge:
      return b_.CreateFCmpOGE(x, y);
    default:
      HOCKET_UNREACHABLE("operation on floats");
  }
}

llvm::Value* Arith::fma(ir::Type t, llvm::Value* a, llvm::Value* b, llvm::Value* c) {
  if (t.bits == 16) return narrow_fma(t, a, b, c);
  return b_.CreateIntrinsic(llvm::Intrinsic::fma, {type(t)}, {a, b, c});
}

// The product is exact in float64. The sum is rounded to odd by its exact error (Knuth's TwoSum),
// so that the second rounding sees what was lost; as fma_small in ir/semantics.cpp.
llvm::Value* Arith::narrow_fma(ir::Type t, llvm::Value* a, llvm::Value* b, llvm::Value* c) {
  const ir::Type f64 = ir::Type::f(64, t.lanes), i64 = ir::Type::i(64, t.lanes);
  llvm::Value* addend = widen64(t, c);
  llvm::Value* p = b_.CreateFMul(widen64(t, a), widen64(t, b));
  llvm::Value* s = b_.CreateFAdd(p, addend);
  llvm::Value* bb = b_.CreateFSub(s, p);
  llvm::Value* error =
      b_.CreateFAdd(b_.CreateFSub(p, b_.CreateFSub(s, bb)), b_.CreateFSub(addend, bb));
  llvm::Value* zero = float_constant(f64, 0);
  llvm::Value* bits = b_.CreateBitCast(s, type(i64));
  llvm::Value* even = b_.CreateICmpEQ(b_.CreateAnd(bits, constant(i64, 1)), constant(i64, 0));
  llvm::Value* inexact = b_.CreateFCmpONE(error, zero);
  llvm::Value* away = b_.CreateICmpEQ(b_.CreateFCmpOGT(error, zero), b_.CreateFCmpOGT(s, zero));
  llvm::Value* step = b_.CreateSelect(away, constant(i64, 1), constant(i64, -1));
  llvm::Value* moved = b_.CreateSelect(b_.CreateAnd(inexact, even), step, constant(i64, 0));
  return narrow_from64(t, b_.CreateBitCast(b_.CreateAdd(bits, moved), type(f64)));
}

llvm::Value* Arith::widen32(ir::Type t, llvm::Value* a) {
  const ir::Type f32 = ir::Type::f(32, t.lanes), u32 = ir::Type::u(32, t.lanes);
  if (is_bf16(t)) {
    llvm::Value* bits = b_.CreateShl(b_.CreateZExt(a, type(u32)), constant(u32, 16));
    return b_.CreateBitCast(bits, type(f32));
  }
  return t.bits == 16 ? b_.CreateFPExt(a, type(f32)) : a;
}

llvm::Value* Arith::widen64(ir::Type t, llvm::Value* a) {
  return t.bits == 64 ? a : b_.CreateFPExt(widen32(t, a), type(ir::Type::f(64, t.lanes)));
}

llvm::Value* Arith::narrow_from32(ir::Type t, llvm::Value* a) {
  if (!is_bf16(t)) return t.bits == 16 ? b_.CreateFPTrunc(a, type(t)) : a;
  // To nearest even: add half a unit, less one where the bit that stays is even.
  const ir::Type u32 = ir::Type::u(32, t.lanes);
  llvm::Value* bits = b_.CreateBitCast(a, type(u32));
  llvm::Value* top = b_.CreateLShr(bits, constant(u32, 16));
  llvm::Value* half = b_.CreateAdd(b_.CreateAnd(top, constant(u32, 1)), constant(u32, 0x7fff));
  llvm::Value* round = b_.CreateLShr(b_.CreateAdd(bits, half), constant(u32, 16));
  llvm::Value* quiet = b_.CreateOr(top, constant(u32, 0x40));
  llvm::Value* is_nan = b_.CreateFCmpUNO(a, a);
  return b_.CreateTrunc(b_.CreateSelect(is_nan, quiet, round), type(t));
}

llvm::Value* Arith::round_to_odd32(ir::Type t, llvm::Value* a) {
  const ir::Type f32 = ir::Type::f(32, t.lanes), f64 = ir::Type::f(64, t.lanes);
  const ir::Type i32 = ir::Type::i(32, t.lanes);
  llvm::Value* near = b_.CreateFPTrunc(a, type(f32));
  llvm::Value* back = b_.CreateFPExt(near, type(f64));
  llvm::Value* bits = b_.CreateBitCast(near, type(i32));
  llvm::Value* even = b_.CreateICmpEQ(b_.CreateAnd(bits, constant(i32, 1)), constant(i32, 0));
  llvm::Value* inexact = b_.CreateFCmpONE(back, a);
  llvm::Value* below = b_.CreateFCmpOLT(float_unary(ir::UnaryOp::Abs, f64, back),
                                        float_unary(ir::UnaryOp::Abs, f64, a));
  llvm::Value* step = b_.CreateSelect(below, constant(i32, 1), constant(i32, -1));
  llvm::Value* moved = b_.CreateSelect(b_.CreateAnd(inexact, even), step, constant(i32, 0));
  return b_.CreateBitCast(b_.CreateAdd(bits, moved), type(f32));
}

llvm::Value* Arith::narrow_from64(ir::Type t, llvm::Value* a) {
  if (t.bits == 64) return a;
  if (t.bits == 32) return b_.CreateFPTrunc(a, type(t));
  return narrow_from32(t, round_to_odd32(t, a));
}

llvm::Value* Arith::to_float(ir::Type to, ir::Type from, llvm::Value* a) {
  if (from.is_float()) {
    if (from.bits == 64) return narrow_from64(to, a);
    return to.bits == 64 ? widen64(from, a) : narrow_from32(to, widen32(from, a));
  }
  const bool is_signed = from.is_signed();
  const auto convert = [&](llvm::Value* v, int bits) {
    llvm::Type* wide = type(ir::Type::f(bits, to.lanes));
    return is_signed ? b_.CreateSIToFP(v, wide) : b_.CreateUIToFP(v, wide);
  };
  if (to.bits >= 32) return convert(a, to.bits);
  // Whole numbers beyond float32's precision are beyond float16's range.
  if (!is_bf16(to) || from.bits <= 16) return narrow_from32(to, convert(a, 32));
  if (from.bits == 64) {
    // Large numbers keep their upper 31 bits and one bit that says whether more was lost.
    const int64_t low = (int64_t{1} << 33) - 1, sticky = int64_t{1} << 32;
    llvm::Value* any = b_.CreateICmpNE(b_.CreateAnd(a, constant(from, low)), constant(from, 0));
    llvm::Value* cut = b_.CreateOr(b_.CreateAnd(a, constant(from, ~low)),
                                   b_.CreateSelect(any, constant(from, sticky), constant(from, 0)));
    llvm::Value* size = is_signed ? unary(ir::UnaryOp::Abs, ir::Type::i(64, from.lanes), a) : a;
    llvm::Value* large = b_.CreateICmpUGT(size, constant(from, int64_t{1} << 53));
    a = b_.CreateSelect(large, cut, a);
  }
  return narrow_from64(to, convert(a, 64));
}

llvm::Value* Arith::float_to_int(ir::Type to, ir::Type from, llvm::Value* a) {
  const ir::Type wide = from.bits == 64 ? from : ir::Type::f(32, from.lanes);
  llvm::Value* x = from.bits == 64 ? a : widen32(from, a);
  if (to.is_bool()) return b_.CreateFCmpONE(x, float_constant(wide, 0));
  const auto id = to.is_signed() ? llvm::Intrinsic::fptosi_sat : llvm::Intrinsic::fptoui_sat;
  if (!to.is_vector() || to.bits > 16) {
    return b_.CreateIntrinsic(id, {type(to), type(wide)}, {x});
  }
  // Narrow lanes: both ends are exact as floats, so the value is clamped first and every lane takes
  // the plain conversion to 32 bits. A NaN becomes the lower end, which is 0 for unsigned types.
  llvm::Value* lo = float_constant(wide, static_cast<double>(to.min_value()));
  llvm::Value* hi = float_constant(wide, static_cast<double>(to.max_value()));
  llvm::Value* v =
      float_binary(ir::BinaryOp::Min, wide, float_binary(ir::BinaryOp::Max, wide, x, lo), hi);
  if (to.is_signed()) v = b_.CreateSelect(b_.CreateFCmpORD(x, x), v, float_constant(wide, 0));
  return b_.CreateTrunc(b_.CreateFPToSI(v, type(ir::Type::i(32, to.lanes))), type(to));
}

}  // namespace hocket::codegen
