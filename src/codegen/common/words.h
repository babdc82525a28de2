// Names that C, C++ and their library have taken, in one place. In: a name. Out: whether it can be
// an identifier of a function in both languages. Called by exports.cpp (names that compiled code
// exports) and by every name of C text and headers, locals and parameters too: a local `floor`
// would hide what the text calls.
#pragma once

#include <string>

namespace hocket::codegen {

// Letters, digits and underscores, no digit first.
bool is_c_identifier(const std::string& name);
// Of C11, C23 or C++20.
bool is_keyword(const std::string& name);
// A function that a header which C text includes may declare.
bool is_library_function(const std::string& name);

}  // namespace hocket::codegen
