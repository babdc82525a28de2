// Names, lists of names, types and strings out of tokens. In: tokens. Out: their syntax, or what
// was expected there. Called by: the parsers of expressions and of files.
#include "diag/kinds_parse.h"
#include "ir/read/expr_parser.h"
#include "ir/words.h"

namespace hocket::ir::read {

using diag::Diagnostic;

Result<NameSyntax> ExprParser::name(const char* wanted) {
  NameSyntax n;
  const Token& first = peek();
  n.spot = first.spot();
  if (first.kind == TokenKind::Quoted) {
    n.name = tokens_.strings[next().integer];
    return n;
  }
  n.plain = true;
  while (true) {
    const Token& t = peek();
    if (t.kind != TokenKind::Name) return unexpected(wanted);
    if (is_reserved_word(t.text))
      return at(diag::kind::reserved_word, t)
          .arg("word", std::string(t.text))
          .note("in backticks it is a name: `` `" + std::string(t.text) + "` ``");
    n.name += t.text;
    n.spot.length = t.column - n.spot.column + static_cast<int>(t.text.size());
    next();
    if (!peek().is(".")) return n;
    next();
    n.name += ".";
    n.plain = false;
  }
}

Result<std::vector<NameSyntax>> ExprParser::names(std::string_view close, const char* wanted) {
  std::vector<NameSyntax> list;
  if (take(close)) return list;
  do {
    HOCKET_TRY(NameSyntax n, name(wanted));
    list.push_back(std::move(n));
  } while (take(","));
  HOCKET_CHECK(expect(close));
  return list;
}

Result<std::vector<NameSyntax>> ExprParser::one_or_more_names(const char* wanted) {
  if (take("(")) return names(")", wanted);
  std::vector<NameSyntax> list;
  HOCKET_TRY(NameSyntax n, name(wanted));
  list.push_back(std::move(n));
  return list;
}

Result<TypeSyntax> ExprParser::type() {
  if (peek().kind != TokenKind::Name) return unexpected("a type");
  TypeSyntax t;
  t.spot = peek().spot();
  t.name = next().text;
  t.given = true;
  return t;
}

Result<NameSyntax> ExprParser::name_of(const Syntax& s, const char* wanted) const {
  std::optional<std::string> path = s.path();
  if (!path)
    return Diagnostic(diag::kind::unexpected_text, source_.place(s.spot))
        .arg("found", spoken(s))
        .arg("wanted", wanted);
  NameSyntax n;
  n.name = *path;
  n.spot = s.spot;
  n.plain = s.kind == SyntaxKind::Name && !s.quoted;
  return n;
}

}  // namespace hocket::ir::read
