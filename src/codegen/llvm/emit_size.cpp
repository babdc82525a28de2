// How many elements of memory a buffer takes. In: an index expression over sizes. Out: its value,
// or INT64_MAX where 64 bits do not hold it or a part of it, which no allocator grants. Index
// arithmetic elsewhere claims that it does not overflow; a size must not, or too little memory is
// taken. Called by FunctionEmitter::alloc.
#include "codegen/llvm/emitter.h"
#include "ir/visit.h"

namespace hocket::codegen {

namespace {

// INT64_MAX stays what it is: a difference or a quotient of it is too large as well.
class SizeEmitter {
 public:
  SizeEmitter(FunctionEmitter& emitter, Builder& b)
      : e_(emitter), b_(b), most_(b.getInt64(max())) {}

  llvm::Value* size(const ir::Expr& e) {
    if (e_.facts().fits(e)) return e_.expr(e);
    const auto known = memo_.find(e.get());
    if (known != memo_.end()) return known->second;
    llvm::Value* v = compute(e);
    memo_[e.get()] = v;
    return v;
  }

 private:
  static constexpr uint64_t max() { return INT64_MAX; }

  llvm::Value* compute(const ir::Expr& e) {
    if (const auto* u = e.as<ir::Unary>(); u != nullptr && u->op == ir::UnaryOp::Neg)
      return grow(ir::BinaryOp::Sub, b_.getInt64(0), size(u->a));
    if (const auto* s = e.as<ir::Select>()) {
      llvm::Value* t = size(s->t);
      llvm::Value* f = size(s->f);
      return b_.CreateSelect(e_.expr(s->cond), t, f);
    }
    const auto* b = e.as<ir::Binary>();
    if (b == nullptr) return e_.expr(e);
    llvm::Value* x = size(b->a);
    llvm::Value* y = size(b->b);
    switch (b->op) {
      case ir::BinaryOp::Add:
      case ir::BinaryOp::Sub:
      case ir::BinaryOp::Mul:
        return grow(b->op, x, y);
      case ir::BinaryOp::Div:
      case ir::BinaryOp::Mod: {
        llvm::Value* r = e_.arith().binary(b->op, e.type(), x, y);
        return b_.CreateSelect(b_.CreateOr(is_most(x), is_most(y)), most_, r);
      }
      default:
        return e_.arith().binary(b->op, e.type(), x, y);
    }
  }

  llvm::Value* is_most(llvm::Value* v) { return b_.CreateICmpEQ(v, most_); }

  llvm::Value* grow(ir::BinaryOp op, llvm::Value* x, llvm::Value* y) {
    const llvm::Intrinsic::ID id = op == ir::BinaryOp::Add   ? llvm::Intrinsic::sadd_with_overflow
                                   : op == ir::BinaryOp::Sub ? llvm::Intrinsic::ssub_with_overflow
                                                             : llvm::Intrinsic::smul_with_overflow;
    llvm::Value* both = b_.CreateBinaryIntrinsic(id, x, y);
    llvm::Value* large = b_.CreateOr({b_.CreateExtractValue(both, 1), is_most(x), is_most(y)});
    if (op == ir::BinaryOp::Mul) {
      // Nothing times anything is nothing.
      llvm::Value* zero = b_.getInt64(0);
      large = b_.CreateAnd({large, b_.CreateICmpNE(x, zero), b_.CreateICmpNE(y, zero)});
    }
    return b_.CreateSelect(large, most_, b_.CreateExtractValue(both, 0));
  }

  FunctionEmitter& e_;
  Builder& b_;
  llvm::Value* most_;
  std::unordered_map<const ir::ExprNode*, llvm::Value*> memo_;
};

}  // namespace

llvm::Value* FunctionEmitter::size_of(const ir::Expr& e) {
  memo_.clear();
  return SizeEmitter(*this, b_).size(e);
}

}  // namespace hocket::codegen
