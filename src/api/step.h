// Arguments of rewriting steps, as C++ gives them.
//
// In: numbers, names, patterns, cursors, procs. Out: the literals of a trace step (ir/trace.h). The
// aliases of namespace step are the kinds of rewrite/operators.def, one each: Proc declares its
// verbs by that table. Used by: Proc.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "api/cursor.h"
#include "ir/trace.h"
#include "ir/type.h"

namespace hocket {

class Proc;

// What becomes of the iterations that a split leaves over (docs/rewrites.md).
enum class Tail : uint8_t {
  Guard,        // an `if` around the body
  Cut,          // a second loop for the rest
  CutAndGuard,  // that loop only where there is a rest
  Short,        // the inner loop ends earlier
  Perfect,      // none: the factor divides, which is proved
};

// Where a step works: a pattern of docs/rewrites.md, or a cursor.
class At {
 public:
  template <class S>
    requires std::convertible_to<S, std::string>
  At(S&& pattern) : at_(std::string(std::forward<S>(pattern))) {}
  At(const Cursor& cursor) : at_(cursor) {}
  const std::variant<std::string, Cursor>& value() const { return at_; }

 private:
  std::variant<std::string, Cursor> at_;
};

// One statement, or {first, last} of neighbours.
class StmtBlock {
 public:
  template <class P>
    requires std::convertible_to<P, At>
  StmtBlock(P&& one) : ends_{At(std::forward<P>(one))} {}
  StmtBlock(const At& first, const At& last) : ends_{first, last} {}
  const std::vector<At>& ends() const { return ends_; }

 private:
  std::vector<At> ends_;
};

// An index in the scope of the statement: a number, or text such as "8 * io + ii".
class IndexText {
 public:
  template <std::integral I>
  IndexText(I number) : value_(static_cast<int64_t>(number)) {}
  template <class S>
    requires std::convertible_to<S, std::string>
  IndexText(S&& text) : value_(std::string(std::forward<S>(text))) {}
  const std::variant<int64_t, std::string>& value() const { return value_; }

 private:
  std::variant<int64_t, std::string> value_;
};

// A procedure to call: itself, or the name of one that the Proc knows (Proc::with, targets/).
class Callee {
 public:
  template <class S>
    requires std::convertible_to<S, std::string>
  Callee(S&& name) : name_(std::forward<S>(name)) {}
  Callee(const Proc& proc);
  const std::string& name() const { return name_; }
  const ir::ProcRef& proc() const { return proc_; }  // null where only the name is given

 private:
  std::string name_;
  ir::ProcRef proc_;
};

namespace step {
using Loop = At;
using Stmt = At;
using Alloc = At;
using Block = StmtBlock;
using Number = int64_t;
using Numbers = std::vector<int64_t>;
using Flag = bool;
using Tail = hocket::Tail;
using Name = std::string;
using New = std::string;
using Names = std::vector<std::string>;
using Index = IndexText;
using Window = std::string;
using Callee = hocket::Callee;
using Element = ir::Type;
}  // namespace step

// Any of them, for Proc::apply; with a keyword where it is not given by position.
class StepArgument {
 public:
  using Value = std::variant<At, StmtBlock, IndexText, Callee, Tail, bool, ir::Type,
                             std::vector<std::string>, std::vector<int64_t>, ir::Literal>;
  // Given by name: StepArgument("tail", Tail::Cut).
  StepArgument(std::string keyword, const StepArgument& value)
      : keyword_(std::move(keyword)), value_(value.value_) {}
  static StepArgument of(Value value) {
    StepArgument a(0);
    a.value_ = std::move(value);
    return a;
  }
  StepArgument(const char* pattern) : value_(At(pattern)) {}
  StepArgument(const std::string& pattern) : value_(At(pattern)) {}
  StepArgument(const Cursor& cursor) : value_(At(cursor)) {}
  StepArgument(int number) : value_(ir::Literal::of(number)) {}
  StepArgument(int64_t number) : value_(ir::Literal::of(number)) {}
  StepArgument(bool flag) : value_(flag) {}
  StepArgument(Tail tail) : value_(tail) {}
  StepArgument(ir::Type type) : value_(type) {}
  StepArgument(const Proc& callee) : value_(Callee(callee)) {}
  StepArgument(std::vector<std::string> names) : value_(std::move(names)) {}
  StepArgument(std::vector<int64_t> numbers) : value_(std::move(numbers)) {}

  const std::string& keyword() const { return keyword_; }
  // In the words of a trace; cursors become patterns of that proc.
  ir::Literal literal(const ir::ProcRef& proc, const support::Place& place) const;
  const Callee* callee() const { return std::get_if<Callee>(&value_); }

 private:
  std::string keyword_;
  Value value_;
};

const char* spelling(Tail tail);

}  // namespace hocket
