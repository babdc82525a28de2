// Loads and stores: dense, strided, gathered; with lane masks; streamed past the caches.
#include <llvm/IR/Constants.h>
#include <llvm/IR/IntrinsicsX86.h>

#include "codegen/llvm/emitter.h"
#include "support/assert.h"

namespace hocket::codegen {

namespace {

constexpr int64_t kMaxStride = 4;  // strided vectors up to here are read whole and shuffled

bool power_of_two(int64_t n) {
  return n > 0 && (n & (n - 1)) == 0;
}

}  // namespace

template <class I>
I* FunctionEmitter::tagged(I* instruction, const BufferValue& buffer) {
  if (buffer.scope != nullptr) {
    instruction->setMetadata(llvm::LLVMContext::MD_alias_scope, m_.scope_list(buffer.scope));
    instruction->setMetadata(llvm::LLVMContext::MD_noalias, m_.other_scopes(buffer.scope));
  }
  return instruction;
}

llvm::Value* FunctionEmitter::from_memory(ir::Type t, llvm::Value* v) {
  return t.is_bool() ? b_.CreateICmpNE(v, llvm::Constant::getNullValue(v->getType())) : v;
}

llvm::Value* FunctionEmitter::to_memory(ir::Type t, llvm::Value* v) {
  return t.is_bool() ? b_.CreateZExt(v, arith_.memory_type(t)) : v;
}

llvm::Align FunctionEmitter::alignment(const Access& a, bool vector) const {
  const int64_t own = a.type.bytes();
  if (!vector || !power_of_two(a.align)) return llvm::Align(static_cast<uint64_t>(own));
  return llvm::Align(static_cast<uint64_t>(std::max(own, a.align)));
}

llvm::Value* FunctionEmitter::load(const ir::Load& e) {
  const auto at = buffers_.find(e.buffer);
  HOCKET_ASSERT(at != buffers_.end(), "no memory for " + e.buffer.name());
  HOCKET_ASSERT(e.indices.size() == 1, "a load that is not in flat form: " + e.buffer.name());
  llvm::Value* predicate = e.predicate.defined() ? expr(e.predicate) : nullptr;
  llvm::Value* v = load_access({at->second, e.type, &e.indices[0], predicate, e.align});
  v = from_memory(e.type, v);
  // What was never written may read as a different number at every use; an address made from it
  // has to be one number, so that its clamp and its use agree.
  if (freeze_loads_ && at->second.on_stack && !e.type.is_float()) v = b_.CreateFreeze(v);
  return v;
}

// The value as it lies in memory (bools as bytes).
llvm::Value* FunctionEmitter::load_access(const Access& a) {
  const auto* ramp = a.index->as<ir::Ramp>();
  int64_t stride = 0;
  if (!a.type.is_vector()) {
    llvm::Type* t = arith_.memory_type(a.type);
    if (a.predicate == nullptr) {
      llvm::Value* from = address(a, *a.index);
      return tagged(b_.CreateAlignedLoad(t, from, alignment(a, false)), a.buffer);
    }
    llvm::BasicBlock* on = block("load.on");
    llvm::BasicBlock* end = block("load.end");
    llvm::BasicBlock* start = b_.GetInsertBlock();
    llvm::Value* from = address(a, *a.index);
    start = b_.GetInsertBlock();
    b_.CreateCondBr(a.predicate, on, end);
    b_.SetInsertPoint(on);
    llvm::Value* v = tagged(b_.CreateAlignedLoad(t, from, alignment(a, false)), a.buffer);
    b_.CreateBr(end);
    b_.SetInsertPoint(end);
    llvm::PHINode* phi = b_.CreatePHI(t, 2);
    phi->addIncoming(llvm::Constant::getNullValue(t), start);
    phi->addIncoming(v, on);
    return phi;
  }
  if (ramp != nullptr && ir::is_int(ramp->stride, &stride) && a.predicate == nullptr) {
    if (stride == 1 || (stride != 0 && std::abs(stride) <= kMaxStride)) {
      return load_strided(a, ramp->base, stride);
    }
    if (stride == 0) {
      llvm::Value* from = address(a, ramp->base);
      llvm::Type* t = arith_.memory_type(a.type.element());
      return splat(tagged(b_.CreateAlignedLoad(t, from, alignment(a, false)), a.buffer),
                   a.type.lanes);
    }
  }
  if (ramp != nullptr && ir::is_int_equal(ramp->stride, 1)) {
    llvm::Type* t = arith_.memory_type(a.type);
    llvm::Value* from = address(a, ramp->base);
    return tagged(b_.CreateMaskedLoad(t, from, alignment(a, true), a.predicate), a.buffer);
  }
  return gather(a);
}

// Lanes a constant distance apart: the span from the first to the last lane is read by dense loads
// that stay inside it (the last one ends at the last lane), then lanes are picked.
llvm::Value* FunctionEmitter::load_strided(const Access& a, const ir::Expr& base, int64_t stride) {
  llvm::Type* t = arith_.memory_type(a.type);
  const int64_t n = a.type.lanes;
  if (stride == 1) {
    return tagged(b_.CreateAlignedLoad(t, address(a, base), alignment(a, true)), a.buffer);
  }
  const int64_t step = std::abs(stride);
  const int64_t span = (n - 1) * step + 1;
  const int64_t first = stride < 0 ? (n - 1) * stride : 0;
  std::vector<llvm::Value*> parts;
  std::vector<int64_t> offsets;
  for (int64_t k = 0; k < step; ++k) {
    const int64_t offset = std::min(k * n, span - n);
    llvm::Value* from = address(a, base, first + offset);
    const llvm::Align align(static_cast<uint64_t>(a.type.bytes()));
    parts.push_back(tagged(b_.CreateAlignedLoad(t, from, align), a.buffer));
    offsets.push_back(offset);
  }
  // Each part gives the lanes that it holds; parts are joined one after the other.
  llvm::Value* result = nullptr;
  std::vector<bool> have(static_cast<size_t>(n), false);
  for (size_t k = 0; k < parts.size(); ++k) {
    std::vector<int> pick(static_cast<size_t>(n), llvm::PoisonMaskElem);
    for (int64_t lane = 0; lane < n; ++lane) {
      const int64_t element = (stride > 0 ? lane : n - 1 - lane) * step;
      const auto l = static_cast<size_t>(lane);
      if (have[l]) {
        pick[l] = static_cast<int>(lane);
      } else if (element >= offsets[k] && element < offsets[k] + n) {
        pick[l] = static_cast<int>((result != nullptr ? n : 0) + element - offsets[k]);
        have[l] = true;
      }
    }
    result = result == nullptr ? b_.CreateShuffleVector(parts[k], pick)
                               : b_.CreateShuffleVector(result, parts[k], pick);
  }
  return result;
}

llvm::Value* FunctionEmitter::gather(const Access& a) {
  llvm::Type* t = arith_.memory_type(a.type);
  const llvm::Align align(static_cast<uint64_t>(a.type.bytes()));
  if (a.predicate != nullptr) {
    llvm::Value* from = element_address(a, expr(*a.index));
    return tagged(b_.CreateMaskedGather(t, from, align, a.predicate), a.buffer);
  }
  // One plain load a lane. The lane's index is taken before it is widened to 64 bits.
  const auto* widened = a.index->as<ir::Cast>();
  const auto* ramp = a.index->as<ir::Ramp>();
  llvm::Value* narrow = nullptr;
  llvm::Value* base = nullptr;
  llvm::Value* stride = nullptr;
  if (ramp != nullptr) {
    base = expr(ramp->base);
    stride = expr(ramp->stride);
  } else {
    narrow = expr(widened != nullptr ? widened->a : *a.index);
  }
  const ir::Type index = ir::Type::index();
  llvm::Value* result = llvm::PoisonValue::get(t);
  for (int lane = 0; lane < a.type.lanes; ++lane) {
    llvm::Value* i = nullptr;
    if (ramp != nullptr) {
      i = arith_.add(index, base,
                     arith_.binary(ir::BinaryOp::Mul, index, stride, arith_.constant(index, lane)));
    } else {
      i = b_.CreateExtractElement(narrow, static_cast<uint64_t>(lane));
      if (widened != nullptr) i = arith_.cast(index, widened->a.type().element(), i);
    }
    llvm::Value* v =
        tagged(b_.CreateAlignedLoad(t->getScalarType(), element_address(a, i), align), a.buffer);
    result = b_.CreateInsertElement(result, v, static_cast<uint64_t>(lane));
  }
  return result;
}

void FunctionEmitter::store_access(const Access& a, llvm::Value* value) {
  value = to_memory(a.type, value);
  if (!a.type.is_vector()) {
    if (a.predicate == nullptr) {
      llvm::Value* to = address(a, *a.index);
      tagged(b_.CreateAlignedStore(value, to, alignment(a, false)), a.buffer);
      return;
    }
    llvm::BasicBlock* on = block("store.on");
    llvm::BasicBlock* end = block("store.end");
    llvm::Value* to = address(a, *a.index);
    b_.CreateCondBr(a.predicate, on, end);
    b_.SetInsertPoint(on);
    tagged(b_.CreateAlignedStore(value, to, alignment(a, false)), a.buffer);
    b_.CreateBr(end);
    b_.SetInsertPoint(end);
    return;
  }
  const auto* ramp = a.index->as<ir::Ramp>();
  if (ramp != nullptr && ir::is_int_equal(ramp->stride, 1)) {
    store_dense(a, value);
  } else {
    scatter(a, value);
  }
}

void FunctionEmitter::store_dense(const Access& a, llvm::Value* value) {
  const ir::Expr& base = a.index->as<ir::Ramp>()->base;
  if (a.predicate != nullptr) {
    llvm::Value* to = address(a, base);
    tagged(b_.CreateMaskedStore(value, to, alignment(a, true), a.predicate), a.buffer);
    return;
  }
  llvm::Value* to = address(a, base);
  if (a.stream) {
    store_streaming(a, value, to);
  } else {
    tagged(b_.CreateAlignedStore(value, to, alignment(a, true)), a.buffer);
  }
}

// Non-temporal stores want addresses aligned to the register. Where that is not known it is tested:
// all stores of a row give the same answer, so the branch is predicted.
void FunctionEmitter::store_streaming(const Access& a, llvm::Value* value, llvm::Value* to) {
  const int64_t bytes = a.type.bytes() * a.type.lanes;
  const int64_t wide = m_.target().vector_bytes();
  const bool x86 = m_.target().arch == target::Arch::X86_64;
  const int64_t need = std::min(bytes, wide);
  if (!x86 || !power_of_two(bytes) || need < 16) {
    tagged(b_.CreateAlignedStore(value, to, alignment(a, true)), a.buffer);
    return;
  }
  const auto streamed = [&] {
    const uint64_t known = std::max(alignment(a, true).value(), static_cast<uint64_t>(need));
    llvm::StoreInst* s = tagged(b_.CreateAlignedStore(value, to, llvm::Align(known)), a.buffer);
    llvm::Metadata* one = llvm::ConstantAsMetadata::get(b_.getInt32(1));
    s->setMetadata(llvm::LLVMContext::MD_nontemporal, llvm::MDNode::get(m_.context(), one));
    streams_ = true;
  };
  if (alignment(a, true).value() >= static_cast<uint64_t>(need)) {
    streamed();
    return;
  }
  llvm::BasicBlock* aligned = block("stream.aligned");
  llvm::BasicBlock* plain = block("stream.plain");
  llvm::BasicBlock* end = block("stream.end");
  llvm::Value* low = b_.CreateAnd(b_.CreatePtrToInt(to, b_.getInt64Ty()),
                                  b_.getInt64(static_cast<uint64_t>(need - 1)));
  b_.CreateCondBr(b_.CreateICmpEQ(low, b_.getInt64(0)), aligned, plain);
  b_.SetInsertPoint(aligned);
  streamed();
  b_.CreateBr(end);
  b_.SetInsertPoint(plain);
  tagged(b_.CreateAlignedStore(value, to, alignment(a, true)), a.buffer);
  b_.CreateBr(end);
  b_.SetInsertPoint(end);
}

// Lanes are written in order, so that of two lanes with one address the last one stays.
void FunctionEmitter::scatter(const Access& a, llvm::Value* value) {
  const llvm::Align align(static_cast<uint64_t>(a.type.bytes()));
  if (a.predicate != nullptr) {
    llvm::Value* to = element_address(a, expr(*a.index));
    tagged(b_.CreateMaskedScatter(value, to, align, a.predicate), a.buffer);
    return;
  }
  const auto* ramp = a.index->as<ir::Ramp>();
  const ir::Type index = ir::Type::index();
  llvm::Value* indices = ramp == nullptr ? expr(*a.index) : nullptr;
  llvm::Value* base = ramp != nullptr ? expr(ramp->base) : nullptr;
  llvm::Value* stride = ramp != nullptr ? expr(ramp->stride) : nullptr;
  for (int lane = 0; lane < a.type.lanes; ++lane) {
    llvm::Value* i = ramp == nullptr ? b_.CreateExtractElement(indices, static_cast<uint64_t>(lane))
                                     : arith_.add(index, base,
                                                  arith_.binary(ir::BinaryOp::Mul, index, stride,
                                                                arith_.constant(index, lane)));
    llvm::Value* v = b_.CreateExtractElement(value, static_cast<uint64_t>(lane));
    tagged(b_.CreateAlignedStore(v, element_address(a, i), align), a.buffer);
  }
}

void FunctionEmitter::store(const ir::Store& s) {
  const auto at = buffers_.find(s.buffer);
  HOCKET_ASSERT(at != buffers_.end(), "no memory for " + s.buffer.name());
  HOCKET_ASSERT(s.indices.size() == 1, "a store that is not in flat form: " + s.buffer.name());
  memo_.clear();
  Access a{at->second, s.value.type(), &s.indices[0],
           nullptr,    s.align,        s.stream && s.op == ir::StoreOp::Assign};
  if (s.predicate.defined()) a.predicate = expr(s.predicate);
  llvm::Value* value = stored_value(s, a);
  store_access(a, value);
}

llvm::Value* FunctionEmitter::stored_value(const ir::Store& s, const Access& a) {
  const ir::Type t = s.value.type();
  if (s.op == ir::StoreOp::Assign) return expr(s.value);
  const auto old = [&] { return from_memory(t, load_access(a)); };
  if (s.op == ir::StoreOp::Add && s.fused) {
    const auto* product = s.value.as<ir::Binary>();
    HOCKET_ASSERT(product != nullptr && product->op == ir::BinaryOp::Mul,
                  "a fused store whose value is no product");
    llvm::Value* x = expr(product->a);
    llvm::Value* y = expr(product->b);
    return arith_.fma(t, x, y, old());
  }
  const ir::BinaryOp op = s.op == ir::StoreOp::Add   ? ir::BinaryOp::Add
                          : s.op == ir::StoreOp::Mul ? ir::BinaryOp::Mul
                          : s.op == ir::StoreOp::Min ? ir::BinaryOp::Min
                                                     : ir::BinaryOp::Max;
  llvm::Value* value = expr(s.value);
  return arith_.binary(op, t, old(), value);
}

}  // namespace hocket::codegen
