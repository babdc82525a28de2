// From characters to tokens: names, numbers, strings, operators, and the line structure as Newline,
// Indent and Dedent; comments come apart from the tokens.
//
// In: the text of a .hk file. Out: tokens that end with End, or the first diagnostic (P01xx).
// Called by: parser, formatter.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "diag/result.h"
#include "support/source.h"

namespace hocket::ir::read {

enum class TokenKind : uint8_t {
  Name,    // a plain word, reserved or not
  Quoted,  // a name in backticks
  Integer,
  Real,
  String,
  Op,  // operators and punctuation, `...`
  Newline,
  Indent,
  Dedent,
  End,
};

// Where something stands: kept small in the syntax tree, made a Place when it is needed.
struct Spot {
  int line = 0;
  int column = 0;
  int length = 0;
};

struct Token {
  TokenKind kind = TokenKind::End;
  std::string_view text;  // as it stands in the source
  uint64_t integer = 0;   // Integer: the value; Quoted, String: index of the content in `strings`
  double real = 0;
  int line = 0;    // from 1
  int column = 0;  // from 1

  Spot spot() const { return {line, column, static_cast<int>(text.size())}; }
  bool is(std::string_view op) const { return kind == TokenKind::Op && text == op; }
  bool is_word(std::string_view word) const { return kind == TokenKind::Name && text == word; }
};

struct Comment {
  std::string text;  // from `#` to the end of the line, without spaces at the end
  int line = 0;
  int column = 0;
  bool own_line = false;  // nothing but spaces before it
};

// The lines of a file, for places in messages.
class Source {
 public:
  Source(std::string_view text, std::string file);
  support::Place place(int line, int column, int length) const;
  support::Place place(const Spot& s) const { return place(s.line, s.column, s.length); }
  std::string_view text() const { return text_; }

 private:
  std::string_view text_;
  std::string file_;
  std::vector<std::size_t> starts_;  // of lines
};

struct Tokens {
  std::vector<Token> tokens;
  std::vector<std::string> strings;
  std::vector<Comment> comments;
};

// What a message shows of a text of any length: 60 bytes at most, never half a character.
std::string shown(std::string_view text);

diag::Result<Tokens> lex(const Source& source);

}  // namespace hocket::ir::read
