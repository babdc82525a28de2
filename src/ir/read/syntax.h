// The syntax tree of expressions: what was written, before names and types are looked at.
//
// In: tokens. Out: nodes with their spots. Called by: the elaborators, patterns.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ir/expr.h"
#include "ir/read/lexer.h"

namespace hocket::ir::read {

enum class SyntaxKind : uint8_t {
  Integer,
  Real,
  String,
  Name,     // text
  Hole,     // `_`
  Word,     // true false inf nan, and built-in functions and types where they are applied
  Unary,    // unary op, items[0]
  Binary,   // binary op, items[0], items[1]
  Apply,    // items[0] ( rest ), split: index where `;` stands
  Index,    // items[0] [ rest ]
  Field,    // items[0] . text
  Slice,    // items[0] : items[1], either may be missing
  Keyword,  // text = items[0]
  Tuple,    // ( a, b )
  List,     // [ a, b ]
};

struct Syntax;
using SyntaxRef = std::unique_ptr<Syntax>;

struct Syntax {
  SyntaxKind kind = SyntaxKind::Hole;
  Spot spot;
  std::string text;
  uint64_t integer = 0;
  double real = 0;
  UnaryOp unary = UnaryOp::Neg;
  BinaryOp binary = BinaryOp::Add;
  std::vector<SyntaxRef> items;
  size_t split = 0;  // Apply: number of arguments before `;`
  bool has_split = false;
  bool quoted = false;  // Name: stood in backticks
  int height = 1;

  const Syntax& operator[](size_t i) const { return *items[i]; }
  // `x`, `r.x`: the joined name, where this is nothing but names and dots.
  std::optional<std::string> path() const;
};

// What stands there, for messages: `a number`, `` the name `x` ``, `a call of `f``.
std::string spoken(const Syntax& s);

struct TypeSyntax {
  std::string name;
  Spot spot;
  bool given = false;
};

struct NameSyntax {
  std::string name;
  Spot spot;
  bool plain = false;  // one part, without backticks
};

}  // namespace hocket::ir::read
