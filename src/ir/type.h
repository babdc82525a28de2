// Types of values: the element types of Funcs and buffers, and the two control types.
//
// Data types are signed and unsigned integers of 8 to 64 bits, bool, float16, bfloat16, float32
// and float64, each with a number of vector lanes (1 in loop form). `index` is the 64-bit control
// type of loop variables, bounds and coordinates; it never wraps in a correct program. `size` is
// no type but a kind of parameter (see proc.h): an index of at least 1, checked at entry.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hocket::ir {

enum class TypeCode : uint8_t { Int, UInt, Float, BFloat, Bool, Index };

struct Type {
  TypeCode code = TypeCode::Int;
  uint8_t bits = 32;
  uint16_t lanes = 1;

  static constexpr Type i(int bits, int lanes = 1) { return make(TypeCode::Int, bits, lanes); }
  static constexpr Type u(int bits, int lanes = 1) { return make(TypeCode::UInt, bits, lanes); }
  static constexpr Type f(int bits, int lanes = 1) { return make(TypeCode::Float, bits, lanes); }
  static constexpr Type bf16(int lanes = 1) { return make(TypeCode::BFloat, 16, lanes); }
  static constexpr Type boolean(int lanes = 1) { return make(TypeCode::Bool, 1, lanes); }
  static constexpr Type index(int lanes = 1) { return make(TypeCode::Index, 64, lanes); }

  constexpr bool is_int() const { return code == TypeCode::Int; }
  constexpr bool is_uint() const { return code == TypeCode::UInt; }
  constexpr bool is_bool() const { return code == TypeCode::Bool; }
  constexpr bool is_index() const { return code == TypeCode::Index; }
  constexpr bool is_float() const { return code == TypeCode::Float || code == TypeCode::BFloat; }
  // Integers in the arithmetic sense: Int, UInt and Index.
  constexpr bool is_integral() const { return is_int() || is_uint() || is_index(); }
  constexpr bool is_signed() const { return is_int() || is_index() || is_float(); }
  // Numerics: 8- and 16-bit and all unsigned types wrap; 32- and 64-bit signed overflow is poison.
  constexpr bool wraps() const { return is_uint() || (is_int() && bits <= 16); }
  constexpr bool is_vector() const { return lanes > 1; }
  constexpr int bytes() const { return is_bool() ? 1 : bits / 8; }

  constexpr Type with_lanes(int n) const { return make(code, bits, n); }
  constexpr Type element() const { return with_lanes(1); }

  // The least and greatest value of an integral or bool element type (uint64's maximum is given
  // as the bit pattern -1; callers that care ask is_uint() && bits == 64 first).
  int64_t min_value() const;
  int64_t max_value() const;

  // `u16`, `f32`, `bf16`, `bool`, `index`; vectors `f32x8`.
  std::string name() const;
  // The inverse of name(), scalars and vectors; nothing for other words.
  static std::optional<Type> parse(std::string_view word);

  friend constexpr bool operator==(const Type&, const Type&) = default;

 private:
  static constexpr Type make(TypeCode code, int bits, int lanes) {
    Type t;
    t.code = code;
    t.bits = static_cast<uint8_t>(bits);
    t.lanes = static_cast<uint16_t>(lanes);
    return t;
  }
};

}  // namespace hocket::ir
