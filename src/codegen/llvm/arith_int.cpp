// Integers and bools: wrapping and index arithmetic, Euclidean division, shifts by any count.
#include <llvm/IR/Constants.h>

#include "codegen/llvm/arith.h"
#include "support/assert.h"

namespace hocket::codegen {

namespace {

// The value that all lanes of a constant have.
bool uniform_constant(llvm::Value* v, ir::Type t, int64_t* out) {
  auto* c = llvm::dyn_cast<llvm::Constant>(v);
  if (c != nullptr && c->getType()->isVectorTy()) c = c->getSplatValue();
  const auto* i = llvm::dyn_cast_or_null<llvm::ConstantInt>(c);
  if (i == nullptr) return false;
  *out = t.is_signed() ? i->getSExtValue() : static_cast<int64_t>(i->getZExtValue());
  return true;
}

llvm::CmpInst::Predicate predicate(ir::BinaryOp op, bool is_signed) {
  switch (op) {
    case ir::BinaryOp::Eq:
      return llvm::CmpInst::ICMP_EQ;
    case ir::BinaryOp::Ne:
      return llvm::CmpInst::ICMP_NE;
    case ir::BinaryOp::Lt:
      return is_signed ? llvm::CmpInst::ICMP_SLT : llvm::CmpInst::ICMP_ULT;
    case ir::BinaryOp::Le:
      return is_signed ? llvm::CmpInst::ICMP_SLE : llvm::CmpInst::ICMP_ULE;
    case ir::BinaryOp::Gt:
      return is_signed ? llvm::CmpInst::ICMP_SGT : llvm::CmpInst::ICMP_UGT;
    case ir::BinaryOp::Ge:
      return is_signed ? llvm::CmpInst::ICMP_SGE : llvm::CmpInst::ICMP_UGE;
    default:
      HOCKET_UNREACHABLE("no comparison");
  }
}

}  // namespace

llvm::Value* Arith::int_binary(ir::BinaryOp op, ir::Type t, llvm::Value* a, llvm::Value* b,
                               const Interval& ra, const Interval& rb) {
  const bool is_signed = t.is_signed();
  switch (op) {
    case ir::BinaryOp::Add:
    case ir::BinaryOp::Sub:
    case ir::BinaryOp::Mul:
      return wrapping(op, t, a, b);
    case ir::BinaryOp::Div:
    case ir::BinaryOp::Mod:
      return divide(op, t, a, b, ra, rb);
    case ir::BinaryOp::Min:
      return b_.CreateBinaryIntrinsic(is_signed ? llvm::Intrinsic::smin : llvm::Intrinsic::umin, a,
                                      b);
    case ir::BinaryOp::Max:
      return b_.CreateBinaryIntrinsic(is_signed ? llvm::Intrinsic::smax : llvm::Intrinsic::umax, a,
                                      b);
    case ir::BinaryOp::And:
    case ir::BinaryOp::BitAnd:
      return b_.CreateAnd(a, b);
    case ir::BinaryOp::Or:
    case ir::BinaryOp::BitOr:
      return b_.CreateOr(a, b);
    case ir::BinaryOp::BitXor:
      return b_.CreateXor(a, b);
    case ir::BinaryOp::Shl:
    case ir::BinaryOp::Shr:
      return shift(op, t, a, b);
    default:
      return b_.CreateICmp(predicate(op, is_signed), a, b);
  }
}

llvm::Value* Arith::bool_binary(ir::BinaryOp op, llvm::Value* a, llvm::Value* b) {
  switch (op) {
    case ir::BinaryOp::Min:
    case ir::BinaryOp::And:
    case ir::BinaryOp::BitAnd:
    case ir::BinaryOp::Mul:
    case ir::BinaryOp::Div:  // x / 0 is 0
      return b_.CreateAnd(a, b);
    case ir::BinaryOp::Max:
    case ir::BinaryOp::Or:
    case ir::BinaryOp::BitOr:
    case ir::BinaryOp::Add:  // 1 + 1 does not fit: poison
      return b_.CreateOr(a, b);
    case ir::BinaryOp::BitXor:
    case ir::BinaryOp::Sub:
      return b_.CreateXor(a, b);
    case ir::BinaryOp::Mod:
      return llvm::Constant::getNullValue(a->getType());
    case ir::BinaryOp::Shl:
    case ir::BinaryOp::Shr:
      return b_.CreateAnd(a, b_.CreateNot(b));
    default:
      return b_.CreateICmp(predicate(op, /*is_signed=*/false), a, b);
  }
}

llvm::Value* Arith::wrapping(ir::BinaryOp op, ir::Type t, llvm::Value* a, llvm::Value* b) {
  if (t.is_index() && saturate_) {
    switch (op) {
      case ir::BinaryOp::Add:
        return b_.CreateBinaryIntrinsic(llvm::Intrinsic::sadd_sat, a, b);
      case ir::BinaryOp::Sub:
        return b_.CreateBinaryIntrinsic(llvm::Intrinsic::ssub_sat, a, b);
      default:
        return b_.CreateIntrinsic(llvm::Intrinsic::smul_fix_sat, {a->getType()},
                                  {a, b, b_.getInt32(0)});
    }
  }
  // Only index arithmetic claims that it does not overflow (docs/decisions/004-integers.md).
  const bool nsw = t.is_index();
  switch (op) {
    case ir::BinaryOp::Add:
      return b_.CreateAdd(a, b, "", /*HasNUW=*/false, nsw);
    case ir::BinaryOp::Sub:
      return b_.CreateSub(a, b, "", /*HasNUW=*/false, nsw);
    default:
      return b_.CreateMul(a, b, "", /*HasNUW=*/false, nsw);
  }
}

// Constant divisors need no tests. A signed dividend of unknown sign is folded onto the
// non-negative numbers: floor(a / c) is ~(~a / c) for a < 0, and ~a is a ^ (a >> 63).
llvm::Value* Arith::divide_by_constant(ir::BinaryOp op, ir::Type t, llvm::Value* a, int64_t c,
                                       const Interval& ra) {
  const bool div = op == ir::BinaryOp::Div;
  if (c == 0) return constant(t, 0);
  if (!t.is_signed() || (ra.non_negative() && c > 0)) {
    llvm::Value* by = constant(t, c);
    return div ? b_.CreateUDiv(a, by) : b_.CreateURem(a, by);
  }
  const uint64_t size = c < 0 ? ~static_cast<uint64_t>(c) + 1 : static_cast<uint64_t>(c);
  llvm::Value* quotient = nullptr;
  if ((size & (size - 1)) == 0) {
    if (!div) return b_.CreateAnd(a, constant(t, static_cast<int64_t>(size - 1)));
    const int shift = __builtin_ctzll(size);
    // c is the least number of the type: only a >= 0 gives 0, a < 0 gives 1; the shift says so too.
    quotient = b_.CreateAShr(a, constant(t, shift));
  } else {
    llvm::Value* sign = b_.CreateAShr(a, constant(t, t.bits - 1));
    llvm::Value* folded = b_.CreateXor(a, sign);
    quotient = b_.CreateXor(b_.CreateUDiv(folded, constant(t, static_cast<int64_t>(size))), sign);
    if (!div) {
      return b_.CreateSub(a, b_.CreateMul(quotient, constant(t, static_cast<int64_t>(size))));
    }
  }
  return c < 0 ? b_.CreateNeg(quotient) : quotient;
}

// Lanes of up to 32 bits divide as floats that hold them exactly: a quotient that is no whole
// number lies at least 1/a (relative) below the next one, more than half a unit of the last place.
llvm::Value* Arith::divide_vector(ir::BinaryOp op, ir::Type t, llvm::Value* a, llvm::Value* b) {
  const bool div = op == ir::BinaryOp::Div;
  const unsigned lanes = t.lanes;
  llvm::Value* is_zero = b_.CreateICmpEQ(b, constant(t, 0));
  llvm::Value* by = b_.CreateSelect(is_zero, constant(t, 1), b);
  llvm::Value* q = nullptr;
  if (t.bits <= 16) {
    auto* floats = llvm::FixedVectorType::get(b_.getFloatTy(), lanes);
    auto* words = llvm::FixedVectorType::get(b_.getInt32Ty(), lanes);
    llvm::Value* x = b_.CreateSIToFP(b_.CreateIntCast(a, words, t.is_signed()), floats);
    llvm::Value* y = b_.CreateSIToFP(b_.CreateIntCast(by, words, t.is_signed()), floats);
    q = b_.CreateTrunc(b_.CreateFPToSI(b_.CreateFDiv(x, y), words), type(t));
  } else if (t.is_signed()) {
    auto* doubles = llvm::FixedVectorType::get(b_.getDoubleTy(), lanes);
    llvm::Value* x = b_.CreateSIToFP(a, doubles);
    llvm::Value* y = b_.CreateSIToFP(by, doubles);
    q = b_.CreateFPToSI(b_.CreateFDiv(x, y), type(t));
  } else {
    // Unsigned 32-bit numbers are the low mantissa bits of 2^52 + n.
    auto* doubles = llvm::FixedVectorType::get(b_.getDoubleTy(), lanes);
    auto* words = llvm::FixedVectorType::get(b_.getInt64Ty(), lanes);
    llvm::Value* x = b_.CreateUIToFP(a, doubles);
    llvm::Value* y = b_.CreateUIToFP(by, doubles);
    llvm::Value* whole = b_.CreateUnaryIntrinsic(llvm::Intrinsic::trunc, b_.CreateFDiv(x, y));
    llvm::Value* magic = b_.CreateFAdd(whole, llvm::ConstantFP::get(doubles, 0x1p52));
    q = b_.CreateTrunc(b_.CreateBitCast(magic, words), type(t));
  }
  llvm::Value* r = b_.CreateSub(a, b_.CreateMul(q, by));
  if (t.is_signed()) {
    llvm::Value* zero = constant(t, 0);
    llvm::Value* low = b_.CreateICmpSLT(r, zero);
    llvm::Value* up = b_.CreateICmpSGT(by, zero);
    if (div) {
      llvm::Value* step = b_.CreateSelect(up, constant(t, -1), constant(t, 1));
      q = b_.CreateAdd(q, b_.CreateSelect(low, step, zero));
    } else {
      llvm::Value* step = b_.CreateSelect(up, by, b_.CreateNeg(by));
      r = b_.CreateAdd(r, b_.CreateSelect(low, step, zero));
    }
  }
  return b_.CreateSelect(is_zero, constant(t, 0), div ? q : r);
}

llvm::Value* Arith::divide(ir::BinaryOp op, ir::Type t, llvm::Value* a, llvm::Value* b,
                           const Interval& ra, const Interval& rb) {
  const bool div = op == ir::BinaryOp::Div;
  int64_t c = 0;
  if (uniform_constant(b, t, &c)) return divide_by_constant(op, t, a, c, ra);
  if (t.is_vector() && t.bits <= 32) return divide_vector(op, t, a, b);
  llvm::Value* zero = constant(t, 0);
  llvm::Value* one = constant(t, 1);
  if (!t.is_signed() || (ra.non_negative() && rb.non_negative())) {
    llvm::Value* is_zero = rb.positive() ? nullptr : b_.CreateICmpEQ(b, zero);
    llvm::Value* by = is_zero ? b_.CreateSelect(is_zero, one, b) : b;
    if (!div) return b_.CreateURem(a, by);  // by 1 it is 0, as by 0
    llvm::Value* q = b_.CreateUDiv(a, by);
    return is_zero ? b_.CreateSelect(is_zero, zero, q) : q;
  }
  if (rb.positive()) {
    llvm::Value* r = b_.CreateSRem(a, b);
    llvm::Value* low = b_.CreateICmpSLT(r, zero);
    if (!div) return b_.CreateSelect(low, b_.CreateAdd(r, b), r);
    llvm::Value* q = b_.CreateSDiv(a, b);
    return b_.CreateSelect(low, b_.CreateSub(q, one), q);
  }
  // The two divisors at which the machine's instruction traps: 0, and -1 of the least number.
  llvm::Value* is_zero = b_.CreateICmpEQ(b, zero);
  llvm::Value* is_minus = b_.CreateICmpEQ(b, constant(t, -1));
  llvm::Value* by = b_.CreateSelect(b_.CreateOr(is_zero, is_minus), one, b);
  llvm::Value* r = b_.CreateSRem(a, by);
  llvm::Value* low = b_.CreateICmpSLT(r, zero);
  llvm::Value* up = b_.CreateICmpSGT(by, zero);
  if (!div) {
    llvm::Value* size = b_.CreateSelect(up, by, b_.CreateNeg(by));
    return b_.CreateSelect(low, b_.CreateAdd(r, size), r);
  }
  llvm::Value* q = b_.CreateSDiv(a, by);
  llvm::Value* step = b_.CreateSelect(up, constant(t, -1), one);
  q = b_.CreateSelect(low, b_.CreateAdd(q, step), q);
  q = b_.CreateSelect(is_minus, b_.CreateNeg(a), q);
  return b_.CreateSelect(is_zero, zero, q);
}

llvm::Value* Arith::shift(ir::BinaryOp op, ir::Type t, llvm::Value* a, llvm::Value* b) {
  const bool is_signed = t.is_signed();
  llvm::Value* zero = constant(t, 0);
  int64_t c = 0;
  if (uniform_constant(b, t, &c)) {
    bool left = op == ir::BinaryOp::Shl;
    uint64_t n = static_cast<uint64_t>(c);
    if (is_signed && c < 0) {
      left = !left;
      n = ~n + 1;
    }
    if (n >= t.bits) {
      if (left || !is_signed) return zero;
      n = t.bits - 1u;
    }
    llvm::Value* count = constant(t, static_cast<int64_t>(n));
    if (left) return b_.CreateShl(a, count);
    return is_signed ? b_.CreateAShr(a, count) : b_.CreateLShr(a, count);
  }
  // A shift by at least the width is poison in LLVM; the select drops it.
  llvm::Value* width = constant(t, t.bits);
  const auto left_by = [&](llvm::Value* n) {
    return b_.CreateSelect(b_.CreateICmpULT(n, width), b_.CreateShl(a, n), zero);
  };
  const auto right_by = [&](llvm::Value* n) -> llvm::Value* {
    if (!is_signed) return b_.CreateSelect(b_.CreateICmpULT(n, width), b_.CreateLShr(a, n), zero);
    llvm::Value* most = constant(t, t.bits - 1);
    return b_.CreateAShr(a, b_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, n, most));
  };
  const bool left = op == ir::BinaryOp::Shl;
  llvm::Value* forward = left ? left_by(b) : right_by(b);
  if (!is_signed) return forward;
  // -count of the least number is itself, which is large as an unsigned number.
  llvm::Value* opposite = b_.CreateNeg(b);
  llvm::Value* backward = left ? right_by(opposite) : left_by(opposite);
  return b_.CreateSelect(b_.CreateICmpSLT(b, zero), backward, forward);
}

}  // namespace hocket::codegen
