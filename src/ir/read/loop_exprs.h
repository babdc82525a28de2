// Expressions of loop programs: variables, buffer elements, windows, and in flat form vectors.
// In: syntax and a Scope. Out: ir expressions, or a diagnostic. Called by: text/loops.cpp,
// expr_text.h.
#pragma once

#include "ir/read/elaborate.h"
#include "ir/read/scope.h"

namespace hocket::ir::read {

// The part of an access behind the name: `[i, j, when=p, align=32]`.
struct Access {
  std::vector<Expr> indices;
  Expr predicate;
  int64_t align = 0;
  Type type;  // of the element, with the lanes of the index
};

class LoopExprs : public Elaborator {
 public:
  LoopExprs(const Source& source, NumericMode mode, bool flat, Scope& scope)
      : Elaborator(source, mode), scope_(scope), flat_(flat) {}

  Result<Expr> scalar_coordinate(const Syntax& s);
  Result<Expr> scalar_condition(const Syntax& s);
  // A coordinate that may not read memory (control.h): `what` of the program it is.
  Result<Expr> control(const Syntax& s, const std::string& what);
  // `A[i, j]` as an element of a known buffer.
  Result<Access> access(const Thing& buffer, const Syntax& s);
  // `A[0:8, j]`, or `window(A[i, j])`.
  Result<Expr> window(const Syntax& s);
  // The buffer that a name or the head of an index means.
  Result<const Thing*> buffer(const Syntax& s);

 protected:
  Result<FrontOperand> variable(const std::string& path, const Syntax& at) override;
  Result<FrontOperand> application(const Syntax& s) override;
  Result<FrontOperand> indexed(const Syntax& s) override;
  Result<FrontOperand> special(const std::string& function, const Syntax& s) override;
  bool has_vectors() const override { return flat_; }

  Scope& scope_;
  bool flat_;
  bool loads_ = true;  // elements may be read: not in shapes and preconditions

 private:
  Result<FrontOperand> field(const std::string& field, const Syntax& head, const Syntax* dim,
                             const Syntax& s);
  Result<FrontOperand> vector(const std::string& function, const Syntax& s);
  Result<int> lanes(const Syntax& s);
  Result<void> may_load(const Thing& t, const Spot& s) const;
};

}  // namespace hocket::ir::read
