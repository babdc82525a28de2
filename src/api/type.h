// Types of values, with the calls that C++ users know: Int(32), t.bits(), t.widen(), t.max().
//
// A Type is an ir::Type and turns into one; only fields that Halide spells as calls are hidden by
// calls. Used by: users, through hocket.h; everything in api/ that takes or gives a type.
#pragma once

#include <cstdint>
#include <type_traits>

#include "ir/type.h"

namespace hocket {

class Expr;

class Type : public ir::Type {
 public:
  constexpr Type() = default;
  constexpr Type(ir::Type t) : ir::Type(t) {}

  constexpr int bits() const { return ir::Type::bits; }
  constexpr int lanes() const { return ir::Type::lanes; }
  constexpr ir::TypeCode code() const { return ir::Type::code; }
  constexpr bool is_scalar() const { return !is_vector(); }
  constexpr Type element_of() const { return element(); }
  constexpr Type with_bits(int n) const {
    ir::Type out = *this;
    out.bits = static_cast<uint8_t>(n);
    return out;
  }
  constexpr Type widen() const { return with_bits(bits() * 2); }
  constexpr Type narrow() const { return with_bits(bits() / 2); }
  // Every value of `other` is a value of this type.
  bool can_represent(Type other) const;
  // The least and greatest value; of floats the infinities.
  Expr min() const;
  Expr max() const;
};

inline Type Int(int bits) {
  return ir::Type::i(bits);
}
inline Type UInt(int bits) {
  return bits == 1 ? ir::Type::boolean() : ir::Type::u(bits);
}
inline Type Float(int bits) {
  return ir::Type::f(bits);
}
inline Type BFloat(int) {
  return ir::Type::bf16();
}
inline Type Bool() {
  return ir::Type::boolean();
}

template <class T>
constexpr Type type_of() {
  if constexpr (std::is_same_v<T, bool>)
    return ir::Type::boolean();
  else if constexpr (std::is_floating_point_v<T>)
    return ir::Type::f(8 * sizeof(T));
  else if constexpr (std::is_unsigned_v<T>)
    return ir::Type::u(8 * sizeof(T));
  else
    return ir::Type::i(8 * sizeof(T));
}

}  // namespace hocket
