#include "rewrite/pattern.h"

#include <cctype>
#include <optional>

#include "diag/kinds_parse.h"
#include "diag/kinds_rewrite.h"
#include "ir/read/expr_text.h"
#include "support/edit_distance.h"

namespace hocket::rewrite {

using namespace ir;
using diag::Diagnostic;
using diag::Result;

namespace {

// Words, numbers and operators of a pattern or an expression.
class Words {
 public:
  explicit Words(const std::string& text) {
    size_t i = 0;
    while (i < text.size()) {
      const unsigned char c = static_cast<unsigned char>(text[i]);
      if (std::isspace(c)) {
        ++i;
      } else if (std::isalpha(c) || c == '_') {
        size_t j = i;
        while (j < text.size() && (std::isalnum(static_cast<unsigned char>(text[j])) ||
                                   text[j] == '_' || text[j] == '.'))
          ++j;
        words_.push_back(text.substr(i, j - i));
        i = j;
      } else if (std::isdigit(c)) {
        size_t j = i;
        while (j < text.size() && std::isdigit(static_cast<unsigned char>(text[j]))) ++j;
        words_.push_back(text.substr(i, j - i));
        i = j;
      } else if (i + 1 < text.size() && text[i + 1] == '=' &&
                 std::string("+-*<>=!").find(text[i]) != std::string::npos) {
        words_.push_back(text.substr(i, 2));
        i += 2;
      } else {
        words_.push_back(text.substr(i, 1));
        ++i;
      }
    }
  }
  const std::string& peek(size_t ahead = 0) const {
    static const std::string end;
    return at_ + ahead < words_.size() ? words_[at_ + ahead] : end;
  }
  std::string next() {
    std::string w = peek();
    if (at_ < words_.size()) ++at_;
    return w;
  }
  bool take(const char* w) {
    if (peek() != w) return false;
    ++at_;
    return true;
  }
  bool done() const { return at_ >= words_.size(); }

