#include "api/type.h"

#include <limits>

#include "api/expr.h"

namespace hocket {

namespace {

// The widest unsigned integers that a float type holds exactly.
int significant_bits(Type t) {
  if (t.code() == ir::TypeCode::BFloat) return 8;
  return t.bits() == 16 ? 11 : t.bits() == 32 ? 24 : 53;
}

}  // namespace

bool Type::can_represent(Type other) const {
  if (*this == other) return true;
  if (lanes() != other.lanes() || is_bool()) return false;
  const int room = other.is_int() || other.is_index() ? other.bits() - 1 : other.bits();
  if (is_float()) {
    if (!other.is_float()) return room <= significant_bits(*this);
    // bf16 has the exponents of f32, which f16 has not.
    return bits() > other.bits();
  }
  if (other.is_float()) return false;
  if (is_uint()) return (other.is_uint() || other.is_bool()) && room <= bits();
  return room <= bits() - 1;
}

Expr Type::min() const {
  if (is_float()) return Expr(ir::make_float(*this, -std::numeric_limits<double>::infinity()));
  return is_bool() ? Expr(false) : Expr(ir::make_int(*this, min_value()));
}

Expr Type::max() const {
  if (is_float()) return Expr(ir::make_float(*this, std::numeric_limits<double>::infinity()));
  return is_bool() ? Expr(true) : Expr(ir::make_int(*this, max_value()));
}

}  // namespace hocket
