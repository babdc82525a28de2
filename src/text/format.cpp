#include "text/format.h"

#include <algorithm>
#include <array>
#include <limits>

#include "ir/read/lexer.h"

namespace hocket::text {

using ir::read::Comment;
using ir::read::Token;
using ir::read::TokenKind;

namespace {

constexpr int kIndent = 4, kContinuation = 8;

bool is_layout(const Token& t) {
  return t.kind == TokenKind::Newline || t.kind == TokenKind::Indent ||
         t.kind == TokenKind::Dedent || t.kind == TokenKind::End;
}

template <size_t N>
bool among(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Words behind which a bracket opens something new, and a minus is a sign.
bool is_keyword(const Token& t) {
  static constexpr auto kWords = std::to_array<std::string_view>(
      {"in", "and", "or", "not", "if", "else", "assert", "needs", "for", "where", "over", "rdom"});
  return t.kind == TokenKind::Name && among(t.text, kWords);
}

bool opens(const Token& t) {
  return t.is("(") || t.is("[") || t.is("{");
}
bool closes(const Token& t) {
  return t.is(")") || t.is("]") || t.is("}");
}
bool ends_operand(const Token& t) {
  return closes(t) || (t.kind != TokenKind::Op && !is_keyword(t));
}

// One line of the file: tokens that stand on it, a comment, or both.
struct Line {
  int number = 0;          // in the source
  int depth = 0;           // blocks around it
  int column = 0;          // of what stands first
  bool continues = false;  // the statement began on a line before
  bool chained = false;    // and goes on with `.`; a comment as what follows it
  std::vector<size_t> tokens;
  const Comment* comment = nullptr;
};

class Formatter {
 public:
  explicit Formatter(const ir::read::Tokens& tokens) : tokens_(tokens.tokens) {
    gather(tokens.comments);
    place_comments();
  }

  std::string run() {
    const Line* before = nullptr;
    for (const Line& line : lines_) {
      if (before && wants_space(*before, line)) out_ += '\n';
      write(line);
      before = &line;
    }
    return std::move(out_);
  }

 private:
  void gather(const std::vector<Comment>& comments) {
    auto next = comments.begin();
    auto take_until = [&](int number) {
      for (; next != comments.end() && next->line < number; ++next) {
        if (!lines_.empty() && lines_.back().number == next->line) {
          lines_.back().comment = &*next;
          continue;
        }
        Line l;
        l.number = next->line;
        l.column = next->column;
        l.continues = inside_;
        l.depth = -1;
        l.comment = &*next;
        lines_.push_back(std::move(l));
      }
    };
    int depth = 0;
    for (size_t i = 0; i < tokens_.size(); ++i) {
      const Token& t = tokens_[i];
      depth += t.kind == TokenKind::Indent ? 1 : t.kind == TokenKind::Dedent ? -1 : 0;
      if (t.kind == TokenKind::Newline) inside_ = false;
      if (is_layout(t)) continue;
      take_until(t.line);
      if (lines_.empty() || lines_.back().number != t.line) {
        Line l;
        l.number = t.line;
        l.depth = depth;
        l.column = t.column;
        l.continues = inside_;
        l.chained = inside_ && t.is(".");
        lines_.push_back(std::move(l));
      }
      lines_.back().tokens.push_back(i);
      inside_ = true;
    }
    inside_ = false;
    take_until(comments.empty() ? 0 : comments.back().line + 1);
  }

  // A comment on a line of its own belongs to what follows, or ends the block whose column it has.
  void place_comments() {
    int next_depth = 0;
    bool next_chained = false;
    for (size_t i = lines_.size(); i-- > 0;) {
      Line& l = lines_[i];
      if (l.depth >= 0) {
        next_depth = l.depth;
        next_chained = l.chained;
        continue;
      }
      l.chained = l.continues && next_chained;
      l.depth = next_depth;
      // The blocks that end here, innermost first.
      int seen = std::numeric_limits<int>::max();
      for (size_t j = i; j-- > 0 && seen > next_depth && !l.continues;) {
        const Line& above = lines_[j];
        if (above.depth < 0 || above.continues || above.depth >= seen) continue;
        seen = above.depth;
        if (seen <= next_depth || l.column < above.column) continue;
        l.depth = seen;
        break;
      }
      next_depth = l.depth;
    }
  }

  // An empty line between items, and where the author left one.
  bool wants_space(const Line& before, const Line& line) const {
    const bool empty = line.number > before.number + 1;
    if (line.continues) return false;
    const bool opened = !before.tokens.empty() && tokens_[before.tokens.back()].is(":") &&
                        line.depth > before.depth;
    if (opened) return false;
    if (line.depth == 0 && before.depth > 0) return true;
    return empty;
  }

  void write(const Line& line) {
    int indent = line.depth * kIndent;
    if (line.continues) indent += line.chained ? kIndent : kContinuation;
    out_.append(static_cast<size_t>(indent), ' ');
    for (size_t k = 0; k < line.tokens.size(); ++k) {
      const size_t i = line.tokens[k];
      if (k > 0 && (space_between(line.tokens[k - 1], i) ||
                    run_together(tokens_[line.tokens[k - 1]], tokens_[i])))
        out_ += ' ';
      note_bracket(i);
      out_ += tokens_[i].text;
    }
    if (line.comment) {
      if (!line.tokens.empty()) out_ += "  ";
      out_ += line.comment->text;
    }
    out_ += '\n';
  }

  // In a broken text: `= =` without the space would be another operator.
  static bool run_together(const Token& x, const Token& y) {
    if (x.kind != TokenKind::Op || y.kind != TokenKind::Op) return false;
    const std::string both = std::string(x.text) + std::string(y.text);
    if (both.find_first_not_of("<>=!+-*/") != std::string::npos) return false;
    const ir::read::Source source(both, "");
    const auto tokens = ir::read::lex(source);
    return !tokens.ok() || tokens->tokens.front().text != x.text;
  }

  void note_bracket(size_t i) {
    if (opens(tokens_[i])) open_.push_back(tokens_[i].text[0]);
    if (closes(tokens_[i]) && !open_.empty()) open_.pop_back();
  }

  // `i` is a sign, not a subtraction.
  bool is_sign(size_t i) const {
    const Token& t = tokens_[i];
    if (t.is("~")) return true;
    if (!t.is("-") && !t.is("+")) return false;
    return i == 0 || is_layout(tokens_[i - 1]) || !ends_operand(tokens_[i - 1]);
  }

  bool space_between(size_t a, size_t b) const {
    const Token &x = tokens_[a], &y = tokens_[b];
    if (y.is(",") || y.is(";") || closes(y) || opens(x)) return false;
    if (x.is(".") || y.is(".")) {
      // In a broken text a dot may stand at what it would become another token with.
      const Token& other = x.is(".") ? y : x;
      return other.is(".") || other.is("...") || other.kind == TokenKind::Integer ||
             other.kind == TokenKind::Real;
    }
    if (is_sign(a)) return false;
    if (x.is("@") && (a == 0 || is_layout(tokens_[a - 1]))) return false;  // a decorator
    if (x.is(":")) return !in_index();
    if (y.is(":")) return false;
    if ((y.is("=") && names_argument(a)) || (x.is("=") && a > 0 && names_argument(a - 1)))
      return false;
    if (opens(y)) return !(ends_operand(x) && !is_keyword(x)) && !opens(x);
    return true;
  }
  // `tail` in `split(k, 8, tail=cut)`, but not `k` in `k: i32 = 5`.
  bool names_argument(size_t i) const {
    return !open_.empty() && i > 0 && (opens(tokens_[i - 1]) || tokens_[i - 1].is(","));
  }
  // Between brackets a colon is that of a slice.
  bool in_index() const { return !open_.empty() && open_.back() == '['; }

  const std::vector<Token>& tokens_;
  std::vector<Line> lines_;
  std::vector<char> open_;
  bool inside_ = false;
  std::string out_;
};

}  // namespace

diag::Result<std::string> format(std::string_view source, const std::string& file_name) {
  const ir::read::Source lines(source, file_name);
  HOCKET_TRY(const ir::read::Tokens tokens, ir::read::lex(lines));
  return Formatter(tokens).run();
}

}  // namespace hocket::text
