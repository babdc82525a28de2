// Lines inside of items as syntax: definitions, chains of directives, statements, steps. In:
// tokens. Out: Line with the expressions in it, meaning nothing yet. Called by: parse_items.cpp.
#include <algorithm>
#include <array>

#include "diag/kinds_parse.h"
#include "text/syntax_parser.h"

namespace hocket::text {

Line SyntaxParser::line(LineKind kind) const {
  Line l;
  l.kind = kind;
  l.spot = peek().spot();
  return l;
}

Result<void> SyntaxParser::open_block(const Token& head) {
  HOCKET_CHECK(expect(":"));
  HOCKET_CHECK(end_line());
  if (peek().kind != TokenKind::Indent)
    return at(diag::kind::missing_block, head).arg("head", std::string(head.text));
  next();
  return {};
}

Result<std::vector<Line>> SyntaxParser::block(const Token& head, LineParser parse) {
  HOCKET_CHECK(open_block(head));
  std::vector<Line> lines;
  if (take("...")) {
    HOCKET_CHECK(end_line());
  } else {
    while (peek().kind != TokenKind::Dedent && peek().kind != TokenKind::End) {
      if (peek().kind == TokenKind::Indent) return at(diag::kind::unexpected_block, peek(1));
      HOCKET_TRY(Line l, (this->*parse)());
      lines.push_back(std::move(l));
    }
  }
  if (peek().kind == TokenKind::Indent) return at(diag::kind::unexpected_block, peek(1));
  if (peek().kind != TokenKind::Dedent) return unexpected("the end of the block");
  next();
  return lines;
}

bool SyntaxParser::at_assign() const {
  static constexpr auto kAssign =
      std::to_array<std::string_view>({"=", "+=", "-=", "*=", "min=", "max="});
  const Token& t = peek();
  return t.kind == TokenKind::Op &&
         std::find(kAssign.begin(), kAssign.end(), t.text) != kAssign.end();
}

Result<Line> SyntaxParser::rdom() {
  Line l = line(LineKind::Rdom);
  next();
  // `rdom (a, b)(...)` names every variable, `rdom r(...)` the domain.
  l.has_shape = peek().is("(");
  HOCKET_TRY(l.names, one_or_more_names("the name of a reduction domain"));
  HOCKET_CHECK(expect("("));
  HOCKET_TRY(l.exprs, exprs(")"));
  if (take_word("where")) {
    HOCKET_TRY(l.value, expr());
  }
  HOCKET_CHECK(end_line());
  return l;
}

// `hist: u32(i)`, `f: (u8, f32)(x)`
Result<Line> SyntaxParser::declaration(SyntaxRef target) {
  Line l = line(LineKind::Declare);
  l.spot = target->spot;
  HOCKET_TRY(NameSyntax n, name_of(*target, "the name of a Func"));
  l.names.push_back(std::move(n));
  next();
  bool several = take("(");
  do {
    HOCKET_TRY(TypeSyntax t, type());
    l.types.push_back(std::move(t));
  } while (several && take(","));
  if (several) HOCKET_CHECK(expect(")"));
  HOCKET_CHECK(expect("("));
  HOCKET_TRY(std::vector<NameSyntax> args, names(")", "a variable"));
  for (NameSyntax& a : args) l.names.push_back(std::move(a));
  HOCKET_CHECK(end_line());
  return l;
}

Result<Line> SyntaxParser::definition() {
  if (peek().is_word("rdom")) return rdom();
  Line l = line(LineKind::Define);
  HOCKET_TRY(l.target, expr());
  if (peek().is(":")) return declaration(std::move(l.target));
  if (!at_assign()) return unexpected("`=`, `+=`, `-=`, `*=`, `min=` or `max=`");
  l.op = next().text;
  HOCKET_TRY(l.value, expr());
  if (take_word("over")) {
    HOCKET_TRY(l.names, one_or_more_names("a reduction variable"));
  }
  HOCKET_CHECK(end_line());
  return l;
}

Result<Line> SyntaxParser::chain() {
  Line l = line(LineKind::Chain);
  HOCKET_TRY(l.value, expr());
  HOCKET_CHECK(end_line());
  return l;
}

Result<Line> SyntaxParser::for_line() {
  Line l = line(LineKind::For);
  const Token& head = next();
  HOCKET_TRY(NameSyntax n, name("the name of the loop"));
  l.names.push_back(std::move(n));
  HOCKET_CHECK(expect_word("in"));
  static constexpr auto kKinds =
      std::to_array<std::string_view>({"seq", "par", "parallel", "vectorize", "unroll"});
  if (peek().kind != TokenKind::Name ||
      std::find(kKinds.begin(), kKinds.end(), peek().text) == kKinds.end())
    return unexpected("`seq`, `par`, `parallel`, `vectorize` or `unroll`");
  l.word = next().text;
  HOCKET_CHECK(expect("("));
  HOCKET_TRY(SyntaxRef lo, expr());
  HOCKET_CHECK(expect(","));
  HOCKET_TRY(SyntaxRef hi, expr());
  HOCKET_CHECK(expect(")"));
  l.exprs.push_back(std::move(lo));
  l.exprs.push_back(std::move(hi));
  HOCKET_TRY(l.body, block(head, &SyntaxParser::statement));
  return l;
}

// A chain of elif is a list here and nested below: it may be long.
Result<Line> SyntaxParser::if_line() {
  std::vector<Line> chain;
  while (true) {
    Line l = line(LineKind::If);
    const Token& head = next();
    HOCKET_TRY(l.value, expr());
    HOCKET_TRY(l.body, block(head, &SyntaxParser::statement));
    chain.push_back(std::move(l));
    if (!peek().is_word("elif")) break;
    if (chain.size() > 100)
      return at(diag::kind::nested_too_deep, peek()).arg("limit", 100).arg("what", "elif");
  }
  if (peek().is_word("else")) {
    const Token& head = next();
    HOCKET_TRY(chain.back().orelse, block(head, &SyntaxParser::statement));
  }
  while (chain.size() > 1) {
    Line last = std::move(chain.back());
    chain.pop_back();
    chain.back().orelse.push_back(std::move(last));
  }
  return std::move(chain.back());
}

Result<Line> SyntaxParser::let_line() {
  Line l = line(LineKind::Let);
  next();
  HOCKET_TRY(NameSyntax n, name("a name"));
  l.names.push_back(std::move(n));
  if (take(":")) {
    HOCKET_TRY(TypeSyntax t, type());
    l.types.push_back(std::move(t));
  }
  HOCKET_CHECK(expect("="));
  HOCKET_TRY(l.value, expr());
  HOCKET_CHECK(end_line());
  return l;
}

Result<Line> SyntaxParser::alloc_line(SyntaxRef target) {
  Line l = line(LineKind::Alloc);
  l.spot = target->spot;
  HOCKET_TRY(NameSyntax n, name_of(*target, "the name of a buffer"));
  l.names.push_back(std::move(n));
  next();
  HOCKET_TRY(TypeSyntax t, type());
  l.types.push_back(std::move(t));
  if (take("[")) {
    HOCKET_TRY(l.exprs, exprs("]"));
  }
  if (take("@")) {
    HOCKET_TRY(l.memory, name("the name of a memory"));
  }
  HOCKET_CHECK(end_line());
  return l;
}

Result<Line> SyntaxParser::store_line() {
  Line l = line(LineKind::Store);
  l.stream = take_word("stream");
  HOCKET_TRY(l.target, expr());
  if (!at_assign()) return unexpected("`=`, `+=`, `-=`, `*=`, `min=` or `max=`");
  l.op = next().text;
  HOCKET_TRY(l.value, expr());
  HOCKET_CHECK(end_line());
  return l;
}

Result<Line> SyntaxParser::block_line() {
  Line l = line(LineKind::Block);
  const Token& head = next();
  HOCKET_TRY(l.value, postfix());
  HOCKET_TRY(l.body, block(head, &SyntaxParser::store_line));
  return l;
}

Result<Line> SyntaxParser::check_line() {
  Line l = line(LineKind::Check);
  next();
  HOCKET_TRY(l.value, expr());
  bool more = take(",");
  if (more && peek().kind != TokenKind::String) {
    HOCKET_TRY(l.code, small_integer());
    more = take(",");
  }
  if (more) {
    HOCKET_TRY(l.word, strings());
    if (take(",")) {  // of an entry: the dimension that it asks about
      HOCKET_TRY(l.target, expr());
    }
  }
  HOCKET_CHECK(end_line());
  return l;
}

Result<Line> SyntaxParser::statement() {
  const Token& t = peek();
  if (t.kind == TokenKind::Indent) return at(diag::kind::unexpected_block, peek(1));
  if (t.is_word("for")) return for_line();
  if (t.is_word("if")) return if_line();
  if (t.is_word("let")) return let_line();
  if (t.is_word("block")) return block_line();
  if (t.is_word("stream")) return store_line();
  if (t.is_word("check")) return check_line();
  if (t.is_word("pass")) {
    Line l = line(LineKind::Pass);
    next();
    HOCKET_CHECK(end_line());
    return l;
  }
  if (t.is_word("free")) {
    Line l = line(LineKind::Free);
    next();
    HOCKET_TRY(NameSyntax n, name("the name of a buffer"));
    l.names.push_back(std::move(n));
    HOCKET_CHECK(end_line());
    return l;
  }
  if (t.is_word("assert")) {
    Line l = line(LineKind::Assert);
    next();
    HOCKET_TRY(l.value, expr());
    HOCKET_CHECK(end_line());
    return l;
  }
  Line l = line(LineKind::Call);
  HOCKET_TRY(SyntaxRef target, expr());
  if (peek().is(":")) return alloc_line(std::move(target));
  if (!at_assign()) {
    if (peek().kind != TokenKind::Newline || target->kind != SyntaxKind::Apply)
      return unexpected("a statement: an assignment, a call or an allocation");
    l.value = std::move(target);
    HOCKET_CHECK(end_line());
    return l;
  }
  l.kind = LineKind::Store;
  l.target = std::move(target);
  l.op = next().text;
  HOCKET_TRY(l.value, expr());
  HOCKET_CHECK(end_line());
  return l;
}

Result<Line> SyntaxParser::dim_line() {
  Line l = line(LineKind::Dim);
  HOCKET_CHECK(expect_word("dim"));
  HOCKET_CHECK(expect("("));
  for (int i = 0; i < 3; ++i) {
    if (i > 0) HOCKET_CHECK(expect(","));
    HOCKET_TRY(SyntaxRef carrier, expr());
    l.exprs.push_back(std::move(carrier));
  }
  HOCKET_CHECK(expect(")"));
  if (take_word("needs")) {
    SyntaxRef min, max;
    HOCKET_CHECK(range(min, max));
    l.exprs.push_back(std::move(min));
    l.exprs.push_back(std::move(max));
  }
  HOCKET_CHECK(end_line());
  return l;
}

Result<Line> SyntaxParser::entry_line() {
  if (peek().is_word("check")) return check_line();
  bool scalar = peek().is_word("scalar"), input = peek().is_word("input");
  if (!scalar && !input && !peek().is_word("output"))
    return unexpected("`scalar`, `input`, `output` or `check`");
  Line l = line(scalar ? LineKind::Scalar : input ? LineKind::Input : LineKind::Output);
  const Token& head = next();
  HOCKET_TRY(NameSyntax n, name("the name of a parameter"));
  l.names.push_back(std::move(n));
  if (!scalar) {
    HOCKET_TRY(l.body, block(head, &SyntaxParser::dim_line));
    return l;
  }
  if (take("=")) {
    HOCKET_TRY(l.value, expr());
  }
  if (take_word("in")) {
    l.has_range = true;
    SyntaxRef min, max;
    HOCKET_CHECK(range(min, max));
    l.exprs.push_back(std::move(min));
    l.exprs.push_back(std::move(max));
  }
  HOCKET_CHECK(end_line());
  return l;
}

}  // namespace hocket::text
