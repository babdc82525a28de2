// The usual shape of a .hk file: what its author wrote, token for token, with the spaces, indents
// and empty lines of the printer, and with every comment at its statement.
//
// In: a text that lexes. Out: the same tokens and comments in the usual shape; a fixed point of
// itself. Line breaks inside brackets and chains are the author's. Called by: tools (`hocket fmt`).
#pragma once

#include <string>
#include <string_view>

#include "diag/result.h"

namespace hocket::text {

// Errors: those of the lexer (P01xx), with places in `file_name`.
diag::Result<std::string> format(std::string_view source, const std::string& file_name);

}  // namespace hocket::text
