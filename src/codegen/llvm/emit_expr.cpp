// Expressions of flat form as LLVM values.
#include "codegen/llvm/emitter.h"
#include "ir/visit.h"
#include "support/assert.h"

namespace hocket::codegen {

llvm::Value* FunctionEmitter::root(const ir::Expr& e) {
  memo_.clear();
  return expr(e);
}

llvm::Value* FunctionEmitter::expr(const ir::Expr& e) {
  const auto known = memo_.find(e.get());
  if (known != memo_.end()) return known->second;
  llvm::Value* v = compute(e);
  memo_[e.get()] = v;
  return v;
}

llvm::Value* FunctionEmitter::splat(llvm::Value* v, int lanes) {
  return lanes == 1 ? v : b_.CreateVectorSplat(static_cast<unsigned>(lanes), v);
}

llvm::Value* FunctionEmitter::compute(const ir::Expr& e) {
  switch (e.kind()) {
    case ir::ExprKind::IntImm:
      return arith_.constant(e.type(), e.as<ir::IntImm>()->value);
    case ir::ExprKind::FloatImm:
      return arith_.float_constant(e.type(), e.as<ir::FloatImm>()->value);
    case ir::ExprKind::VarRef: {
      const auto at = values_.find(e.as<ir::VarRef>()->sym);
      HOCKET_ASSERT(at != values_.end(), "no value for " + e.as<ir::VarRef>()->sym.name());
      return at->second;
    }
    case ir::ExprKind::Unary: {
      const auto* u = e.as<ir::Unary>();
      return arith_.unary(u->op, e.type(), expr(u->a));
    }
    case ir::ExprKind::Binary:
      return binary(*e.as<ir::Binary>());
    case ir::ExprKind::Fma: {
      const auto* f = e.as<ir::Fma>();
      llvm::Value* a = expr(f->a);
      llvm::Value* b = expr(f->b);
      return arith_.fma(e.type(), a, b, expr(f->c));
    }
    case ir::ExprKind::Select:
      return select(*e.as<ir::Select>());
    case ir::ExprKind::Cast:
      return cast(*e.as<ir::Cast>());
    case ir::ExprKind::Load:
      return load(*e.as<ir::Load>());
    case ir::ExprKind::BufferField: {
      const auto* field = e.as<ir::BufferField>();
      const auto at = buffers_.find(field->buffer);
      HOCKET_ASSERT(at != buffers_.end() && field->field == ir::BufferFieldKind::Stride &&
                        static_cast<size_t>(field->dim) < at->second.strides.size(),
                    "a field of " + field->buffer.name() + " that is no run-time value");
      return at->second.strides[static_cast<size_t>(field->dim)];
    }
    case ir::ExprKind::Ramp: {
      const auto* r = e.as<ir::Ramp>();
      llvm::Value* base = expr(r->base);
      return ramp(e.type(), base, expr(r->stride));
    }
    case ir::ExprKind::Broadcast:
      return splat(expr(e.as<ir::Broadcast>()->value), e.type().lanes);
    case ir::ExprKind::Shuffle:
      return shuffle(*e.as<ir::Shuffle>());
    case ir::ExprKind::Call:
    case ir::ExprKind::Window:
      break;
  }
  HOCKET_UNREACHABLE("an expression that is not in flat form");
}

llvm::Value* FunctionEmitter::binary(const ir::Binary& e) {
  if (llvm::Value* mask = prefix_mask(e)) return mask;
  llvm::Value* a = expr(e.a);
  llvm::Value* b = expr(e.b);
  if (e.op == ir::BinaryOp::Div || e.op == ir::BinaryOp::Mod) {
    return arith_.binary(e.op, e.a.type(), a, b, facts_.of(e.a), facts_.of(e.b));
  }
  return arith_.binary(e.op, e.a.type(), a, b);
}

// A side of a scalar select that reads memory is read only where it is chosen.
llvm::Value* FunctionEmitter::select(const ir::Select& e) {
  const auto reads = [](const ir::Expr& side) {
    bool found = false;
    ir::for_each(side, [&](const ir::Expr& x) { found |= x.kind() == ir::ExprKind::Load; });
    return found;
  };
  llvm::Value* cond = expr(e.cond);
  if (e.cond.type().is_vector() || llvm::isa<llvm::Constant>(cond) ||
      (!reads(e.t) && !reads(e.f))) {
    llvm::Value* t = expr(e.t);
    return b_.CreateSelect(cond, t, expr(e.f));
  }
  // What both sides share is computed by each: values of one side are not there for the other.
  llvm::BasicBlock* on_true = block("select.t");
  llvm::BasicBlock* on_false = block("select.f");
  llvm::BasicBlock* end = block("select.end");
  const auto outside = memo_;
  b_.CreateCondBr(cond, on_true, on_false);
  b_.SetInsertPoint(on_true);
  llvm::Value* t = expr(e.t);
  llvm::BasicBlock* t_end = b_.GetInsertBlock();
  b_.CreateBr(end);
  memo_ = outside;
  b_.SetInsertPoint(on_false);
  llvm::Value* f = expr(e.f);
  llvm::BasicBlock* f_end = b_.GetInsertBlock();
  b_.CreateBr(end);
  memo_ = outside;
  b_.SetInsertPoint(end);
  llvm::PHINode* phi = b_.CreatePHI(t->getType(), 2);
  phi->addIncoming(t, t_end);
  phi->addIncoming(f, f_end);
  return phi;
}

llvm::Value* FunctionEmitter::cast(const ir::Cast& e) {
  const ir::Type from = e.a.type();
  if (from.is_index() && from.is_vector() && e.type.is_integral() && e.type.bits < 64) {
    return narrow_index(e.a, e.type);
  }
  return arith_.cast(e.type, from, expr(e.a));
}

// Vectors of indices that become narrow data are computed in the narrow type: the low bits of sums
// and products depend on low bits alone.
llvm::Value* FunctionEmitter::narrow_index(const ir::Expr& e, ir::Type to) {
  const ir::Type wide = e.type();
  const ir::Type scalar = to.element();
  if (const auto* r = e.as<ir::Ramp>()) {
    llvm::Value* base = arith_.cast(scalar, wide.element(), expr(r->base));
    llvm::Value* stride = arith_.cast(scalar, wide.element(), expr(r->stride));
    return ramp(to, base, stride);
  }
  if (const auto* b = e.as<ir::Broadcast>()) {
    return splat(arith_.cast(scalar, wide.element(), expr(b->value)), to.lanes);
  }
  if (const auto* b = e.as<ir::Binary>();
      b != nullptr &&
      (b->op == ir::BinaryOp::Add || b->op == ir::BinaryOp::Sub || b->op == ir::BinaryOp::Mul)) {
    llvm::Value* x = narrow_index(b->a, to);
    llvm::Value* y = narrow_index(b->b, to);
    return arith_.binary(b->op, to, x, y);
  }
  return arith_.cast(to, wide, expr(e));
}

llvm::Value* FunctionEmitter::ramp(ir::Type t, llvm::Value* base, llvm::Value* stride) {
  std::vector<llvm::Constant*> lanes;
  for (int i = 0; i < t.lanes; ++i) {
    lanes.push_back(llvm::cast<llvm::Constant>(arith_.constant(t.element(), i)));
  }
  llvm::Value* steps = llvm::ConstantVector::get(lanes);
  const auto* one = t.is_float() ? nullptr : llvm::dyn_cast<llvm::ConstantInt>(stride);
  if (one == nullptr || !one->isOne()) {
    steps = arith_.binary(ir::BinaryOp::Mul, t, splat(stride, t.lanes), steps);
  }
  return arith_.add(t, splat(base, t.lanes), steps);
}

// `x + [0, 1, 2, ...] < n` as a comparison of lane numbers with the clamped scalar n - x, in lanes
// as narrow as their number allows.
llvm::Value* FunctionEmitter::prefix_mask(const ir::Binary& e) {
  if (!ir::is_comparison(e.op) || e.op == ir::BinaryOp::Eq || e.op == ir::BinaryOp::Ne) {
    return nullptr;
  }
  if (!e.a.type().is_index() || !e.a.type().is_vector()) return nullptr;
  const auto* left_ramp = e.a.as<ir::Ramp>();
  const auto* right_ramp = e.b.as<ir::Ramp>();
  const auto* left = e.a.as<ir::Broadcast>();
  const auto* right = e.b.as<ir::Broadcast>();
  const bool forward = left_ramp != nullptr && right != nullptr;
  if (!forward && (right_ramp == nullptr || left == nullptr)) return nullptr;
  const ir::Ramp* r = forward ? left_ramp : right_ramp;
  if (!ir::is_int_equal(r->stride, 1)) return nullptr;
  const int lanes = e.a.type().lanes;
  ir::BinaryOp op = e.op;
  if (!forward) {  // n < ramp is ramp > n
    op = op == ir::BinaryOp::Lt   ? ir::BinaryOp::Gt
         : op == ir::BinaryOp::Le ? ir::BinaryOp::Ge
         : op == ir::BinaryOp::Gt ? ir::BinaryOp::Lt
                                  : ir::BinaryOp::Le;
  }
  const ir::Type index = ir::Type::index();
  llvm::Value* limit = expr(forward ? right->value : left->value);
  llvm::Value* room = arith_.binary(ir::BinaryOp::Sub, index, limit, expr(r->base));
  // Lanes stay below or above: comparisons at -1 and at `lanes` give the same answer as beyond.
  room = arith_.binary(ir::BinaryOp::Max, index, room, arith_.constant(index, -1));
  room = arith_.binary(ir::BinaryOp::Min, index, room, arith_.constant(index, lanes));
  const ir::Type narrow = ir::Type::i(lanes < 127 ? 8 : 32);
  llvm::Value* cut = splat(arith_.cast(narrow, index, room), lanes);
  const ir::Type vector = narrow.with_lanes(lanes);
  llvm::Value* numbers = ramp(vector, arith_.constant(narrow, 0), arith_.constant(narrow, 1));
  return arith_.binary(op, vector, numbers, cut);
}

llvm::Value* FunctionEmitter::shuffle(const ir::Shuffle& e) {
  const int each = e.vectors[0].type().lanes;
  std::vector<llvm::Value*> parts;
  for (const ir::Expr& v : e.vectors) parts.push_back(expr(v));
  if (e.lanes.size() == 1) {
    llvm::Value* part = parts[static_cast<size_t>(e.lanes[0] / each)];
    return each == 1 ? part
                     : b_.CreateExtractElement(part, static_cast<uint64_t>(e.lanes[0] % each));
  }
  if (each == 1) {
    llvm::Value* v = llvm::PoisonValue::get(arith_.type(e.type));
    for (size_t i = 0; i < e.lanes.size(); ++i) {
      v = b_.CreateInsertElement(v, parts[static_cast<size_t>(e.lanes[i])], i);
    }
    return v;
  }
  // All vectors side by side, joined in pairs, then one selection of lanes.
  while (parts.size() > 2) {
    std::vector<llvm::Value*> joined;
    const auto width = llvm::cast<llvm::FixedVectorType>(parts[0]->getType())->getNumElements();
    for (size_t i = 0; i < parts.size(); i += 2) {
      llvm::Value* second =
          i + 1 < parts.size() ? parts[i + 1] : llvm::PoisonValue::get(parts[0]->getType());
      std::vector<int> all(2 * width);
      for (size_t k = 0; k < all.size(); ++k) all[k] = static_cast<int>(k);
      joined.push_back(b_.CreateShuffleVector(parts[i], second, all));
    }
    parts = std::move(joined);
  }
  llvm::Value* second = parts.size() > 1 ? parts[1] : llvm::PoisonValue::get(parts[0]->getType());
  return b_.CreateShuffleVector(parts[0], second, e.lanes);
}

}  // namespace hocket::codegen
