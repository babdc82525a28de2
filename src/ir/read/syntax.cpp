#include "ir/read/syntax.h"

namespace hocket::ir::read {

std::optional<std::string> Syntax::path() const {
  if (kind == SyntaxKind::Name) return text;
  if (kind != SyntaxKind::Field || items[0]->quoted) return std::nullopt;
  std::optional<std::string> head = items[0]->path();
  if (!head) return std::nullopt;
  return *head + "." + text;
}

}  // namespace hocket::ir::read