 private:
  std::vector<std::string> words_;
  size_t at_ = 0;
};

bool is_word(const std::string& w) {
  return !w.empty() && (std::isalpha(static_cast<unsigned char>(w[0])) || w[0] == '_');
}
bool is_number(const std::string& w) {
  return !w.empty() && w.size() < 18 && std::isdigit(static_cast<unsigned char>(w[0]));
}

struct Shape {
  enum class Kind : uint8_t { Loops, For, If, Alloc, Store, Call, Bind, Pass } kind = Kind::Loops;
  std::vector<std::string> names;  // Loops: outermost first; others: one, `_` for any
  std::string op;                  // Store
  int64_t number = -1;             // #n
};

Diagnostic malformed(const std::string& pattern, const std::string& reason,
                     const support::Place& place) {
  return Diagnostic(diag::kind::malformed_pattern, place)
      .arg("pattern", pattern)
      .arg("reason", reason);
}

Result<Shape> read_shape(const std::string& text, const support::Place& place) {
  Words w(text);
  Shape s;
  auto bad = [&](const std::string& reason) { return malformed(text, reason, place); };
  auto holes = [&](std::initializer_list<const char*> words) {
    for (const char* word : words)
      if (!w.take(word)) return false;
    return true;
  };
  const std::string first = w.next();
  if (!is_word(first)) return bad("a pattern starts with a name or `_`");
  if (first == "for") {
    s.kind = Shape::Kind::For;
    s.names = {w.next()};
    if (!is_word(s.names[0]) || !holes({"in", "_", ":", "_"}))
      return bad("a loop is matched by `for i in _: _`");
  } else if (first == "if") {
    s.kind = Shape::Kind::If;
    if (!holes({"_", ":", "_"})) return bad("a branch is matched by `if _: _`");
  } else if (first == "pass") {
    s.kind = Shape::Kind::Pass;
  } else if (w.peek() == ":") {
    s.kind = Shape::Kind::Alloc;
    s.names = {first};
    if (!holes({":", "_"})) return bad("an allocation is matched by `x: _`");
  } else if (w.peek() == "(") {
    s.kind = Shape::Kind::Call;
    s.names = {first};
    if (!holes({"(", "_", ")"})) return bad("a call is matched by `f(_)`");
  } else if (w.peek() == "[" || w.peek() == "=" || w.peek() == "+=" || w.peek() == "*=" ||
             ((w.peek() == "min" || w.peek() == "max") && w.peek(1) == "=")) {
    s.kind = Shape::Kind::Store;
    s.names = {first};
    const bool element = w.peek() == "[";
    if (element && !holes({"[", "_", "]"})) return bad("an element is matched by `C[_]`");
    s.op = w.next();
    if (s.op == "min" || s.op == "max") s.op += w.next();
    if (s.op == "=" && !element) s.kind = Shape::Kind::Bind;
    if ((s.op != "=" && s.op != "+=" && s.op != "*=" && s.op != "min=" && s.op != "max=") ||
        !w.take("_"))
      return bad("a store is matched by `C[_] += _`");
  } else {
    s.names = {first};
    while (is_word(w.peek())) s.names.push_back(w.next());
  }
  if (w.take("#")) {
    if (!is_number(w.peek())) return bad("`#` is followed by the number of the match");
    s.number = std::stoll(w.next());
  }
  if (!w.done()) return bad("`" + w.peek() + "` was not expected");
  return s;
}

bool named(const std::string& pattern, const std::string& name) {
  return pattern == "_" || pattern == name;
}

bool matches(const Shape& p, const Stmt& s) {
  switch (p.kind) {
    case Shape::Kind::Loops:
    case Shape::Kind::For:
      return s.kind() == StmtKind::For && named(p.names.back(), s.as<For>()->var.name());
    case Shape::Kind::If:
      return s.kind() == StmtKind::If;
    case Shape::Kind::Alloc:
      return s.kind() == StmtKind::Alloc && named(p.names[0], s.as<Alloc>()->buffer.name());
    case Shape::Kind::Pass:
      return s.kind() == StmtKind::Pass;
    case Shape::Kind::Call:
      return s.kind() == StmtKind::Call && named(p.names[0], s.as<CallStmt>()->callee->name());
    case Shape::Kind::Bind:
      if (const auto* l = s.as<Let>()) return named(p.names[0], l->sym.name());
      if (const auto* w = s.as<WindowStmt>()) return named(p.names[0], w->sym.name());
      [[fallthrough]];
    case Shape::Kind::Store:
      if (const auto* st = s.as<Store>())
        return named(p.names[0], st->buffer.name()) && p.op == spelling(st->op);
      return false;
  }
  return false;
}

void walk(const Body& body, const Shape& p, size_t depth, std::vector<Stmt>& out) {
  for (const Stmt& s : body) {
    size_t inner = depth;
    const bool last = p.kind != Shape::Kind::Loops || depth + 1 == p.names.size();
    if (last) {
      if (matches(p, s)) out.push_back(s);
    } else if (const auto* f = s.as<For>(); f && named(p.names[depth], f->var.name())) {
      inner = depth + 1;
    }
    if (const auto* f = s.as<For>()) walk(f->body, p, inner, out);
    if (const auto* b = s.as<If>()) {
      walk(b->then_body, p, inner, out);
      walk(b->else_body, p, inner, out);
    }
  }
}

// Names that a pattern of this kind could have meant.
std::vector<std::string> candidates(const Proc& proc, const Shape& p) {
  std::vector<std::string> out;
  auto add = [&](const std::string& n) {
    for (const std::string& o : out)
      if (o == n) return;
    out.push_back(n);
  };
  for_each_stmt(proc.body, [&](const Stmt& s) {
    const bool loops = p.kind == Shape::Kind::Loops || p.kind == Shape::Kind::For;
    if (const auto* f = s.as<For>(); f && loops) add(f->var.name());
    if (const auto* a = s.as<Alloc>(); a && p.kind == Shape::Kind::Alloc) add(a->buffer.name());
    if (const auto* st = s.as<Store>();
        st && (p.kind == Shape::Kind::Store || p.kind == Shape::Kind::Bind))
      add(st->buffer.name());
    if (const auto* c = s.as<CallStmt>(); c && p.kind == Shape::Kind::Call) add(c->callee->name());
    return true;
  });
  return out;
}

// What the reader of expressions says, at the step that the text stands in.
Diagnostic unreadable(const std::string& text, const Diagnostic& why, const support::Place& place) {
  Diagnostic d = malformed(text, why.message(), place);
  for (const std::string& h : why.helps) d.help(h);
  return d;
}

}  // namespace

Result<std::vector<Stmt>> find_all(const Proc& proc, const std::string& pattern,
                                   const support::Place& place) {
  HOCKET_TRY(Shape shape, read_shape(pattern, place));
  std::vector<Stmt> found;
  walk(proc.body, shape, 0, found);
  if (shape.number >= 0) {
    const size_t n = static_cast<size_t>(shape.number), count = found.size();
    if (n < count) return std::vector<Stmt>{found[n]};
    Diagnostic d = Diagnostic(diag::kind::nothing_matches, place)
                       .arg("proc", proc.name())
                       .arg("pattern", pattern);
    d.note(count == 1 ? std::string("there is one match, number 0")
                      : "there are " + std::to_string(count) + " matches, counted from 0");
    return d;
  }
  if (!found.empty()) return found;
  Diagnostic d = Diagnostic(diag::kind::nothing_matches, place)
                     .arg("proc", proc.name())
                     .arg("pattern", pattern);
  if (!shape.names.empty())
    for (const std::string& n : support::close_names(shape.names.back(), candidates(proc, shape)))
      d.help("did you mean `" + n + "`?");
  return d;
}

Result<Stmt> find_one(const Proc& proc, const std::string& pattern, const support::Place& place) {
  HOCKET_TRY(std::vector<Stmt> found, find_all(proc, pattern, place));
  return found.front();
}

Result<Expr> read_expr(const std::string& text, read::Scope names, const support::Place& place) {
  const bool compares = text.find_first_of("<>=!") != std::string::npos;
  auto r = compares ? read::read_expr(text, names, text)
                    : read::read_value(text, Type::index(), names, text);
  if (!r.ok()) return unreadable(text, r.error(), place);
  return r;
}

Result<Expr> read_window(const std::string& text, read::Scope names, const support::Place& place) {
  if (const read::Thing* t = names.find(text); t && t->buffer && t->shape.empty())
    return make_window(t->sym, t->sym.type(), {});
  auto r = read::read_window(text, names, text);
  if (!r.ok()) {
    if (!r.error().is(diag::kind::control_reads_memory)) return unreadable(text, r.error(), place);
    Diagnostic d = r.error();
    d.place = place;
    return d;
  }
  return r;
}

}  // namespace hocket::rewrite
