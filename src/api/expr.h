// Expressions as C++ writes them: Var, RDom, operators, select, clamp, cast.
//
// In: C++ numbers, Vars and what is computed from them. Out: ir expressions through the front door
// (ir/arith.h), so that `a + b` means the same here and in text. Operators note the place where
// they stand. Used by: users, through hocket.h.
#pragma once

#include <concepts>
#include <cstdint>
#include <source_location>
#include <string>
#include <type_traits>
#include <vector>

#include "api/error.h"
#include "api/type.h"
#include "ir/algorithm.h"
#include "ir/arith.h"
#include "support/source.h"

namespace hocket {

class Expr {
 public:
  Expr() = default;
  // An int or a double is a number without a type of its own: it takes that of what it meets.
  Expr(int value) : operand_(ir::front_literal(static_cast<int64_t>(value))) {}
  Expr(double value) : operand_(ir::front_literal(value)) {}
  // Every other number has the type it has in C++.
  template <class T>
    requires(std::is_arithmetic_v<T> && !std::is_same_v<T, int> && !std::is_same_v<T, double>)
  Expr(T value) {
    if constexpr (std::is_same_v<T, bool>)
      operand_.expr = ir::make_bool(value);
    else if constexpr (std::is_floating_point_v<T>)
      operand_.expr = ir::make_float(type_of<T>(), value);
    else
      operand_.expr = ir::make_int(type_of<T>(), static_cast<int64_t>(value));
  }
  explicit Expr(ir::Expr e) { operand_.expr = std::move(e); }
  explicit Expr(ir::FrontOperand operand) : operand_(std::move(operand)) {}

  bool defined() const { return operand_.expr.defined(); }
  Type type() const { return operand_.expr.type(); }
  const ir::FrontOperand& operand() const { return operand_; }

 private:
  ir::FrontOperand operand_;
};

using Here = support::Located<Expr>;

namespace api {
// What the Expr holds; refused where nothing was given to it.
const ir::FrontOperand& operand_of(const Here& h);
}  // namespace api

class Var {
 public:
  Var(std::source_location where = std::source_location::current());
  Var(const std::string& name, std::source_location where = std::source_location::current());
  explicit Var(ir::Symbol symbol) : symbol_(std::move(symbol)) {}
  const std::string& name() const { return symbol_.name(); }
  const ir::Symbol& symbol() const { return symbol_; }
  operator Expr() const { return Expr(ir::make_var(symbol_)); }

 private:
  ir::Symbol symbol_;
};
// A name for a definition that has no use for the coordinate.
inline const Var _("_");

class RVar {
 public:
  // The name of a loop that split or fuse makes.
  RVar(std::source_location where = std::source_location::current());
  RVar(const std::string& name, std::source_location where = std::source_location::current());
  explicit RVar(ir::Symbol symbol) : symbol_(std::move(symbol)) {}
  const std::string& name() const { return symbol_.name(); }
  const ir::Symbol& symbol() const { return symbol_; }
  operator Expr() const { return Expr(ir::make_var(symbol_)); }

 private:
  ir::Symbol symbol_;
};

// Either, as scheduling verbs take them; and where they were said.
class Loop {
 public:
  Loop(const Var& v) : symbol_(v.symbol()) {}
  Loop(const RVar& v) : symbol_(v.symbol()) {}
  const ir::Symbol& symbol() const { return symbol_; }

 private:
  ir::Symbol symbol_;
};

class BufferBase;
class ImageParam;

namespace api {

template <class T>
inline constexpr bool is_name = std::convertible_to<T, std::string>;

// How many of the types are numbers or expressions, -1 where another one than the last is a name or
// one is neither.
template <class... Given>
consteval int values_before_a_name() {
  int count = 0;
  bool named = false, wrong = false;
  ((wrong = wrong || named || !(is_name<Given> || std::convertible_to<Given, Expr>),
    is_name<Given> ? static_cast<void>(named = true) : static_cast<void>(++count)),
   ...);
  return wrong ? -1 : count;
}

}  // namespace api

// A box of reduction coordinates; the first variable is the innermost one.
class RDom {
 public:
  RVar x, y, z, w;

