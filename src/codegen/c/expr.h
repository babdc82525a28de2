// Expressions as C text. In: an expression of flat or loop form. Out: text with its binding; the
// helpers it needs are asked for. How memory is spelled is the body printer's affair: it overrides
// `load` and `field`.
#pragma once

#include <unordered_map>

#include "codegen/c/helpers.h"
#include "codegen/c/text.h"
#include "codegen/common/facts.h"
#include "ir/expr.h"

namespace hocket::codegen {

class CExprs {
 public:
  CExprs(CHelpers& helpers, CNames& names, Facts& facts)
      : helpers_(helpers), names_(names), facts_(facts) {}
  virtual ~CExprs() = default;

  CText expr(const ir::Expr& e);
  std::string text(const ir::Expr& e) { return expr(e).text; }
  // `a op b` of values printed already.
  CText apply(ir::BinaryOp op, ir::Type t, const CText& a, const CText& b);
  void saturate_index() { saturate_ = true; }

 protected:
  // From here on index arithmetic is that of sizes (CHelpers::sizing), until told otherwise.
  void size_index(bool on) { sizing_ = on; }

  virtual CText load(const ir::Load& e) = 0;
  virtual CText field(const ir::BufferField& e) = 0;
  virtual CText var(const ir::VarRef& e) { return {names_.of(e.sym), CText::Primary}; }

  CHelpers& helpers_;
  CNames& names_;
  Facts& facts_;
  // Nodes that were given a variable of their own, because several others use them.
  std::unordered_map<const ir::ExprNode*, std::string> shared_;

 private:
  CText unary(const ir::Unary& e);
  CText binary(const ir::Binary& e);
  CText divide(const ir::Binary& e);
  CText select(const ir::Select& e);
  CText cast(const ir::Cast& e);
  static CText call(const std::string& f, const std::vector<std::string>& args);

  bool saturate_ = false;
  bool sizing_ = false;
};

}  // namespace hocket::codegen
