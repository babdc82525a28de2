// The one definition of scalar arithmetic (docs/decisions/004-integers.md; of floats
// docs/language.md, Expressions): interpreter, evaluator, constant folding and the tests of every
// back end call these functions; code generation must agree bit for bit.
//
// Integers: i8, i16 and all unsigned types wrap; signed 32- and 64-bit overflow (index included) is
// poison. Div and Mod are Euclidean, by zero they give 0. Shifts: a count of at least the width
// gives 0 (left, or right of an unsigned) or the sign (right of a signed); a negative count shifts
// the other way. Floats: IEEE, one rounding per operation, to nearest even, subnormals kept.
// min(x, y) is x < y ? x : y and max(x, y) is x > y ? x : y, for floats too (so a NaN on either
// side gives y). Float to integer truncates and saturates, NaN gives 0. Integer to float rounds to
// nearest even. Poison in an operand makes the result poison; Select reads only the chosen side.
#pragma once

#include <cstdint>

#include "ir/expr.h"

namespace hocket::ir {

// Integral and bool values in `i` (uint64 as its bit pattern), floats in `f`.
struct Scalar {
  Type type;
  bool poison = false;
  int64_t i = 0;
  double f = 0.0;

  static Scalar of_int(Type t, int64_t v);   // wrapped to the type
  static Scalar of_float(Type t, double v);  // rounded to the type
  static Scalar of_bool(bool v) { return of_int(Type::boolean(), v); }
  static Scalar of_poison(Type t);
  bool truth() const { return i != 0; }
};
// Same type and same bits, NaNs equal to each other; poison equals nothing.
bool same_value(const Scalar& a, const Scalar& b);

int64_t wrap_to(Type type, int64_t value);  // keeps the low bits, sign- or zero-extended
double round_to(Type type, double value);   // nearest even in the float type

Scalar eval_unary(UnaryOp op, const Scalar& a);
Scalar eval_binary(BinaryOp op, const Scalar& a, const Scalar& b);
Scalar eval_fma(const Scalar& a, const Scalar& b, const Scalar& c);
Scalar eval_cast(Type to, const Scalar& a);

// Euclidean division and remainder of 64-bit integers (b != 0, no overflow).
int64_t euclid_div(int64_t a, int64_t b);
int64_t euclid_mod(int64_t a, int64_t b);

// Bytes of a value in memory (little endian) and back.
void store_bytes(const Scalar& v, void* to);
Scalar load_bytes(Type type, const void* from);

}  // namespace hocket::ir
