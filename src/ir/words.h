// The words of .hk text that printer and parser share: what is reserved, how names, numbers and
// strings are spelled.
//
// A name is one or more identifiers joined by dots (`x`, `r.x`), none of them reserved; any other
// name stands in backticks. Called by: the printer (print.h) and text/.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ir/expr.h"

namespace hocket::ir {

// Words that cannot be a bare name: statement words, built-in functions and type names.
bool is_reserved_word(std::string_view word);
bool is_identifier(std::string_view word);

// The name as it stands in text: bare where it can be, else in backticks with escapes.
std::string spell_name(std::string_view name);
// A string literal with its quotes.
std::string spell_string(std::string_view value);
// Digits that read back to the same value of the type: `3`, `-0.5`, `1e+20`, `inf`, `nan`.
std::string spell_number(const IntImm& imm);
std::string spell_number(const FloatImm& imm);
std::string spell_float(double value, Type type);
// The default value of a scalar parameter of this type.
std::string spell_default(double value, Type type);

// A header with parameters, broken after commas where it is too long for one line.
std::string wrapped(const std::string& head, const std::vector<std::string>& parts,
                    const std::string& tail);

}  // namespace hocket::ir
