#include "ir/read/expr_text.h"

#include "ir/read/loop_exprs.h"

namespace hocket::ir::read {

namespace {

template <class F>
Result<Expr> with_syntax(std::string_view text, Scope& scope, const std::string& what,
                         NumericMode mode, F&& elaborate) {
  const Source source(text, what);
  HOCKET_TRY(Tokens tokens, lex(source));
  HOCKET_TRY(SyntaxRef syntax, ExprParser(source, tokens).only_expr());
  LoopExprs exprs(source, mode, false, scope);
  return elaborate(exprs, *syntax);
}

}  // namespace

diag::Result<Expr> read_expr(std::string_view text, Scope& scope, const std::string& what,
                             NumericMode mode) {
  return with_syntax(text, scope, what, mode,
                     [](LoopExprs& e, const Syntax& s) { return e.expr(s); });
}

diag::Result<Expr> read_value(std::string_view text, Type type, Scope& scope,
                              const std::string& what, NumericMode mode) {
  return with_syntax(text, scope, what, mode, [&](LoopExprs& e, const Syntax& s) {
    return type.is_index() ? e.coordinate(s) : e.value(s, type, what);
  });
}

diag::Result<Expr> read_window(std::string_view text, Scope& scope, const std::string& what) {
  return with_syntax(text, scope, what, NumericMode::Contract,
                     [](LoopExprs& e, const Syntax& s) { return e.window(s); });
}

}  // namespace hocket::ir::read
