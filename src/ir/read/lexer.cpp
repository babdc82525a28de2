#include "ir/read/lexer.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "diag/kinds_parse.h"
#include "ir/read/limits.h"

namespace hocket::ir::read {

namespace {

using diag::Diagnostic;
using diag::Result;

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// The bytes of the character of UTF-8 that stands first, 0 where none does.
size_t utf8_length(std::string_view text) {
  const auto byte = [&](size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const unsigned lead = byte(0);
  const size_t length = lead < 0x80                   ? 1
                        : lead >= 0xC2 && lead < 0xE0 ? 2
                        : lead >= 0xE0 && lead < 0xF0 ? 3
                        : lead >= 0xF0 && lead < 0xF5 ? 4
                                                      : 0;
  for (size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  const bool overlong = (lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xF0 && byte(1) < 0x90);
  const bool outside = (lead == 0xED && byte(1) > 0x9F) || (lead == 0xF4 && byte(1) > 0x8F);
  return overlong || outside ? 0 : length;
}

// What has no shape on a screen is named by its number.
std::string spoken_character(std::string_view character) {
  constexpr std::string_view kHex = "0123456789abcdef";
  const auto c = static_cast<unsigned char>(character[0]);
  const std::string number = std::string("0x") + kHex[c >> 4] + kHex[c & 15];
  if (character == "\xef\xbb\xbf") return "a byte order mark";
  if (c < ' ' || c == 127) return "the control character " + number;
  if (utf8_length(character) != character.size()) return "the byte " + number;
  return "`" + std::string(character) + "`";
}

constexpr auto kOps = std::to_array<std::string_view>({
    "...", "<<", ">>", "<=", ">=", "==", "!=", "+=", "-=", "*=", "->", "//",
    "+",   "-",  "*",  "/",  "%",  "<",  ">",  "=",  "(",  ")",  "[",  "]",
    "{",   "}",  ",",  ":",  ";",  ".",  "@",  "&",  "|",  "^",  "~",
});

class Lexer {
 public:
  explicit Lexer(const Source& source) : source_(source), text_(source.text()) {}
  Result<Tokens> run();

 private:
  char at(size_t i) const { return i < text_.size() ? text_[i] : '\0'; }
  int column(size_t offset) const { return static_cast<int>(offset - line_start_) + 1; }
  support::Place place(size_t from, size_t to) const {
    return source_.place(line_, column(from), static_cast<int>(to - from));
  }
  Token& push(TokenKind kind, size_t from, size_t to) {
    Token t;
    t.kind = kind;
    t.text = text_.substr(from, to - from);
    t.line = line_;
    t.column = column(from);
    out_.tokens.push_back(std::move(t));
    return out_.tokens.back();
  }
  Result<void> start_of_line();
  Result<void> indent(size_t width);
  void end_of_line();
  void comment(bool own_line);
  Result<void> token();
  Result<void> number();
  Result<void> quoted(TokenKind kind);
  Result<void> bracket(char c);
  bool continues_with_dot() const;

  const Source& source_;
  std::string_view text_;
  size_t at_ = 0;
  size_t line_start_ = 0;
  int line_ = 1;
  std::vector<size_t> blocks_ = {0};
  struct Open {
    char bracket;
    support::Place place;
  };
  std::vector<Open> open_;
  bool content_ = false;  // a token on this logical line
  Tokens out_;
};

void Lexer::comment(bool own_line) {
  size_t end = std::min(text_.find('\n', at_), text_.size());
  size_t last = end;
  while (last > at_ &&
         (text_[last - 1] == ' ' || text_[last - 1] == '\r' || text_[last - 1] == '\t'))
    --last;
  out_.comments.push_back(
      {std::string(text_.substr(at_, last - at_)), line_, column(at_), own_line});
  at_ = end;
}

// A line that starts with a dot goes on with the one before.
bool Lexer::continues_with_dot() const {
  size_t i = at_ + 1;  // after the line end
  while (true) {
    while (at(i) == ' ' || at(i) == '\r') ++i;
    if (at(i) == '#') i = std::min(text_.find('\n', i), text_.size());
    if (at(i) != '\n') break;
    ++i;
  }
  return at(i) == '.' && at(i + 1) != '.';
}

void Lexer::end_of_line() {
  if (content_ && open_.empty() && !continues_with_dot()) {
    push(TokenKind::Newline, at_, at_);
    content_ = false;
  }
  ++at_;
  ++line_;
  line_start_ = at_;
}

Result<void> Lexer::indent(size_t width) {
  if (width > blocks_.back()) {
    if (blocks_.size() > static_cast<size_t>(kMaxBlocks))
      return Diagnostic(diag::kind::nested_too_deep, place(at_, at_ + 1))
          .arg("limit", kMaxBlocks)
          .arg("what", "blocks");
    blocks_.push_back(width);
    push(TokenKind::Indent, at_, at_);
    return {};
  }
  while (width < blocks_.back()) {
    blocks_.pop_back();
    push(TokenKind::Dedent, at_, at_);
  }
  if (width != blocks_.back()) {
    std::string columns;
    for (size_t open : blocks_) columns += (columns.empty() ? "" : ", ") + std::to_string(open + 1);
    return Diagnostic(diag::kind::uneven_indentation, place(at_, at_ + 1))
        .arg("column", static_cast<int64_t>(width + 1))
        .note(std::string("blocks are open at column") + (blocks_.size() > 1 ? "s " : " ") +
              columns);
  }
  return {};
}

// Spaces before the first token; lines without a token leave the blocks as they are.
Result<void> Lexer::start_of_line() {
  size_t from = at_;
  while (at(at_) == ' ') ++at_;
  if (at(at_) == '\t') {
    size_t i = at_;
    while (at(i) == ' ' || at(i) == '\t') ++i;
    if (at(i) != '\n' && at(i) != '#' && at(i) != '\r' && i < text_.size())
      return Diagnostic(diag::kind::tab_in_indentation, place(at_, at_ + 1));
    at_ = i;
  }
  while (at(at_) == '\r') ++at_;
  if (at(at_) == '\n' || at_ >= text_.size()) return {};
  if (at(at_) == '#') {
    comment(true);
    return {};
  }
  if (!content_) return indent(at_ - from);
  return {};
}

Result<void> Lexer::number() {
  size_t from = at_;
  bool real = false;
  int base = 10;
  if (at(at_) == '0' && (at(at_ + 1) == 'x' || at(at_ + 1) == 'X')) {
    base = 16;
    at_ += 2;
    while (hex_digit(at(at_)) >= 0) ++at_;
  } else {
    while (is_digit(at(at_))) ++at_;
    if (at(at_) == '.' && is_digit(at(at_ + 1))) {
      real = true;
      ++at_;
      while (is_digit(at(at_))) ++at_;
    }
    if (at(at_) == 'e' || at(at_) == 'E') {
      size_t i = at_ + 1;
      if (at(i) == '+' || at(i) == '-') ++i;
      if (is_digit(at(i))) {
        real = true;
        at_ = i;
        while (is_digit(at(at_))) ++at_;
      }
    }
  }
  size_t to = at_;
  bool malformed = base == 16 && to == from + 2;
  while (is_letter(at(at_)) || is_digit(at(at_))) {
    malformed = true;
    ++at_;
  }
  if (malformed)
    return Diagnostic(diag::kind::malformed_number, place(from, at_))
        .arg("number", shown(text_.substr(from, at_ - from)));
  Token& t = push(real ? TokenKind::Real : TokenKind::Integer, from, to);
  std::string_view digits = text_.substr(from, to - from);
  std::errc error{};
  if (real) {
    error = std::from_chars(digits.data(), digits.data() + digits.size(), t.real).ec;
    // Below the least double there is only zero; above the greatest the number is refused.
    size_t e = digits.find_first_of("eE");
    bool tiny = e != std::string_view::npos && digits[e + 1] == '-';
    if (error == std::errc::result_out_of_range && tiny) {
      t.real = 0;
      error = {};
    }
  } else {
    if (base == 16) digits.remove_prefix(2);
    error = std::from_chars(digits.data(), digits.data() + digits.size(), t.integer, base).ec;
  }
  if (error != std::errc{})
    return Diagnostic(diag::kind::number_out_of_range, place(from, to))
        .arg("number", "the number `" + shown(text_.substr(from, to - from)) + "`")
        .arg("range", real ? "f64" : "64 bits");
  return {};
}

Result<void> Lexer::quoted(TokenKind kind) {
  size_t from = at_;
  char quote = text_[at_++];
  std::string value;
  while (true) {
    if (at_ >= text_.size() || at(at_) == '\n')
      return Diagnostic(diag::kind::open_string, place(from, at_))
          .arg("what", kind == TokenKind::String ? "string" : "name in backticks");
    char c = text_[at_++];
    if (c == quote) break;
    if (c != '\\') {
      value += c;
      continue;
    }
    char e = at(at_);
    if (e == 'n') {
      value += '\n';
    } else if (e == 't') {
      value += '\t';
    } else if (e == 'r') {
      value += '\r';
    } else if (e == '\\' || e == '"' || e == '\'' || e == '`') {
      value += e;
    } else if (e == 'x' && hex_digit(at(at_ + 1)) >= 0 && hex_digit(at(at_ + 2)) >= 0) {
      value += static_cast<char>(hex_digit(at(at_ + 1)) * 16 + hex_digit(at(at_ + 2)));
      at_ += 2;
    } else {
      bool shown = e > ' ' && e < 127;
      return Diagnostic(diag::kind::unknown_escape, place(at_ - 1, at_ + (shown ? 1 : 0)))
          .arg("escape", shown ? std::string(1, e) : std::string());
    }
    ++at_;
  }
  push(kind, from, at_).integer = out_.strings.size();
  out_.strings.push_back(std::move(value));
  return {};
}

Result<void> Lexer::bracket(char c) {
  if (c == '(' || c == '[' || c == '{') {
    if (open_.size() >= static_cast<size_t>(kMaxNesting))
      return Diagnostic(diag::kind::nested_too_deep, place(at_, at_ + 1))
          .arg("limit", kMaxNesting)
          .arg("what", "brackets");
    open_.push_back({c, place(at_, at_ + 1)});
    return {};
  }
  char wanted = c == ')' ? '(' : c == ']' ? '[' : '{';
  if (open_.empty())
    return Diagnostic(diag::kind::unexpected_text, place(at_, at_ + 1))
        .arg("found", "`" + std::string(1, c) + "`")
        .arg("wanted", "an open bracket");
  if (open_.back().bracket != wanted)
    return Diagnostic(diag::kind::unclosed_bracket, open_.back().place)
        .arg("bracket", std::string(1, open_.back().bracket))
        .label(place(at_, at_ + 1), "closed by another bracket here");
  open_.pop_back();
  return {};
}

Result<void> Lexer::token() {
  char c = text_[at_];
  content_ = true;
  if (is_letter(c)) {
    size_t from = at_;
    while (is_letter(at(at_)) || is_digit(at(at_))) ++at_;
    std::string_view word = text_.substr(from, at_ - from);
    bool update = (word == "min" || word == "max") && at(at_) == '=' && at(at_ + 1) != '=';
    if (update) ++at_;
    push(update ? TokenKind::Op : TokenKind::Name, from, at_);
    return {};
  }
  if (is_digit(c)) return number();
  if (c == '"' || c == '\'') return quoted(TokenKind::String);
  if (c == '`') return quoted(TokenKind::Quoted);
  for (std::string_view op : kOps) {
    if (!text_.substr(at_).starts_with(op)) continue;
    if (op.size() == 1 && std::string_view("()[]{}").find(op[0]) != std::string_view::npos)
      HOCKET_CHECK(bracket(op[0]));
    push(TokenKind::Op, at_, at_ + op.size());
    at_ += op.size();
    return {};
  }
  const size_t to = at_ + std::max<size_t>(utf8_length(text_.substr(at_)), 1);
  return Diagnostic(diag::kind::unknown_character, place(at_, to))
      .arg("character", spoken_character(text_.substr(at_, to - at_)));
}

Result<Tokens> Lexer::run() {
  if (text_.size() > kMaxBytes)
    return Diagnostic(diag::kind::text_too_large, source_.place(1, 1, 1))
        .arg("bytes", static_cast<int64_t>(text_.size()))
        .arg("limit", static_cast<int64_t>(kMaxBytes));
  bool fresh = true;
  while (true) {
    if (fresh) {
      HOCKET_CHECK(start_of_line());
      fresh = false;
    }
    if (at_ >= text_.size()) break;
    char c = text_[at_];
    if (c == '\n') {
      end_of_line();
      fresh = true;
    } else if (c == ' ' || c == '\t' || c == '\r') {
      ++at_;
    } else if (c == '#') {
      comment(false);
    } else {
      HOCKET_CHECK(token());
    }
  }
  if (!open_.empty())
    return Diagnostic(diag::kind::unclosed_bracket, open_.back().place)
        .arg("bracket", std::string(1, open_.back().bracket));
  if (content_) push(TokenKind::Newline, at_, at_);
  for (size_t i = 1; i < blocks_.size(); ++i) push(TokenKind::Dedent, at_, at_);
  push(TokenKind::End, at_, at_);
  return std::move(out_);
}

}  // namespace

std::string shown(std::string_view text) {
  constexpr size_t kLongest = 60;
  if (text.size() <= kLongest) return std::string(text);
  size_t end = kLongest;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return std::string(text.substr(0, end)) + "...";
}

Source::Source(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {
  starts_.push_back(0);
  for (size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n') starts_.push_back(i + 1);
}

support::Place Source::place(int line, int column, int length) const {
  support::Place p;
  p.file = file_;
  p.line = line;
  p.column = column;
  p.end_column = column + (length > 0 ? length : 1);
  size_t index = static_cast<size_t>(line - 1);
  if (line >= 1 && index < starts_.size()) {
    size_t from = starts_[index];
    size_t to = index + 1 < starts_.size() ? starts_[index + 1] - 1 : text_.size();
    if (to > from && text_[to - 1] == '\r') --to;
    // A line is cut where it is far too long to be read in a message.
    size_t length = std::min<size_t>(to - from, 400);
    while (length > 0 && from + length < to &&
           (static_cast<unsigned char>(text_[from + length]) & 0xC0) == 0x80)
      --length;
    p.text = std::string(text_.substr(from, length));
  }
  return p;
}

Result<Tokens> lex(const Source& source) {
  return Lexer(source).run();
}

}  // namespace hocket::ir::read
