// The front door of expressions: what `a + b` means when a person writes it (api and text alike).
//
// Types are matched as in Halide: a literal takes the other side's type (refused where it does not
// fit); an index operand meets data as its i32 cast; otherwise float wins over integer, the wider
// type wins, and of a signed and an unsigned type of integers the result is signed at the greater
// width; a shift has the left operand's kind at the greater width, and its count keeps its value.
// In mode Contract, x + y and x - y of floats turn a product operand into an explicit fma:
// the right one if both are products, else the left; never through a cast, select, call or
// strict().
#pragma once

#include <string>

#include "diag/result.h"
#include "ir/expr.h"
#include "ir/numeric_mode.h"
#include "support/source.h"

namespace hocket::ir {

struct FrontOperand {
  Expr expr;
  bool literal = false;  // an untyped number the user wrote: adapts to the other side
  bool strict = false;   // wrapped in strict(): its product is not contracted
};

// The refusal (D0203) of an operand that nothing was given to, as an Expr of C++ can be.
diag::Diagnostic no_value(const support::Place& place);

// Numbers as the user wrote them.
FrontOperand front_literal(int64_t value);
FrontOperand front_literal(double value);

// Two literals fold to a literal, exactly for integers.
diag::Result<FrontOperand> front_binary(BinaryOp op, const FrontOperand& a, const FrontOperand& b,
                                        NumericMode mode, const support::Place& place);
diag::Result<FrontOperand> front_unary(UnaryOp op, const FrontOperand& a, NumericMode mode,
                                       const support::Place& place);
diag::Result<FrontOperand> front_fma(const FrontOperand& a, const FrontOperand& b,
                                     const FrontOperand& c, const support::Place& place);
diag::Result<FrontOperand> front_select(const FrontOperand& cond, const FrontOperand& t,
                                        const FrontOperand& f, const support::Place& place);
// min(max(v, lo), hi)
diag::Result<FrontOperand> front_clamp(const FrontOperand& v, const FrontOperand& lo,
                                       const FrontOperand& hi, const support::Place& place);
// `u8(e)`: a literal becomes a number of the type and has to be exact in it.
diag::Result<FrontOperand> front_cast(Type type, const FrontOperand& a,
                                      const support::Place& place);
// The operand as a value of a type of its own: a literal integer is i32, a literal float f32.
diag::Result<Expr> front_expr(const FrontOperand& a, const support::Place& place);
// The operand as a value of `type`: literals must be exact, index becomes its i32 cast first;
// other types only where `type` is the same (implicit conversions are refused). `what` names the
// value in the message.
diag::Result<Expr> front_value(const FrontOperand& a, Type type, const support::Place& place,
                               const std::string& what = "the value");
// The same of what an update by an operator gives, `f(x) += right`: the cast that is offered is one
// of `right` alone.
diag::Result<Expr> front_updated(const FrontOperand& a, const FrontOperand& right, Type type,
                                 const support::Place& place,
                                 const std::string& what = "the value");
// The operand as a coordinate: index stays, integers are cast to index; floats are refused.
diag::Result<Expr> front_coordinate(const FrontOperand& a, const support::Place& place);
diag::Result<Expr> front_condition(const FrontOperand& a, const support::Place& place);

// Which operators exist for which types: the front door refuses the rest, and the verifier
// (verify.h) holds every node to it.
bool is_defined(BinaryOp op, Type type);
bool is_defined(UnaryOp op, Type type);

}  // namespace hocket::ir
