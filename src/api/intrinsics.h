// Expressions that are written with others: absd, lerp, saturating_cast, mux.
//
// Each is defined by primitive operations of ir/arith.h, so that every back end and every schedule
// gives the same bits (docs/cpp.md says which). Refused at the place of the call: types for which a
// word has no meaning. Used by: users, through hocket.h.
#pragma once

#include <vector>

#include "api/expr.h"

namespace hocket {

// |a - b|: of integers exact and unsigned, of the same width; of floats abs(a - b).
Expr absd(Here a, Here b);
// From `zero` (weight 0) to `one` (weight 1, or the greatest value of an unsigned weight). Of
// integers, with an unsigned weight: the exact value rounded to nearest. Of floats
// zero * (1 - w) + one * w, where an unsigned weight is first divided by its greatest value.
Expr lerp(Here zero, Here one, Here weight);
// The value of the type that is nearest.
Expr saturating_cast(Type type, Here a);
template <class T>
Expr saturating_cast(Here a) {
  return saturating_cast(type_of<T>(), std::move(a));
}
// values[id]; the last one where id is no position.
Expr mux(Here id, const std::vector<Expr>& values);

inline Expr u8_sat(Here a) {
  return saturating_cast(UInt(8), std::move(a));
}
inline Expr u16_sat(Here a) {
  return saturating_cast(UInt(16), std::move(a));
}
inline Expr u32_sat(Here a) {
  return saturating_cast(UInt(32), std::move(a));
}
inline Expr u64_sat(Here a) {
  return saturating_cast(UInt(64), std::move(a));
}
inline Expr i8_sat(Here a) {
  return saturating_cast(Int(8), std::move(a));
}
inline Expr i16_sat(Here a) {
  return saturating_cast(Int(16), std::move(a));
}
inline Expr i32_sat(Here a) {
  return saturating_cast(Int(32), std::move(a));
}
inline Expr i64_sat(Here a) {
  return saturating_cast(Int(64), std::move(a));
}

}  // namespace hocket
