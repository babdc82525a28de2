#include "random_program.h"

#include <optional>

namespace hocket::street {

using interp::Random;
using ir::Type;

namespace {

// `base + add`: base is nothing, a size (at least 1) or the index k (at least 0).
struct Extent {
  char base = 0;
  int64_t add = 0;

  std::string text() const {
    if (base == 0) return std::to_string(add);
    std::string out(1, base);
    if (add > 0) out += " + " + std::to_string(add);
    if (add < 0) out += " - " + std::to_string(-add);
    return out;
  }
  // The least value that it can have.
  int64_t least() const { return add + (base == 'n' || base == 'm' ? 1 : 0); }
};

struct Buffer {
  std::string name;
  Type type;
  std::vector<Extent> shape;
  bool written = true;  // may be stored to
  bool dense = true;    // its last dimension has stride 1
};

// A let of what memory held: in 0 .. below - 1.
struct Read {
  std::string name;
  Extent below;
};

struct Loop {
  std::string var;
  int64_t lo = 0;
  Extent hi;
};

class Maker {
 public:
  explicit Maker(Random& r) : r_(r) {}

  std::string make() {
    static const Type types[] = {Type::f(32), Type::f(32), Type::f(32), Type::f(32), Type::i(16),
                                 Type::u(8),  Type::f(64), Type::i(32), Type::u(32), Type::i(8),
                                 Type::i(64), Type::u(64), Type::u(16)};
    type_ = types[r_.below(13)];
    if (r_.one_in(24)) type_ = r_.one_in(2) ? Type::f(16) : Type::bf16();
    has_k_ = r_.one_in(3);
    parameters();
    depth_ = 1;
    std::string body = block(static_cast<int>(r_.between(1, 3)), 0);
    return callees() + "def p(" + params_ + "):\n" + asserts_ + body;
  }

 private:
  // Not `i8`, which is a type.
  std::string name(const std::string& stem) {
    return stem + (stem == "i" ? "_" : "") + std::to_string(count_++);
  }
  std::string pad() const { return std::string(static_cast<size_t>(depth_) * 4, ' '); }
  template <class T>
  const T& any(const std::vector<T>& v) {
    return v[static_cast<size_t>(r_.below(static_cast<int64_t>(v.size())))];
  }

  // Small procedures over the case's type.
  std::string callees() {
    const std::string t = type_.name();
    return "def row_add(c: size, dst: [" + t + "][c], src: [" + t +
           "][c]):\n    for l in seq(0, c):\n        dst[l] += src[l]\n\ndef row_set(c: size, dst: "
           "[" +
           t + "][c], v: " + t +
           "):\n    for l in seq(0, c):\n        dst[l] = v\n\ndef top(dst: [" + t +
           "][4], src: [" + t +
           "][4]):\n    assert stride(src, 0) == 1\n    for l in seq(0, 4):\n        dst[l] = "
           "max(dst[l], "
           "src[l])\n\ndef spread(c: size, dst: [" +
           t + "][c], src: [" + t + "][c]):\n    w = src[0:c]\n    for l in seq(0, c):\n" +
           "        dst[l] = min(w[l], " + t + "(99)) + " + t + "(i32(stride(w, 0) % 7))\n\n";
  }

  void param(const std::string& text) { params_ += (params_.empty() ? "" : ", ") + text; }

  Extent extent() {
    if (r_.one_in(4)) return {0, r_.one_in(2) ? 8 : r_.between(1, 16)};
    const char base = has_k_ && r_.one_in(3) ? 'k' : r_.one_in(2) ? 'n' : 'm';
    return {base, r_.between(0, 2)};
  }

