#include "ir/read/syntax.h"

namespace hocket::ir::read {

std::optional<std::string> Syntax::path() const {
  if (kind == SyntaxKind::Name) return text;
  if (kind != SyntaxKind::Field || items[0]->quoted) return std::nullopt;
  std::optional<std::string> head = items[0]->path();
  if (!head) return std::nullopt;
  return *head + "." + text;
}

std::string spoken(const Syntax& s) {
  switch (s.kind) {
    case SyntaxKind::Integer:
    case SyntaxKind::Real:
      return "the number `" + shown(s.text) + "`";
    case SyntaxKind::String:
      return "a string";
    case SyntaxKind::Name:
      return "the name `" + shown(s.text) + "`";
    case SyntaxKind::Hole:
      return "`_`";
    case SyntaxKind::Word:
      return "`" + shown(s.text) + "`";
    case SyntaxKind::Unary:
    case SyntaxKind::Binary:
      return "an expression";
    case SyntaxKind::Apply: {
      const std::optional<std::string> path = s[0].path();
      return path ? "`" + shown(*path) + "(...)`" : "a call";
    }
    case SyntaxKind::Index: {
      const std::optional<std::string> path = s[0].path();
      return path ? "`" + shown(*path) + "[...]`" : "an index in brackets";
    }
    case SyntaxKind::Field: {
      const std::optional<std::string> path = s.path();
      return path ? "the name `" + shown(*path) + "`" : "`." + shown(s.text) + "`";
    }
    case SyntaxKind::Slice:
      return "an interval";
    case SyntaxKind::Keyword:
      return "the named argument `" + shown(s.text) + "=`";
    case SyntaxKind::Tuple:
      return "several values";
    case SyntaxKind::List:
      return "a list";
  }
  return "this";
}

}  // namespace hocket::ir::read
