#include "api/intrinsics.h"

#include <algorithm>

namespace hocket {

using support::Place;

namespace {

// The operand as a value of a type of its own: coordinates and literals become i32, or f32.
Here typed(const Here& h) {
  ir::Expr e = or_throw(ir::front_expr(api::operand_of(h), Place::of(h.where)));
  if (e.type().is_index()) e = ir::make_cast(ir::Type::i(32), e);
  return Here(Expr(std::move(e)), h.where);
}

// Both in the type in which they meet as operands of `+` and its like.
std::pair<Here, Here> matched(const Here& a, const Here& b) {
  const Type type = typed(Here(max(a, b), a.where)).value.type();
  const auto to = [&](const Here& h) {
    // A cast keeps a literal only where it is exact; max has judged that.
    return Here(h.value.type() == type ? h.value : cast(type, h), h.where);
  };
  return {to(a), to(b)};
}

Expr number(Type type, int64_t value) {
  return Expr(ir::make_int(type, value));
}

// The nearest integer to (zero * (greatest - w) + one * w) / greatest. The greatest value of an
// unsigned type is odd: nothing lies halfway between two integers.
Expr lerp_integers(const Here& zero, const Here& one, const Here& weight) {
  const std::source_location at = zero.where;
  const Type type = zero.value.type(), weights = weight.value.type();
  const int needed = type.bits() + weights.bits() + 1;
  if (needed > 63)
    refuse("`lerp` of " + type.name() + " with weights of " + weights.name() +
               " needs more than 64 bits",
           Place::of(at));
  const Type wide = needed > 31 ? Int(64) : Int(32);
  const int64_t greatest = weights.max_value();
  const auto widened = [&](const Here& h) { return Here(cast(wide, h), at); };
  const Here w = widened(weight), all(number(wide, greatest), at);
  const Here sum(Here(widened(zero) * Here(all - w, at), at) + Here(widened(one) * w, at), at);
  // Division rounds down, whatever the sign.
  return cast(type, Here(Here(sum + Here(number(wide, greatest / 2), at), at) / all, at));
}

}  // namespace

Expr absd(Here a_given, Here b_given) {
  const auto [a, b] = matched(a_given, b_given);
  const std::source_location at = a.where;
  const Type type = a.value.type();
  if (type.is_float()) return abs(Here(a - b, at));
  // The difference of two numbers of n bits fits n bits without a sign.
  const auto bits = [&](const Here& h) {
    return Here(type.is_uint() ? h.value : cast(UInt(type.bits()), h), at);
  };
  return bits(Here(max(a, b), at)) - bits(Here(min(a, b), at));
}

Expr lerp(Here zero_given, Here one_given, Here weight_given) {
  const auto [zero, one] = matched(zero_given, one_given);
  const Here weight = weight_given.value.operand().literal && zero.value.type().is_float()
                          ? Here(cast(zero.value.type(), weight_given), weight_given.where)
                          : typed(weight_given);
  const std::source_location at = zero.where;
  const Type type = zero.value.type(), weights = weight.value.type();
  if (weights.is_bool()) return select(weight, one, zero);
  if (!type.is_float()) {
    if (!weights.is_uint())
      refuse(
          "`lerp` of " + type.name() + " takes an unsigned weight, this one is " + weights.name(),
          Place::of(at));
    return lerp_integers(zero, one, weight);
  }
  if (!weights.is_uint() && weights != type)
    refuse("`lerp` of " + type.name() + " takes a weight of " + type.name() +
               " or an unsigned one, this one is " + weights.name(),
           Place::of(at));
  Here w = weight;
  if (weights.is_uint()) {
    const Here greatest(cast(type, Here(number(UInt(64), weights.max_value()), at)), at);
    w = Here(Here(cast(type, weight), at) / greatest, at);
  }
  return Here(zero * Here(Here(1, at) - w, at), at) + Here(one * w, at);
}

Expr saturating_cast(Type type, Here given) {
  const Here a = typed(given);
  const Type from = a.value.type();
  if (type == from) return a.value;
  if (type.is_float()) {
    if (from.is_float() && !type.can_represent(from))
      refuse("`saturating_cast` of " + from.name() + " to " + type.name() +
                 " has no nearest value where a number is too large",
             Place::of(a.where));
    return cast(type, a);
  }
  // A cast of floats to integers saturates, and so does a bool.
  if (from.is_float() || from.is_bool() || type.can_represent(from)) return cast(type, a);
  const bool below =
      from.is_signed() && (type.is_uint() || type.is_bool() || type.bits() < from.bits());
  const int room = type.is_bool() ? 1 : type.is_uint() ? type.bits() : type.bits() - 1;
  const bool above = room < (from.is_uint() ? from.bits() : from.bits() - 1);
  Here inside = a;
  if (below) inside = Here(max(inside, Here(number(from, type.min_value()), a.where)), a.where);
  if (above) inside = Here(min(inside, Here(number(from, type.max_value()), a.where)), a.where);
  return cast(type, inside);
}

Expr mux(Here id, const std::vector<Expr>& values) {
  if (values.empty()) refuse("`mux` has no values", Place::of(id.where));
  Expr out = values.back();
  for (size_t i = values.size() - 1; i-- > 0;)
    out = select(Here(id == Here(static_cast<int>(i), id.where), id.where),
                 Here(values[i], id.where), Here(out, id.where));
  return out;
}

}  // namespace hocket