  void parameters() {
    param("n: size");
    param("m: size");
    if (has_k_) {
      param("k: index");
      asserts_ += "    assert k >= 0\n";
    }
    limit_ = r_.one_in(3);
    if (limit_) asserts_ += "    assert m <= 16\n";
    if (r_.one_in(5)) asserts_ += "    assert n % 4 == 0\n";
    if (r_.one_in(8)) asserts_ += "    assert n >= 2\n";
    scalar_ = r_.one_in(2);
    if (scalar_) param("s: " + type_.name());
    const int64_t count = r_.between(2, 4);
    for (int64_t b = 0; b < count; ++b) {
      Buffer x;
      x.name = std::string(1, static_cast<char>('A' + b));
      x.type = b > 0 && r_.one_in(4) ? other_type() : type_;
      const int64_t rank = b == 0 ? 2 : r_.one_in(8) ? 0 : r_.one_in(2) ? 1 : r_.one_in(6) ? 3 : 2;
      for (int64_t d = 0; d < rank; ++d) x.shape.push_back(extent());
      if (b == 0) x.shape = {{'n', r_.between(0, 2)}, {'m', r_.between(0, 2)}};
      std::string shape;
      for (const Extent& e : x.shape) shape += (shape.empty() ? "" : ", ") + e.text();
      const bool window = rank > 0 && r_.one_in(6);
      param(x.name + ": " + (window ? "[" + x.type.name() + "]" : x.type.name()) +
            (rank > 0 ? "[" + shape + "]" : "") + (window ? "" : " @ DRAM"));
      x.written = b == 0 || !r_.one_in(3);
      x.dense = !window;
      buffers_.push_back(x);
    }
    // Where lets read bounds and indices from, and what is written meanwhile.
    if (r_.one_in(3)) {
      param("X: i32[4]");
      buffers_.push_back({"X", Type::i(32), {{0, 4}}});
      steers_ = true;
    }
  }

  Type other_type() {
    static const Type types[] = {Type::f(32), Type::i(32), Type::i(16), Type::u(8),
                                 Type::u(16), Type::i(64), Type::f(64)};
    return types[r_.below(7)];
  }

  // An index in 0 .. extent - 1, or nothing.
  std::optional<std::string> index(const Extent& e) {
    std::vector<std::string> found;
    for (const Loop& l : loops_) {
      if (l.hi.base == e.base) {
        const int64_t least = -l.lo, most = e.add - l.hi.add;
        for (int64_t o = least; o <= most && o <= 2; ++o) {
          const std::string at = o == 0  ? l.var
                                 : o > 0 ? l.var + " + " + std::to_string(o)
                                         : l.var + " - " + std::to_string(-o);
          found.push_back(at);
          if (o == 0) found.push_back(at);
        }
        if (most >= 0 && r_.one_in(6)) found.push_back(e.text() + " - 1 - " + l.var);
        if (most >= 0 && r_.one_in(6)) found.push_back(l.var + " / 2");
      }
      if (e.least() >= 1 && r_.one_in(6))
        found.push_back("min(" + l.var + ", " + e.text() + " - 1)");
      if (e.least() >= 1 && r_.one_in(8)) found.push_back(l.var + " % (" + e.text() + ")");
    }
    for (const Read& m : reads_)
      if (m.below.base == e.base && m.below.add <= e.add) found.push_back(m.name);
    if (e.least() >= 1 && (found.empty() || r_.one_in(6)))
      found.push_back(std::to_string(r_.below(std::min<int64_t>(e.least(), 3))));
    if (found.empty()) return std::nullopt;
    return any(found);
  }

  std::optional<std::string> element(const Buffer& b) {
    if (b.shape.empty()) return b.name;
    std::string out;
    for (const Extent& e : b.shape) {
      const auto i = index(e);
      if (!i) return std::nullopt;
      out += (out.empty() ? "" : ", ") + *i;
    }
    return b.name + "[" + out + "]";
  }

  std::string literal(Type t) {
    if (t.is_float()) return r_.one_in(2) ? "0.5" : r_.one_in(2) ? "2.0" : "1.25";
    return std::to_string(r_.between(t.is_uint() ? 0 : -3, 7));
  }
  std::string typed(Type t) { return t.name() + "(" + literal(t) + ")"; }

