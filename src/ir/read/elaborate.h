// From the syntax of expressions to ir expressions: names by scope, types by the front door.
//
// In: syntax. Out: Expr whose types are checked, so that no constructor of ir can fail, or a
// diagnostic (P03xx, P04xx). What a name means is up to the scope: pipelines.cpp, loops.cpp and
// expr_text.cpp derive from it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "diag/result.h"
#include "ir/arith.h"
#include "ir/read/expr_parser.h"
#include "ir/read/syntax.h"

namespace hocket::ir::read {

class Elaborator {
 public:
  Elaborator(const Source& source, NumericMode mode) : source_(source), mode_(mode) {}
  virtual ~Elaborator() = default;

  // `expected`: the type that numbers take where nothing nearer gives them one.
  Result<FrontOperand> operand(const Syntax& s, std::optional<Type> expected = {});
  Result<Expr> expr(const Syntax& s);
  Result<Expr> value(const Syntax& s, Type type, const std::string& what = "the value");
  Result<Expr> coordinate(const Syntax& s);
  Result<Expr> condition(const Syntax& s);
  // The default of a scalar parameter: a number that a double holds exactly.
  Result<double> default_number(const Syntax& s, Type type, const std::string& name);

 protected:
  // A name that stands alone, with its dots (`x`, `r.x`).
  virtual Result<FrontOperand> variable(const std::string& path, const Syntax& at) = 0;
  // `f(...)` where f is no built-in function, and `input.min(x)`.
  virtual Result<FrontOperand> application(const Syntax& s) = 0;
  virtual Result<FrontOperand> indexed(const Syntax& s) = 0;
  // stride, ramp, broadcast, shuffle: only where the scope has them.
  virtual Result<FrontOperand> special(const std::string& function, const Syntax& s);
  virtual bool has_vectors() const { return false; }

  support::Place place(const Spot& s) const { return source_.place(s); }
  diag::Diagnostic refuse(diag::Kind kind, const Spot& s) const {
    return diag::Diagnostic(kind, place(s));
  }
  // With the names that come close.
  diag::Diagnostic unknown(const std::string& what, const std::string& name, const Spot& s,
                           const std::vector<std::string>& known) const;
  // With the place of the first definition.
  diag::Diagnostic twice(const std::string& name, const Spot& s, const support::Place& first) const;
  diag::Diagnostic count(const std::string& name, const std::string& wanted, const std::string& of,
                         size_t given, const Spot& s) const;
  Result<Type> type(const TypeSyntax& t, bool index_too = true) const;

  const Source& source_;
  NumericMode mode_;

 private:
  Result<FrontOperand> function(const std::string& name, const Syntax& s,
                                std::optional<Type> expected);
  Result<FrontOperand> cast(Type type, const Syntax& s);
  Result<FrontOperand> chain(const Syntax& s);
  Result<std::vector<FrontOperand>> arguments(const std::string& name, const Syntax& s,
                                              size_t least, size_t most);
};

FrontOperand typed(Expr e);
// Helps for a misspelled name.
void did_you_mean(diag::Diagnostic& d, const std::string& name,
                  const std::vector<std::string>& known);

}  // namespace hocket::ir::read
