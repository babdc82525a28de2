// Names that the headers of C text, the emitted headers and the compilers give a meaning. In: a
// name. Out: whether it has one. <immintrin.h>, which instructions of x86 include, brings
// <stdlib.h> along, and that <sys/types.h>. Called by words.cpp and by the names of C text.
#pragma once

#include <string>

namespace hocket::codegen {

// A function with one spelling; those of <math.h> with three stand in words.cpp.
bool is_function_of_headers(const std::string& name);
// A macro or a type: it would be replaced or refused wherever it stands as a name.
bool is_header_name(const std::string& name);

}  // namespace hocket::codegen