  RDom() = default;
  // RDom r(min, extent), r(min, extent, min, extent), ..., and a name at the end.
  template <class... Rest>
  RDom(Here min, Here extent, Rest&&... rest)
    requires(api::values_before_a_name<Rest...>() % 2 == 0)
  {
    std::vector<Expr> pairs = {min.value, extent.value};
    std::string name = "r";
    [[maybe_unused]] const auto take = [&]<class T>(T&& given) {
      if constexpr (api::is_name<T>)
        name = std::forward<T>(given);
      else
        pairs.push_back(Expr(std::forward<T>(given)));
    };
    (take(std::forward<Rest>(rest)), ...);
    make(pairs, name, min.where);
  }
  RDom(const std::vector<std::pair<Expr, Expr>>& ranges, const std::string& name = "r",
       std::source_location where = std::source_location::current());
  // The box of an image.
  RDom(const ImageParam& image, const std::string& name = "r",
       std::source_location where = std::source_location::current());
  RDom(const BufferBase& buffer, const std::string& name = "r",
       std::source_location where = std::source_location::current());
  // Keeps only the points where the condition holds. It is over the domain's variables, parameters,
  // and values of images and Funcs, and comes before the first definition over the domain.
  void where(Here condition);
  int dimensions() const { return static_cast<int>(vars_.size()); }
  const RVar& operator[](int i) const { return vars_.at(static_cast<size_t>(i)); }
  operator Expr() const { return vars_.at(0); }
  operator RVar() const { return vars_.at(0); }
  operator Loop() const { return vars_.at(0); }
  const support::Ref<support::RefCounted>& domain() const { return domain_; }

 private:
  void make(const std::vector<Expr>& pairs, const std::string& name, std::source_location where);
  std::vector<RVar> vars_;
  support::Ref<support::RefCounted> domain_;
};

Expr operator+(Here a, Here b);
Expr operator-(Here a, Here b);
Expr operator*(Here a, Here b);
Expr operator/(Here a, Here b);
Expr operator%(Here a, Here b);
Expr operator&(Here a, Here b);
Expr operator|(Here a, Here b);
Expr operator^(Here a, Here b);
Expr operator<<(Here a, Here b);
Expr operator>>(Here a, Here b);
Expr operator==(Here a, Here b);
Expr operator!=(Here a, Here b);
Expr operator<(Here a, Here b);
Expr operator<=(Here a, Here b);
Expr operator>(Here a, Here b);
Expr operator>=(Here a, Here b);
Expr operator&&(Here a, Here b);
Expr operator||(Here a, Here b);
Expr operator-(Here a);
Expr operator~(Here a);
Expr operator!(Here a);
inline Expr& operator+=(Expr& a, Here b) {
  return a = a + b;
}
inline Expr& operator-=(Expr& a, Here b) {
  return a = a - b;
}
inline Expr& operator*=(Expr& a, Here b) {
  return a = a * b;
}
inline Expr& operator/=(Expr& a, Here b) {
  return a = a / b;
}

Expr min(Here a, Here b);
Expr max(Here a, Here b);
template <class... Rest>
Expr min(Here a, Here b, Here c, Rest&&... rest) {
  return min(Here(min(a, b), a.where), c, std::forward<Rest>(rest)...);
}
template <class... Rest>
Expr max(Here a, Here b, Here c, Rest&&... rest) {
  return max(Here(max(a, b), a.where), c, std::forward<Rest>(rest)...);
}
Expr abs(Here a);
Expr sqrt(Here a);
Expr floor(Here a);
Expr ceil(Here a);
Expr trunc(Here a);
Expr round(Here a);
Expr fma(Here a, Here b, Here c);
Expr clamp(Here value, Here low, Here high);
Expr select(Here condition, Here t, Here f);
// select(c1, v1, c2, v2, ..., otherwise)
template <class... Rest>
Expr select(Here c1, Here v1, Here c2, Here v2, Rest&&... rest) {
  return select(c1, v1, Here(select(c2, v2, std::forward<Rest>(rest)...), c1.where));
}
Expr cast(Type type, Here a);
template <class T>
Expr cast(Here a) {
  return cast(type_of<T>(), std::move(a));
}
// A product in it is not fused into the sum around it.
Expr strict(Here a);

inline Expr u8(Here a) {
  return cast(UInt(8), std::move(a));
}
inline Expr u16(Here a) {
  return cast(UInt(16), std::move(a));
}
inline Expr u32(Here a) {
  return cast(UInt(32), std::move(a));
}
inline Expr u64(Here a) {
  return cast(UInt(64), std::move(a));
}
inline Expr i8(Here a) {
  return cast(Int(8), std::move(a));
}
inline Expr i16(Here a) {
  return cast(Int(16), std::move(a));
}
inline Expr i32(Here a) {
  return cast(Int(32), std::move(a));
}
inline Expr i64(Here a) {
  return cast(Int(64), std::move(a));
}
inline Expr f16(Here a) {
  return cast(Float(16), std::move(a));
}
inline Expr f32(Here a) {
  return cast(Float(32), std::move(a));
}
inline Expr f64(Here a) {
  return cast(Float(64), std::move(a));
}
inline Expr bf16(Here a) {
  return cast(BFloat(16), std::move(a));
}

}  // namespace hocket