  std::string value(Type t, int depth) {
    if (depth == 0 || r_.one_in(4)) {
      if (scalar_ && t == type_ && r_.one_in(5)) return "s";
      if (r_.one_in(8)) return typed(t);
      if (r_.one_in(12) && !loops_.empty()) return t.name() + "(i32(" + any(loops_).var + "))";
      for (int tries = 0; tries < 4; ++tries) {
        const Buffer& b = any(buffers_);
        const auto e = element(b);
        if (!e) continue;
        if (b.type == t) return *e;
        return t.name() + "(" + *e + ")";
      }
      return typed(t);
    }
    const std::string a = value(t, depth - 1), b = value(t, depth - 1);
    if (r_.one_in(6)) return t.is_float() ? float_corner(a, b, t) : integer_corner(a, b, t);
    switch (r_.below(10)) {
      case 0:
      case 1:
      case 2:
        return "(" + a + " + " + b + ")";
      case 3:
        return "min(" + a + ", " + b + ")";
      case 4:
        return "max(" + a + ", " + b + ")";
      case 5:
        return "(" + a + " - " + b + ")";
      case 6:
        return "select(" + a + " < " + b + ", " + b + ", " + a + ")";
      case 7:
        if (t.is_float()) return "(" + a + " / " + typed(t) + ")";
        return r_.one_in(2) ? "(" + a + " / " + typed(t) + ")" : "(" + a + " % " + typed(t) + ")";
      default:
        if (t.is_float() || t.wraps()) return "(" + a + " * " + b + ")";
        return "max(min(" + a + ", " + t.name() + "(50)), " + t.name() + "(-50))";
    }
  }

  // Where the meaning has corners: divisors of zero and below, counts beyond the width, casts.
  std::string integer_corner(const std::string& a, const std::string& b, Type t) {
    auto tame = [&](const std::string& v) {
      return t.wraps() ? v : "max(min(" + v + ", " + t.name() + "(99)), " + t.name() + "(-99))";
    };
    switch (r_.below(7)) {
      case 0:
        return "(" + tame(a) + " / " + tame(b) + ")";
      case 1:
        return "(" + tame(a) + " % " + tame(b) + ")";
      case 2:
        return "((" + a + " % " + t.name() + "(9)) << (" + b + " % " + t.name() + "(12)))";
      case 3:
        return "(" + a + " >> " + b + ")";
      case 4:
        return "(" + a + (r_.one_in(2) ? " & " : r_.one_in(2) ? " | " : " ^ ") + b + ")";
      case 5:
        return t.is_uint() ? "~" + a : "abs(" + tame(a) + ")";
      default:
        return t.name() + "(f32(" + a + ") / f32(" + b + "))";
    }
  }

  std::string float_corner(const std::string& a, const std::string& b, Type t) {
    static const char* const all[] = {"-", "abs", "sqrt", "floor", "ceil", "trunc", "round"};
    const int64_t pick = r_.below(11);
    if (pick < 7) return std::string(all[pick]) + "(" + a + ")";
    if (pick == 7) return "(" + a + " % " + b + ")";
    if (pick == 8) return t.name() + "(i32(" + a + ") % 100)";
    return "(" + a + " / " + b + ")";
  }

  std::string condition() {
    switch (r_.below(6)) {
      case 2: {
        static const char* const signs[] = {" < ", " <= ", " > ", " >= ", " == ", " != "};
        const std::string one = value(type_, 0) + signs[r_.below(6)] + value(type_, 0);
        const std::string two = value(type_, 0) + signs[r_.below(6)] + value(type_, 0);
        return r_.one_in(3) ? "not (" + one + ")"
                            : "(" + one + (r_.one_in(2) ? ") and (" : ") or (") + two + ")";
      }
      case 0:
        return r_.one_in(2) ? "n > " + std::to_string(r_.between(1, 5)) : "m % 2 == 0";
      case 1: {
        const std::string data = value(type_, 0) + " < " + value(type_, 0);
        if (loops_.empty() || !r_.one_in(3)) return data;
        return data + (r_.one_in(3) ? " or " : " and ") + any(loops_).var +
               (r_.one_in(2) ? " < " : " >= ") + std::to_string(r_.between(1, 5));
      }
      default:
        if (loops_.empty()) return "n < m";
        return any(loops_).var + (r_.one_in(2) ? " < " : " >= ") + std::to_string(r_.between(1, 5));
    }
  }

  std::string store() {
    for (int tries = 0; tries < 6; ++tries) {
      const Buffer& b = any(buffers_);
      if (!b.written) continue;
      const auto e = element(b);
      if (!e) continue;
      static const char* const ops[] = {"=", "=", "=", "+=", "+=", "max=", "min=", "*="};
      std::string op = ops[r_.below(8)];
      if (op == "*=" && !b.type.wraps()) op = "=";
      std::string v = value(b.type, static_cast<int>(r_.below(3)));
      // Sums of 32-bit integers stay far from their ends.
      if (b.type.is_int() && !b.type.wraps())
        v = "max(min(" + v + ", " + b.type.name() + "(99)), " + b.type.name() + "(-99))";
      return pad() + *e + " " + op + " " + v + "\n";
    }
    return pad() + "pass\n";
  }

