#include "ir/read/elaborate.h"

#include <cmath>
#include <limits>

#include "diag/kinds_parse.h"
#include "ir/semantics.h"
#include "ir/words.h"
#include "support/edit_distance.h"

namespace hocket::ir::read {

namespace {

using diag::Diagnostic;

FrontOperand number(uint64_t value) {
  if (value <= static_cast<uint64_t>(std::numeric_limits<int64_t>::max()))
    return front_literal(static_cast<int64_t>(value));
  FrontOperand r = typed(make_int(Type::u(64), static_cast<int64_t>(value)));
  r.literal = true;
  return r;
}

std::optional<UnaryOp> unary_function(const std::string& name) {
  for (UnaryOp op :
       {UnaryOp::Abs, UnaryOp::Sqrt, UnaryOp::Floor, UnaryOp::Ceil, UnaryOp::Trunc, UnaryOp::Round})
    if (name == spelling(op)) return op;
  return std::nullopt;
}

// Types by the names that other languages give them.
std::string type_meant(const std::string& name) {
  constexpr std::pair<std::string_view, std::string_view> kElsewhere[] = {
      {"int", "i32"},     {"unsigned", "u32"}, {"long", "i64"},    {"float", "f32"},
      {"double", "f64"},  {"half", "f16"},     {"byte", "u8"},     {"char", "u8"},
      {"int8", "i8"},     {"int16", "i16"},    {"int32", "i32"},   {"int64", "i64"},
      {"uint8", "u8"},    {"uint16", "u16"},   {"uint32", "u32"},  {"uint64", "u64"},
      {"float16", "f16"}, {"float32", "f32"},  {"float64", "f64"}, {"bfloat16", "bf16"}};
  std::string_view word = name;
  if (word.ends_with("_t")) word.remove_suffix(2);
  for (const auto& [elsewhere, here] : kElsewhere)
    if (word == elsewhere) return std::string(here);
  return name;
}

// Functions that are words of the language, but have no meaning here.
void say_where(Diagnostic& d, const std::string& function) {
  if (function == "repeat_edge")
    d.note("`repeat_edge` stands alone right of `=`: edge = repeat_edge(input)");
  else if (function == "fused")
    d.note("`fused` stands around the whole right side of `+=` in loop programs");
  else if (function == "stride")
    d.note("in a pipeline the stride of an input is `input.stride(x)`");
  else if (is_reserved_word(function))
    d.note("`" + function + "` stands in loop programs only");
}

}  // namespace

FrontOperand typed(Expr e) {
  FrontOperand r;
  r.expr = std::move(e);
  return r;
}

void did_you_mean(Diagnostic& d, const std::string& name, const std::vector<std::string>& known) {
  for (const std::string& close : support::close_names(name, known))
    d.help("did you mean `" + close + "`?");
}

Diagnostic Elaborator::unknown(const std::string& what, const std::string& name, const Spot& s,
                               const std::vector<std::string>& known) const {
  Diagnostic d = refuse(diag::kind::unknown_name, s).arg("what", what).arg("name", name);
  did_you_mean(d, name, known);
  return d;
}

Diagnostic Elaborator::twice(const std::string& name, const Spot& s,
                             const support::Place& first) const {
  Diagnostic d = refuse(diag::kind::defined_twice, s).arg("name", name);
  d.label(first, "`" + name + "` is defined here first");
  return d;
}

Diagnostic Elaborator::count(const std::string& name, const std::string& wanted,
                             const std::string& of, size_t given, const Spot& s) const {
  return refuse(diag::kind::wrong_count, s)
      .arg("name", name)
      .arg("wanted", wanted)
      .arg("of", of)
      .arg("given", static_cast<int64_t>(given));
}

Result<Type> Elaborator::type(const TypeSyntax& t, bool index_too) const {
  std::optional<Type> type = t.name == "R" ? Type::f(32) : Type::parse(t.name);
  if (type && type->lanes > 1 && !has_vectors())
    return refuse(diag::kind::malformed_vector, t.spot)
        .arg("what", "the vector type `" + t.name + "` stands outside a flat proc");
  if (type && (index_too || !type->is_index())) return *type;
  Diagnostic d = refuse(diag::kind::unknown_type, t.spot).arg("name", t.name);
  did_you_mean(
      d, type_meant(t.name),
      {"i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "bool", "f16", "bf16", "f32", "f64"});
  return d;
}

Result<Expr> Elaborator::expr(const Syntax& s) {
  HOCKET_TRY(FrontOperand o, operand(s));
  return front_expr(o, place(s.spot));
}

Result<Expr> Elaborator::value(const Syntax& s, Type type, const std::string& what) {
  HOCKET_TRY(FrontOperand o, operand(s, type));
  return front_value(o, type, place(s.spot), what);
}

Result<Expr> Elaborator::coordinate(const Syntax& s) {
  HOCKET_TRY(FrontOperand o, operand(s, Type::index()));
  return front_coordinate(o, place(s.spot));
}

Result<Expr> Elaborator::condition(const Syntax& s) {
  HOCKET_TRY(FrontOperand o, operand(s));
  return front_condition(o, place(s.spot));
}

Result<double> Elaborator::default_number(const Syntax& s, Type type, const std::string& name) {
  HOCKET_TRY(Expr e, value(s, type, "the default of `" + name + "`"));
  if (const auto* f = e.as<FloatImm>()) return f->value;
  const auto* i = e.as<IntImm>();
  if (!i)
    return refuse(diag::kind::unexpected_text, s.spot)
        .arg("found", "an expression")
        .arg("wanted", "a number");
  bool large = type.is_uint() && i->value < 0;
  double d =
      large ? static_cast<double>(static_cast<uint64_t>(i->value)) : static_cast<double>(i->value);
  // Above the greatest number a cast would saturate.
  const bool above = d >= (type.is_uint() ? 0x1p64 : 0x1p63);
  Scalar back = eval_cast(type, Scalar::of_float(Type::f(64), d));
  if (above || back.i != i->value)
    return refuse(diag::kind::number_out_of_range, s.spot)
        .arg("number", "the number `" + spell_number(*i) + "`")
        .arg("range", "a default, which is kept in 53 bits");
  return d;
}

Result<FrontOperand> Elaborator::special(const std::string& function, const Syntax& s) {
  Diagnostic d = refuse(diag::kind::unknown_function, s.spot).arg("name", function);
  say_where(d, function);
  return d;
}

// a + b + c + ...: the left side is walked in a loop, however long it is.
Result<FrontOperand> Elaborator::chain(const Syntax& s) {
  std::vector<const Syntax*> spine;
  const Syntax* left = &s;
  while (left->kind == SyntaxKind::Binary) {
    spine.push_back(left);
    left = left->items[0].get();
  }
  HOCKET_TRY(FrontOperand sum, operand(*left));
  for (; !spine.empty(); spine.pop_back()) {
    const Syntax& right_side = *spine.back()->items[1];
    HOCKET_TRY(FrontOperand right, operand(right_side));
    Result<FrontOperand> both =
        front_binary(spine.back()->binary, sum, right, mode_, place(spine.back()->spot));
    // The number itself is at fault, not the operator.
    if (!both.ok() && both.error().is(diag::kind::literal_does_not_fit))
      both.error().place = place(right.literal ? right_side.spot : left->spot);
    HOCKET_TRY(sum, std::move(both));
  }
  return sum;
}

Result<FrontOperand> Elaborator::operand(const Syntax& s, std::optional<Type> expected) {
  switch (s.kind) {
    case SyntaxKind::Integer:
      return number(s.integer);
    case SyntaxKind::Real:
      return front_literal(s.real);
    case SyntaxKind::Name:
      return variable(s.text, s);
    case SyntaxKind::Word:
      if (s.text == "true" || s.text == "false") return typed(make_bool(s.text == "true"));
      return front_literal(s.text == "nan" ? std::numeric_limits<double>::quiet_NaN()
                                           : std::numeric_limits<double>::infinity());
    case SyntaxKind::Unary: {
      HOCKET_TRY(FrontOperand a, operand(s[0]));
      return front_unary(s.unary, a, mode_, place(s.spot));
    }
    case SyntaxKind::Binary:
      return chain(s);
    case SyntaxKind::Apply:
      if (s[0].kind == SyntaxKind::Word) return function(s[0].text, s, expected);
      return application(s);
    case SyntaxKind::Index:
      return indexed(s);
    case SyntaxKind::Field:
      if (std::optional<std::string> path = s.path()) return variable(*path, s);
      break;
    case SyntaxKind::Keyword:
      return refuse(diag::kind::unknown_keyword, s.spot)
          .arg("name", s.text)
          .arg("of", "a function");
    default:
      break;
  }
  return refuse(diag::kind::unexpected_text, s.spot)
      .arg("found", spoken(s))
      .arg("wanted", "an expression");
}

Result<std::vector<FrontOperand>> Elaborator::arguments(const std::string& name, const Syntax& s,
                                                        size_t least, size_t most) {
  size_t given = s.items.size() - 1;
  if (s.has_split)
    return refuse(diag::kind::unexpected_text, s.spot)
        .arg("found", "`;` between the arguments of `" + name + "`")
        .arg("wanted", "`,`");
  if (given < least || given > most) {
    std::string wanted = std::to_string(least);
    if (least != most) wanted += " to " + std::to_string(most);
    return count(name, wanted, least == 1 && most == 1 ? "argument" : "arguments", given, s.spot);
  }
  std::vector<FrontOperand> list;
  for (size_t i = 1; i < s.items.size(); ++i) {
    HOCKET_TRY(FrontOperand o, operand(s[i]));
    list.push_back(std::move(o));
  }
  return list;
}

Result<FrontOperand> Elaborator::cast(Type type, const Syntax& s) {
  if (type.lanes > 1 && !has_vectors())
    return refuse(diag::kind::malformed_vector, s.spot)
        .arg("what", "the vector type `" + type.name() + "` stands outside a flat proc");
  HOCKET_TRY(std::vector<FrontOperand> a, arguments(type.name(), s, 1, 1));
  return front_cast(type, a[0], place(s.spot));
}

Result<FrontOperand> Elaborator::function(const std::string& name, const Syntax& s,
                                          std::optional<Type> expected) {
  const support::Place here = place(s.spot);
  if (name == "R") return cast(Type::f(32), s);
  if (std::optional<Type> type = Type::parse(name)) return cast(*type, s);
  if (std::optional<UnaryOp> op = unary_function(name)) {
    HOCKET_TRY(std::vector<FrontOperand> a, arguments(name, s, 1, 1));
    return front_unary(*op, a[0], mode_, here);
  }
  if (name == "strict") {
    HOCKET_TRY(std::vector<FrontOperand> a, arguments(name, s, 1, 1));
    a[0].strict = true;
    return a[0];
  }
  if (name == "min" || name == "max") {
    HOCKET_TRY(std::vector<FrontOperand> a, arguments(name, s, 2, 1000));
    FrontOperand r = a[0];
    for (size_t i = 1; i < a.size(); ++i) {
      BinaryOp op = name == "min" ? BinaryOp::Min : BinaryOp::Max;
      HOCKET_TRY(r, front_binary(op, r, a[i], mode_, here));
    }
    return r;
  }
  if (name == "clamp") {
    HOCKET_TRY(std::vector<FrontOperand> a, arguments(name, s, 3, 3));
    return front_clamp(a[0], a[1], a[2], here);
  }
  if (name == "select") {
    HOCKET_TRY(std::vector<FrontOperand> a, arguments(name, s, 3, 3));
    HOCKET_CHECK(front_condition(a[0], place(s[1].spot)));
    if (a[1].literal && a[2].literal && expected && !expected->is_bool()) {
      for (size_t i : {1, 2}) {
        HOCKET_TRY(Expr e, front_value(a[i], *expected, here));
        a[i] = typed(std::move(e));
      }
    }
    return front_select(a[0], a[1], a[2], here);
  }
  if (name == "fma") {
    HOCKET_TRY(std::vector<FrontOperand> a, arguments(name, s, 3, 3));
    return front_fma(a[0], a[1], a[2], here);
  }
  return special(name, s);
}

}  // namespace hocket::ir::read
