// Executing compiled expressions, written once for the evaluator and the interpreter.
//
// `Env` supplies: `Val* slots`, `int lane`, `uint64_t epoch`, `CacheCell* cache`,
// `uint64_t new_epoch()`, `bool eager` (both sides of a select are executed, as native code does)
// and `Val leaf(const XNode*)`. A new epoch before each root; see code.h.
#pragma once

#include <cmath>
#include <limits>

#include "interp/code.h"

namespace hocket::interp {

struct CacheCell {
  uint64_t epoch = 0;
  Val value;
};

inline int64_t wrap_fast(ir::Type t, int64_t v) {
  const int shift = 64 - t.bits;
  if (t.is_uint()) return static_cast<int64_t>(static_cast<uint64_t>(v) << shift >> shift);
  return static_cast<int64_t>(static_cast<uint64_t>(v) << shift) >> shift;
}

// One operation on two values that are no poison.
inline Val apply_binary(const XNode& n, Val a, Val b) {
  int64_t r;
  switch (n.op) {
    case XOp::Add64:
      if (__builtin_add_overflow(a.i, b.i, &r)) return Val::bad(n.reason);
      return Val::of(r);
    case XOp::Sub64:
      if (__builtin_sub_overflow(a.i, b.i, &r)) return Val::bad(n.reason);
      return Val::of(r);
    case XOp::Mul64:
      if (__builtin_mul_overflow(a.i, b.i, &r)) return Val::bad(n.reason);
      return Val::of(r);
    case XOp::Add32:
      r = a.i + b.i;
      return r == static_cast<int32_t>(r) ? Val::of(r) : Val::bad(n.reason);
    case XOp::Sub32:
      r = a.i - b.i;
      return r == static_cast<int32_t>(r) ? Val::of(r) : Val::bad(n.reason);
    case XOp::Mul32:
      r = a.i * b.i;
      return r == static_cast<int32_t>(r) ? Val::of(r) : Val::bad(n.reason);
    case XOp::AddWrap:
      return Val::of(wrap_fast(
          n.type, static_cast<int64_t>(static_cast<uint64_t>(a.i) + static_cast<uint64_t>(b.i))));
    case XOp::SubWrap:
      return Val::of(wrap_fast(
          n.type, static_cast<int64_t>(static_cast<uint64_t>(a.i) - static_cast<uint64_t>(b.i))));
    case XOp::MulWrap:
      return Val::of(wrap_fast(
          n.type, static_cast<int64_t>(static_cast<uint64_t>(a.i) * static_cast<uint64_t>(b.i))));
    case XOp::Div64:
      if (b.i == 0) return Val::of(0);
      if (a.i == std::numeric_limits<int64_t>::min() || b.i == std::numeric_limits<int64_t>::min())
        break;
      return Val::of(ir::euclid_div(a.i, b.i));
    case XOp::Mod64:
      if (b.i == 0) return Val::of(0);
      if (a.i == std::numeric_limits<int64_t>::min() || b.i == std::numeric_limits<int64_t>::min())
        break;
      return Val::of(ir::euclid_mod(a.i, b.i));
    case XOp::Min:
      return a.i < b.i ? a : b;
    case XOp::Max:
      return a.i > b.i ? a : b;
    case XOp::Eq:
      return Val::of(a.i == b.i);
    case XOp::Ne:
      return Val::of(a.i != b.i);
    case XOp::Lt:
      return Val::of(a.i < b.i);
    case XOp::Le:
      return Val::of(a.i <= b.i);
    case XOp::Gt:
      return Val::of(a.i > b.i);
    case XOp::Ge:
      return Val::of(a.i >= b.i);
    case XOp::And:
      return Val::of(a.i & b.i);
    case XOp::Or:
      return Val::of(a.i | b.i);
    case XOp::Xor:
      return Val::of(a.i ^ b.i);
    case XOp::AddF32:
      return Val::of_float(static_cast<double>(static_cast<float>(a.f() + b.f())));
    case XOp::SubF32:
      return Val::of_float(static_cast<double>(static_cast<float>(a.f() - b.f())));
    case XOp::MulF32:
      return Val::of_float(static_cast<double>(static_cast<float>(a.f() * b.f())));
    case XOp::DivF32:
      return Val::of_float(static_cast<double>(static_cast<float>(a.f() / b.f())));
    case XOp::AddF64:
      return Val::of_float(a.f() + b.f());
    case XOp::SubF64:
      return Val::of_float(a.f() - b.f());
    case XOp::MulF64:
      return Val::of_float(a.f() * b.f());
    case XOp::DivF64:
      return Val::of_float(a.f() / b.f());
    case XOp::MinF:
      return a.f() < b.f() ? a : b;
    case XOp::MaxF:
      return a.f() > b.f() ? a : b;
    case XOp::EqF:
      return Val::of(a.f() == b.f());
    case XOp::NeF:
      return Val::of(a.f() != b.f());
    case XOp::LtF:
      return Val::of(a.f() < b.f());
    case XOp::LeF:
      return Val::of(a.f() <= b.f());
    case XOp::GtF:
      return Val::of(a.f() > b.f());
    case XOp::GeF:
      return Val::of(a.f() >= b.f());
    default:
      break;
  }
  return to_val(
      ir::eval_binary(static_cast<ir::BinaryOp>(n.sub), to_scalar(n.from, a), to_scalar(n.from, b)),
      n.reason);
}

template <class Env>
Val eval(Env& env, const XNode* n) {
  switch (n->op) {
    case XOp::Const:
      return n->imm;
    case XOp::Slot:
      return env.slots[n->slot];
    case XOp::LaneSlot:
      return env.slots[n->slot + static_cast<uint32_t>(env.lane)];
    case XOp::Not: {
      const Val a = eval(env, n->a);
      return a.poison ? a : Val::of(a.i == 0);
    }
    case XOp::CastInt: {
      const Val a = eval(env, n->a);
      return a.poison ? a : Val::of(wrap_fast(n->type, a.i));
    }
    case XOp::CastIntF32: {
      const Val a = eval(env, n->a);
      return a.poison ? a : Val::of_float(static_cast<double>(static_cast<float>(a.i)));
    }
    case XOp::CastIntF64: {
      const Val a = eval(env, n->a);
      return a.poison ? a : Val::of_float(static_cast<double>(a.i));
    }
    case XOp::CastF32: {
      const Val a = eval(env, n->a);
      return a.poison ? a : Val::of_float(static_cast<double>(static_cast<float>(a.f())));
    }
    case XOp::Cast: {
      const Val a = eval(env, n->a);
      return a.poison ? a : to_val(ir::eval_cast(n->type, to_scalar(n->from, a)), n->reason);
    }
    case XOp::Unary: {
      const Val a = eval(env, n->a);
      if (a.poison) return a;
      return to_val(ir::eval_unary(static_cast<ir::UnaryOp>(n->sub), to_scalar(n->from, a)),
                    n->reason);
    }
    case XOp::Fma: {
      const Val a = eval(env, n->a), b = eval(env, n->b), c = eval(env, n->c);
      if (a.poison | b.poison | c.poison)
        return Val::bad(a.poison ? a.poison : b.poison ? b.poison : c.poison);
      if (n->type.bits == 64) return Val::of_float(std::fma(a.f(), b.f(), c.f()));
      if (n->type.bits == 32)
        return Val::of_float(static_cast<double>(std::fmaf(
            static_cast<float>(a.f()), static_cast<float>(b.f()), static_cast<float>(c.f()))));
      return to_val(
          ir::eval_fma(to_scalar(n->type, a), to_scalar(n->type, b), to_scalar(n->type, c)),
          n->reason);
    }
    case XOp::Select: {
      const Val cond = eval(env, n->a);
      if (env.eager) {
        const Val t = eval(env, n->b), f = eval(env, n->c);
        return cond.poison ? cond : cond.i ? t : f;
      }
      if (cond.poison) return cond;
      return eval(env, cond.i ? n->b : n->c);
    }
    case XOp::Ramp: {
      const Val base = eval(env, n->a), stride = eval(env, n->b);
      if (base.poison | stride.poison) return base.poison ? base : stride;
      const ir::Scalar lane = n->type.is_float() ? ir::Scalar::of_float(n->type, env.lane)
                                                 : ir::Scalar::of_int(n->type, env.lane);
      return to_val(
          ir::eval_binary(ir::BinaryOp::Add, to_scalar(n->type, base),
                          ir::eval_binary(ir::BinaryOp::Mul, to_scalar(n->type, stride), lane)),
          n->reason);
    }
    case XOp::Shuffle: {
      // One lane of a vector is a scalar, which may stand in a broadcast: then every lane asks.
      const size_t at = n->lanes.size() == 1 ? 0 : static_cast<size_t>(env.lane);
      const auto& [source, lane] = n->lanes[at];
      const int old_lane = env.lane;
      const uint64_t old_epoch = env.epoch;
      env.lane = lane;
      env.epoch = env.new_epoch();
      const Val v = eval(env, source);
      env.lane = old_lane;
      env.epoch = old_epoch;
      return v;
    }
    case XOp::Shared: {
      CacheCell& cell = env.cache[n->slot];
      if (cell.epoch == env.epoch) return cell.value;
      const Val v = eval(env, n->a);
      cell = {env.epoch, v};
      return v;
    }
    case XOp::Leaf:
      return env.leaf(n);
    default: {
      const Val a = eval(env, n->a), b = eval(env, n->b);
      if (a.poison | b.poison) [[unlikely]]
        return a.poison ? a : b;
      return apply_binary(*n, a, b);
    }
  }
}

}  // namespace hocket::interp
