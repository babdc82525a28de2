// The grammar of files (docs/language.md) over that of expressions; one class, its parts in
// parse_items.cpp and parse_lines.cpp.
//
// In: tokens. Out: the syntax tree, or the first diagnostic (P02xx). Called by: parser.cpp.
#pragma once

#include <string>
#include <vector>

#include "ir/read/expr_parser.h"
#include "text/syntax.h"

namespace hocket::text {

class SyntaxParser : public ExprParser {
 public:
  using ExprParser::ExprParser;
  Result<std::vector<ItemSyntax>> file();

 private:
  // lines
  using LineParser = Result<Line> (SyntaxParser::*)();
  Result<std::vector<Line>> block(const Token& head, LineParser line);
  Result<void> open_block(const Token& head);
  Line line(LineKind kind) const;
  Result<Line> definition();
  Result<Line> rdom();
  Result<Line> declaration(SyntaxRef target);
  Result<Line> chain();
  Result<Line> statement();
  Result<Line> for_line();
  Result<Line> if_line();
  Result<Line> let_line();
  Result<Line> alloc_line(SyntaxRef target);
  Result<Line> block_line();
  Result<Line> store_line();
  Result<Line> check_line();
  Result<Line> entry_line();
  Result<Line> dim_line();
  bool at_assign() const;

  // items
  Result<ItemSyntax> pipeline();
  Result<ItemSyntax> schedule_or_trace(ItemKind kind);
  Result<ItemSyntax> proc();
  Result<void> decorators(ItemSyntax& item);
  Result<void> params(ItemSyntax& item, bool pipeline);
  Result<ParamSyntax> param(bool pipeline);
  Result<void> range(SyntaxRef& min, SyntaxRef& max);
};

}  // namespace hocket::text
