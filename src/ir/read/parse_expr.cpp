// Expressions out of tokens, by the precedence of docs/language.md. In: tokens. Out: a syntax tree
// with a spot on every node, limited in depth. Called by: the parser of files, indices of steps.
#include <algorithm>
#include <array>

#include "diag/kinds_parse.h"
#include "ir/read/expr_parser.h"
#include "ir/read/limits.h"
#include "ir/words.h"

namespace hocket::ir::read {

namespace {

using diag::Diagnostic;

struct Operator {
  std::string_view text;
  int strength;
  BinaryOp op;
};

constexpr int kNot = 3;
constexpr int kCompare = 4;

constexpr auto kOperators = std::to_array<Operator>({
    {"or", 1, BinaryOp::Or},
    {"and", 2, BinaryOp::And},
    {"==", 4, BinaryOp::Eq},
    {"!=", 4, BinaryOp::Ne},
    {"<", 4, BinaryOp::Lt},
    {"<=", 4, BinaryOp::Le},
    {">", 4, BinaryOp::Gt},
    {">=", 4, BinaryOp::Ge},
    {"|", 5, BinaryOp::BitOr},
    {"^", 6, BinaryOp::BitXor},
    {"&", 7, BinaryOp::BitAnd},
    {"<<", 8, BinaryOp::Shl},
    {">>", 8, BinaryOp::Shr},
    {"+", 9, BinaryOp::Add},
    {"-", 9, BinaryOp::Sub},
    {"*", 10, BinaryOp::Mul},
    {"/", 10, BinaryOp::Div},
    {"%", 10, BinaryOp::Mod},
});

const Operator* operator_of(const Token& t) {
  if (t.kind != TokenKind::Op && t.kind != TokenKind::Name) return nullptr;
  for (const Operator& o : kOperators)
    if (o.text == t.text) return &o;
  return nullptr;
}

constexpr auto kValueWords = std::to_array<std::string_view>({"true", "false", "inf", "nan"});
constexpr auto kFunctions = std::to_array<std::string_view>({
    "strict", "fused",     "select",  "min",    "max",         "abs",   "sqrt",
    "floor",  "ceil",      "round",   "trunc",  "fma",         "clamp", "stride",
    "ramp",   "broadcast", "shuffle", "window", "repeat_edge",
});

template <class List>
bool contains(const List& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

}  // namespace

std::string spoken(const Token& t) {
  switch (t.kind) {
    case TokenKind::Newline:
      return "the end of the line";
    case TokenKind::Indent:
      return "a deeper line";
    case TokenKind::Dedent:
      return "the end of the block";
    case TokenKind::End:
      return "the end of the text";
    case TokenKind::Quoted:  // has its backticks
      return shown(t.text);
    default:
      return "`" + shown(t.text) + "`";
  }
}

const Token& ExprParser::peek(size_t ahead) const {
  return tokens_.tokens[std::min(at_ + ahead, tokens_.tokens.size() - 1)];
}

const Token& ExprParser::next() {
  const Token& t = peek();
  if (at_ + 1 < tokens_.tokens.size()) ++at_;
  return t;
}

bool ExprParser::take(std::string_view op) {
  if (!peek().is(op)) return false;
  next();
  return true;
}

bool ExprParser::take_word(std::string_view word) {
  if (!peek().is_word(word)) return false;
  next();
  return true;
}

Diagnostic ExprParser::at(diag::Kind kind, const Token& t) const {
  return Diagnostic(kind, source_.place(t.spot()));
}

Diagnostic ExprParser::unexpected(const std::string& wanted) const {
  return at(diag::kind::unexpected_text, peek()).arg("found", spoken(peek())).arg("wanted", wanted);
}

Result<void> ExprParser::expect(std::string_view op, const char* wanted) {
  if (take(op)) return {};
  return unexpected(wanted ? std::string(wanted) : "`" + std::string(op) + "`");
}

Result<void> ExprParser::expect_word(std::string_view word) {
  if (take_word(word)) return {};
  return unexpected("`" + std::string(word) + "`");
}

Result<void> ExprParser::end_line() {
  if (peek().kind != TokenKind::Newline) return unexpected("the end of the line");
  next();
  return {};
}

SyntaxRef ExprParser::node(SyntaxKind kind, const Token& t) const {
  auto n = std::make_unique<Syntax>();
  n->kind = kind;
  n->spot = t.spot();
  n->text = t.text;
  return n;
}

Result<void> ExprParser::grow(Syntax& parent) const {
  int height = 0;
  for (const SyntaxRef& i : parent.items)
    if (i) height = std::max(height, i->height);
  parent.height = height + 1;
  if (parent.height > kMaxHeight)
    return Diagnostic(diag::kind::nested_too_deep, source_.place(parent.spot))
        .arg("limit", kMaxHeight)
        .arg("what", "operators");
  return {};
}

Result<SyntaxRef> ExprParser::binary(int strength) {
  if (depth_ >= kMaxNesting)
    return at(diag::kind::nested_too_deep, peek())
        .arg("limit", kMaxNesting)
        .arg("what", "expressions");
  ++depth_;
  SyntaxRef left;
  if (peek().is_word("not") && strength <= kNot) {
    left = node(SyntaxKind::Unary, next());
    left->unary = UnaryOp::Not;
    HOCKET_TRY(SyntaxRef operand, binary(kNot));
    left->items.push_back(std::move(operand));
    HOCKET_CHECK(grow(*left));
  } else {
    HOCKET_TRY(left, unary());
  }
  while (const Operator* o = operator_of(peek())) {
    if (o->strength < strength) break;
    const Token& t = next();
    HOCKET_TRY(SyntaxRef right, binary(o->strength + 1));
    SyntaxRef both = node(SyntaxKind::Binary, t);
    both->binary = o->op;
    both->items.push_back(std::move(left));
    both->items.push_back(std::move(right));
    HOCKET_CHECK(grow(*both));
    left = std::move(both);
    const Operator* after = operator_of(peek());
    if (o->strength == kCompare && after && after->strength == kCompare)
      return at(diag::kind::chained_comparison, peek())
          .arg("first", std::string(o->text))
          .arg("second", std::string(after->text));
  }
  --depth_;
  return left;
}

Result<SyntaxRef> ExprParser::unary() {
  // Signs in a row are read in a loop: they may be many.
  std::vector<const Token*> signs;
  while (peek().is("-") || peek().is("~")) {
    if (signs.size() >= static_cast<size_t>(kMaxNesting))
      return at(diag::kind::nested_too_deep, peek())
          .arg("limit", kMaxNesting)
          .arg("what", "operators");
    signs.push_back(&next());
  }
  HOCKET_TRY(SyntaxRef operand, postfix());
  for (; !signs.empty(); signs.pop_back()) {
    SyntaxRef n = node(SyntaxKind::Unary, *signs.back());
    n->unary = signs.back()->is("-") ? UnaryOp::Neg : UnaryOp::BitNot;
    n->items.push_back(std::move(operand));
    HOCKET_CHECK(grow(*n));
    operand = std::move(n);
  }
  return operand;
}

Result<SyntaxRef> ExprParser::arg(bool slices) {
  const Token& first = peek();
  const bool quoted = first.kind == TokenKind::Quoted;
  if ((first.kind == TokenKind::Name || quoted) && peek(1).is("=")) {
    SyntaxRef n = node(SyntaxKind::Keyword, next());
    if (quoted) n->text = tokens_.strings[first.integer];
    next();
    HOCKET_TRY(SyntaxRef value, expr());
    n->items.push_back(std::move(value));
    HOCKET_CHECK(grow(*n));
    return n;
  }
  SyntaxRef low;
  if (!(slices && first.is(":"))) {
    HOCKET_TRY(low, expr());
  }
  if (!slices || !peek().is(":")) return low;
  SyntaxRef n = node(SyntaxKind::Slice, next());
  n->items.push_back(std::move(low));
  n->items.push_back(nullptr);
  if (!peek().is(",") && !peek().is("]")) {
    HOCKET_TRY(n->items[1], expr());
  }
  HOCKET_CHECK(grow(*n));
  return n;
}

Result<void> ExprParser::args(Syntax& into, std::string_view close, bool slices) {
  if (take(close)) return {};
  // A block without coordinates may still have reduction coordinates: `f(; r)`.
  while (true) {
    if (!peek().is(";")) {
      HOCKET_TRY(SyntaxRef a, arg(slices));
      into.items.push_back(std::move(a));
    }
    if (take(",")) continue;
    if (!slices && !into.has_split && take(";")) {
      into.has_split = true;
      into.split = into.items.size() - 1;
      continue;
    }
    break;
  }
  return expect(close);
}

Result<SyntaxRef> ExprParser::postfix() {
  HOCKET_TRY(SyntaxRef left, primary());
  while (true) {
    SyntaxRef n;
    if (peek().is("(")) {
      n = node(SyntaxKind::Apply, next());
      n->spot = left->spot;
      n->items.push_back(std::move(left));
      HOCKET_CHECK(args(*n, ")", false));
    } else if (peek().is("[")) {
      n = node(SyntaxKind::Index, next());
      n->spot = left->spot;
      n->items.push_back(std::move(left));
      HOCKET_CHECK(args(*n, "]", true));
    } else if (peek().is(".")) {
      next();
      if (peek().kind != TokenKind::Name) return unexpected("a name after the dot");
      n = node(SyntaxKind::Field, next());
      n->items.push_back(std::move(left));
    } else {
      return left;
    }
    HOCKET_CHECK(grow(*n));
    left = std::move(n);
  }
}

Result<std::vector<SyntaxRef>> ExprParser::exprs(std::string_view close) {
  std::vector<SyntaxRef> list;
  if (take(close)) return list;
  do {
    HOCKET_TRY(SyntaxRef e, expr());
    list.push_back(std::move(e));
  } while (take(","));
  HOCKET_CHECK(expect(close));
  return list;
}

// `( e )`, `( a, b )` and `[ a, b ]`.
Result<SyntaxRef> ExprParser::bracketed() {
  bool list = peek().is("[");
  SyntaxRef n = node(list ? SyntaxKind::List : SyntaxKind::Tuple, next());
  HOCKET_TRY(n->items, exprs(list ? "]" : ")"));
  if (!list && n->items.size() == 1) return std::move(n->items[0]);
  if (!list && n->items.empty())
    return Diagnostic(diag::kind::unexpected_text, source_.place(n->spot))
        .arg("found", "`()`")
        .arg("wanted", "an expression");
  HOCKET_CHECK(grow(*n));
  return n;
}

Result<SyntaxRef> ExprParser::primary() {
  const Token& t = peek();
  switch (t.kind) {
    case TokenKind::Integer:
    case TokenKind::Real: {
      SyntaxRef n =
          node(t.kind == TokenKind::Real ? SyntaxKind::Real : SyntaxKind::Integer, next());
      n->integer = t.integer;
      n->real = t.real;
      return n;
    }
    case TokenKind::String: {
      SyntaxRef n = node(SyntaxKind::String, t);
      HOCKET_TRY(n->text, strings());
      return n;
    }
    case TokenKind::Quoted: {
      SyntaxRef n = node(SyntaxKind::Name, next());
      n->text = tokens_.strings[t.integer];
      n->quoted = true;
      return n;
    }
    case TokenKind::Name: {
      if (t.text == "_") return node(SyntaxKind::Hole, next());
      if (!is_reserved_word(t.text)) return node(SyntaxKind::Name, next());
      bool applied = peek(1).is("(");
      bool function = contains(kFunctions, t.text) || Type::parse(t.text) || t.text == "R";
      if (contains(kValueWords, t.text) || (function && applied))
        return node(SyntaxKind::Word, next());
      return at(diag::kind::reserved_word, t).arg("word", std::string(t.text));
    }
    case TokenKind::Op:
      if (t.is("(") || t.is("[")) return bracketed();
      break;
    default:
      break;
  }
  return unexpected("an expression");
}

Result<std::string> ExprParser::strings() {
  if (peek().kind != TokenKind::String) return unexpected("a string");
  std::string out;
  while (peek().kind == TokenKind::String) out += tokens_.strings[next().integer];
  return out;
}

Result<int64_t> ExprParser::small_integer() {
  bool minus = take("-");
  if (peek().kind != TokenKind::Integer) return unexpected("an integer");
  const Token& t = next();
  if (t.integer > 0x7fffffff)
    return at(diag::kind::number_out_of_range, t)
        .arg("number", "the number `" + shown(t.text) + "`")
        .arg("range", "32 bits");
  int64_t v = static_cast<int64_t>(t.integer);
  return minus ? -v : v;
}

Result<SyntaxRef> ExprParser::only_expr() {
  HOCKET_TRY(SyntaxRef e, expr());
  if (peek().kind == TokenKind::Newline) next();
  if (peek().kind != TokenKind::End) return unexpected("the end of the expression");
  return e;
}

}  // namespace hocket::ir::read
