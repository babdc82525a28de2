// The grammar of expressions, names and types (docs/language.md) as a recursive descent over
// tokens.
//
// In: tokens. Out: syntax, or the first diagnostic (P02xx). Called by: patterns and expr_text.h
// here, and text/, whose parser of files derives from it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "diag/result.h"
#include "ir/read/lexer.h"
#include "ir/read/syntax.h"

namespace hocket::ir::read {

template <class T>
using Result = diag::Result<T>;

class ExprParser {
 public:
  ExprParser(const Source& source, const Tokens& tokens) : source_(source), tokens_(tokens) {}

  // One expression and nothing after it.
  Result<SyntaxRef> only_expr();

 protected:
  // tokens
  const Token& peek(size_t ahead = 0) const;
  const Token& next();
  bool take(std::string_view op);
  bool take_word(std::string_view word);
  Result<void> expect(std::string_view op, const char* wanted = nullptr);
  Result<void> expect_word(std::string_view word);
  Result<void> end_line();
  diag::Diagnostic unexpected(const std::string& wanted) const;
  diag::Diagnostic at(diag::Kind kind, const Token& t) const;

  // expressions
  Result<SyntaxRef> expr() { return binary(0); }
  Result<SyntaxRef> binary(int strength);
  Result<SyntaxRef> unary();
  Result<SyntaxRef> postfix();
  Result<SyntaxRef> primary();
  Result<SyntaxRef> arg(bool slices);
  Result<void> args(Syntax& into, std::string_view close, bool slices);
  Result<SyntaxRef> bracketed();
  Result<std::vector<SyntaxRef>> exprs(std::string_view close);
  SyntaxRef node(SyntaxKind kind, const Token& t) const;
  Result<void> grow(Syntax& parent) const;
  Result<std::string> strings();
  Result<int64_t> small_integer();

  // names and types
  Result<NameSyntax> name(const char* wanted);
  Result<std::vector<NameSyntax>> names(std::string_view close, const char* wanted);
  Result<std::vector<NameSyntax>> one_or_more_names(const char* wanted);
  Result<TypeSyntax> type();
  Result<NameSyntax> name_of(const Syntax& s, const char* wanted) const;

  const Source& source_;
  const Tokens& tokens_;
  size_t at_ = 0;
  int depth_ = 0;
};

// `the end of the line`, `` `for` ``: what stands there, for messages.
std::string spoken(const Token& t);

}  // namespace hocket::ir::read