  std::string block(int statements, int level) {
    const size_t known = buffers_.size(), read = reads_.size();
    std::string out;
    for (int i = 0; i < statements; ++i) out += statement(level);
    buffers_.resize(known);
    reads_.resize(read);
    return out;
  }

  std::string inside(int statements, int level) {
    ++depth_;
    std::string out = block(statements, level);
    --depth_;
    return out;
  }

  std::string loop(int level) {
    Loop l;
    l.var = std::string(1, "ijlqxy"[r_.below(6)]);
    if (!r_.one_in(3)) l.var = name(l.var);
    for (const Loop& o : loops_)
      if (o.var == l.var) l.var = name("v");
    l.lo = r_.one_in(5) ? 1 : 0;
    l.hi = r_.one_in(4) ? Extent{0, r_.between(1, 9)} : extent();
    if (l.hi.base != 0 && r_.one_in(4)) l.hi.add -= 1;
    std::string end = l.hi.text();
    if (!reads_.empty() && r_.one_in(2)) {
      const Read& m = any(reads_);
      l.hi = m.below;
      end = m.name + (r_.one_in(3) ? " + 1" : "");
    }
    static const char* const kinds[] = {"seq", "seq", "seq", "seq",      "seq",
                                        "seq", "seq", "par", "parallel", "unroll"};
    std::string kind = kinds[r_.below(10)];
    if (kind == "unroll" && (l.hi.base != 0 || end != l.hi.text())) kind = "seq";
    std::string out =
        pad() + "for " + l.var + " in " + kind + "(" + std::to_string(l.lo) + ", " + end + "):\n";
    loops_.push_back(l);
    // The second of two loops directly inside each other makes a nest that can be reordered.
    if (level < 2 && r_.one_in(2)) {
      ++depth_;
      out += loop(level + 1);
      --depth_;
    } else {
      out += inside(static_cast<int>(r_.between(1, 3)), level + 1);
    }
    loops_.pop_back();
    return out;
  }

  // A buffer of its own, filled before it is read.
  std::string own() {
    Buffer b;
    b.name = name("t");
    b.type = type_;
    if (!r_.one_in(3)) b.shape.push_back(limit_ && r_.one_in(3) ? Extent{0, 16} : extent());
    if (!b.shape.empty() && r_.one_in(3)) b.shape.push_back({0, r_.between(1, 4)});
    std::string shape, at, out;
    for (const Extent& e : b.shape) shape += (shape.empty() ? "" : ", ") + e.text();
    out = pad() + b.name + ": " + b.type.name() + (shape.empty() ? "" : "[" + shape + "]") + "\n";
    const int before = depth_;
    for (const Extent& e : b.shape) {
      const std::string q = name("q");
      out += pad() + "for " + q + " in seq(0, " + e.text() + "):\n";
      loops_.push_back({q, 0, e});
      at += (at.empty() ? "" : ", ") + q;
      ++depth_;
    }
    out += pad() + b.name + (at.empty() ? "" : "[" + at + "]") + " = " + value(b.type, 1) + "\n";
    depth_ = before;
    loops_.resize(loops_.size() - b.shape.size());
    buffers_.push_back(b);
    return out;
  }

  // A row of a matrix as `A[i, 0:m + 1]`, and its extent.
  std::optional<std::pair<std::string, Extent>> row(const Buffer& b) {
    if (b.type != type_ || b.shape.empty() || b.shape.back().least() < 1) return std::nullopt;
    std::string out;
    for (size_t d = 0; d + 1 < b.shape.size(); ++d) {
      const auto i = index(b.shape[d]);
      if (!i) return std::nullopt;
      out += *i + ", ";
    }
    return {{b.name + "[" + out + "0:" + b.shape.back().text() + "]", b.shape.back()}};
  }

  // The first four of a row.
  static std::string four(const std::string& row_text) {
    return row_text.substr(0, row_text.rfind("0:")) + "0:4]";
  }

