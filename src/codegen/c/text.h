// Pieces of C text: identifiers, types, literals, expressions with their precedence, indented
// lines. Called by every file of this folder.
#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ir/proc.h"

namespace hocket::codegen {

// An expression with how tightly it binds; parenthesised where C or its warnings ask for it.
struct CText {
  enum Binding { Primary, Unary, Product, Sum, Shift, Loose };
  std::string text;
  Binding binding = Primary;

  // As an operand that must bind at least as tightly as `at_most`.
  std::string in(Binding at_most) const { return binding <= at_most ? text : "(" + text + ")"; }
};

// The name without what C does not allow; empty names and digits first get an underscore.
std::string c_identifier(const std::string& name);
// The same, begun otherwise where every name that begins so is taken (`hk_`, `HOCKET_`).
std::string c_free_base(const std::string& name);

// Names of one function: every symbol gets one of its own, no keyword and no word of the prelude.
class CNames {
 public:
  CNames() = default;
  // None of those either, which outlive the names.
  explicit CNames(const std::unordered_set<std::string>& avoided) : avoided_(&avoided) {}
  const std::string& of(const ir::Symbol& symbol);
  std::string fresh(const std::string& name);
  // A scope of C: names taken after `mark` may be used again after `release`.
  size_t mark() const { return order_.size(); }
  void release(size_t mark);

 private:
  std::unordered_map<ir::Symbol, std::string> names_;
  std::unordered_set<std::string> taken_;
  const std::unordered_set<std::string>* avoided_ = nullptr;
  std::vector<std::string> order_;
};

// An operator that C has, with the blanks around it: ` + `, ` && `.
const char* c_operator(ir::BinaryOp op);
// Of a scalar value: `int16_t`, `float`, `bool`; float16 and bfloat16 are `uint16_t` bits.
std::string c_type(ir::Type t);
// Of an element in memory: as above, bool as `bool`.
std::string c_literal(ir::Type t, int64_t value);
std::string c_float_literal(ir::Type t, double value);
std::string c_string(const std::string& text);
// The struct of a window parameter, `struct hocket_win_f32_2`, and its guarded definition.
std::string c_window_type(ir::Type t, size_t rank);
std::string c_window_definition(ir::Type t, size_t rank);

// Lines at the indentation of the block they are in.
class CWriter {
 public:
  void line(const std::string& text);
  void open(const std::string& text) {
    line(text + " {");
    ++depth_;
  }
  void reopen(const std::string& text) {  // } else {
    --depth_;
    open(text);
  }
  void close(const std::string& text = "}") {
    --depth_;
    line(text);
  }
  void indent() { ++depth_; }
  void block() {  // a scope of its own
    line("{");
    ++depth_;
  }
  void blank() { text_ += '\n'; }
  const std::string& text() const { return text_; }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
  int depth_ = 0;
};

}  // namespace hocket::codegen
