// Addresses in one canonical shape: pointer, then what varies least, then what varies more, then
// the constant. An index is a sum of terms; terms are added loop by loop from the outside, so that
// each partial address is hoisted as it stands and neighbouring accesses share all but a constant.
// This is what LLVM would have to find out by reassociation, at a multiple of the compile time.
#include <llvm/IR/Constants.h>

#include <algorithm>

#include "codegen/llvm/emitter.h"
#include "ir/visit.h"

namespace hocket::codegen {

struct FunctionEmitter::Sum {
  struct Term {
    ir::Expr e;
    uint64_t factor;  // modulo 2^64, as addresses are
    int depth;
  };
  std::vector<Term> terms;
  uint64_t constant = 0;
};

namespace {

bool same_term(const ir::Expr& a, const ir::Expr& b) {
  if (a.same_as(b)) return true;
  const auto* x = a.as<ir::VarRef>();
  const auto* y = b.as<ir::VarRef>();
  return x != nullptr && y != nullptr && x->sym == y->sym;
}

// Only sums and products of variables and constants: may be computed again where it is used.
bool is_sum(const ir::Expr& e) {
  bool pure = true;
  ir::for_each(e, [&](const ir::Expr& x) {
    const auto* b = x.as<ir::Binary>();
    pure &= x.kind() == ir::ExprKind::VarRef || x.kind() == ir::ExprKind::IntImm ||
            (b != nullptr && (b->op == ir::BinaryOp::Add || b->op == ir::BinaryOp::Sub ||
                              b->op == ir::BinaryOp::Mul));
  });
  return pure;
}

}  // namespace

void FunctionEmitter::bind_let(const ir::Let& let) {
  values_[let.sym] = root(let.value);
  depths_[let.sym] = depth_of(let.value);
  if (let.value.type().is_integral()) facts_.set(let.sym, facts_.of(let.value));
  if (let.value.type() == ir::Type::index() && is_sum(let.value)) let_sums_[let.sym] = let.value;
}

int FunctionEmitter::depth_of(const ir::Expr& e) const {
  int depth = 0;
  ir::for_each(e, [&](const ir::Expr& x) {
    if (x.kind() == ir::ExprKind::Load) depth = depth_;
    if (const auto* var = x.as<ir::VarRef>()) {
      const auto at = depths_.find(var->sym);
      if (at != depths_.end()) depth = std::max(depth, at->second);
    }
  });
  return depth;
}

void FunctionEmitter::collect(const ir::Expr& e, uint64_t factor, Sum& sum) {
  if (const auto* imm = e.as<ir::IntImm>()) {
    sum.constant += factor * static_cast<uint64_t>(imm->value);
    return;
  }
  if (const auto* b = e.as<ir::Binary>()) {
    int64_t c = 0;
    if (b->op == ir::BinaryOp::Add || b->op == ir::BinaryOp::Sub) {
      collect(b->a, factor, sum);
      collect(b->b, b->op == ir::BinaryOp::Add ? factor : ~factor + 1, sum);
      return;
    }
    if (b->op == ir::BinaryOp::Mul && ir::is_int(b->b, &c)) {
      return collect(b->a, factor * static_cast<uint64_t>(c), sum);
    }
    if (b->op == ir::BinaryOp::Mul && ir::is_int(b->a, &c)) {
      return collect(b->b, factor * static_cast<uint64_t>(c), sum);
    }
  }
  if (const auto* var = e.as<ir::VarRef>()) {
    const auto let = let_sums_.find(var->sym);
    if (let != let_sums_.end()) return collect(let->second, factor, sum);
  }
  for (Sum::Term& t : sum.terms) {
    if (!same_term(t.e, e)) continue;
    t.factor += factor;
    return;
  }
  sum.terms.push_back({e, factor, depth_of(e)});
}

llvm::Value* FunctionEmitter::element_address(const Access& a, llvm::Value* index) {
  return b_.CreateGEP(arith_.memory_type(a.type.element()), a.buffer.pointer, index);
}

llvm::Value* FunctionEmitter::address(const Access& a, const ir::Expr& index, int64_t offset) {
  Sum sum;
  sum.constant = static_cast<uint64_t>(offset);
  collect(index, 1, sum);
  std::stable_sort(sum.terms.begin(), sum.terms.end(),
                   [](const Sum::Term& x, const Sum::Term& y) { return x.depth < y.depth; });
  llvm::Type* element = arith_.memory_type(a.type.element());
  llvm::Value* at = a.buffer.pointer;
  llvm::Value* partial = nullptr;
  for (size_t i = 0; i < sum.terms.size(); ++i) {
    const Sum::Term& t = sum.terms[i];
    if (t.factor != 0) {
      llvm::Value* v = expr(t.e);
      if (t.factor == ~uint64_t{0} && partial != nullptr) {
        partial = b_.CreateSub(partial, v);
      } else {
        if (t.factor != 1) v = b_.CreateMul(v, b_.getInt64(t.factor));
        partial = partial == nullptr ? v : b_.CreateAdd(partial, v);
      }
    }
    const bool last = i + 1 == sum.terms.size() || sum.terms[i + 1].depth != t.depth;
    if (last && partial != nullptr) {
      at = b_.CreateGEP(element, at, partial);
      partial = nullptr;
      // What the loop does not change is one opaque register to LLVM's loop passes: they would take
      // the sums apart again. Stack memory stays open, so that it can become registers.
      if (!a.buffer.on_stack && t.depth < depth_) at = b_.CreateFreeze(at);
    }
  }
  if (sum.constant != 0) at = b_.CreateGEP(element, at, b_.getInt64(sum.constant));
  return at;
}

}  // namespace hocket::codegen