  // A let of what memory holds, and mostly a store into that memory behind it.
  std::string read() {
    if (!steers_) return store();
    const std::string from = "X[" + std::to_string(r_.below(4)) + "]";
    Read m;
    m.name = name("m");
    m.below = extent();
    if (m.below.least() < 1) m.below = {0, r_.between(1, 8)};
    std::string out =
        pad() + "let " + m.name + ": index = index(" + from + ") % (" + m.below.text() + ")\n";
    reads_.push_back(m);
    if (!r_.one_in(4)) out += pad() + from + " = " + std::to_string(r_.between(0, 9)) + "\n";
    return out;
  }

  // A branch that changes what it asked for.
  std::string changed_branch(int level) {
    if (!steers_) return store();
    const std::string from = "X[" + std::to_string(r_.below(4)) + "]";
    std::string out = pad() + "if " + from + (r_.one_in(2) ? " % 2 == 0:\n" : " < 40:\n");
    ++depth_;
    out += pad() + from + " = " + std::to_string(r_.between(0, 60)) + "\n";
    --depth_;
    return out + inside(static_cast<int>(r_.between(1, 2)), level + 1);
  }

  std::string call() {
    for (int tries = 0; tries < 6; ++tries) {
      const Buffer &x = any(buffers_), &y = any(buffers_);
      if (!x.written || x.name == y.name) continue;
      const auto to = row(x), from = row(y);
      if (!to || !from) continue;
      if (to->second.base == from->second.base && to->second.add == from->second.add) {
        const std::string size = to->second.text();
        if (r_.one_in(4))
          return pad() + "spread(" + size + ", " + to->first + ", " + from->first + ")\n";
        if (r_.one_in(2))
          return pad() + "row_add(" + size + ", " + to->first + ", " + from->first + ")\n";
        // The same as a loop: what `replace` looks for.
        const std::string l = name("l");
        std::string a = to->first, b = from->first;
        const std::string whole = "0:" + size;
        a.replace(a.rfind(whole), whole.size(), l);
        b.replace(b.rfind(whole), whole.size(), l);
        return pad() + "for " + l + " in seq(0, " + size + "):\n" + pad() + "    " + a +
               " += " + b + "\n";
      }
      if (x.dense && y.dense && to->second.base == 0 && from->second.base == 0 &&
          to->second.add >= 4 && from->second.add >= 4 && r_.one_in(2))
        return pad() + "top(" + four(to->first) + ", " + four(from->first) + ")\n";
      // By value, of what may be written while the call runs.
      return pad() + "row_set(" + to->second.text() + ", " + to->first + ", " +
             (r_.one_in(3) ? typed(type_) : value(type_, 0)) + ")\n";
    }
    return store();
  }

  std::string window() {
    const Buffer b = any(buffers_);
    const auto r = row(b);
    if (!r) return store();
    Buffer w;
    w.name = name("w");
    w.type = type_;
    w.shape = {r->second};
    w.written = b.written;
    w.dense = b.dense;
    std::string out = pad() + w.name + " = " + r->first + "\n";
    buffers_.push_back(w);
    return out;
  }

  // Eight lanes at a time, what registers and instructions of x86 fit.
  std::string lanes() {
    if (type_ != Type::f(32)) return store();
    const Buffer &x = buffers_[0], &y = any(buffers_);
    const auto to = row(x), from = row(y);
    if (!to || !from || to->second.base == 0 || from->second.base != to->second.base ||
        x.name == y.name)
      return store();
    const std::string size =
        to->second.add < from->second.add ? to->second.text() : from->second.text();
    const std::string o = name("o"), ra = name("ra"), rb = name("rb"), p = pad() + "    ";
    auto at = [&](const std::pair<std::string, Extent>& row_text) {
      std::string a = row_text.first;
      const std::string whole = "0:" + row_text.second.text();
      return a.replace(a.rfind(whole), whole.size(), "8 * " + o + " + l");
    };
    auto each = [&](const std::string& s) {
      return p + "for l in seq(0, 8):\n" + p + "    " + s + "\n";
    };
    static const char* const middles[] = {" + ", " - ", " * "};
    return pad() + "for " + o + " in seq(0, (" + size + ") / 8):\n" + p + ra + ": f32[8]\n" + p +
           rb + ": f32[8]\n" + each(ra + "[l] = " + at(*to)) + each(rb + "[l] = " + at(*from)) +
           each(r_.one_in(2) ? ra + "[l] += " + rb + "[l] * " + rb + "[l]"
                             : ra + "[l] = " + ra + "[l]" + middles[r_.below(3)] + rb + "[l]") +
           each(at(*to) + " = " + ra + "[l]");
  }

