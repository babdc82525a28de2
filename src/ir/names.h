// Spoken names for symbols while a program is printed: one name in one scope means one symbol.
//
// Binders take their own name where no visible symbol has it, else the name with `_1`, `_2`, ...;
// free symbols are bound at the outermost level when first met. Called by: the printer.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ir/symbol.h"

namespace hocket::ir {

class Names {
 public:
  // Binds a symbol in the innermost scope and returns its spelling.
  const std::string& bind(const Symbol& s);
  // The spelling of a symbol; binds it outermost where it is free.
  const std::string& name(const Symbol& s);

  // Forgets every bound symbol that `keep` does not want; their names become free again.
  void keep_only(const std::function<bool(const Symbol&)>& keep);

  void open() { scopes_.push_back({}); }
  void close();

 private:
  const std::string& give(const Symbol& s, std::vector<Symbol>* scope);

  std::unordered_map<Symbol, std::string> spelled_;  // as it stands in text
  std::unordered_map<Symbol, std::string> plain_;    // before quoting
  std::unordered_set<std::string> used_;
  std::vector<std::vector<Symbol>> scopes_;
};

}  // namespace hocket::ir