  // A buffer with more room than its loop uses.
  std::string roomy() {
    if (!limit_) return store();
    const Buffer& b = buffers_[0];
    const auto r = row(b);
    if (!r) return store();
    const std::string t = name("t"), q = name("q");
    std::string at = r->first;
    const std::string whole = "0:" + r->second.text();
    at.replace(at.rfind(whole), whole.size(), q);
    return pad() + t + ": " + type_.name() + "[20]\n" + pad() + "for " + q + " in seq(0, m):\n" +
           pad() + "    " + t + "[" + q + "] = " + (scalar_ ? "s" : typed(type_)) + "\n" + pad() +
           "for " + q + " in seq(0, m):\n" + pad() + "    " + at + " = " + t + "[" + q + "]\n";
  }

  // A loop around a branch that does not depend on it.
  std::string steady_branch() {
    const std::string i = name("i");
    const Extent e = extent();
    std::string out = pad() + "for " + i + " in seq(0, " + e.text() + "):\n";
    loops_.push_back({i, 0, e});
    ++depth_;
    out += pad() + "if " + (r_.one_in(2) ? "n > 2" : "m % 2 == 0") + ":\n" + inside(1, 3);
    if (r_.one_in(2)) out += pad() + "else:\n" + inside(1, 3);
    --depth_;
    loops_.pop_back();
    return out;
  }

  std::string statement(int level) {
    if (steers_ && r_.one_in(5)) return r_.one_in(3) ? changed_branch(level) : read();
    const int64_t pick = r_.below(level == 0 ? 16 : 20);
    if (level == 0 && pick < 7) return loop(level);
    switch (pick) {
      case 0:
      case 1:
        return level < 3 ? loop(level) : store();
      case 7:
      case 8:
        return lanes();
      case 9: {
        std::string out = pad() + "if " + condition() + ":\n" + inside(1, level + 1);
        if (r_.one_in(2)) out += pad() + "else:\n" + inside(1, level + 1);
        return out;
      }
      case 10:
        return call();
      case 11:
        return level < 3 ? own() : store();
      case 12:
        return r_.one_in(2) ? window() : call();
      case 13:
        return roomy();
      case 14: {
        std::string out = pad() + "if " + condition() + ":\n";
        ++depth_;
        out += store();
        --depth_;
        return out;
      }
      case 15:
        return level < 2 ? steady_branch() : own();
      default:
        return store();
    }
  }

  Random& r_;
  Type type_;
  bool has_k_ = false, scalar_ = false, limit_ = false, steers_ = false;
  std::string params_, asserts_;
  std::vector<Buffer> buffers_;
  std::vector<Loop> loops_;
  std::vector<Read> reads_;
  int depth_ = 0, count_ = 0;
};

}  // namespace

std::string random_program_text(Random& random) {
  return Maker(random).make();
}

std::vector<int64_t> random_sizes(const ir::Proc& proc, int round, Random& r) {
  static const int64_t primes[] = {2, 3, 5, 7, 11, 13, 17}, whole[] = {4, 8, 16, 24},
                       all[] = {1, 2, 4, 6, 8, 9, 10, 12, 15, 16};
  std::vector<int64_t> out;
  for (const ir::Param& p : proc.params) {
    if (p.kind != ir::ParamKind::Size && p.kind != ir::ParamKind::Index) continue;
    const bool zero = p.kind == ir::ParamKind::Index;
    int64_t v = round == 0   ? (zero ? 0 : 1)
                : round == 1 ? primes[r.below(7)]
                : round == 2 ? whole[r.below(4)]
                             : all[r.below(10)];
    if (round == 3 && zero && r.one_in(3)) v = 0;
    if (round == 4) v = 0;  // refused at entry, by every witness alike
    out.push_back(v);
  }
  return out;
}

}  // namespace hocket::street
